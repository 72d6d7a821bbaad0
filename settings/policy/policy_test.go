package policy_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings/policy"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// known are made-up checks: two guards on and off in the standard profile, and a
// recorder.
var known = []policy.Check{
	{ID: "on-guard", Guard: true, Standard: policy.Enforce, Rules: func() []string { return []string{"git-push-force", "rm-work"} }},
	{ID: "off-guard", Guard: true, Standard: policy.Observe},
	{ID: "recorder", Standard: policy.Enforce},
}

// TestErrors holds every message: where, what was found, what is accepted.
func TestErrors(t *testing.T) {
	var b strings.Builder
	for _, src := range []string{
		`{"version": 1, "profil": "strict"}`,
		`{"version": 1, "profile": "strickt"}`,
		`{"version": 1, "profile": 3}`,
		`{"version": 2}`,
		`{"profile": "strict"}`,
		`[]`,
		`{"version": 1,`,
		"{\n  // a comment is fine\n  \"version\": 1,\n  \"checks\": {\"on-gard\": {\"mode\": \"off\"}},\n}",
		`{"version": 1, "checks": {"on-guard": {"mode": "block"}}}`,
		`{"version": 1, "checks": {"on-guard": {"mod": "off"}}}`,
		`{"version": 1, "checks": {"on-guard": "off"}}`,
		`{"version": 1, "checks": {"on-guard": {"mode": "off"}, "on-guard": {"mode": "off"}}}`,
		`{"version": 1, "version": 1}`,
		`{"version": 1, "verify": {"test": "go test"}}`,
		`{"version": 1, "verify": {"test": ["go test", 3, ""]}}`,
		`{"version": 1, "protect": {"paths": [{"path": "infra/**"}]}}`,
		`{"version": 1, "protect": {"paths": [{"path": "infra/**", "reason": "ask ops", "decision": "allow"}]}}`,
		`{"version": 1, "judge": {"order": ["claud"]}}`,
		`{"version": 1, "judge": {"timeout": "10"}}`,
		`{"version": 1, "judge": {"timeout": "-1s"}}`,
		`{"version": 1, "judge": {"backends": {"x": {"type": "command"}}}}`,
		`{"version": 1, "judge": {"backends": {"x": {"type": "openai", "model": "m"}}}}`,
		`{"version": 1, "judge": {"backends": {"x": {"type": "http"}}}}`,
		`{"version": 1, "stop": {"max_blocks": 9}}`,
		`{"version": 1, "stop": {"max_blocks": 1.5}}`,
		`{"version": 1, "log": {"text": "no"}}`,
		`{"version": 1, "commands": [{"id": "x", "decision": "deny", "reason": "no"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "deny"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "block", "reason": "no"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "allow"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "allow", "rule": "git-push-forc"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "deny", "reason": "no", "rule": "rm-work"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "decision": "ask", "reason": "no", "halt": true}]}`,
		`{"version": 1, "commands": [{"id": "x", "subcommand": "push", "decision": "ask", "reason": "no"}]}`,
		`{"version": 1, "commands": [{"id": "x", "program": "a", "flags": ["force"], "decision": "ask", "reason": "no"}]}`,
		`{"version": 1, "commands": [{"id": "x", "content": "(", "decision": "ask", "reason": "no"}]}`,
		`{"version": 1, "commands": [{"id": "X y", "program": "a", "decision": "ask", "reason": "no"}]}`,
		"{\"version\": 1, \"commands\": [{\"id\": \"x\", \"program\": \"a\", \"decision\": \"ask\", \"reason\": \"no\"},\n {\"id\": \"x\", \"program\": \"b\", \"decision\": \"ask\", \"reason\": \"no\"}]}",
		`{"version": 1, "commands": [{"id": "x", "progam": "a", "decision": "ask", "reason": "no"}]}`,
		`{"version": 1, "secrets": {"allow": [{"reason": "all of them"}]}}`,
		`{"version": 1, "secrets": {"allow": [{"path": "a"}]}}`,
		`{"version": 1, "secrets": {"rules": [{"id": "x", "pattern": "[", "reason": "no"}]}}`,
		`{"version": 1, "rewrite": {"lease": "no"}}`,
		strings.Repeat("[", 600_000),
	} {
		_, problems := policy.Decode([]byte(src), policy.Team, "policy.jsonc", known)
		if len(src) > 200 {
			src = src[:20] + "…"
		}
		b.WriteString("# " + src + "\n")
		if len(problems) == 0 {
			t.Errorf("%s: no problem found", src)
		}
		for _, p := range problems {
			b.WriteString(p.Error() + "\n")
		}
	}
	golden := filepath.Join("testdata", "errors.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-golden +got)\n%s", diff)
	}
}

