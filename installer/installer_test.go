package installer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentguard/installer"
	"agentguard/settings"
)

// place is a home folder and a repository to install into.
type place struct {
	t             *testing.T
	home, project string
	req           installer.Request
}

func newPlace(t *testing.T) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(root, "home dir"), project: filepath.Join(root, "pröject 'x'")}
	p.mkdir(p.home)
	p.mkdir(filepath.Join(p.project, ".git", "info"))
	p.req = installer.Request{
		ProjectDir: p.project, Home: p.home, StateDir: filepath.Join(p.home, ".local", "state", "agentguard"),
		HookPath: filepath.Join(p.home, ".local", "bin", "agentguard-hook"),
		Events: []installer.EventSpec{
			{Name: "PreToolUse", Matcher: "*", Timeout: 30, FailClosed: true},
			{Name: "SessionStart", Timeout: 10},
			{Name: "Stop", Timeout: 15},
		},
		Policy: []byte("{\n  // ours\n  \"profile\": \"standard\"\n}\n"),
	}
	return p
}

func (p *place) mkdir(dir string) {
	p.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) path(rel string) string { return filepath.Join(p.project, filepath.FromSlash(rel)) }

func (p *place) write(path, text string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(path string) string {
	p.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func (p *place) make() installer.Plan {
	p.t.Helper()
	plan, err := installer.Make(p.req)
	if err != nil {
		p.t.Fatal(err)
	}
	return plan
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func (p *place) apply(plan installer.Plan) {
	p.t.Helper()
	if err := plan.Apply(p.t.Context(), noon); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) install() { p.t.Helper(); p.apply(p.make()) }

func (p *place) uninstall() {
	p.t.Helper()
	plan, err := installer.Undo(p.req)
	if err != nil {
		p.t.Fatal(err)
	}
	p.apply(plan)
}

// tree is every file, link and folder below the project and the home folder,
// without our state.
func (p *place) tree() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	for _, root := range []string{p.project, p.home} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(filepath.Dir(root), path)
			switch {
			case strings.HasPrefix(path, filepath.Join(p.home, ".local")):
			case d.IsDir():
				out[rel] = "folder"
			case d.Type()&fs.ModeSymlink != 0:
				to, _ := os.Readlink(path)
				out[rel] = "link to " + to
			default:
				info, _ := d.Info()
				out[rel] = fmt.Sprintf("%v %q", info.Mode(), p.read(path))
			}
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	return out
}

// same fails when anything but the tree of before is there.
func (p *place) same(before map[string]string, what string) {
	p.t.Helper()
	if diff := cmp.Diff(before, p.tree()); diff != "" {
		p.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// handlers are the entries of a file the client would read, one line each.
func (p *place) handlers(path string) []string {
	p.t.Helper()
	src := p.read(path)
	if !json.Valid([]byte(strings.TrimPrefix(src, "\ufeff"))) {
		p.t.Fatalf("no strict JSON:\n%s", src)
	}
	doc, err := settings.Parse([]byte(src))
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, h := range doc.Handlers() {
		if !h.Shadowed {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", h.Event, h.Matcher, h.Command)))
		}
	}
	return out
}

// shapes are settings files as people have them.
var shapes = []struct{ name, src string }{
	{"empty file", ""},
	{"blank lines", "\n\n  \n"},
	{"only a byte order mark", "\ufeff"},
	{"empty object", "{}"},
	{"empty object with a line end", "{}\n"},
	{"empty object over lines", "{\n}\n"},
	{"no final newline", "{\n  \"model\": \"opus\"\n}"},
	{"two spaces", "{\n  \"model\": \"opus\",\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n"},
	{"four spaces", "{\n    \"model\": \"opus\"\n}\n"},
	{"tabs", "{\n\t\"model\": \"opus\"\n}\n"},
	{"no indent", "{\n\"model\": \"opus\"\n}\n"},
	{"CRLF", "{\r\n  \"model\": \"opus\"\r\n}\r\n"},
	{"byte order mark", "\ufeff{\n  \"model\": \"opus\"\n}\n"},
	{"byte order mark and CRLF", "\ufeff{\r\n\t\"model\": \"opus\"\r\n}"},
	{"minified", `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"make test"}]}]}}`},
	{"one line", `{ "model": "opus", "permissions": { "deny": [ "Read(./.env)" ] } }` + "\n"},
	{"odd spacing", "{  \"model\" :\t\"opus\"\n ,\n\n   \"x\": [ ] }\n\n\n"},
	{"hooks empty", "{\n  \"hooks\": {}\n}\n"},
	{"hooks empty over lines", "{\n  \"hooks\": {\n  }\n}\n"},
	{"hooks null", "{\n  \"hooks\": null,\n  \"model\": \"opus\"\n}\n"},
	{"event list empty", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
	{"event null", "{\n  \"hooks\": {\n    \"Stop\": null\n  }\n}\n"},
	{"foreign hooks", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"a && b > \\\"c\\\"\"\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
	{"foreign hooks that mention us", "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"echo agentguard-hook >> ~/log; agentguard status\" } ] } ]\n  }\n}\n"},
	{"a foreign program of our name", "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"/opt/other/agentguard-hook\", \"args\": [] } ] } ]\n  }\n}\n"},
	{"our program with their arguments", "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"agentguard-hook\", \"args\": [\"--client\", \"x\"] } ] } ]\n  }\n}\n"},
	{"escapes and unicode", "{\n  \"note\": \"\\u0026\\/ é 日本 <&>\",\n  \"model\": \"opus\"\n}\n"},
	{"duplicate top key", "{\n  \"hooks\": {\"Stop\": []},\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
	{"duplicate event", "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"lost\"}]}],\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"kept\"}]}]\n  }\n}\n"},
	{"unknown event", "{\n  \"hooks\": {\n    \"OnStop\": [{\"hooks\": []}]\n  }\n}\n"},
	{"unknown top keys", "{\n  \"mine\": {\"deep\": [1, 2.50, 1e3, -0, true, null]},\n  \"$schema\": \"x\"\n}\n"},
	{"http and prompt hooks", "{\n  \"hooks\": {\n    \"PostToolUse\": [{\"matcher\": \"Edit|Write\", \"hooks\": [{\"type\": \"http\", \"url\": \"http://127.0.0.1:1\"}, {\"type\": \"prompt\", \"prompt\": \"ok?\"}]}]\n  }\n}\n"},
	{"5000 lines", "{\n  \"permissions\": {\n    \"deny\": [\n" + strings.Repeat("      \"Read(./secret)\",\n", 5000) + "      \"Read(./.env)\"\n    ]\n  },\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
	{"hooks first", "{\n  \"hooks\": {\n    \"Notification\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say hi\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n"},
	{"trailing space after the end", "{}\n   \n\t"},
}

func TestInstallTwiceUndoGivesTheBytesBack(t *testing.T) {
	for _, scope := range []installer.Scope{installer.Project, installer.Local, installer.User} {
		for _, shape := range shapes {
			t.Run(scope.String()+"/"+shape.name, func(t *testing.T) {
				t.Parallel() // most of the time is spent waiting for the disk
				p := newPlace(t)
				p.req.Scope = scope
				p.write(p.req.SettingsPath(), shape.src)
				p.write(p.path(".gitignore"), "node_modules")
				before := p.tree()
				p.install()
				for _, event := range p.req.Events {
					n := 0
					for _, h := range p.handlers(p.req.SettingsPath()) {
						if strings.HasPrefix(h, event.Name+" ") && (strings.Contains(h, "command -v") || strings.HasSuffix(h, p.req.HookPath)) {
							n++
						}
					}
					if n != 1 {
						t.Errorf("%s has %d entries of ours:\n%s", event.Name, n, p.read(p.req.SettingsPath()))
					}
				}
				if again := p.make(); !again.Empty() {
					t.Errorf("a second install would change:\n%s", again.Diff())
				}
				p.uninstall()
				p.same(before, "after install and undo")
			})
		}
	}
}

// The person works on in the file after the install: undo then takes out ours
// and nothing else.
func TestUndoAfterTheFileChanged(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			path := p.req.SettingsPath()
			p.write(path, shape.src)
			p.install()
			doc, err := settings.Parse([]byte(p.read(path)))
			if err != nil {
				t.Fatal(err)
			}
			doc, err = doc.Apply(doc.AppendMember(doc.Root, "later", settings.IntOf(1))...)
			if err != nil {
				t.Fatal(err)
			}
			p.write(path, string(doc.Source))
			p.uninstall()
			got := p.read(path)
			if strings.Contains(got, "command -v") || !strings.Contains(got, "later") {
				t.Errorf("left:\n%s", got)
			}
			// The same edit without us in between must give the same values.
			want := strings.TrimPrefix(shape.src, "\ufeff")
			if strings.TrimSpace(want) == "" {
				want = "{}"
			}
			if strings.Contains(want, "null") { // a null in our way was replaced, and cannot come back by itself
				return
			}
			var a, b map[string]any
			if err := json.Unmarshal([]byte(want), &a); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(strings.TrimPrefix(got, "\ufeff")), &b); err != nil {
				t.Fatal(err)
			}
			delete(b, "later")
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInstallRefuses(t *testing.T) {
	tests := []struct {
		name, src string
		line, col int
		found     string
	}{
		{"comment", "{\n  // mine\n  \"model\": \"opus\"\n}\n", 2, 3, "comment"},
		{"trailing comma", "{\n  \"model\": \"opus\",\n}\n", 2, 18, "comma"},
		{"truncated", "{\n  \"hooks\": {\n", 3, 1, "ends in the middle"},
		{"null", "null\n", 1, 1, "null"},
		{"list", "[]", 1, 1, "a list"},
		{"hooks list", "{\"hooks\": []}", 1, 11, "must be an object"},
		{"hooks text", "{\"hooks\": \"x\"}", 1, 11, "must be an object"},
		{"a word that the client takes for a key of its own", "{\n  \"model\": null\n}\n", 2, 12, "model is null"},
		{"our gate is an object", "{\"hooks\": {\"PreToolUse\": {}}}", 1, 26, "must be a list"},
		{"our event is text", "{\n \"hooks\": {\n  \"Stop\": \"x\"}}", 3, 11, "must be a list"},
		{"flat handler", "{\"hooks\":{\"PreToolUse\":[{\"type\":\"command\",\"command\":\"x\"}]}}", 1, 25, "group"},
		{"timeout text", "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\",\"timeout\":\"5\"}]}]}}", 1, 77, "timeout"},
		{"utf-16", "\xff\xfe{\x00}\x00", 1, 1, "UTF-16"},
		{"two values", "{}{}", 1, 3, "after top-level value"},
		{"not JSON at all", "hello: yes\n", 1, 1, "hello"},
		{"deep", strings.Repeat("[", 5000), 1, 501, "nested"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t)
			p.write(p.req.SettingsPath(), test.src)
			before := p.tree()
			_, err := installer.Make(p.req)
			var refusal *installer.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("err = %v", err)
			}
			if refusal.Line != test.line || refusal.Col != test.col || !strings.Contains(refusal.Found, test.found) ||
				len(refusal.Ways) < 2 || refusal.Why == "" {
				t.Errorf("got %v", err)
			}
			p.same(before, "after a refusal")
		})
	}
}

func TestInstallRefusesFilesThatCannotBeReplaced(t *testing.T) {
	tests := []struct {
		name  string
		setUp func(p *place, path string)
		found string
	}{
		{"read-only", func(p *place, path string) {
			p.write(path, "{}")
			_ = os.Chmod(path, 0o444)
		}, "read-only"},
		{"folder", func(p *place, path string) { p.mkdir(path) }, "folder"},
		{"dangling link", func(p *place, path string) {
			p.mkdir(filepath.Dir(path))
			_ = os.Symlink("gone.json", path)
		}, "gone.json"},
		{"link out of the project", func(p *place, path string) {
			p.write(filepath.Join(p.home, "own.json"), "{}")
			p.mkdir(filepath.Dir(path))
			_ = os.Symlink(filepath.Join(p.home, "own.json"), path)
		}, "outside this project"},
		{"link of the folder", func(p *place, path string) {
			p.mkdir(filepath.Join(p.home, "elsewhere"))
			_ = os.Symlink(filepath.Join(p.home, "elsewhere"), filepath.Dir(path))
		}, "outside this project"},
		{"link in a circle", func(p *place, path string) {
			p.mkdir(filepath.Dir(path))
			_ = os.Symlink(filepath.Base(path), path)
		}, "cannot be read"},
		{"ignore file leads away", func(p *place, _ string) {
			p.write(filepath.Join(p.home, "authorized_keys"), "key\n")
			_ = os.Symlink(filepath.Join(p.home, "authorized_keys"), p.path(".gitignore"))
		}, "outside this project"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t)
			test.setUp(p, p.req.SettingsPath())
			before := p.tree()
			_, err := installer.Make(p.req)
			var refusal *installer.Refusal
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Found, test.found) || len(refusal.Ways) < 2 {
				t.Errorf("err = %v, want %q", err, test.found)
			}
			p.same(before, "after a refusal")
		})
	}
}

func TestInstallFollowsALinkOfTheUser(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	target := filepath.Join(p.home, "dotfiles", "claude.json")
	p.write(target, "{}\n")
	p.mkdir(filepath.Dir(p.req.SettingsPath()))
	if err := os.Symlink(target, p.req.SettingsPath()); err != nil {
		t.Fatal(err)
	}
	before := p.tree()
	p.install()
	if !strings.Contains(p.read(target), "agentguard") {
		t.Error("the file behind the link is unchanged")
	}
	p.uninstall()
	p.same(before, "after undo")
}

func TestInstallIntoNothing(t *testing.T) {
	for _, scope := range []installer.Scope{installer.Project, installer.Local, installer.User} {
		t.Run(scope.String(), func(t *testing.T) {
			p := newPlace(t)
			p.req.Scope = scope
			before := p.tree()
			p.install()
			if got := p.handlers(p.req.SettingsPath()); len(got) != 3 {
				t.Errorf("entries: %q", got)
			}
			p.uninstall()
			p.same(before, "after undo")
		})
	}
}

func TestDiffIsWhatApplyDoes(t *testing.T) {
	p := newPlace(t)
	p.write(p.req.SettingsPath(), "{\n  \"model\": \"opus\"\n}\n")
	plan := p.make()
	got := plan.Diff()
	for _, want := range []string{"--- .claude/settings.json\n", "+++ .agentguard/policy.jsonc\n", "--- /dev/null\n", "+    \"PreToolUse\": [\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	p.apply(plan)
	for _, c := range plan.Changes {
		if p.read(c.Path) != string(c.After) {
			t.Errorf("%s is not as planned", c.Path)
		}
	}
}

func TestWrittenEntries(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.Local
	p.install()
	want := `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "HOOK",
            "args": [],
            "timeout": 30,
            "onFailure": "block",
            "agentguard": 1
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "HOOK",
            "args": [],
            "timeout": 10,
            "agentguard": 1
          }
        ]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "HOOK",
            "args": [],
            "timeout": 15,
            "agentguard": 1
          }
        ]
      }
    ]
  }
}
`
	want = strings.ReplaceAll(want, "HOOK", p.req.HookPath)
	if diff := cmp.Diff(want, p.read(p.req.SettingsPath())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
