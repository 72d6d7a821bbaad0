package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/e2e/client"
	"agentguard/e2e/model"
	"agentguard/settings"
	"agentguard/settings/frontmatter"
)

// What settings.Effective says is in force must be what the real client runs: each entry writes its name into a log,
// and the log is compared with the prediction. Managed settings are left out, since they lie in a system folder.
func TestEffectiveIsWhatTheClientRuns(t *testing.T) {
	c := realClient(t)
	type files map[string]string
	tests := []struct {
		name  string
		files files
		dir   string // launch folder below the case's folder, "proj" when empty
		world func(*settings.World)
		args  []string
		git   string // shell line run before, in the case's folder
	}{
		{name: "all layers, equal commands once", files: files{
			"proj/.claude/settings.json":       `{"hooks":{"Stop":[{"hooks":[RUN(p),RUN(same)]},{"matcher":"x","hooks":[RUN(same)]}]}}`,
			"proj/.claude/settings.local.json": `{"hooks":{"Stop":[{"hooks":[RUN(l),RUN(same)]}]}}`,
			"home/.claude/settings.json":       `{"hooks":{"SessionStart":[{"hooks":[RUN(u)]}],"Stop":[{"hooks":[RUN(same)]}]}}`,
		}},
		{name: "--settings beside the others", files: files{
			"flag.json":                  `{"hooks":{"Stop":[{"hooks":[RUN(f)]}]}}`,
			"home/.claude/settings.json": `{"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}, args: []string{"--settings", "../flag.json"}, world: func(w *settings.World) { w.Settings = "../flag.json" }},
		{name: "--setting-sources project", files: files{
			"proj/.claude/settings.json":       `{"hooks":{"Stop":[{"hooks":[RUN(p)]}]}}`,
			"proj/.claude/settings.local.json": `{"disableAllHooks":true}`,
			"home/.claude/settings.json":       `{"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}, args: []string{"--setting-sources", "project"}, world: func(w *settings.World) { w.Sources = []settings.Source{settings.SourceProject} }},
		{name: "disabled by the user, allowed again here", files: files{
			"proj/.claude/settings.local.json": `{"disableAllHooks":false,"hooks":{"Stop":[{"hooks":[RUN(l)]}]}}`,
			"home/.claude/settings.json":       `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}},
		{name: "disabled here", files: files{
			"proj/.claude/settings.json": `{"disableAllHooks":true}`,
			"home/.claude/settings.json": `{"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}},
		{name: "bare", files: files{
			"home/.claude/settings.json": `{"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}, args: []string{"--bare"}, world: func(w *settings.World) { w.Bare = true }},
		{name: "a comma voids a file, and its switch with it", files: files{
			"proj/.claude/settings.json":       `{"hooks":{"Stop":[{"hooks":[RUN(p)]}]}}`,
			"proj/.claude/settings.local.json": `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[RUN(l)]}]},}`,
		}},
		{name: "a wrong model voids a file", files: files{
			"proj/.claude/settings.json": `{"model":null,"hooks":{"Stop":[{"hooks":[RUN(p)]}]}}`,
			"home/.claude/settings.json": `{"hooks":{"Stop":[{"hooks":[RUN(u)]}]}}`,
		}},
		{name: "bad entries outside the gates drop themselves", files: files{
			"proj/.claude/settings.json": `{"hooks":{"Stop":[{"matcher":["x"],"hooks":[RUN(no)]},{"hooks":[{"type":"shell","command":"x"},{"type":"command","command":"x","timeout":0},RUN(yes)]},{"type":"command","command":"flat"}],"SessionStart":[{"hooks":[RUN(start)]}]}}`,
		}},
		{name: "a bad gate voids the file", files: files{
			"proj/.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","args":"y"}]}],"Stop":[{"hooks":[RUN(p)]}]}}`,
		}},
		{name: "keys twice, unknown events, and if where no tool is", files: files{
			"proj/.claude/settings.json": `{"hooks":{"Stop":[{"hooks":[RUN(lost)]}]},"hooks":{"OnStop":[{"hooks":[RUN(on)]}],"SessionStart":[{"hooks":[RUN(early)]}],"SessionStart":[{"hooks":[RUN(late)]}],"Stop":[{"hooks":[{"type":"command","command":"echo if >> LOG","if":"Bash(x)"},RUN(p)]}]}}`,
		}},
		{
			name: "started in a sub-folder", dir: "proj/a/b", files: files{
				"proj/.claude/settings.json":           `{"hooks":{"Stop":[{"hooks":[RUN(top)]}]}}`,
				"proj/.claude/settings.local.json":     `{"hooks":{"Stop":[{"hooks":[RUN(toplocal)]}]}}`,
				"proj/a/.claude/settings.local.json":   `{"hooks":{"Stop":[{"hooks":[RUN(middle)]}]}}`,
				"proj/a/b/.claude/settings.local.json": `{"hooks":{"Stop":[{"hooks":[RUN(own)]}]}}`,
			},
		},
		{
			name: "in a worktree", dir: "linked", files: files{
				"proj/.claude/settings.json":       `{"hooks":{"Stop":[{"hooks":[RUN(uncommitted)]}]}}`,
				"proj/.claude/settings.local.json": `{"hooks":{"Stop":[{"hooks":[RUN(mainlocal)]}]}}`,
			},
			git: "git -C proj -c user.name=t -c user.email=t@example.invalid commit -q --allow-empty -m first && git -C proj worktree add -q ../linked",
		},
		{name: "plugins", files: files{
			"home/.claude/settings.json":                   `{"enabledPlugins":{"on@m":true,"lost@gone":true}}`,
			"home/.claude/plugins/known_marketplaces.json": `{"m":{"source":{"source":"directory","path":"BASE/m"},"installLocation":"BASE/m","lastUpdated":"2026-01-01T00:00:00.000Z"}}`,
			"home/.claude/plugins/installed_plugins.json":  `{"version":2,"plugins":{"on@m":[{"scope":"user","installPath":"BASE/m/on","version":"1.0.0"}],"unnamed@m":[{"scope":"user","installPath":"BASE/m/unnamed","version":"1.0.0"}],"lost@gone":[{"scope":"user","installPath":"BASE/m/on","version":"1.0.0"}]}}`,
			"m/.claude-plugin/marketplace.json":            `{"name":"m","owner":{"name":"t"},"plugins":[{"name":"on","source":"./on"},{"name":"unnamed","source":"./unnamed"}]}`,
			"m/on/.claude-plugin/plugin.json":              `{"name":"on","version":"1.0.0"}`,
			"m/on/hooks/hooks.json":                        `{"hooks":{"Stop":[{"hooks":[RUN(plugin)]}]}}`,
			"m/unnamed/.claude-plugin/plugin.json":         `{"name":"unnamed","version":"1.0.0"}`,
			"m/unnamed/hooks/hooks.json":                   `{"hooks":{"Stop":[{"hooks":[RUN(unnamed)]}]}}`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			log := filepath.Join(base, "log")
			s := &story{t: t, client: c, home: filepath.Join(base, "home"), repo: base}
			for _, dir := range []string{s.home, filepath.Join(base, "proj")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			s.sh("git init -q proj")
			for path, text := range test.files {
				for {
					before, rest, ok := strings.Cut(text, "RUN(")
					if !ok {
						break
					}
					name, after, _ := strings.Cut(rest, ")")
					text = before + `{"type":"command","command":"echo ` + name + ` >> LOG"}` + after
				}
				s.write(filepath.Join(base, path), strings.NewReplacer("LOG", log, "BASE", base).Replace(text))
			}
			if test.git != "" {
				s.sh(test.git)
			}
			w := settings.World{
				Dir: filepath.Join(base, "proj"), Home: s.home, Root: filepath.Join(base, "root"), OS: "linux",
				Version: settings.ParseVersion(client.Version()),
			}
			if test.dir != "" {
				w.Dir = filepath.Join(base, test.dir)
			}
			if test.world != nil {
				test.world(&w)
			}
			var want []string
			view := settings.Effective(w, frontmatter.Layers(w)...)
			for _, e := range view.Entries {
				if e.InForce() {
					want = append(want, strings.Fields(e.Command)[1])
				}
			}
			s.start(model.Script{Lanes: []model.Lane{{Name: "main", Turns: []model.Turn{model.Say("Done.")}}}})
			if _, err := c.Run(t.Context(), client.Run{
				Home: s.home, Dir: w.Dir, Path: "/usr/local/bin:/usr/bin:/bin", ModelURL: s.server.URL(), Prompt: "go", Args: test.args,
			}); err != nil {
				t.Fatal(err)
			}
			ran, err := os.ReadFile(log)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			got := strings.Fields(string(ran))
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
				var reasons []string
				for _, e := range view.Entries {
					reasons = append(reasons, fmt.Sprintf("%s:%d %q %s", e.Path, e.Line, e.Command, e.Off))
				}
				t.Errorf("the client runs other hooks (-said +ran):\n%s\n%s", diff, strings.Join(reasons, "\n"))
			}
		})
	}
}
