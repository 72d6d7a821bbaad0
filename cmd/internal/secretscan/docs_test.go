package secretscan_test

import (
	"os"
	"strings"
	"testing"

	"agentguard/checks/secrets"
	"agentguard/cmd/internal/secretscan"
)

// TestPage runs the examples of the page.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/checks/secret-leak.md")
	if err != nil {
		t.Fatal(err)
	}
	_, examples, _ := strings.Cut(string(page), "```text\n")
	examples, _, _ = strings.Cut(examples, "```")
	values := strings.NewReplacer(
		"{{github token}}", github, "{{password}}", generic, "{{aws secret}}", "h8Vq"+"Tz3rWmN/7yKbXcLpD2fGsJ9vEa+4uQwRtY6Z",
		"{{slack token}}", "xo"+"xb-"+"263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1", "{{hash}}", strings.Repeat("h7Jq2VtRz9LmXc4B", 5)+"==",
	)
	n := 0
	for line := range strings.Lines(examples) {
		n++
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, text, ok := strings.Cut(strings.TrimSpace(rest), ": ")
		text = values.Replace(text)
		if !ok || strings.Contains(text, "{{") {
			t.Fatalf("%q is no example", line)
		}
		found, err := secretscan.Files(t.Context(), []secrets.File{{Path: path, Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		got := "pass"
		if len(found) > 0 {
			got = map[secrets.Level]string{secrets.Certain: "deny", secrets.Possible: "ask"}[found[0].Level]
		}
		if got != want {
			t.Errorf("%s: %s, the page says %s", strings.TrimSpace(line), got, want)
		}
	}
	if n < 10 {
		t.Errorf("the page has %d examples", n)
	}
}
