package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Effect is how much the client drops because of a fault.
type Effect int

// The effects, mildest first.
const (
	// KeepsEntry: the entry is kept but does not do what it seems to say.
	KeepsEntry Effect = iota + 1
	// DropsEntry: the handler or group never runs.
	DropsEntry
	// DropsEvent: no entry of the event runs.
	DropsEvent
	// DropsFile: the whole file counts for nothing, permissions and env too.
	DropsFile
)

// Fault is one place where a settings file is not what the client expects.
type Fault struct {
	Effect Effect
	// Event is the hook event it belongs to, if any.
	Event             string
	Offset, Line, Col int
	// Message says what was found, in plain words without the effect.
	Message string
}

// Faults lists what the client version makes of a settings file, in the order of
// the file. Of an unknown version the worst is said. Problems that Parse found
// are not repeated: look at Strict too.
func (d Document) Faults(v Version) []Fault {
	c := checker{doc: d, version: v}
	c.root()
	slices.SortStableFunc(c.faults, func(a, b Fault) int { return a.Offset - b.Offset })
	at := newLocator(d.Source)
	for i := range c.faults {
		c.faults[i].Line, c.faults[i].Col = at.position(c.faults[i].Offset)
	}
	return c.faults
}

// Void reports the first reason why the client drops the whole file, as a fault,
// or false when it reads it.
func (d Document) Void(v Version) (Fault, bool) {
	for _, p := range d.Problems {
		if p.Fatal() {
			return Fault{Effect: DropsFile, Offset: p.Offset, Line: p.Line, Col: p.Col, Message: p.Message}, true
		}
	}
	for _, f := range d.Faults(v) {
		if f.Effect == DropsFile {
			return f, true
		}
	}
	return Fault{}, false
}

type checker struct {
	doc     Document
	version Version
	faults  []Fault
}

func (c *checker) add(effect Effect, event string, offset int, format string, args ...any) {
	c.faults = append(c.faults, Fault{Effect: effect, Event: event, Offset: offset, Message: fmt.Sprintf(format, args...)})
}

// knownKinds are keys whose wrong type voids the file, null included. All were
// seen on 2.1.332; the client checks more, and those it does not drop the file for
// are left out on purpose.
var knownKinds = []struct {
	path []string
	kind Kind
}{
	{[]string{"$schema"}, String},
	{[]string{"alwaysThinkingEnabled"}, Bool},
	{[]string{"allowManagedHooksOnly"}, Bool},
	{[]string{"apiKeyHelper"}, String},
	{[]string{"availableModels"}, Array},
	{[]string{"cleanupPeriodDays"}, Number},
	{[]string{"disableAllHooks"}, Bool},
	{[]string{"enableAllProjectMcpServers"}, Bool},
	{[]string{"enabledPlugins"}, Object},
	{[]string{"env"}, Object},
	{[]string{"includeCoAuthoredBy"}, Bool},
	{[]string{"language"}, String},
	{[]string{"model"}, String},
	{[]string{"outputStyle"}, String},
	{[]string{"permissions"}, Object},
	{[]string{"permissions", "additionalDirectories"}, Array},
	{[]string{"permissions", "allow"}, Array},
	{[]string{"permissions", "ask"}, Array},
	{[]string{"permissions", "defaultMode"}, String},
	{[]string{"permissions", "deny"}, Array},
	{[]string{"sandbox"}, Object},
	{[]string{"statusLine"}, Object},
}

func (c *checker) root() {
	root := c.doc.Root
	if root.Kind == None {
		return
	}
	if root.Kind != Object {
		c.add(DropsFile, "", root.Start, "the file holds %s, not an object", root.Kind)
		return
	}
	for _, known := range knownKinds {
		if n, ok := root.Get(known.path...); ok && n.Kind != known.kind {
			c.add(DropsFile, "", n.Start, "%s is %s; it must be %s", strings.Join(known.path, "."), n.Kind, known.kind)
		}
	}
	eachLast(root, func(m Member, last bool) {
		if m.Key != "hooks" {
			if KnownEvent(m.Key) && m.Value.Kind == Array {
				c.add(DropsEvent, m.Key, m.KeyStart, "%s stands outside \"hooks\", where it is not read", m.Key)
			}
			return
		}
		if !last {
			c.add(DropsEvent, "", m.KeyStart, "this \"hooks\" is not read: the key occurs again further down, and the last one counts")
			return
		}
		c.hooks(m.Value)
	})
}

func (c *checker) hooks(hooks Node) {
	switch hooks.Kind {
	case Object:
	case Null:
		c.add(KeepsEntry, "", hooks.Start, "\"hooks\" is null: nothing is registered here")
		return
	default:
		effect := DropsFile
		if c.version.keepsFileOfBadHooks() {
			effect = DropsEvent
		}
		c.add(effect, "", hooks.Start, "\"hooks\" is %s; it must be an object with one key for each event", hooks.Kind)
		return
	}
	eachLast(hooks, func(event Member, last bool) {
		switch {
		case !last:
			c.add(DropsEvent, event.Key, event.KeyStart, "this %q is not read: the key occurs again further down, and the last one counts", event.Key)
		case !KnownEvent(event.Key):
			message := fmt.Sprintf("%q is no event, so nothing here ever runs", event.Key)
			if near := Nearest(event.Key, eventNames[:]); near != "" {
				message += "; did you mean " + near + "?"
			}
			c.add(DropsEvent, event.Key, event.KeyStart, "%s", message)
		case event.Value.Kind == Null:
		case event.Value.Kind != Array:
			effect := DropsEvent
			if gateEvent(event.Key) {
				effect = DropsFile
			}
			c.add(effect, event.Key, event.Value.Start, "%s is %s; it must be a list of groups", event.Key, event.Value.Kind)
		default:
			for _, group := range event.Value.Items {
				c.group(event.Key, group)
			}
		}
	})
}

