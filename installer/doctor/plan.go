package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"agentguard/installer"
	"agentguard/settings"
)

// Plan is what --fix would do. The zero Plan does nothing.
type Plan struct {
	// Changes are files as they are and as they shall be.
	Changes []installer.Change
	// Modes are permission changes.
	Modes []ModeChange
	// Untrack are files to take out of git's index; they stay on disk.
	Untrack []string
	// Left are findings that touch the same bytes as another one: mend, and run
	// the doctor again.
	Left []Finding

	home, state, dir string
	environ          []string
	undo             string // the record that this plan takes back
	start            func(context.Context, Process) Output
}

// ModeChange is a change of a file's permissions.
type ModeChange struct {
	Path          string
	Before, After fs.FileMode
}

// mending collects what the mends of several findings want.
type mending struct {
	edits map[string][]settings.Edit
	raw   map[string][]byte
	order []string
	plan  *Plan
}

// errOverlap tells that another mend has these bytes already.
var errOverlap = errors.New("another change touches the same place")

// edit adds edits to a file whose bytes are raw, all or none.
func (m *mending) edit(path string, raw []byte, edits ...settings.Edit) error {
	for _, e := range edits {
		for _, other := range m.edits[path] {
			if e.Start < other.End && other.Start < e.End || e.Start == other.Start {
				return errOverlap
			}
		}
	}
	if _, known := m.raw[path]; !known {
		m.raw[path] = raw
		m.order = append(m.order, path)
	}
	m.edits[path] = append(m.edits[path], edits...)
	return nil
}

// Plan returns the changes for the findings that choose picks; nil picks all
// that are fixable.
func (r Report) Plan(p *Patient, choose func(Finding) bool) (Plan, error) {
	plan := Plan{home: p.Home, state: p.StateDir, dir: p.ProjectDir, environ: p.Environ, start: p.Start}
	m := &mending{edits: map[string][]settings.Edit{}, raw: map[string][]byte{}, plan: &plan}
	why := map[string][]string{}
	for _, f := range r.Findings() {
		if f.mend == nil || choose != nil && !choose(f) {
			continue
		}
		switch err := f.mend(m); {
		case errors.Is(err, errOverlap):
			plan.Left = append(plan.Left, f)
		case err != nil:
			return Plan{}, fmt.Errorf("planning the mend of %s: %w", f.Kind, err)
		default:
			why[f.File] = append(why[f.File], f.Kind)
		}
	}
	for _, path := range m.order {
		after := splice(m.raw[path], m.edits[path])
		if bytes.Equal(after, m.raw[path]) {
			continue
		}
		if strings.HasSuffix(path, ".json") {
			if err := readable(after); err != nil {
				return Plan{}, fmt.Errorf("%s: the mended file would not be JSON (%w); nothing was planned", path, err)
			}
		}
		plan.Changes = append(plan.Changes, installer.Change{
			Kind: installer.SettingsFile, Path: path, Existed: true, Before: m.raw[path], After: after, Why: strings.Join(why[path], ", "),
		})
	}
	return plan, nil
}

// create plans a new file, unless another mend has.
func (m *mending) create(path string, data []byte, why string) {
	for _, c := range m.plan.Changes {
		if c.Path == path {
			return
		}
	}
	m.plan.Changes = append(m.plan.Changes, installer.Change{Kind: installer.SettingsFile, Path: path, After: data, Mode: 0o644, Why: why})
}

// readable refuses what could not even be parsed with comments.
func readable(after []byte) error {
	_, err := settings.Parse(after)
	return err
}

// splice makes edits that do not overlap.
func splice(raw []byte, edits []settings.Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b settings.Edit) int { return a.Start - b.Start })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(out, raw[done:e.Start]...)
		out = append(out, e.Text...)
		done = e.End
	}
	return append(out, raw[done:]...)
}

// Empty reports whether nothing would change.
func (p Plan) Empty() bool { return len(p.Changes)+len(p.Modes)+len(p.Untrack) == 0 }

// Diff shows the plan: unified diffs, then one line for each other change.
func (p Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		name := tilde(p.home, c.Path)
		from, to := name, name
		if !c.Existed {
			from = "/dev/null"
		}
		if c.Delete {
			to = "/dev/null"
		}
		if _, rest, ok := bytes.Cut(diff.Diff(from, c.Before, to, c.After), []byte("\n")); ok {
			b.Write(rest)
		}
	}
	for _, m := range p.Modes {
		fmt.Fprintf(&b, "mode %s: %s to %s\n", tilde(p.home, m.Path), m.Before.Perm(), m.After.Perm())
	}
	for _, path := range p.Untrack {
		fmt.Fprintf(&b, "git rm --cached %s (the file stays on disk)\n", tilde(p.home, path))
	}
	return b.String()
}

