package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFind: every file is either read or named with the reason why not, and the
// files of one session come together, the eldest first.
func TestFind(t *testing.T) {
	other := writer{session: "s2", cwd: "/home/bo/lib", branch: "main"}
	agent := writer{session: "s1", agent: "x1", cwd: "/Users/ana/shop/web", branch: "main"}
	lost := writer{session: "s9", agent: "x9", cwd: "/Users/ana/shop", branch: "main"}
	dir := folder(t, map[string]string{
		"p/later.jsonl":                     later(onMac, "user more"),
		"p/s1.jsonl":                        onMac("user go"),
		"p/s1/subagents/agent-x1.jsonl":     agent.write("user work"),
		"p/s9/subagents/agent-x9.jsonl":     lost.write("user work"),
		"p/s2.jsonl":                        other.write("user go"),
		"p/s1/subagents/agent-x1.meta.json": `{"agentType":"dev"}`,
		"p/summary.jsonl":                   `{"type":"summary","summary":"x","leafUuid":"y"}`,
		"p/rollout.jsonl":                   `{"timestamp":"2026-02-01T08:00:00Z","type":"session_meta","payload":{"id":"z"}}`,
		"p/data.jsonl":                      `{"text":"no session"}`,
		"p/empty.jsonl":                     "",
		"p/notes.txt":                       "no session",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "p"), link); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{filepath.Join(dir, "p"), link} {
		families, unread, _, err := Find([]string{root}, "/home/me")
		if err != nil {
			t.Fatal(err)
		}
		rel := func(p string) string { return strings.TrimPrefix(p, root+"/") }
		var got [][]string
		for _, fam := range families {
			var names []string
			for _, f := range fam.Files {
				text := rel(f.Path) + " " + f.Project + " " + f.Home
				if f.Subagent {
					text += " subagent " + f.Agent
				}
				if f.whole {
					text += " whole"
				}
				names = append(names, text)
			}
			got = append(got, names)
		}
		want := [][]string{
			{
				"s1.jsonl /Users/ana/shop /Users/ana whole", "later.jsonl /Users/ana/shop /Users/ana whole",
				"s1/subagents/agent-x1.jsonl /Users/ana/shop /Users/ana subagent x1 whole",
			},
			{"s2.jsonl /home/bo/lib /home/bo whole"},
			{"s9/subagents/agent-x9.jsonl /Users/ana/shop /Users/ana subagent x9"},
			{"summary.jsonl  " + noHome},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		why := map[string]string{}
		for _, u := range unread {
			why[rel(u.File)] = u.Why
		}
		if diff := cmp.Diff(map[string]string{"rollout.jsonl": isCodex, "data.jsonl": notRead, "empty.jsonl": notRead}, why); diff != "" {
			t.Error(diff)
		}
	}
}

// TestHomeOf: the home folder is the one that the session's own paths lie in.
func TestHomeOf(t *testing.T) {
	for _, c := range []struct{ name, project, head, want string }{
		{"on a Mac", "/Users/ana/shop", "", "/Users/ana"},
		{"on Linux", "/home/ana.b/shop", "", "/home/ana.b"},
		{"of root", "/root/shop", "", "/root"},
		{"not of root", "/rooted/shop", "", noHome},
		{"on a system with homes elsewhere", "/var/home/ana/shop", "", "/var/home/ana"},
		{"on a drive", "/c/Users/Ana/shop", "", "/c/Users/Ana"},
		{"this person's own, wherever it lies", "/data/me/shop", "", "/data/me"},
		{"a shared folder", "/Users/Shared/shop", "", noHome},
		{"by the client's own folder", "/srv/app", `"/home/ana/x" "/home/ana/y" "/home/bo/.claude/projects"`, "/home/bo"},
		{"by what is named most", "/srv/app", `"/home/ana/x" "/home/bo/x" "/home/bo/y"`, "/home/bo"},
		{"not by a folder of that name in another", "/srv/app", `"/srv/app/home/ana/x" "/backup/Users/bo"`, noHome},
		{"nothing tells", "/srv/app", "", noHome},
		{"no project", "", `"/Users/ana/x"`, "/Users/ana"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := homeOf(c.project, []byte(c.head), "/data/me"); got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}

// TestSlashes: a path with a drive has one form; any other stays as it is.
func TestSlashes(t *testing.T) {
	for in, want := range map[string]string{
		`C:\Users\Ana\shop`:  "/c/Users/Ana/shop",
		`C:/Users/Ana/shop/`: "/c/Users/Ana/shop",
		`d:\\work\\x`:        "/d/work/x",
		`C:\`:                "/c",
		`C:`:                 "/c",
		"/c/Users/Ana":       "/c/Users/Ana",
		"/home/ana":          "/home/ana",
		"a:b":                "a:b",
		`\\server\share`:     `\\server\share`,
		"":                   "",
	} {
		if got := slashes(in); got != want {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
		if got := slashes(slashes(in)); got != want {
			t.Errorf("%q twice is %q", in, got)
		}
	}
	for in, want := range map[string]string{
		`{"command":"cd \"C:\\Users\\Ana\" && curl https://x.org"}`: `{"command":"cd \"/c/Users/Ana\" && curl https://x.org"}`,
		`{"file_path":"C:\\a b\\c.go","content":"C:\\x"}`:           `{"content":"C:\\x","file_path":"/c/a b/c.go"}`,
		`{"other":1}`: `{"other":1}`,
		`torn`:        `torn`,
	} {
		if got := strings.ReplaceAll(string(slashInput([]byte(in))), `\u0026`, "&"); got != want {
			t.Errorf("%s is %s, not %s", in, got, want)
		}
	}
}
