package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// seeds are the scripts of the golden cases.
func seeds(f *testing.F) {
	f.Helper()
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			_, rest, _ := strings.Cut(block, "\n")
			src, _, _ := strings.Cut(rest, "\n---\n")
			f.Add(src)
		}
	}
}

// FuzzAnalyze: whatever the text, the answer is bounded and its indexes hold.
func FuzzAnalyze(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		checkScript(t, inTime(t, src))
	})
}

// inTime fails a test that hangs, with the text that made it hang.
func inTime(t *testing.T, src string) Script {
	t.Helper()
	done := make(chan Script, 1)
	go func() { done <- Analyze(src, testEnv()) }()
	select {
	case s := <-done:
		return s
	case <-time.After(20 * time.Second):
		t.Fatalf("no answer for %q", src)
		return Script{}
	}
}

func checkScript(t *testing.T, s Script) {
	t.Helper()
	n := len(s.Commands)
	if n > maxCommands {
		t.Fatalf("%d commands", n)
	}
	for i, c := range s.Commands {
		if c.Parent >= n || c.Parent < -1 || c.Parent == i {
			t.Fatalf("command %d has parent %d of %d", i, c.Parent, n)
		}
		if c.Feeds >= n || c.Feeds < -1 {
			t.Fatalf("command %d feeds %d of %d", i, c.Feeds, n)
		}
		for _, w := range append([]Word{c.Program, c.Dir}, c.Args...) {
			checkWord(t, w, n)
		}
		for _, j := range c.Stdin.From {
			if j < 0 || j >= n {
				t.Fatalf("command %d reads from %d of %d", i, j, n)
			}
		}
		ParseGit(c)
		Options(c.Args, OptSpec{Short: "ab:c::", Long: "force user= color=?"})
	}
	for _, e := range s.Effects {
		if e.Command < 0 || e.Command >= n {
			t.Fatalf("effect of command %d of %d", e.Command, n)
		}
		checkWord(t, e.Path, n)
	}
}

// checkWord checks that the parts of a word are its text and that nothing of
// the analyzer's own notation leaks out.
func checkWord(t *testing.T, w Word, n int) {
	t.Helper()
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind == Literal || p.Kind == Glob {
			b.WriteString(p.Text)
		} else {
			b.WriteRune(Unknown)
		}
		for _, j := range p.From {
			if j < 0 || j >= n {
				t.Fatalf("part of %q comes from %d of %d", w.Text, j, n)
			}
		}
	}
	if b.String() != w.Text {
		t.Fatalf("parts say %q, text %q", b.String(), w.Text)
	}
	if hasPrivate(w.Text) || hasPrivate(w.Raw) {
		t.Fatalf("private rune in %q", w.Text)
	}
}

// FuzzWrap: wrapping a script never hides what it runs.
func FuzzWrap(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 || strings.ContainsAny(src, "\x00\r") || strings.HasPrefix(src, "-") || strings.HasPrefix(src, "+") || strings.HasSuffix(src, "\\") {
			return
		}
		// The parser drops a # between a closing quote and a line's end, which
		// hides nothing but changes the word.
		if strings.Contains(src+"\n", "#\n") {
			return
		}
		plain := inTime(t, src)
		if plain.Fallback != "" || plain.Truncated != "" {
			return
		}
		want := tally(plain)
		// Words that end a construct outside of one close the wrapper's.
		for _, w := range []string{"then", "else", "elif", "fi", "do", "done", "esac", "}", "in"} {
			if want["run "+w] > 0 {
				return
			}
		}
		for name, wrap := range wraps {
			wrapped := wrap(src)
			s := inTime(t, wrapped)
			if s.Fallback != "" || s.Truncated != "" {
				continue // says so itself, so nothing passes unseen
			}
			checkScript(t, s)
			got := tally(s)
			for what, n := range want {
				if got[what] < n {
					t.Fatalf("%s: %d of %q become %d in\n%s", name, n, what, got[what], wrapped)
				}
			}
		}
	})
}

var wraps = map[string]func(string) string{
	"sh -c":    func(s string) string { return "sh -c " + shellQuote(s) },
	"sudo":     func(s string) string { return "sudo -n bash -c " + shellQuote(s) },
	"env":      func(s string) string { return "env A=1 bash -ec " + shellQuote(s) },
	"timeout":  func(s string) string { return "timeout -k 1 5 nice sh -c " + shellQuote(s) },
	"xargs":    func(s string) string { return "echo x | xargs -I{q} sh -c " + shellQuote(s) },
	"function": func(s string) string { return "wrapped() {\n" + s + "\n}\nwrapped" },
	"subshell": func(s string) string { return "(\n" + s + "\n)" },
	"group":    func(s string) string { return "{\n" + s + "\n} > out" },
	"if":       func(s string) string { return "if true; then\n" + s + "\nfi" },
	"eval":     func(s string) string { return "eval " + shellQuote(s) },
	"heredoc":  func(s string) string { return "bash <<'EOF_OF_FUZZ'\n" + s + "\nEOF_OF_FUZZ" },
	"python":   func(s string) string { return "python3 -c " + shellQuote("import os; os.system("+pyQuote(s)+")") },
	"variable": func(s string) string { return "zq9=" + shellQuote(s) + "; eval \"$zq9\"" },
}

func pyQuote(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n").Replace(s) + "'"
}

// tally counts programs by name and effects by kind.
func tally(s Script) map[string]int {
	n := map[string]int{}
	for _, c := range s.Commands {
		n["run "+c.Name]++
	}
	for _, e := range s.Effects {
		n[string(e.Op)]++
	}
	return n
}

// TestWraps runs the golden scripts through every wrapper.
func TestWraps(t *testing.T) {
	data, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(data) == 0 {
		t.Fatal("no cases")
	}
	for name, wrap := range wraps {
		t.Run(name, func(t *testing.T) {
			for _, src := range []string{"rm -rf ~", "git push --force", "echo x > .env", "cd / && rm -rf *", "for d in a b; do rm $d; done", "f() { rm \"$1\"; }; f x", "cat a | sh", "x='rm q'; $x"} {
				want, got := tally(Analyze(src, testEnv())), tally(Analyze(wrap(src), testEnv()))
				for what, n := range want {
					if got[what] < n {
						t.Errorf("%d of %q become %d in\n%s", n, what, got[what], wrap(src))
					}
				}
			}
		})
	}
}