// fixRecord is what a --fix left behind for --undo.
type fixRecord struct {
	Time    time.Time    `json:"time"`
	Files   []fixFile    `json:"files,omitempty"`
	Modes   []ModeChange `json:"modes,omitempty"`
	Untrack []string     `json:"untrack,omitempty"`
	Dir     string       `json:"dir"`
}

type fixFile struct {
	Path    string `json:"path"`
	Existed bool   `json:"existed"`
	Delete  bool   `json:"delete,omitempty"`
	Before  []byte `json:"before"`
	After   []byte `json:"after"`
}

func recordDir(state string) string { return filepath.Join(state, "doctor") }

// Apply makes the changes. The record for Undo is written first. A file that
// changed since the plan was made is left alone, and those before it are kept.
func (p Plan) Apply(ctx context.Context, now time.Time) error {
	if p.Empty() {
		return nil
	}
	if p.undo == "" {
		if err := p.record(now); err != nil {
			return err
		}
	}
	w := settings.Writer{LockDir: filepath.Join(p.state, "locks")}
	for _, c := range p.Changes {
		w.Mode = c.Mode
		err := w.Update(ctx, c.Path, func(snap settings.Snapshot) (settings.Next, error) {
			if snap.Exists != c.Existed || !bytes.Equal(snap.Bytes, c.Before) {
				return settings.Next{}, fmt.Errorf("%s changed since the preview; run the doctor again", c.Path)
			}
			return settings.Next{Bytes: c.After, Delete: c.Delete}, nil
		})
		if err != nil {
			return fmt.Errorf("mending: %w", err)
		}
	}
	for _, m := range p.Modes {
		if err := os.Chmod(m.Path, m.After.Perm()); err != nil {
			return fmt.Errorf("mending: %w", err)
		}
	}
	for _, path := range p.Untrack {
		verb := []string{"rm", "--cached", "--quiet", "--", path}
		if p.undo != "" {
			verb = []string{"add", "--force", "--", path}
		}
		if out := git(ctx, p.start, p.environ, p.dir, verb...); out.Exit != 0 {
			return fmt.Errorf("mending: git %s: %s", strings.Join(verb, " "), strings.TrimSpace(out.Stderr))
		}
	}
	if p.undo != "" {
		return os.Remove(p.undo)
	}
	return nil
}

func (p Plan) record(now time.Time) error {
	rec := fixRecord{Time: now.UTC(), Modes: p.Modes, Untrack: p.Untrack, Dir: p.dir}
	for _, c := range p.Changes {
		rec.Files = append(rec.Files, fixFile{c.Path, c.Existed, c.Delete, c.Before, c.After})
	}
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("fix record: %w", err)
	}
	if err := os.MkdirAll(recordDir(p.state), 0o700); err != nil {
		return fmt.Errorf("fix record: %w", err)
	}
	name := filepath.Join(recordDir(p.state), fmt.Sprintf("fix-%020d.json", now.UnixNano()))
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return fmt.Errorf("fix record: %w", err)
	}
	return nil
}

// ErrNothingToUndo is returned when no fix is on record.
var ErrNothingToUndo = errors.New("no fix of the doctor is on record")

// Undo plans to take the latest --fix back. Files that changed since are refused
// when the plan is applied.
func Undo(p *Patient) (Plan, error) {
	p.defaults()
	names, err := filepath.Glob(filepath.Join(recordDir(p.StateDir), "fix-*.json"))
	if err != nil || len(names) == 0 {
		return Plan{}, ErrNothingToUndo
	}
	slices.Sort(names)
	last := names[len(names)-1]
	data, err := os.ReadFile(last)
	if err != nil {
		return Plan{}, fmt.Errorf("fix record: %w", err)
	}
	var rec fixRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return Plan{}, fmt.Errorf("fix record %s: %w", last, err)
	}
	plan := Plan{home: p.Home, state: p.StateDir, dir: rec.Dir, environ: p.Environ, start: p.Start, undo: last, Untrack: rec.Untrack}
	for _, f := range slices.Backward(rec.Files) {
		plan.Changes = append(plan.Changes, installer.Change{
			Kind: installer.SettingsFile, Path: f.Path, Existed: !f.Delete, Delete: !f.Existed,
			Before: f.After, After: f.Before, Why: "as before the fix",
		})
	}
	for _, m := range rec.Modes {
		plan.Modes = append(plan.Modes, ModeChange{m.Path, m.After, m.Before})
	}
	return plan, nil
}

// git runs git in a folder with a time limit.
func git(ctx context.Context, start func(context.Context, Process) Output, environ []string, dir string, args ...string) Output {
	path := lookPath("git", environ, dir)
	if path == "" {
		return Output{Exit: -1, Err: fs.ErrNotExist}
	}
	return start(ctx, Process{
		Path: path, Args: append([]string{"-C", dir}, args...), Dir: dir, Limit: 5 * time.Second,
		Env: append(slices.Clone(environ), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"),
	})
}
