package evidence

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// bigTree makes a repository of n files in folders of 25, with an ignored folder
// of extra files beside them.
func bigTree(tb testing.TB, n, extra int) *scratchRepo {
	tb.Helper()
	s := newScratch(tb)
	file := func(dir string, i int) {
		if i%25 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				tb.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%05d.go", i)), fmt.Appendf(nil, "package p%d\n", i), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	for i := range n {
		file(filepath.Join(s.dir, fmt.Sprintf("area%02d/part%02d/pkg%02d", i/2500%20, i/250%10, i/25%10)), i)
	}
	for i := range extra {
		file(filepath.Join(s.dir, "node_modules", fmt.Sprintf("m%05d", i/25)), i)
	}
	s.write(".gitignore", "node_modules/\n*.log\n/dist\n*.tmp\n.env\ncoverage/\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "all")
	time.Sleep(1100 * time.Millisecond) // nothing racy is left
	s.git("update-index", "-q", "--refresh")
	s.git("status", "--porcelain")
	return s
}

// BenchmarkFingerprint prints how long a fingerprint takes against "git status
// --porcelain" of the same tree: clean, and with 200 changed and 500 untracked
// files. Both are measured in turn, so that a busy machine slows both.
func BenchmarkFingerprint(b *testing.B) {
	s := bigTree(b, 50_000, 100_000)
	for _, changed := range []bool{false, true} {
		name := "clean"
		if changed {
			name = "changed"
			for i := range 200 {
				s.write(fmt.Sprintf("area%02d/part%02d/pkg%02d/file%05d.go", i*250/2500%20, i*250/250%10, i*250/25%10, i*250), fmt.Sprintf("package changed%d\n", i))
			}
			for i := range 500 {
				s.write(fmt.Sprintf("area%02d/new%03d.go", i%20, i), fmt.Sprintf("package new%d\n", i))
			}
		}
		b.Run(name, func(b *testing.B) {
			var status, ours, first time.Duration
			for i := range b.N {
				at := time.Now()
				cmd := exec.CommandContext(b.Context(), "git", "status", "--porcelain")
				cmd.Dir, cmd.Env = s.dir, append([]string{"GIT_OPTIONAL_LOCKS=0"}, s.env...)
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				status += time.Since(at)
				at = time.Now()
				// A new Repo each time: a hook is a new process.
				r := s.open(s.dir)
				if _, err := r.ownSnapshot(context.Background(), false); err != nil {
					b.Fatal(err)
				}
				ours += time.Since(at)
				if i == 0 {
					first = time.Since(at)
				}
			}
			b.ReportMetric(float64(status.Microseconds())/float64(b.N)/1000, "status-ms")
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "ours-ms")
			b.ReportMetric(float64(first.Microseconds())/1000, "first-ms")
			b.ReportMetric(float64(ours)/float64(status), "ratio")
		})
	}
}
