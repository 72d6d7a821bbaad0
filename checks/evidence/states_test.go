package evidence

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var states = flag.Int("states", 60, "how many random working trees to compare with git")

var (
	stateNames = []string{
		"a", "b", "a-b", "a.txt", "a0", "A", "README.md", "x.log", "y.tmp", "deep.log", "é.txt", "日本.txt", "with space", "-dash", "[x]", "star*", ".hidden",
		"tab\tname", "quote\"", "back\\slash", "trail ", "build", "out", "node_modules", ".gitkeep", "git", "gitignore", ".github", "a\nb",
	}
	statePatterns = []string{
		"*.log", "*.tmp", "!deep.log", "/a", "build/", "out", "!out/", "**/x.log", "a/**", "a/*", "!a/b", "b/**/a", "[ab]", "[!a]", "[a-c].txt", "?", "??",
		"\\[x\\]", "star\\*", "with space", "trail\\ ", "trail ", "# comment", "\\#x", "*", "!*/", "!*.txt", "/*", "!/b", "é*", "node_modules", "*/a", "a*b", "a**b", "b/a.txt",
		"**/b/", "/b/**", "[[:upper:]]", "[[:alpha:]]*", ".*", "!.gitignore", "!.gitattributes", "x.*\r", "", "/", "!", "**", "a/", "*/", "b/", "/a/b/", "d*/a",
	}
	stateAttributes = []string{
		"* text=auto", "*.txt text", "*.txt eol=crlf", "*.log -text", "*.tmp binary", "*.txt ident", "a filter=none", "*.log filter=upper", "* -text", "x.log diff=x", "b/** filter=upper", "*.txt working-tree-encoding=latin1",
	}
	stateTexts = []string{"", "a\n", "b\n", "aaa\n", "bbb\n", "line\r\nline\r\n", "$Id$\n", "x\x00y", "no end", "long " + strings.Repeat("0123456789\n", 3000)}
)

// mess is a working tree that random steps put into disorder.
type mess struct {
	*scratchRepo
	rng *rand.Rand
	log []string
}

func (m *mess) pick(list []string) string { return list[m.rng.IntN(len(list))] }

func (m *mess) path() string {
	var parts []string
	for range 1 + m.rng.IntN(3) {
		parts = append(parts, m.pick(stateNames))
	}
	return strings.Join(parts, "/")
}

// existing is a random name below the root; empty where there is none.
func (m *mess) existing() string {
	var all []string
	_ = filepath.WalkDir(m.dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == m.dir {
			return nil //nolint:nilerr // what cannot be listed is not picked
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(m.dir, p)
		all = append(all, rel)
		return nil
	})
	if len(all) == 0 {
		return ""
	}
	return m.pick(all)
}

func (m *mess) note(format string, args ...any) { m.log = append(m.log, fmt.Sprintf(format, args...)) }

func (m *mess) put(path, text string) {
	full := filepath.Join(m.dir, path)
	if os.MkdirAll(filepath.Dir(full), 0o755) != nil {
		return
	}
	m.note("write %q %.12q", path, text)
	_ = os.WriteFile(full, []byte(text), 0o644)
}

func (m *mess) gitTry(args ...string) {
	out, err := m.try(m.dir, args...)
	m.note("git %q: %v %.80s", args, err, out)
}

