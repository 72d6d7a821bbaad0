package installer

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentguard/settings"
	"agentguard/templates"
)

var update = flag.Bool("update", false, "write the texts of today beside the older ones")

// Every text that was ever written must stay known: entries in the field are
// recognised by it. A changed text becomes a new file; the old ones stay.
func TestEveryTextEverWrittenIsKnown(t *testing.T) {
	known := map[string][]string{
		"team":    {shellTexts()[0]},
		"require": {shellTexts()[1]},
		"readme":  templates.ReadmeTexts(),
	}
	all := map[string][]string{"team": shellTexts(), "require": shellTexts(), "readme": templates.ReadmeTexts()}
	for _, agent := range templates.Agents() {
		known[agent.Name], all[agent.Name] = agent.Texts, agent.Texts
	}
	for name, texts := range known {
		dir := filepath.Join("testdata", "texts", name)
		files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		var stored []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			stored = append(stored, string(text))
			if !slices.Contains(all[name], string(text)) {
				t.Errorf("%s was written once and is no longer known: add it to the table behind today's text", file)
			}
		}
		if slices.Contains(stored, texts[0]) {
			continue
		}
		if !*update {
			t.Errorf("today's text %q is not stored: run the test with -update and keep the older files", name)
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(len(files)+1)+".txt"), []byte(texts[0]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// An older text is replaced, where it stands, by the one of today.
func TestAnOlderTextIsUpgraded(t *testing.T) {
	const older = `test -x "$HOME/bin/agentguard-hook" && exec "$HOME/bin/agentguard-hook"`
	req := Request{Scope: Project, ProjectDir: "/p", Home: "/h", Events: []EventSpec{{Name: "Stop"}}}
	req.Client = req.client()
	own := req.owner(nil)
	src := func(command, key string) string {
		return "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"timeout\": 9, \"command\": " + settings.Quote(command) + key + "}]}]\n  }\n}\n"
	}
	// Unknown, and without the owner key, it is a foreign entry.
	file := hooksFile{path: "settings.json", own: own, req: req}
	got, err := file.install([]byte(src(older, "")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), settings.Quote(older)) || strings.Count(string(got), `"type"`) != 2 {
		t.Errorf("a foreign entry was taken for ours:\n%s", got)
	}
	file.own.texts = append(file.own.texts, older)
	got, err = file.install([]byte(src(older, "")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := src(teamCommand(false), `, "agentguard": 1`); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	bare, err := file.strip([]byte(src(older, "")), nil)
	if err != nil || strings.TrimSpace(string(bare)) != "{}" {
		t.Errorf("strip: %v\n%s", err, bare)
	}
}
