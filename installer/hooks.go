package installer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"agentguard/settings"
)

// hooksFile edits the hooks of one settings file.
type hooksFile struct {
	path  string
	own   owner
	req   Request
	notes []string
	// leaving is true for an uninstall: it may also work on a file that the
	// client drops, since what it takes out would act again once that is mended.
	leaving bool
}

// parse reads a file and refuses what the client would drop: to add to a file
// that counts for nothing would look like a guard and be none.
func (f *hooksFile) parse(src []byte) (settings.Document, error) {
	doc, err := settings.Parse(src)
	if err != nil {
		refusal := &Refusal{Path: f.path, Found: err.Error()}
		if syntax, ok := err.(*settings.SyntaxError); ok { //nolint:errorlint // Parse returns it bare
			refusal.Line, refusal.Col, refusal.Found = syntax.Line, syntax.Col, syntax.Msg
		}
		return doc, f.refuse(refusal)
	}
	if fault, void := doc.Void(f.req.Version); void && !f.leaving {
		return doc, f.refuse(&Refusal{Path: f.path, Line: fault.Line, Col: fault.Col, Found: fault.Message})
	}
	return doc, nil
}

func (f *hooksFile) refuse(r *Refusal) *Refusal {
	r.Why = "the client drops the whole file because of it: hooks, permissions and env in it do not count"
	other := "user"
	if f.req.Scope == User {
		other = "project"
	}
	r.Ways = []string{
		"mend that place (agentguard doctor --fix shows how), then run this again",
		"leave the file alone and choose another one: --scope " + other,
	}
	return r
}

// install returns the file with our entries as the request wants them.
func (f *hooksFile) install(src []byte, prior map[string]int) ([]byte, error) {
	f.notes = nil
	doc, err := f.parse(src)
	if err != nil {
		return nil, err
	}
	before := doc
	for _, fault := range doc.Faults(f.req.Version) {
		f.notes = append(f.notes, fmt.Sprintf("%s:%d:%d: %s", f.path, fault.Line, fault.Col, fault.Message))
	}
	if doc, err = f.dropUnwanted(doc); err != nil {
		return nil, err
	}
	for _, event := range f.req.Events {
		if doc, err = f.event(doc, event, prior); err != nil {
			return nil, err
		}
	}
	if err := f.verify(before, doc); err != nil {
		return nil, err
	}
	return doc.Source, nil
}

// dropUnwanted takes out entries of events that are no longer asked for, and all
// but the first of those that occur twice.
func (f *hooksFile) dropUnwanted(doc settings.Document) (settings.Document, error) {
	wanted := func(event string) bool {
		return slices.ContainsFunc(f.req.Events, func(e EventSpec) bool { return e.Name == event })
	}
	return f.removeAll(doc, nil, func(h settings.Handler, earlier []settings.Handler) bool {
		if newer(h) {
			return false
		}
		if !wanted(h.Event) {
			return true
		}
		return slices.ContainsFunc(earlier, func(e settings.Handler) bool {
			return e.Event == h.Event && e.Matcher == h.Matcher && !e.Shadowed && !h.Shadowed &&
				f.own.written(h) && f.own.written(e)
		})
	})
}

// strip returns the file without our entries. base is the file before the first
// install, if known: lists and objects that it has stay, even when empty. Without
// it, what we emptied goes.
func (f *hooksFile) strip(src, base []byte) ([]byte, error) {
	doc, err := f.parse(src)
	if err != nil {
		return nil, err
	}
	before := doc
	var keep settings.Document
	if len(base) > 0 {
		if keep, err = settings.Parse(base); err != nil {
			keep = settings.Document{}
		}
	}
	doc, err = f.removeAll(doc, &keep, func(settings.Handler, []settings.Handler) bool { return true })
	if err != nil {
		return nil, err
	}
	if err := f.verify(before, doc); err != nil {
		return nil, err
	}
	return doc.Source, nil
}

