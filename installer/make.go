package installer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"agentguard/settings"
	"agentguard/templates"
)

// target is one file that an install may touch, with what it does and undoes
// there.
type target struct {
	kind FileKind
	path string
	why  string
	mode fs.FileMode
	// outside is true for a file that lies outside the project by design.
	outside bool
	install func(settings.Snapshot) (settings.Next, error)
	// strip takes out what is ours and can be recognised exactly; base is the
	// recorded file before the install, if there is one.
	strip func(snap settings.Snapshot, base recordFile) (settings.Next, error)
}

// Make plans the install. A file that cannot be changed safely makes it fail
// with a *Refusal; nothing is written by it in any case. A second Make after
// Apply gives an empty plan.
func Make(req Request) (Plan, error) {
	req, err := req.defaults(false)
	if err != nil {
		return Plan{}, err
	}
	req.Require = req.Require || req.required()
	plan := Plan{req: req}
	targets, err := req.targets(&plan)
	if err != nil {
		return Plan{}, err
	}
	rec := readRecord(req.recordPath())
	for _, t := range targets {
		if err := plan.addInstall(t, rec); err != nil {
			return Plan{}, err
		}
	}
	plan.installNotes()
	return plan, nil
}

func (p *Plan) addInstall(t target, rec record) error {
	if t.install == nil {
		return nil
	}
	guarded := func(snap settings.Snapshot) (settings.Next, error) {
		if err := p.req.inside(t, snap); err != nil {
			return settings.Next{}, err
		}
		return t.install(snap)
	}
	snap, next, err := steady(t.path, guarded)
	if err != nil {
		return err
	}
	if snap.Exists && bytes.Equal(next.Bytes, snap.Bytes) || !snap.Exists && next.Delete {
		return nil
	}
	if snap.Exists && snap.Mode&0o222 == 0 {
		return readOnly(t.path)
	}
	old, _ := rec.file(t.path)
	p.Changes = append(p.Changes, Change{
		Kind: t.kind, Path: t.path, Existed: snap.Exists, Before: snap.Bytes, After: next.Bytes, Mode: t.mode, Why: t.why,
		make: guarded,
		base: func(snap settings.Snapshot) (settings.Next, error) { return t.strip(snap, old) },
	})
	return nil
}

// steady asks for the change of a file and does not trust a refusal until the
// file holds still: a client that is just writing leaves half a file behind.
func steady(path string, ask func(settings.Snapshot) (settings.Next, error)) (snap settings.Snapshot, next settings.Next, err error) {
	if snap, err = readTarget(path); err != nil {
		return snap, next, err
	}
	const tries = 5
	for try := 1; ; try++ {
		if next, err = ask(snap); err == nil || try == tries {
			return snap, next, err
		}
		time.Sleep(20 * time.Millisecond)
		again, readErr := readTarget(path)
		if readErr != nil || bytes.Equal(again.Bytes, snap.Bytes) {
			return snap, next, err
		}
		snap = again
	}
}

// Undo plans the uninstall of the request's scope. A file that is as we left it
// gets its recorded bytes back; in any other only entries are taken out that are
// recognised exactly, and what cannot be told from the person's own work stays,
// with a note.
func Undo(req Request) (Plan, error) {
	req, err := req.defaults(true)
	if err != nil {
		return Plan{}, err
	}
	req.Agents, req.Templates = nil, nil
	plan := Plan{req: req, undo: true}
	rec := readRecord(req.recordPath())
	targets, err := req.targets(&plan)
	if err != nil {
		return Plan{}, err
	}
	plan.Notes = nil
	targets = append(targets, req.recorded(rec, targets)...)
	for _, t := range slices.Backward(targets) { // the hooks go first, what they need last
		if err := plan.addUndo(t, rec); err != nil {
			return Plan{}, err
		}
	}
	return plan, nil
}

func (p *Plan) addUndo(t target, rec record) error {
	old, known := rec.file(t.path)
	undo := func(snap settings.Snapshot) (settings.Next, error) {
		if !snap.Exists {
			return settings.Next{Delete: true}, nil
		}
		if err := p.req.inside(t, snap); err != nil {
			return settings.Next{}, err
		}
		if known && bytes.Equal(snap.Bytes, old.After) {
			return settings.Next{Bytes: old.Before, Delete: !old.Existed}, nil
		}
		return t.strip(snap, old)
	}
	snap, next, err := steady(t.path, undo)
	if err != nil {
		return err
	}
	if !snap.Exists || !next.Delete && bytes.Equal(next.Bytes, snap.Bytes) {
		if snap.Exists {
			p.stays(t, known)
		}
		return nil
	}
	if snap.Mode&0o222 == 0 {
		return readOnly(t.path)
	}
	p.Changes = append(p.Changes, Change{
		Kind: t.kind, Path: t.path, Existed: true, Delete: next.Delete, Before: snap.Bytes, After: next.Bytes,
		Why: "take agentguard out", make: undo,
	})
	return nil
}

