package evidence

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestPlainConfig compares our own reading of the configuration with git's,
// wherever ours does not give up.
func TestPlainConfig(t *testing.T) {
	if _, err := os.Stat("/usr/bin/git"); err != nil {
		t.Skip("our own reading is only used with /usr/bin/git")
	}
	const head = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
	for _, c := range []struct {
		name, text string
		plain      bool
	}{
		{"as git makes it", head + "[remote \"origin\"]\n\turl = https://x.invalid/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n", true},
		{"case", head + "[CORE]\n\tAutoCRLF = Input\n\tEXCLUDESFILE=/x\n", true},
		{"spaces", head + "[ core ]\n\tx = 1\n", false},
		{"spaces around", "  [core]  \n  autocrlf  =   input   \n" + head, true},
		{"inner spaces", head + "\texcludesfile = /a  b\n", false},
		{"one inner space", head + "\texcludesfile = /a b\n", true},
		{"comment behind", head + "\tautocrlf = true # really\n", false},
		{"comment behind a header", head + "[core] ; x\n\tautocrlf = true\n", false},
		{"key behind a header", head + "[core] autocrlf = true\n", false},
		{"quotes", head + "\texcludesfile = \"/a\"\n", false},
		{"escape", head + "\texcludesfile = /a\\tb\n", false},
		{"next line", head + "[alias]\n\tx = a \\\n[core]\n\tautocrlf = true\n", false},
		{"no value", head + "\tautocrlf\n", false},
		{"empty value", head + "\texcludesfile =\n", false},
		{"quotes elsewhere", head + "[alias]\n\tx = \"!f() { [core]; }; f\"\n\ty = \"#\"\n", true},
		{"twice", head + "\tautocrlf = true\n[user]\n\tname = A\n[core]\n\tautocrlf = false\n", true},
		{"dotted section", head + "[filter.lfs]\n\tclean = x\n", false},
		{"filter", head + "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\trequired = true\n", true},
		{"filter of odd name", head + "[filter \"a.b c\"]\n\tclean = x\n", true},
		{"bracket in name", head + "[branch \"a]b\"]\n\tremote = x\n", false},
		{"include", head + "[include]\n\tpath = /does/not/exist\n", false},
		{"carriage returns", strings.ReplaceAll(head, "\n", "\r\n"), false},
		{"comments", "# x\n; y\n" + head + "  # z\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScratch(t)
			s.write(".git/config", c.text)
			s.write("../home/.gitconfig", "[user]\n\tname = A\n")
			opt := s.options()
			opt.Git = "/usr/bin/git"
			r := &Repo{git: newProgram(opt.Git, opt.getenv()), getenv: opt.getenv(), root: s.dir, gitDir: s.dir + "/.git", commonDir: s.dir + "/.git"}
			r.setEnv()
			got, ok := r.plainSettings()
			if ok != c.plain {
				t.Fatalf("read without git: %v, want %v", ok, c.plain)
			}
			if !ok {
				return
			}
			want, err := r.readSettings(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for key, v := range want.values {
				section, _, _ := strings.Cut(key, ".")
				if (section == "core" || section == "filter" || section == "extensions") && got.values[key] != v {
					t.Errorf("%s is %q, git says %q", key, got.values[key], v)
				}
			}
			for key := range got.values {
				if _, ok := want.values[key]; !ok {
					t.Errorf("%s is unknown to git", key)
				}
			}
			if len(got.filters.drivers) != len(want.filters.drivers) {
				t.Errorf("filters %v, git says %v", got.filters.drivers, want.filters.drivers)
			}
		})
	}
}

// FuzzDecodeIndex: no bytes make the reader panic, and what it reads is sorted.
func FuzzDecodeIndex(f *testing.F) {
	s := newScratch(f)
	s.write("a/b.txt", "b\n")
	s.write("c", "c\n")
	for _, version := range []string{"2", "3", "4"} {
		s.git("add", "-A")
		s.git("update-index", "--index-version", version)
		b, err := os.ReadFile(s.dir + "/.git/index")
		if err != nil {
			f.Fatal(err)
		}
		if idx, err := decodeIndex(b); err != nil || len(idx.entries) != 2 {
			f.Fatalf("version %s: %v", version, err)
		}
		f.Add(b)
		s.git("write-tree")
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		idx, err := decodeIndex(b)
		if err != nil {
			return
		}
		for i := 1; i < len(idx.entries); i++ {
			if idx.entries[i-1].path > idx.entries[i].path {
				t.Error("not sorted")
			}
		}
	})
}

// FuzzReadOutput: no output makes the reader panic, and a text without digits
// and runner words counts nothing.
func FuzzReadOutput(f *testing.F) {
	for _, c := range outputs {
		f.Add(c.out)
	}
	f.Fuzz(func(t *testing.T, out string) {
		r := ReadOutput(out)
		if !strings.ContainsAny(out, "0123456789") && (r.Counts.Passed > 0 || r.Counts.Failed > 0) {
			t.Errorf("counted %+v", r.Counts)
		}
	})
}

// FuzzWildmatch: the matcher ends, and a literal pattern matches itself alone.
func FuzzWildmatch(f *testing.F) {
	for _, p := range statePatterns {
		f.Add(p, "a/b.txt")
	}
	f.Add("*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 200))
	f.Fuzz(func(t *testing.T, pattern, text string) {
		g := glob{pathname: true}
		got := g.match(pattern, text)
		if literalLength(pattern) == len(pattern) && got != (pattern == text) {
			t.Errorf("%q on %q: %v", pattern, text, got)
		}
	})
}
