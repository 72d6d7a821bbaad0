package frontmatter_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/settings"
	"agentguard/settings/frontmatter"
)

func TestLayers(t *testing.T) {
	base := t.TempDir()
	file := func(name string) string {
		return "---\nname: " + name + "\ndescription: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: " + name + "\n---\n"
	}
	for path, text := range map[string]string{
		"proj/.git/HEAD":                       "x",
		"proj/.claude/agents/a.md":             file("top"),
		"proj/sub/.claude/agents/deep/b.md":    file("own"),
		"proj/sub/.claude/agents/plain.md":     "---\nname: plain\n---\n",
		"proj/sub/.claude/agents/README.md":    "# no agent\n",
		"proj/sub/.claude/skills/s/SKILL.md":   file("skill"),
		"proj/sub/.claude/skills/s/other.md":   file("no"),
		"home/.claude/agents/u.md":             file("user"),
		"home/.claude/skills/mine/SKILL.md":    file("mine"),
		"other/.claude/agents/not-in-repo.md":  file("no"),
		"proj/sub/deeper/.claude/agents/no.md": file("no"),
	} {
		path = filepath.Join(base, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := settings.World{Dir: filepath.Join(base, "proj", "sub"), Home: filepath.Join(base, "home"), Root: base, OS: "linux"}
	for _, trust := range []string{"", "proj", "proj/sub", "other"} {
		state := `{"projects": {"` + filepath.Join(base, trust) + `": {"hasTrustDialogAccepted": true, "history": []}}}`
		if err := os.WriteFile(filepath.Join(base, "home", ".claude.json"), []byte(state), 0o644); err != nil {
			t.Fatal(err)
		}
		off := "!"
		if strings.HasPrefix(trust, "proj") {
			off = ""
		}
		var got []string
		for _, e := range settings.Effective(w, frontmatter.Layers(w)...).Entries {
			mark := ""
			if !e.InForce() {
				mark = "!"
			}
			if e.Line != 7 {
				t.Errorf("%s: line %d", e.Path, e.Line)
			}
			got = append(got, mark+string(e.Source)+" "+e.Name+" "+e.Command)
		}
		want := []string{off + "agent own own", off + "agent top top", "agent user user", "skill skill skill", "skill mine mine"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("trust %q: got %q", trust, got)
		}
	}
}