// stays tells of a whole file of ours that an undo leaves: it may hold the
// person's own work by now.
func (p *Plan) stays(t target, known bool) {
	switch {
	case t.kind != PolicyFile && t.kind != TemplateFile && t.kind != ReadmeFile:
	case known:
		p.Notes = append(p.Notes, p.Show(t.path)+" was changed since it was written and stays; delete it yourself if you do not need it")
	case t.kind == PolicyFile:
		p.Notes = append(p.Notes, p.Show(t.path)+" stays, since it may hold rules of your own; delete it yourself if you do not need it")
	}
}

// recorded makes targets of recorded files that the request does not name, such
// as agent files that have moved on.
func (r Request) recorded(rec record, known []target) []target {
	var out []target
	for _, f := range rec.Files {
		seen := false
		for _, t := range known {
			seen = seen || t.path == f.Path
		}
		if !seen {
			out = append(out, target{kind: f.Kind, path: f.Path, strip: keepAsIs})
		}
	}
	return out
}

func keepAsIs(snap settings.Snapshot, _ recordFile) (settings.Next, error) {
	return settings.Next{Bytes: snap.Bytes}, nil
}

func readTarget(path string) (settings.Snapshot, error) {
	snap, err := settings.ReadFile(path)
	if fileErr, ok := errors.AsType[*settings.FileError](err); ok {
		found := fileErr.Msg
		if fileErr.Err != nil {
			found += ": " + fileErr.Err.Error()
		}
		return snap, &Refusal{
			Path: path, Found: found, Why: "it cannot be changed safely, and the client may not read it either",
			Ways: []string{"mend or remove it, then run this again", "leave it and choose another scope with --scope"},
		}
	}
	return snap, err
}

func readOnly(path string) *Refusal {
	return &Refusal{
		Path: path, Found: "the file is read-only", Why: "somebody wants it to stay as it is",
		Ways: []string{"make it writable (chmod u+w), then run this again", "leave it and choose another scope with --scope"},
	}
}

// targets lists the files of the request, the settings file last: once it is
// written the hooks are in force, and then all they need must be there.
func (r Request) targets(plan *Plan) ([]target, error) {
	own := r.owner(allRecords(r.StateDir))
	var out []target
	if r.PolicyPath != "" {
		out = append(out, r.policyTarget())
	}
	if r.Scope == Project {
		out = append(out, r.readmeTarget())
	}
	if r.Scope != User {
		out = append(out, r.ignoreTargets()...)
	}
	agents, err := r.agentTargets(own, plan)
	if err != nil {
		return nil, err
	}
	out = append(out, agents...)
	return append(out, r.settingsTarget(own, plan)), nil
}

func (r Request) settingsTarget(own owner, plan *Plan) target {
	path := r.SettingsPath()
	prior := readRecord(r.recordPath()).Timeouts
	return target{
		kind: SettingsFile, path: path, why: "register the hooks",
		install: func(snap settings.Snapshot) (settings.Next, error) {
			f := hooksFile{path: path, own: own, req: r}
			after, err := f.install(snap.Bytes, prior)
			plan.Notes = append(plan.Notes, f.notes...)
			return settings.Next{Bytes: after}, err
		},
		strip: func(snap settings.Snapshot, base recordFile) (settings.Next, error) {
			f := hooksFile{path: path, own: own, req: r, leaving: true}
			after, err := f.strip(snap.Bytes, base.Before)
			if err != nil {
				return settings.Next{}, err
			}
			made := base.Path != "" && !base.Existed
			return settings.Next{Bytes: after, Delete: made && emptyObject(after)}, nil
		},
	}
}

func emptyObject(src []byte) bool {
	doc, err := settings.Parse(src)
	return err == nil && doc.Root.Kind == settings.Object && len(doc.Root.Members) == 0 && doc.Strict()
}

