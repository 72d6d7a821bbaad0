package shell

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected part of the files in testdata")

// TestGolden runs each case of testdata/*.txt: "=== name", the script, "---",
// and what dump says about it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { goldenFile(t, file, Analyze) })
	}
}

// TestPowerShellGolden does the same with the reader of PowerShell.
func TestPowerShellGolden(t *testing.T) {
	goldenFile(t, "testdata/powershell/cases.txt", AnalyzePowerShell)
}

func goldenFile(t *testing.T, file string, analyze func(string, Env) Script) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	seen := map[string]bool{}
	for _, block := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		src, want, _ := strings.Cut("\n"+rest, "\n---\n")
		src = strings.TrimPrefix(src, "\n")
		want = strings.TrimRight(want, "\n") + "\n"
		if seen[name] {
			t.Errorf("two cases are called %q", name)
		}
		seen[name] = true
		got := dump(analyze(src, testEnv()))
		out.WriteString("=== " + name + "\n" + src + "\n---\n" + got + "\n")
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, got); diff != "" && !*update {
				t.Errorf("%s\n%s", src, diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