func (m *mess) step() {
	old := m.existing()
	full := filepath.Join(m.dir, old)
	switch n := m.rng.IntN(46); n {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		m.put(m.path(), m.pick(stateTexts))
	case 8, 9, 10, 11:
		if st, err := os.Lstat(full); err == nil && st.Mode().IsRegular() {
			m.put(old, m.pick(stateTexts))
		}
	case 12, 13:
		if old != "" {
			m.note("remove %q", old)
			_ = os.RemoveAll(full)
		}
	case 14:
		m.note("chmod %q", old)
		if st, err := os.Lstat(full); err == nil && st.Mode().IsRegular() {
			_ = os.Chmod(full, st.Mode().Perm()^0o111)
		}
	case 15, 16:
		p := m.path()
		m.note("symlink %q", p)
		_ = os.MkdirAll(filepath.Join(m.dir, filepath.Dir(p)), 0o755)
		_ = os.Symlink(m.pick(stateNames), filepath.Join(m.dir, p))
	case 17:
		if old != "" { // a file becomes a folder, or the other way round
			m.note("swap %q", old)
			st, err := os.Lstat(full)
			_ = os.RemoveAll(full)
			if err == nil && st.IsDir() {
				m.put(old, "was a folder\n")
			} else {
				m.put(old+"/"+m.pick(stateNames), "was a file\n")
			}
		}
	case 18:
		if old != "" {
			to := m.path()
			m.note("rename %q %q", old, to)
			_ = os.MkdirAll(filepath.Join(m.dir, filepath.Dir(to)), 0o755)
			_ = os.Rename(full, filepath.Join(m.dir, to))
		}
	case 19:
		if old != "" { // a folder becomes a link to another
			m.note("link away %q", old)
			_ = os.Rename(full, filepath.Join(filepath.Dir(m.dir), fmt.Sprint("moved", len(m.log))))
			_ = os.Symlink(filepath.Join(filepath.Dir(m.dir), fmt.Sprint("moved", len(m.log))), full)
		}
	case 20, 21:
		m.gitTry("add", "-A")
	case 22, 23:
		if old != "" {
			m.gitTry("add", "--", old)
		}
	case 24:
		if old != "" {
			m.gitTry("add", "-N", "--", old)
		}
	case 25:
		if old != "" {
			m.gitTry("rm", "-r", "-q", "--cached", "--", old)
		}
	case 26, 27:
		m.gitTry("commit", "-q", "-am", "c")
	case 28:
		if old != "" {
			m.gitTry("update-index", "--assume-unchanged", "--", old)
		}
	case 29:
		if old != "" {
			m.gitTry("update-index", "--skip-worktree", "--", old)
		}
	case 30, 31, 32, 33:
		dir := ""
		if m.rng.IntN(2) == 0 {
			dir = m.pick(stateNames) + "/"
		}
		var lines []string
		for range 1 + m.rng.IntN(4) {
			lines = append(lines, m.pick(statePatterns))
		}
		m.put(dir+".gitignore", strings.Join(lines, "\n"))
	case 34:
		m.put(".git/info/exclude", m.pick(statePatterns)+"\n"+m.pick(statePatterns)+"\n")
	case 35:
		m.put("../home/.config/git/ignore", m.pick(statePatterns)+"\n")
	case 36:
		m.gitTry("update-index", "--index-version", m.pick([]string{"2", "3", "4"}))
	case 37:
		m.put(m.pick([]string{"", "a/", "b/"})+".gitattributes", m.pick(stateAttributes)+"\n")
	case 38:
		m.gitTry("config", m.pick([]string{"core.autocrlf", "core.fileMode", "core.trustctime", "core.symlinks"}), m.pick([]string{"true", "false"}))
	case 39:
		m.gitTry("config", "core.checkStat", m.pick([]string{"minimal", "default"}))
	case 40:
		if old != "" {
			at := time.Now().Add(time.Duration(m.rng.IntN(5)-2) * time.Hour)
			m.note("times %q", old)
			_ = os.Chtimes(full, at, at)
		}
	case 41:
		p := m.path()
		m.note("empty folder %q", p)
		_ = os.MkdirAll(filepath.Join(m.dir, p), 0o755)
	case 42:
		m.gitTry("checkout", "-q", "-f", "HEAD")
	case 43: // a conflict
		m.gitTry("stash", "-q")
		m.gitTry("checkout", "-q", "-b", fmt.Sprint("side", len(m.log)))
		m.put("conflict", "one\n")
		m.gitTry("add", "conflict")
		m.gitTry("commit", "-q", "-m", "one")
		m.gitTry("checkout", "-q", "-b", fmt.Sprint("other", len(m.log)), "HEAD~1")
		m.put("conflict", "two\n")
		m.gitTry("add", "conflict")
		m.gitTry("commit", "-q", "-m", "two")
		m.gitTry("merge", "-q", "@{-1}")
	case 44:
		if m.rng.IntN(4) == 0 {
			dir := filepath.Join(m.dir, m.pick(stateNames)+"-nested")
			m.note("nested repository %q", dir)
			if os.MkdirAll(dir, 0o755) == nil {
				_, _ = m.try(dir, "init", "-q")
				_, _ = m.try(dir, "commit", "-q", "--allow-empty", "-m", "n")
			}
		}
	case 45:
		m.gitTry("reset", "-q", "--"+m.pick([]string{"soft", "mixed", "hard"}), "HEAD")
	}
}

// TestStates compares the ids of random working trees with those that "git add"
// on a throw-away index gives, and the changed paths with git's own.
func TestStates(t *testing.T) {
	const perTree = 10
	own, all := 0, 0
	for seed := uint64(1); all < *states; seed++ {
		m := &mess{scratchRepo: newScratch(t), rng: rand.New(rand.NewPCG(seed, 7))}
		for range 12 {
			m.step()
		}
		for range perTree {
			for range 1 + m.rng.IntN(4) {
				m.step()
			}
			all++
			if m.compare(seed) {
				own++
			}
		}
	}
	t.Logf("%d states, %d read without git", all, own)
	if own*2 < all {
		t.Errorf("only %d of %d states were read without git", own, all)
	}
}

// compare returns whether our own reader did it.
func (m *mess) compare(seed uint64) bool {
	t := m.t.(*testing.T)
	ctx := context.Background()
	r := m.open(m.dir)
	want := m.reference(m.dir)
	fail := func(what string, got any) {
		t.Fatalf("seed %d: %s\n got %+v\nwant %+v\n%s", seed, what, got, want, strings.Join(m.log, "\n"))
	}
	byGit, err := r.snapshotByGit(ctx, true)
	if err != nil || byGit.Fingerprint != want {
		fail(fmt.Sprint("by git: ", err), byGit.Fingerprint)
	}
	mine, err := r.ownSnapshot(ctx, true)
	if errors.Is(err, errFallback) {
		return false
	}
	if err != nil || mine.Fingerprint != want {
		fail(fmt.Sprint("our own: ", err), mine.Fingerprint)
	}
	if diff := cmp.Diff(byGit, mine); diff != "" {
		fail("changes", diff)
	}
	if f, err := r.Fingerprint(ctx); err != nil || f != want {
		fail(fmt.Sprint("without changes: ", err), f)
	}
	return true
}
