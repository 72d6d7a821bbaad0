package door

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentguard/checks"
)

// TestHome: a home folder that is missing, empty or relative is looked up; where
// that fails nothing is looked for anywhere, least of all below the current folder.
func TestHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	listed := func() string { return at("listed") }
	none := func() string { return "" }
	for _, c := range []struct {
		name                string
		env                 map[string]string
		list                func() string
		home, config, state string
	}{
		{"set", map[string]string{"HOME": at("home")}, listed, at("home"), at("home", ".config"), at("home", ".local", "state")},
		{"not set", nil, listed, at("listed"), at("listed", ".config"), at("listed", ".local", "state")},
		{"empty", map[string]string{"HOME": ""}, listed, at("listed"), at("listed", ".config"), at("listed", ".local", "state")},
		{"relative", map[string]string{"HOME": "."}, listed, at("listed"), at("listed", ".config"), at("listed", ".local", "state")},
		{"not set, not listed", nil, none, "", checks.Nowhere, checks.Nowhere},
		{"relative, not listed", map[string]string{"HOME": "home"}, none, "", checks.Nowhere, checks.Nowhere},
		{"no list", nil, nil, "", checks.Nowhere, checks.Nowhere},
		{"folders of their own", map[string]string{"XDG_CONFIG_HOME": at("c"), "XDG_STATE_HOME": at("s")}, none, "", at("c"), at("s")},
		{"relative folders of their own", map[string]string{"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "."}, none, "", checks.Nowhere, checks.Nowhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := Env{Now: time.Now, GOOS: runtime.GOOS, UserHome: c.list, Getenv: func(name string) (string, bool) {
				v, ok := c.env[name]
				return v, ok
			}}
			w := env.World()
			if w.Home != c.home || w.Config != c.config || w.State != c.state {
				t.Errorf("home %q, config %q, state %q; want %q, %q, %q", w.Home, w.Config, w.State, c.home, c.config, c.state)
			}
		})
	}
	if got := userHome(); got != "" && !filepath.IsAbs(got) {
		t.Errorf("the list of users has %q", got)
	}
}

// TestNoHome: without a home folder a repository cannot bring the switch, a policy
// or a memory of its own, the gates decide as ever, and nothing is written into the
// current folder.
func TestNoHome(t *testing.T) {
	for _, home := range []string{"", ".", "home"} {
		t.Run("HOME="+home, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for _, base := range []string{".", "home"} {
				put(t, filepath.Join(base, ".local", "state", "agentguard", "off.json"), off(t, time.Now().Add(time.Hour)))
				put(t, filepath.Join(base, ".config", "agentguard", "policy.jsonc"), `{"version": 1, "profile": "observe"}`)
				put(t, filepath.Join("agentguard", "off.json"), off(t, time.Now().Add(time.Hour)))
			}
			before := files(t, dir)
			env := envOf(home, dir)
			for _, event := range []string{
				`{"session_id":"s","cwd":"` + filepath.ToSlash(dir) + `","hook_event_name":"SessionStart","source":"startup"}`,
				`{"session_id":"s","cwd":"` + filepath.ToSlash(dir) + `","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_use_id":"t"}`,
			} {
				var out strings.Builder
				Call{Env: env, Stdin: strings.NewReader(event), Stdout: &out, Stderr: io.Discard, Checks: Checks()}.Run(t.Context())
				if strings.Contains(event, "rm -rf") && !strings.Contains(out.String(), `"deny"`) {
					t.Errorf("answered %q", out.String())
				}
			}
			if after := files(t, dir); after != before {
				t.Errorf("the folder held\n%s\nand holds\n%s", before, after)
			}
		})
	}
}

// TestSwitch: what SwitchOff wrote counts, and nothing that it could not have
// written.
func TestSwitch(t *testing.T) {
	now := time.Now()
	if err := SwitchOff(t.TempDir(), Switch{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		until time.Time
		mend  func(path string) error
		off   bool
	}{
		{"for half an hour", now.Add(30 * time.Minute), nil, true},
		{"for as long as it can be", now.Add(LongestOff), nil, true},
		{"for longer", now.Add(LongestOff + time.Minute), nil, false},
		{"for ever", now.AddDate(100, 0, 0), nil, false},
		{"until before", now.Add(-time.Second), nil, false},
		{"as a checkout has it", now.Add(time.Hour), func(p string) error { return os.Chmod(p, 0o644) }, false},
		{"writable for others", now.Add(time.Hour), func(p string) error { return os.Chmod(p, 0o602) }, false},
		{"behind a link", now.Add(time.Hour), func(p string) error {
			if err := os.Rename(p, p+".moved"); err != nil {
				return err
			}
			return os.Symlink(p+".moved", p)
		}, false},
		{"too long to be one", now.Add(time.Hour), func(p string) error {
			return os.WriteFile(p, []byte(off(t, now.Add(time.Hour))+strings.Repeat(" ", maxSwitch)), 0o600)
		}, false},
		{"no JSON", now.Add(time.Hour), func(p string) error { return os.WriteFile(p, []byte("until tomorrow"), 0o600) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.mend != nil {
				t.Skip("no such rights here")
			}
			state := t.TempDir()
			if err := SwitchOff(state, Switch{Until: c.until}); err != nil {
				t.Fatal(err)
			}
			if c.mend != nil {
				if err := c.mend(switchPath(state)); err != nil {
					t.Fatal(err)
				}
			}
			if _, got := switchedOff(state, now); got != c.off {
				t.Errorf("off is %v", got)
			}
		})
	}
}

// envOf is an outside with nothing but a home folder and a current one.
func envOf(home, dir string) Env {
	return Env{
		Now: time.Now, GOOS: runtime.GOOS, Dir: dir,
		Getenv: func(name string) (string, bool) {
			if name == "HOME" && home != "" {
				return home, true
			}
			return "", false
		},
	}
}

// off is the content of a switch.
func off(t *testing.T, until time.Time) string {
	t.Helper()
	b, err := json.Marshal(Switch{Until: until})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// files lists what lies below a folder, a name a line.
func files(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		b.WriteString(path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