// bad is the effect of a malformed entry under an event.
func (c *checker) bad(event string) Effect {
	if c.version.dropsFileForEntry(event) {
		return DropsFile
	}
	return DropsEntry
}

func (c *checker) group(event string, group Node) {
	bad := c.bad(event)
	if group.Kind != Object {
		c.add(bad, event, group.Start, "a group of %s is %s; it must be an object with a list \"hooks\"", event, group.Kind)
		return
	}
	if m, ok := group.Get("matcher"); ok && m.Kind != String {
		c.add(bad, event, m.Start, "matcher is %s; it must be a string such as \"Bash|Write\"", m.Kind)
	}
	list, ok := group.Get("hooks")
	if !ok {
		if _, flat := group.Get("type"); flat {
			c.add(bad, event, group.Start, "this handler stands directly under %s; it belongs in a group: {\"hooks\": [ … ]}", event)
		} else {
			c.add(bad, event, group.Start, "this group has no list \"hooks\"")
		}
		return
	}
	if list.Kind != Array {
		c.add(bad, event, list.Start, "\"hooks\" of this group is %s; it must be a list", list.Kind)
		return
	}
	for _, handler := range list.Items {
		c.handler(event, bad, handler)
	}
}

// needs names the field that each handler type cannot do without.
func needs(kind string) (fields []string, ok bool) {
	switch kind {
	case "command":
		return []string{"command"}, true
	case "http":
		return []string{"url"}, true
	case "mcp_tool":
		return []string{"server", "tool"}, true
	case "prompt", "agent":
		return []string{"prompt"}, true
	}
	return nil, false
}

func (c *checker) handler(event string, bad Effect, handler Node) {
	if handler.Kind != Object {
		c.add(bad, event, handler.Start, "a handler is %s; it must be an object", handler.Kind)
		return
	}
	kind, ok := handler.Get("type")
	fields, known := needs(kind.Text)
	switch {
	case !ok:
		c.add(bad, event, handler.Start, "this handler has no \"type\"")
	case kind.Kind != String:
		c.add(bad, event, kind.Start, "type is %s; it must be a string", kind.Kind)
	case !known:
		c.add(bad, event, kind.Start, "type %s is none of command, http, mcp_tool, prompt, agent", strconv.Quote(kind.Text))
	}
	for _, field := range fields {
		if n, ok := handler.Get(field); !ok {
			c.add(bad, event, handler.Start, "this handler of type %s has no %q", kind.Text, field)
		} else if n.Kind != String {
			c.add(bad, event, n.Start, "%s is %s; it must be a string", field, n.Kind)
		}
	}
	if n, ok := handler.Get("timeout"); ok {
		if seconds, isNumber := n.Float(); !isNumber {
			c.add(bad, event, n.Start, "timeout is %s; it must be a number of seconds", n.Kind)
		} else if seconds <= 0 {
			c.add(bad, event, n.Start, "timeout is %s; it must be more than 0 seconds", n.Text)
		}
	}
	for _, field := range []string{"if", "statusMessage"} {
		c.optional(event, bad, handler, field, String)
	}
	for _, field := range []string{"async", "asyncRewake", "once"} {
		c.optional(event, bad, handler, field, Bool)
	}
	c.strings(event, bad, handler, "args", Array)
	c.strings(event, bad, handler, "allowedEnvVars", Array)
	c.strings(event, bad, handler, "headers", Object)
	if n, ok := handler.Get("shell"); ok && n.Text != "bash" && n.Text != "powershell" {
		c.add(bad, event, n.Start, "shell must be \"bash\" or \"powershell\"")
	}
	if n, ok := handler.Get("url"); ok && n.Kind == String && !hasScheme(n.Text) {
		c.add(bad, event, n.Start, "url is no URL; it must begin with http:// or https://")
	}
	if n, ok := handler.Get("onFailure"); ok && n.Text != "block" && n.Text != "continue" {
		if !c.version.KnowsOnFailure() {
			c.add(KeepsEntry, event, n.Start, "client %s does not know onFailure", c.version)
		} else {
			c.add(bad, event, n.Start, "onFailure must be \"block\" or \"continue\"")
		}
	}
}

func (c *checker) optional(event string, bad Effect, handler Node, field string, kind Kind) {
	if n, ok := handler.Get(field); ok && n.Kind != kind {
		c.add(bad, event, n.Start, "%s is %s; it must be %s", field, n.Kind, kind)
	}
}

// strings checks a list, or an object, that may hold only strings.
func (c *checker) strings(event string, bad Effect, handler Node, field string, kind Kind) {
	n, ok := handler.Get(field)
	if !ok {
		return
	}
	if n.Kind != kind {
		c.add(bad, event, n.Start, "%s is %s; it must be %s of strings", field, n.Kind, kind)
		return
	}
	values := n.Items
	for _, m := range n.Members {
		values = append(values, m.Value)
	}
	for _, value := range values {
		if value.Kind != String {
			c.add(bad, event, value.Start, "%s holds %s; it may hold only strings", field, value.Kind)
		}
	}
}

// hasScheme is the part of a URL check that plain words fail.
func hasScheme(text string) bool {
	scheme, rest, ok := strings.Cut(text, ":")
	return ok && rest != "" && scheme != "" && strings.IndexFunc(scheme, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')
	}) < 0
}
