package doctor

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// caseWorld and caseWant are the two files of a recorded case.
type caseWorld struct {
	CWD   string            `json:"cwd"`
	Home  string            `json:"home"`
	Tools []string          `json:"tools"`
	Env   map[string]string `json:"env"`
	Modes map[string]string `json:"modes"`
	Links map[string]string `json:"links"`
	Git   gitSetup          `json:"git"`
	OS    string            `json:"os"`
}

type caseFinding struct {
	Kind     string `json:"kind"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Severity string `json:"severity"`
	Fixable  bool   `json:"fixable"`
}

type caseWant struct {
	Findings []caseFinding `json:"findings"`
}

func readCase(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// build lays a recorded case out.
func build(t *testing.T, dir string) *world {
	t.Helper()
	var spec caseWorld
	readCase(t, filepath.Join(dir, "world.json"), &spec)
	w := newWorld(t)
	w.cwd, w.os, w.tools, w.links, w.modes, w.git = spec.CWD, spec.OS, spec.Tools, spec.Links, spec.Modes, spec.Git
	first, _, _ := strings.Cut(spec.CWD, "/")
	if info, err := os.Stat(filepath.Join(dir, first)); err == nil && info.IsDir() {
		w.project = w.path(first)
	}
	for k, v := range spec.Env {
		w.env = append(w.env, k+"="+v)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if slices.Contains([]string{"world.json", "expect.json", ".gitattributes"}, rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info, err := d.Info(); err == nil && info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		w.put(filepath.ToSlash(rel), data, mode)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.finish()
	return w
}

// TestCases holds the doctor to the recorded cases: each expected finding with
// its exact line, severity and whether it can be mended, and nothing else above
// information.
func TestCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/cases/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no cases")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			w := build(t, dir)
			var want caseWant
			readCase(t, filepath.Join(dir, "expect.json"), &want)
			p := w.patient()
			report := Run(t.Context(), p, Options{})
			check(t, w, report, want.Findings)
			mended(t, p, report)
		})
	}
}

// check compares findings above information with what is expected.
func check(t *testing.T, w *world, report Report, want []caseFinding) {
	t.Helper()
	var got []caseFinding
	for _, f := range report.Findings() {
		if f.Fix == "" {
			t.Errorf("%s has no fix line", f.Kind)
		}
		if f.Severity > Info {
			got = append(got, caseFinding{f.Kind, w.rel(f.File), f.Line, f.Severity.String(), f.Fixable})
		}
	}
	for _, f := range want {
		i := slices.IndexFunc(got, func(g caseFinding) bool {
			return g.Kind == f.Kind && g.File == f.File && (f.Line == 0 || f.Line == g.Line)
		})
		if i < 0 {
			t.Errorf("missed %s %s:%d", f.Kind, f.File, f.Line)
			continue
		}
		if got[i].Severity != f.Severity || got[i].Fixable != f.Fixable {
			t.Errorf("%s %s: got %s, fixable %v; want %s, %v", f.Kind, f.File, got[i].Severity, got[i].Fixable, f.Severity, f.Fixable)
		}
		got = slices.Delete(got, i, i+1)
	}
	for _, f := range got {
		t.Errorf("false alarm: %s %s:%d (%s)", f.Kind, f.File, f.Line, f.Severity)
	}
	kindsOf := map[string][]string{}
	for _, probe := range All() {
		kindsOf[probe.ID] = probe.Kinds
	}
	for _, r := range report.Results {
		for _, f := range r.Findings {
			if !slices.Contains(kindsOf[r.Probe], f.Kind) {
				t.Errorf("probe %s does not say that it can find %s", r.Probe, f.Kind)
			}
			if strings.Contains(f.Message+f.Fix, "  ") || f.Message == "" {
				t.Errorf("%s: message %q, fix %q", f.Kind, f.Message, f.Fix)
			}
		}
		if r.Status == Skipped && r.Note != "only with --live" {
			t.Errorf("probe %s: %s", r.Probe, r.Note)
		}
	}
}

// mended applies the mends of a report, looks that each mended finding is gone,
// and takes them back to the same bytes.
func mended(t *testing.T, p *Patient, report Report) {
	t.Helper()
	plan, err := report.Plan(p, func(f Finding) bool { return f.Severity > Info })
	if err != nil {
		t.Errorf("planning: %v", err)
		return
	}
	if plan.Empty() {
		return
	}
	if plan.Diff() == "" {
		t.Error("a plan without a preview")
	}
	before := map[string]string{}
	for _, c := range plan.Changes {
		data, _ := os.ReadFile(c.Path)
		before[c.Path] = string(data)
	}
	if err := plan.Apply(t.Context(), p.Now); err != nil {
		t.Errorf("mending: %v", err)
		return
	}
	fresh := &Patient{
		ProjectDir: p.ProjectDir, Home: p.Home, ConfigDir: p.ConfigDir, StateDir: p.StateDir, OS: p.OS,
		Environ: p.Environ, ManagedDir: p.ManagedDir, ClientVersion: p.ClientVersion, Now: p.Now,
	}
	left := map[string]bool{}
	for _, f := range plan.Left {
		left[f.Kind] = true
	}
	after := Run(t.Context(), fresh, Options{})
	for _, f := range report.Findings() {
		if f.mend == nil || f.Severity <= Info || left[f.Kind] {
			continue
		}
		for _, g := range after.Findings() {
			if g.Kind == f.Kind && g.File == f.File && g.Severity >= f.Severity && g.Line == f.Line && g.Kind != "settings-wrong-file" {
				t.Errorf("%s %s:%d is still there after the mend:\n%s", g.Kind, g.File, g.Line, plan.Diff())
			}
		}
	}
	undo, err := Undo(fresh)
	if err != nil {
		t.Errorf("undo: %v", err)
		return
	}
	if err := undo.Apply(t.Context(), p.Now); err != nil {
		t.Errorf("taking back: %v", err)
	}
	for path, want := range before {
		data, _ := os.ReadFile(path)
		if string(data) != want {
			t.Errorf("%s is not as before after the undo", path)
		}
	}
}