func TestEmptyFilesAreFine(t *testing.T) {
	for _, src := range []string{"", "\n", "// nothing yet\n", "\xef\xbb\xbf{\"version\":1}", "{\"version\":1,}", `{"$schema": "x", "version": 1}`} {
		if _, problems := policy.Decode([]byte(src), policy.Team, "p", known); len(problems) > 0 {
			t.Errorf("%q: %v", src, problems)
		}
	}
}

// load writes the layers given and loads them.
func load(t *testing.T, trusted bool, layers map[policy.Layer]string) *policy.Effective {
	t.Helper()
	dir := t.TempDir()
	paths := policy.PathsFor(filepath.Join(dir, "repo"), filepath.Join(dir, "config"), filepath.Join(dir, "state"), "linux")
	paths.Managed = filepath.Join(dir, "managed.jsonc")
	for layer, src := range layers {
		path := map[policy.Layer]string{policy.Managed: paths.Managed, policy.Team: paths.Team, policy.User: paths.User, policy.Local: paths.Local}[layer]
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if trusted {
		if err := policy.Trust(paths.Trust, paths.Team, policy.RepositoryDigest(paths)); err != nil {
			t.Fatal(err)
		}
	}
	return policy.Load(paths, known)
}

func TestMerge(t *testing.T) {
	weak := `{"version":1,"profile":"observe"}`
	cases := []struct {
		name      string
		layers    map[policy.Layer]string
		trusted   bool
		on, off   policy.Mode // of on-guard and off-guard
		untrusted bool
	}{
		{name: "built in", on: policy.Enforce, off: policy.Observe},
		{name: "the person's own layer is the base", layers: map[policy.Layer]string{policy.User: weak}, on: policy.Observe, off: policy.Observe},
		{name: "a trusted team may be weaker", layers: map[policy.Layer]string{policy.Team: weak}, trusted: true, on: policy.Observe, off: policy.Observe},
		{name: "an untrusted team may not", layers: map[policy.Layer]string{policy.Team: weak}, on: policy.Enforce, off: policy.Observe, untrusted: true},
		{name: "an untrusted team may be stricter", layers: map[policy.Layer]string{policy.Team: `{"version":1,"profile":"strict"}`}, on: policy.Enforce, off: policy.Enforce},
		{name: "an untrusted team that names the usual judge asks for nothing", layers: map[policy.Layer]string{
			policy.Team: `{"version":1,"profile":"standard","verify":{"test":["go test ./..."]},"judge":{"order":["offline"]}}`,
		}, on: policy.Enforce, off: policy.Observe},
		{name: "an untrusted team that names another judge", layers: map[policy.Layer]string{
			policy.Team: `{"version":1,"judge":{"order":["claude","offline"]}}`,
		}, on: policy.Enforce, off: policy.Observe, untrusted: true},
		{name: "the person tightens a trusted team", trusted: true, layers: map[policy.Layer]string{policy.Team: weak, policy.User: `{"version":1,"profile":"strict"}`}, on: policy.Enforce, off: policy.Enforce},
		{name: "nobody loosens the base", trusted: true, layers: map[policy.Layer]string{
			policy.Team: `{"version":1}`, policy.User: weak, policy.Local: `{"version":1,"checks":{"on-guard":{"mode":"off"}}}`, policy.Managed: weak,
		}, on: policy.Enforce, off: policy.Observe},
		{name: "managed tightens", layers: map[policy.Layer]string{policy.User: weak, policy.Managed: `{"version":1,"checks":{"off-guard":{"mode":"warn"}}}`}, on: policy.Observe, off: policy.Warn},
		{name: "local tightens one check", trusted: true, layers: map[policy.Layer]string{policy.Team: weak, policy.Local: `{"version":1,"checks":{"on-guard":{"mode":"warn"}}}`}, on: policy.Warn, off: policy.Observe},
		{name: "a broken team without a good copy is standard", layers: map[policy.Layer]string{policy.Team: `{"version":1,"profile":"nope"}`, policy.User: weak}, on: policy.Enforce, off: policy.Observe},
		{name: "a check's mode beats the layer's profile", layers: map[policy.Layer]string{policy.User: `{"version":1,"profile":"strict","checks":{"on-guard":{"mode":"off"}}}`}, on: policy.Off, off: policy.Enforce},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := load(t, c.trusted, c.layers)
			if e.Mode("on-guard") != c.on || e.Mode("off-guard") != c.off {
				t.Errorf("modes %v and %v, want %v and %v (%v)", e.Mode("on-guard"), e.Mode("off-guard"), c.on, c.off, e.Origins)
			}
			if e.Mode("recorder") != policy.Enforce {
				t.Error("a profile touched the recorder")
			}
			if e.Untrusted != c.untrusted {
				t.Errorf("untrusted %v", e.Untrusted)
			}
		})
	}
}