func (r Request) policyTarget() target {
	t := target{
		kind: PolicyFile, path: r.PolicyPath, why: "the policy: which checks act, and how this project is verified",
		strip: keepAsIs,
		install: func(snap settings.Snapshot) (settings.Next, error) {
			if !snap.Exists {
				return settings.Next{Bytes: r.Policy, Delete: len(r.Policy) == 0}, nil
			}
			if r.Profile == "" {
				return settings.Next{Bytes: snap.Bytes}, nil
			}
			return setProfile(snap, r.Profile)
		},
	}
	return t
}

// setProfile changes one word of a policy that is already there.
func setProfile(snap settings.Snapshot, profile string) (settings.Next, error) {
	doc, err := settings.Parse(snap.Bytes)
	if syntax, ok := errors.AsType[*settings.SyntaxError](err); ok {
		return settings.Next{}, &Refusal{
			Path: snap.Path, Line: syntax.Line, Col: syntax.Col, Found: syntax.Msg, Why: "the policy is not in force like this",
			Ways: []string{"mend that place, then run this again", "run this again without --profile: the policy then stays as it is"},
		}
	}
	if doc.Root.Kind != settings.Object {
		return settings.Next{}, &Refusal{
			Path: snap.Path, Line: 1, Col: 1, Found: "the policy holds " + doc.Root.Kind.String() + ", not an object",
			Why:  "the profile cannot be set in it",
			Ways: []string{"remove the file, then run this again: a new one is written", "run this again without --profile"},
		}
	}
	now, ok := doc.Root.Get("profile")
	if ok && now.Text == profile {
		return settings.Next{Bytes: snap.Bytes}, nil
	}
	edits := []settings.Edit{doc.Replace(now, settings.TextOf(profile))}
	if !ok {
		edits = doc.AppendMember(doc.Root, "profile", settings.TextOf(profile))
	}
	next, err := doc.Apply(edits...)
	if err != nil {
		return settings.Next{}, fmt.Errorf("%s: setting the profile to %s: %w", snap.Path, strconv.Quote(profile), err)
	}
	return settings.Next{Bytes: next.Source}, nil
}

func (r Request) readmeTarget() target {
	return textTarget(ReadmeFile, filepath.Join(r.ProjectDir, ".agentguard", "README.md"),
		"for the team: what this is, and how to get the program", templates.ReadmeTexts())
}

// textTarget writes a whole file. The first text is today's; a file with one of
// the others is an older one of ours and is renewed; any other is the person's.
func textTarget(kind FileKind, path, why string, texts []string) target {
	ours := func(snap settings.Snapshot) bool {
		return slices.Contains(texts, string(snap.Bytes))
	}
	return target{
		kind: kind, path: path, why: why,
		install: func(snap settings.Snapshot) (settings.Next, error) {
			if snap.Exists && !ours(snap) {
				return settings.Next{Bytes: snap.Bytes}, nil
			}
			return settings.Next{Bytes: []byte(texts[0])}, nil
		},
		strip: func(snap settings.Snapshot, _ recordFile) (settings.Next, error) {
			return settings.Next{Bytes: snap.Bytes, Delete: ours(snap)}, nil
		},
	}
}

// ignoreTargets keeps one person's files out of the repository: by its own
// ignore file when the project is set up, by the checkout's when only this
// person is.
func (r Request) ignoreTargets() []target {
	top := gitTop(r.ProjectDir)
	if top == "" {
		return nil
	}
	path, extra := filepath.Join(r.ProjectDir, ".gitignore"), ""
	files := r.personalFiles()
	if r.Scope == Local {
		if path = excludeFile(top); path == "" {
			return nil
		}
		extra = path
		rel, err := filepath.Rel(top, r.ProjectDir)
		if err != nil {
			return nil
		}
		for i := range files {
			files[i] = filepath.ToSlash(filepath.Join(rel, files[i]))
		}
	}
	base := r.ProjectDir
	if r.Scope == Local {
		base = top
	}
	return []target{{
		kind: IgnoreFile, path: path, outside: r.Scope == Local, why: "keep files of one person out of the repository",
		install: func(snap settings.Snapshot) (settings.Next, error) {
			var missing []string
			for _, file := range files {
				if !ignoredHere(top, filepath.Join(base, filepath.FromSlash(file)), extra) {
					missing = append(missing, file)
				}
			}
			after := addIgnores(snap.Bytes, missing)
			return settings.Next{Bytes: after, Delete: len(after) == 0}, nil
		},
		strip: func(snap settings.Snapshot, base recordFile) (settings.Next, error) {
			after := stripIgnores(snap.Bytes, files)
			made := base.Path == "" || !base.Existed
			return settings.Next{Bytes: after, Delete: made && len(after) == 0 && len(snap.Bytes) > 0}, nil
		},
	}}
}
