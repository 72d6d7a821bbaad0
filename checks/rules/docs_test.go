package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/checks/mcp"
	"agentguard/hook"
)

var update = flag.Bool("update", false, "write the generated parts of docs/rules")

const docsFolder = "../../docs/rules"

// generated marks where a page's written part ends and the rules begin.
const generated = "<!-- Below: written from the rules by `go test ./checks/rules -run Pages -update` -->"

// maxExamples bounds the examples of one rule and kind on a page.
const maxExamples = 8

// TestPages: every family has a page whose second part shows its rules as they
// are.
func TestPages(t *testing.T) {
	families := map[string][]*Rule{}
	for _, r := range All() {
		families[r.Family] = append(families[r.Family], r)
	}
	for family, rules := range families {
		name := filepath.Join(docsFolder, family+".md")
		old, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("no page for the family %s: %v", family, err)
			continue
		}
		written, _, ok := strings.Cut(string(old), generated)
		if !ok {
			t.Errorf("%s: the line %q is missing", name, generated)
			continue
		}
		page := written + generated + "\n" + rulesText(t, rules)
		if *update {
			if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if page != string(old) {
			t.Errorf("%s is not what the rules say; run `go test ./checks/rules -run Pages -update`", name)
		}
	}
}

func rulesText(t *testing.T, rules []*Rule) string {
	t.Helper()
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "\n## %s\n\nStops %s. The safe way: %s\n", r.ID, r.Title, r.Safe)
		var lines []string
		add := func(cases []Case) {
			n := 0
			for _, c := range cases {
				if n == maxExamples || strings.ContainsAny(c.Run, "\n") || strings.Contains(c.Run, "{{") {
					continue
				}
				n++
				lines = append(lines, exampleLine(c, strictest(everything(contextOf(fixtureOf(t, c.Tree), c.Run, c.In)))))
			}
		}
		add(r.Hits)
		add(r.Misses)
		for _, c := range r.Tools {
			lines = append(lines, fmt.Sprintf("%-5s %s %s", c.Want, c.Tool, c.Input))
		}
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", strings.Join(lines, "\n"))
		}
	}
	return b.String()
}

// exampleLine writes "deny  [clean] [in src] command".
func exampleLine(c Case, d hook.Decision) string {
	line := fmt.Sprintf("%-5s ", d)
	if c.Tree != Dirty {
		line += "[" + string(c.Tree) + "] "
	}
	if c.In != "" {
		line += "[in " + c.In + "] "
	}
	return line + c.Run
}

// readExample is the reverse of exampleLine.
func readExample(line string) (c Case, ok bool) {
	word, rest, _ := strings.Cut(line, " ")
	if !oneOf(word, "deny", "ask", "pass") {
		return c, false
	}
	_ = c.Want.UnmarshalText([]byte(word))
	rest = strings.TrimLeft(rest, " ")
	for strings.HasPrefix(rest, "[") {
		note, after, found := strings.Cut(rest[1:], "] ")
		if !found || note != string(Clean) && note != string(Feature) && !strings.HasPrefix(note, "in ") {
			break
		}
		if in, isFolder := strings.CutPrefix(note, "in "); isFolder {
			c.In = in
		} else {
			c.Tree = Tree(note)
		}
		rest = after
	}
	c.Run = rest
	return c, true
}

// TestPageExamples runs every example of every page, of the written parts and
// of the page about residual risk too.
func TestPageExamples(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsFolder, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	ran := 0
	for _, page := range append(pages, filepath.Join(docsFolder, "..", "residual-risk.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		fenced := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "```") {
				fenced = line == "```text"
				continue
			}
			if !fenced {
				continue
			}
			c, ok := readExample(line)
			if !ok {
				t.Errorf("%s: not an example: %q", filepath.Base(page), line)
				continue
			}
			ran++
			f := fixtureOf(t, c.Tree)
			ctx := contextOf(f, breaks(c.Run), c.In)
			if tool, input, ok := strings.Cut(c.Run, " "); ok && mcp.Is(tool) {
				ctx = toolContext(f, tool, strings.NewReplacer("{{REPO}}", f.repo, "{{HOME}}", f.home).Replace(input))
			}
			hits := everything(ctx)
			if got := strictest(hits); got != c.Want {
				t.Errorf("%s: %q: got %v%s", filepath.Base(page), line, got, describe(hits))
			}
		}
	}
	if ran < 200 {
		t.Errorf("only %d examples ran", ran)
	}
}
