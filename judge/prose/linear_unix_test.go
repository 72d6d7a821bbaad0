//go:build unix

package prose

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time that this process has used so far.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestLinear: sixteen times the text costs far less than the 256 times of a
// square, and a megabyte no more than the two windows that are read. It is the
// processor's time that counts, not the clock's: the machine may be busy.
func TestLinear(t *testing.T) {
	hostile := map[string]string{
		"announcements": "I'll commit this now, because it looks fine and the tests should pass. ",
		"one sentence":  "and then I will maybe not commit it ",
		"ticks":         "`a ",
		"quotes":        "\"a 'b “c 「d ",
		"brackets":      "((( [[[ （（（ ",
		"fences":        "```\n",
		"comments":      "<!-- a ",
		"japanese":      "テストは実行していませんが、変更が小さいのでこのままコミットします",
		"chinese":       "我先提交，测试之后再跑，还没跑测试",
		"quotation":     "> \"I'll push\" \n\n「コミットします」",
		"emoji":         "✅ ❌ 🚀 ",
		"repairs":       "修正しました。正しく動きます。",
		"claims":        "All tests pass, lint is clean and I pushed `abc1234` to main: ",
		"lead":          "done ok great that now here ",
		"fixes":         "Fixed. It works now, and the error is gone. ",
	}
	read := func(text string) time.Duration {
		best := time.Hour
		for range 3 {
			start := cpu(t)
			d := Parse(text)
			for _, check := range []string{"commit-before-verification", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"} {
				d.Read(check)
			}
			d.Assertions()
			best = min(best, cpu(t)-start)
		}
		return best
	}
	for name, unit := range hostile {
		t.Run(name, func(t *testing.T) {
			a, b := read(strings.Repeat(unit, 3<<10/len(unit))), read(strings.Repeat(unit, 48<<10/len(unit)))
			t.Logf("3 KiB %v, 48 KiB %v", a, b)
			if b > 80*a+30*time.Millisecond {
				t.Errorf("3 KiB took %v, 48 KiB %v", a, b)
			}
			if huge := read(strings.Repeat(unit, 1<<20/len(unit))); huge > 10*b+30*time.Millisecond {
				t.Errorf("48 KiB took %v, 1 MiB %v", b, huge)
			}
		})
	}
}
