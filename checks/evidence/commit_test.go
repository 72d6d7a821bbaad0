package evidence

import (
	"context"
	"testing"
	"time"
)

func TestCovers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		after  func(s *scratchRepo) // what happens between the run and the commit
		commit Commit
		want   Standing
	}{
		{"everything", func(*scratchRepo) {}, Commit{All: true}, Supported},
		{"tracked files", func(*scratchRepo) {}, Commit{Tracked: true}, Supported},
		{"staged as tested", func(s *scratchRepo) { s.git("add", "a.py") }, Commit{}, Supported},
		{"part of what was tested", func(s *scratchRepo) { s.git("add", "b.py") }, Commit{}, Supported},
		{"staged, then changed back", func(s *scratchRepo) { s.write("a.py", "x\n"); s.git("add", "a.py"); s.write("a.py", "2\n") }, Commit{}, Stale},
		{"the same with -a", func(s *scratchRepo) { s.write("a.py", "x\n"); s.git("add", "a.py"); s.write("a.py", "2\n") }, Commit{Tracked: true}, Supported},
		{"changed", func(s *scratchRepo) { s.write("a.py", "3\n") }, Commit{All: true}, Stale},
		{"new file left out", func(s *scratchRepo) { s.write("new.py", "n\n") }, Commit{Tracked: true}, Supported},
		{"new file taken in", func(s *scratchRepo) { s.write("new.py", "n\n") }, Commit{All: true}, Stale},
		{"new file named", func(s *scratchRepo) { s.write("sub/new.py", "n\n") }, Commit{Paths: []string{"./sub/"}}, Stale},
		{"new document taken in", func(s *scratchRepo) { s.write("new.md", "n\n") }, Commit{All: true}, Supported},
		{"documents alone, untested tree", func(s *scratchRepo) { s.write("a.py", "3\n"); s.write("new.md", "n\n") }, Commit{Paths: []string{"new.md"}}, Supported},
		{"file of the run", func(*scratchRepo) {}, Commit{Paths: []string{"c.py"}}, Supported},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScratch(t)
			s.write("a.py", "1\n")
			s.write("b.py", "1\n")
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "one")
			s.write("a.py", "2\n")
			s.write("b.py", "2\n")
			s.write("c.py", "2\n")
			r := s.open(s.dir)
			runs := Record(ctx, r, Observed{ID: "1", Source: "pytest", Call: Call{Output: "3 passed in 1s"}, Time: time.Unix(1000, 0)}, Verify{})
			c.after(s)
			a := Assess(ctx, Input{Repo: r, Runs: runs})
			if got := a.Covers(ctx, r, c.commit, DocMatcher{}); got.Standing != c.want {
				t.Errorf("%s, want %s: %s", got.Standing, c.want, got.Why)
			}
		})
	}
}

func TestDocMatcher(t *testing.T) {
	for path, want := range map[string]bool{
		"README.md": true, "docs/a.png": true, "docs/guide/x.md": true, "LICENSE": true, "CHANGELOG": true, "license.txt": true, "pkg/README.rst": true,
		"requirements.txt": false, "CMakeLists.txt": false, "docs/conf.py": false, "testdata/a.md": false, "src/templates/mail.md": false, "a.go": false,
		"docs.go": false, "licenses.go": false, "package.json": false, "docs/package.json": false, "notes.txt": false, "changes.py": false,
	} {
		if got := (DocMatcher{}).Match(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	d := DocMatcher{Also: []string{"notes/", "*.txt"}, Never: []string{"requirements.txt", "README.md"}}
	for path, want := range map[string]bool{"notes/a.go": true, "x/a.txt": true, "requirements.txt": false, "README.md": false, "CHANGES.md": true} {
		if got := d.Match(path); got != want {
			t.Errorf("own patterns, %s: %v, want %v", path, got, want)
		}
	}
}