// removeAll removes one entry at a time, since spans move, until none is chosen.
func (f *hooksFile) removeAll(
	doc settings.Document, keep *settings.Document, choose func(h settings.Handler, earlier []settings.Handler) bool,
) (settings.Document, error) {
	for range maxOwned {
		var earlier []settings.Handler
		var target settings.Node
		for _, h := range doc.Handlers() {
			if !f.own.owned(h) {
				continue
			}
			if choose(h, earlier) {
				target = removable(doc, h, keep)
				break
			}
			earlier = append(earlier, h)
		}
		if target.Kind == settings.None {
			return doc, nil
		}
		edits, ok := doc.Remove(target)
		if !ok {
			return doc, fmt.Errorf("%s: an entry of ours could not be taken out", f.path)
		}
		next, err := doc.Apply(edits...)
		if err != nil {
			return doc, fmt.Errorf("%s: taking an entry out: %w", f.path, err)
		}
		doc = next
	}
	return doc, &Refusal{
		Path: f.path, Found: fmt.Sprintf("the file has more than %d entries of agentguard", maxOwned),
		Why:  "no install of ours writes so many",
		Ways: []string{"restore the file from git or a backup, then run this again", "take the entries out by hand"},
	}
}

// maxOwned bounds the work on a file that somebody filled with our entries: the
// file is read anew after each that is taken out.
const maxOwned = 300

// removable widens a handler to what it leaves empty: its group, its event, the
// hooks object. What keep holds under the same name stays.
func removable(doc settings.Document, h settings.Handler, keep *settings.Document) settings.Node {
	list, _ := h.Group.Get("hooks")
	if len(list.Items) > 1 {
		return h.Node
	}
	if len(h.List.Items) > 1 {
		return h.Group
	}
	had := func(keys ...string) bool {
		if keep == nil {
			return false
		}
		_, ok := keep.Root.Get(keys...)
		return ok
	}
	if had("hooks", h.Event) {
		return h.Group
	}
	hooks, _ := doc.Root.Get("hooks")
	if len(hooks.Members) > 1 || had("hooks") || h.Shadowed {
		return h.List
	}
	return hooks
}

// event makes sure that one event has our entry, with a text of today.
func (f *hooksFile) event(doc settings.Document, e EventSpec, prior map[string]int) (settings.Document, error) {
	for _, h := range doc.Handlers() {
		if h.Event == e.Name && !h.Shadowed && f.own.owned(h) {
			return f.renew(doc, h, e, prior)
		}
	}
	return f.add(doc, e)
}

// add appends our group, with the parents that are missing.
func (f *hooksFile) add(doc settings.Document, e EventSpec) (settings.Document, error) {
	group := f.req.group(e)
	if doc.Root.Kind == settings.None {
		// The client counts an empty file as none. Its blank bytes go; undo has them.
		whole := settings.Edit{End: len(doc.Source), Text: "{}\n"}
		if bytes.HasPrefix(doc.Source, []byte("\ufeff")) {
			whole.Start = len("\ufeff")
		}
		next, err := doc.Apply(whole)
		if err != nil {
			return doc, err
		}
		doc = next
	}
	hooks, ok := doc.Root.Get("hooks")
	if !ok {
		return doc.Apply(doc.AppendMember(doc.Root, "hooks", settings.ObjectOf(settings.Entry(e.Name, settings.ListOf(group))))...)
	}
	if hooks.Kind == settings.Null {
		return doc.Apply(doc.Replace(hooks, settings.ObjectOf(settings.Entry(e.Name, settings.ListOf(group)))))
	}
	if hooks.Kind != settings.Object {
		return doc, f.refuseAt(doc, hooks, "\"hooks\" is "+hooks.Kind.String()+"; it must be an object with one key for each event")
	}
	list, ok := hooks.Get(e.Name)
	switch {
	case !ok:
		return doc.Apply(doc.AppendMember(hooks, e.Name, settings.ListOf(group))...)
	case list.Kind == settings.Array:
		return doc.Apply(doc.AppendItem(list, group)...)
	case list.Kind == settings.Null:
		return doc.Apply(doc.Replace(list, settings.ListOf(group)))
	}
	return doc, f.refuseAt(doc, list, fmt.Sprintf("%s is %s; it must be a list of groups", e.Name, list.Kind))
}

// refuseAt refuses a file for one value that the client does not take.
func (f *hooksFile) refuseAt(doc settings.Document, n settings.Node, found string) *Refusal {
	line, col := doc.Position(n.Start)
	return f.refuse(&Refusal{Path: f.path, Line: line, Col: col, Found: found})
}

