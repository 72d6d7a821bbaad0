package shell

import (
	"os"
	"strings"
	"testing"
)

// readForms reads one script for each line: "- " before a plain one, "M "
// before one with \n for its line ends.
func readForms(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(string(data), "\n"), "\n") {
		kind, src, ok := strings.Cut(line, " ")
		if !ok {
			t.Fatalf("%s: %q", file, line)
		}
		if kind == "M" {
			src = strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(src)
		}
		out = append(out, src)
	}
	return out
}

// TestHiding checks that a deed is seen in whatever form it is written.
func TestHiding(t *testing.T) {
	for file, seen := range map[string]func(Script) bool{
		"delete-home": func(s Script) bool {
			for _, e := range s.Effects {
				if e.Op == Delete && under(e.Path.Text, "/home/u") || e.Op == Move && e.Path.Text == "/home/u" {
					return true
				}
			}
			for _, c := range s.Commands {
				if c.Name == "rm" && len(c.Args) > 0 && strings.HasPrefix(c.Args[len(c.Args)-1].Text, "/home/u") {
					return true
				}
			}
			return strings.Contains(strings.Join(s.Tokens, " "), "rm -rf")
		},
		"force-push": func(s Script) bool {
			for _, c := range s.Commands {
				if g, ok := ParseGit(c); ok && !c.Carrier && g.Sub == "push" {
					o := Options(g.Args, OptSpec{Short: "fu", Long: "force force-with-lease=? force-if-includes follow-tags"})
					if o.Has("f", "force") {
						return true
					}
				}
			}
			return false
		},
		"write-env": func(s Script) bool {
			for _, e := range s.Effects {
				if e.Path.Text == "/r/.env" && e.Op != Read && e.Op != Mode {
					return true
				}
			}
			return false
		},
	} {
		t.Run(file, func(t *testing.T) {
			for _, src := range readForms(t, "testdata/hiding/"+file) {
				if s := Analyze(src, testEnv()); !seen(s) {
					t.Errorf("not seen: %s\n%s", src, dump(s))
				}
			}
		})
	}
}

// under tells a path that is dir or a pattern right in it.
func under(path, dir string) bool {
	return path == dir || path == dir+"/*" || path == dir+"/**"
}