func TestTrustIsBoundToTheContent(t *testing.T) {
	dir := t.TempDir()
	paths := policy.PathsFor(filepath.Join(dir, "repo"), filepath.Join(dir, "config"), filepath.Join(dir, "state"), "linux")
	write := func(src string) {
		if err := os.MkdirAll(filepath.Dir(paths.Team), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths.Team, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"version":1,"profile":"observe","judge":{"order":["evil"],"backends":{"evil":{"type":"command","command":["evil"]}}}}`)
	e := policy.Load(paths, known)
	if !e.Untrusted || cmp.Diff(e.Judge.Order, []string{"offline"}) != "" || len(e.Judge.Backends) != 0 {
		t.Errorf("a clone chose the judge: %+v", e.Judge)
	}
	if err := policy.Trust(paths.Trust, paths.Team, policy.RepositoryDigest(paths)); err != nil {
		t.Fatal(err)
	}
	if e = policy.Load(paths, known); e.Untrusted || e.Judge.Order[0] != "evil" || e.Mode("on-guard") != policy.Observe {
		t.Errorf("trust had no effect: %+v", e)
	}
	write(`{"version":1,"profile":"observe" }`)
	if e = policy.Load(paths, known); !e.Untrusted || e.Mode("on-guard") != policy.Enforce {
		t.Error("trust outlived a change")
	}
	if err := os.WriteFile(paths.Local, []byte(`{"version":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	write(`{"version":1,"profile":"observe","judge":{"order":["evil"],"backends":{"evil":{"type":"command","command":["evil"]}}}}`)
	if e = policy.Load(paths, known); !e.Untrusted {
		t.Error("a local file that was added later is trusted")
	}
}

func TestBrokenLayerKeepsItsLastGoodCopy(t *testing.T) {
	dir := t.TempDir()
	paths := policy.PathsFor("", filepath.Join(dir, "config"), filepath.Join(dir, "state"), "linux")
	if err := os.MkdirAll(filepath.Dir(paths.User), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(src string) {
		if err := os.WriteFile(paths.User, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"version":1,"profile":"strict"}`)
	if err := policy.KeepGood(paths.LastGood, policy.Load(paths, known)); err != nil {
		t.Fatal(err)
	}
	write(`{"version":1,"profile":"str`)
	e := policy.Load(paths, known)
	if len(e.Problems) == 0 || e.Mode("off-guard") != policy.Enforce {
		t.Errorf("problems %v, mode %v", e.Problems, e.Mode("off-guard"))
	}
	if err := policy.KeepGood(paths.LastGood, e); err != nil {
		t.Fatal(err)
	}
	if e = policy.Load(paths, known); e.Mode("off-guard") != policy.Enforce {
		t.Error("the broken file replaced the good copy")
	}
}

func TestProtectedBranch(t *testing.T) {
	e := load(t, false, map[policy.Layer]string{policy.User: `{"version":1,"branches":{"protected":["team/*/main"]}}`})
	for name, want := range map[string]bool{
		"main": true, "release/1.2": true, "feature/main": false, "team/a/main": true, "team/a/x": false, "mainline": false,
	} {
		if got := e.ProtectedBranch(name); got != want {
			t.Errorf("ProtectedBranch(%q) = %v", name, got)
		}
	}
}

func TestExemptionsComeFromTheBase(t *testing.T) {
	exempt := `{"version":1,"protect":{"exempt":[".env.test"]}}`
	if e := load(t, false, map[policy.Layer]string{policy.User: exempt}); len(e.Protect.Exempt) != 1 {
		t.Error("the base cannot exempt")
	}
	if e := load(t, true, map[policy.Layer]string{policy.Team: `{"version":1}`, policy.User: exempt}); len(e.Protect.Exempt) != 0 {
		t.Error("the person exempted what the team protects")
	}
	if e := load(t, false, map[policy.Layer]string{policy.Team: exempt}); len(e.Protect.Exempt) != 0 {
		t.Error("an untrusted repository exempted a path")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"checks":{"on-guard":{"mode":"off"}},"protect":{"paths":[{"path":"a","reason":"b"}]}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, problems := policy.Decode(src, policy.User, "p", known)
		for _, p := range problems {
			if p.Message == "" || (p.Line == 0) != (p.Col == 0) {
				t.Errorf("%+v", p)
			}
		}
	})
}