// renew repairs only what is ours to repair: a text that we wrote is replaced by
// the one of today; what the person changed stays, and is named if it matters.
func (f *hooksFile) renew(doc settings.Document, h settings.Handler, e EventSpec, prior map[string]int) (settings.Document, error) {
	line, _ := doc.Position(h.Node.Start)
	if newer(h) {
		f.notes = append(f.notes, fmt.Sprintf(
			"%s:%d: our %s entry was written by a newer agentguard and was left as it is; update agentguard here", f.path, line, e.Name))
		return doc, nil
	}
	if !f.own.written(h) {
		f.notes = append(f.notes, fmt.Sprintf(
			"%s:%d: our %s entry runs another command, changed by hand; it was left as it is", f.path, line, e.Name))
		return doc, nil
	}
	want := f.req.handler(e)
	keys, other := outdated(h.Node, want)
	if other {
		return doc.Apply(doc.Replace(h.Node, want))
	}
	var edits []settings.Edit
	for _, key := range keys {
		now, _ := h.Node.Get(key)
		value, _ := want.Get(key)
		edits = append(edits, doc.Replace(now, value))
	}
	if timeout, ok := h.Node.Get("timeout"); ok && e.Timeout > 0 && h.Timeout != float64(e.Timeout) {
		if float64(prior[e.Name]) == h.Timeout {
			edits = append(edits, doc.Replace(timeout, settings.IntOf(e.Timeout)))
		} else if h.Timeout < float64(e.Timeout) {
			f.notes = append(f.notes, fmt.Sprintf(
				"%s:%d: our %s entry has timeout %v, changed by hand; a check may need %d s and is cut off before",
				f.path, line, e.Name, h.Timeout, e.Timeout))
		}
	}
	if mark, ok := h.Node.Get(ownerKey); ok && mark.Text != fmt.Sprint(generation) {
		edits = append(edits, doc.Replace(mark, settings.IntOf(generation)))
	} else if !ok && !f.req.Client.NoOwnerKey {
		edits = append(edits, doc.AppendMember(h.Node, ownerKey, settings.IntOf(generation))...)
	}
	next, err := doc.Apply(edits...)
	if err != nil {
		return doc, fmt.Errorf("%s: renewing an entry: %w", f.path, err)
	}
	if _, ok := h.Node.Get("onFailure"); ok || !f.req.failClosed(e) {
		return next, nil
	}
	for _, again := range next.Handlers() { // spans have moved
		if again.Event == e.Name && !again.Shadowed && f.own.owned(again) {
			return next.Apply(next.AppendMember(again.Node, "onFailure", settings.TextOf("block"))...)
		}
	}
	return next, nil
}

// verify is the last look before anything is written: the client can read the
// result, and every foreign entry is the same bytes as before.
func (f *hooksFile) verify(before, after settings.Document) error {
	body := bytes.TrimPrefix(after.Source, []byte("\ufeff"))
	if _, void := before.Void(f.req.Version); void {
		return f.verifyForeign(before, after)
	}
	if after.Root.Kind != settings.None && !json.Valid(body) {
		return fmt.Errorf("%s: the result would not be JSON; nothing was written", f.path)
	}
	if fault, void := after.Void(f.req.Version); void {
		return fmt.Errorf("%s: the client would drop the result (%s); nothing was written", f.path, fault.Message)
	}
	return f.verifyForeign(before, after)
}

func (f *hooksFile) verifyForeign(before, after settings.Document) error {
	if !slices.Equal(f.foreign(before), f.foreign(after)) {
		return fmt.Errorf("%s: an entry that is not ours would change; nothing was written", f.path)
	}
	return nil
}

func (f *hooksFile) foreign(doc settings.Document) []string {
	var out []string
	for _, h := range doc.Handlers() {
		if !f.own.owned(h) {
			out = append(out, h.Event+" "+h.Matcher+" "+string(doc.Source[h.Node.Start:h.Node.End]))
		}
	}
	for _, m := range doc.Root.Members {
		if m.Key != "hooks" {
			out = append(out, string(doc.Source[m.KeyStart:m.Value.End]))
		}
	}
	return out
}
