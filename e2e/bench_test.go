package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A person waits for the hook before every tool call, so it is measured as a person meets it: whole processes, one
// event each through a pipe, beside a Go program that does nothing and beside the guard that people write by hand.
// The time of the processor stands beside that of the clock, which a busy machine stretches.
//
//	go test ./e2e -run '^$' -bench Hook -benchtime 200x
func BenchmarkHook(b *testing.B) {
	r := newRace(b)
	for _, e := range benchEvents {
		b.Run(e.name, func(b *testing.B) {
			event := r.bash(e.command)
			var hook, empty, script costs
			for i := 0; b.Loop(); i++ {
				r.lap(i, event, &hook, &empty, &script)
			}
			b.ReportMetric(float64(median(hook.wall).Microseconds()), "µs/hook")
			b.ReportMetric(ratio(hook.wall, empty.wall), "x-empty")
			b.ReportMetric(ratio(hook.cpu, empty.cpu), "x-empty-cpu")
			b.ReportMetric(ratio(hook.wall, script.wall), "x-script")
		})
	}
}

var benchEvents = []struct{ name, command string }{
	{"harmless", "ls -la src"},
	{"chain of 10", "cd src && git status --short | head -5 && grep -rn TODO . | wc -l && go build ./... && go vet ./... " +
		"&& git diff --stat HEAD~1 && echo \"built $(date)\" >> build.log && find . -name '*.tmp' -print && git log --oneline -3"},
}

// BenchmarkStop ends a turn without anything to judge, on a short conversation and on one of 1 GB: what a stop costs
// follows the turn, not the file.
//
//	go test ./e2e -run '^$' -bench Stop -benchtime 50x
func BenchmarkStop(b *testing.B) {
	r := newRace(b)
	short, long := r.stop("short.jsonl", 0), r.stop("long.jsonl", 1<<30)
	var onShort, onLong costs
	for i := 0; b.Loop(); i++ {
		for k := range 2 {
			if (i+k)%2 == 0 {
				onShort.add(r.once(r.hook, short))
			} else {
				onLong.add(r.once(r.hook, long))
			}
		}
	}
	b.ReportMetric(float64(median(onShort.wall).Microseconds()), "µs/short")
	b.ReportMetric(float64(median(onLong.wall).Microseconds()), "µs/long")
	b.ReportMetric(ratio(onLong.wall, onShort.wall), "x-short")
}

// budgets are the ratios of median times that a harmless call shall reach, and those that only a real regression passes.
const (
	budgetEmpty, grossEmpty   = 2.0, 3.0
	budgetScript, grossScript = 0.1, 0.2
)

// TestHookBudget prints how a harmless call stands to its budget, over or within, and fails only on a gross regression:
// times on a busy machine move by more than the distance to the budget.
func TestHookBudget(t *testing.T) {
	if os.Getenv("AGENTGUARD_BENCH") == "" {
		t.Skip("set AGENTGUARD_BENCH=1 to measure")
	}
	r := newRace(t)
	event := r.bash(benchEvents[0].command)
	for try := 1; ; try++ {
		var hook, empty, script costs
		for i := range 60 {
			r.lap(i, event, &hook, &empty, &script)
		}
		toEmpty, toScript := ratio(hook.wall, empty.wall), ratio(hook.wall, script.wall)
		t.Logf("hook %v, %.2f times an empty program (%.2f in processor time), %.3f of the script",
			median(hook.wall), toEmpty, ratio(hook.cpu, empty.cpu), toScript)
		if toEmpty <= budgetEmpty && toScript <= budgetScript {
			return
		}
		if try == 5 {
			if toEmpty > grossEmpty || toScript > grossScript {
				t.Fatalf("far over the budget of %.1f times an empty program and %.2f of the script", budgetEmpty, budgetScript)
			}
			t.Logf("OVER the budget of %.1f times an empty program and %.2f of the script in each of %d races", budgetEmpty, budgetScript, try)
			return
		}
	}
}

// race runs the three programs in turn, each on the same event.
type race struct {
	testing.TB
	hook, empty, script string
	repo                string
	env                 []string
}

func newRace(tb testing.TB) *race {
	tb.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		tb.Skip("the script needs jq")
	}
	paths, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	home := filepath.Join(dir, "home")
	bin := filepath.Join(home, ".local", "bin")
	r := &race{TB: tb, hook: filepath.Join(bin, "agentguard-hook"), repo: filepath.Join(dir, "repo"), empty: filepath.Join(dir, "empty")}
	if r.script, err = filepath.Abs("testdata/bashjq_guard.sh"); err != nil {
		tb.Fatal(err)
	}
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		tb.Fatal(err)
	}
	mkdir(tb, r.repo)
	mkdir(tb, bin)
	for _, p := range paths {
		link(tb, p, filepath.Join(bin, filepath.Base(p)))
	}
	r.env = []string{"HOME=" + home, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + r.repo}
	r.must(exec.CommandContext(r.Context(), "go", "build", "-o", r.empty, source))
	for _, args := range [][]string{{"git", "init", "-q"}, {filepath.Join(bin, "agentguard"), "init", "--yes"}} {
		cmd := exec.CommandContext(r.Context(), args[0], args[1:]...)
		cmd.Dir, cmd.Env = r.repo, r.env
		r.must(cmd)
	}
	return r
}

// event returns an event of the race's repository with more members.
func (r *race) event(name, transcript string, more map[string]any) []byte {
	r.Helper()
	all := map[string]any{
		"session_id": "00000000-0000-4000-8000-000000000001", "transcript_path": transcript, "cwd": r.repo,
		"prompt_id": "00000000-0000-4000-8000-000000000002", "permission_mode": "default", "hook_event_name": name,
	}
	maps.Copy(all, more)
	raw, err := json.Marshal(all)
	if err != nil {
		r.Fatal(err)
	}
	return append(raw, '\n')
}

// bash returns the event of one Bash call.
func (r *race) bash(command string) []byte {
	return r.event("PreToolUse", filepath.Join(r.repo, "none.jsonl"), map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": command, "description": "x"}, "tool_use_id": "toolu_01",
	})
}

// stop writes a conversation of at least size bytes and returns the event of its end. Its last turn is always the same.
func (r *race) stop(name string, size int) []byte {
	r.Helper()
	const closing = "The parser reads a line, splits it at the first colon and returns both parts."
	line := func(role string, content ...map[string]any) []byte {
		raw, err := json.Marshal(map[string]any{"type": role, "uuid": "u", "promptId": "p", "message": map[string]any{"role": role, "content": content}})
		if err != nil {
			r.Fatal(err)
		}
		return append(raw, '\n')
	}
	turn := slices.Concat(
		line("user", map[string]any{"type": "text", "text": "explain the parser"}),
		line("assistant", map[string]any{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": map[string]any{"command": "cat parser.go"}}),
		line("user", map[string]any{"type": "tool_result", "tool_use_id": "toolu_1", "content": strings.Repeat("a line of code\n", 600)}),
		line("assistant", map[string]any{"type": "text", "text": closing}),
	)
	path := filepath.Join(r.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		r.Fatal(err)
	}
	block := bytes.Repeat(turn, 100)
	for n := 0; n < size && err == nil; n += len(block) {
		_, err = f.Write(block)
	}
	_, lastErr := f.Write(turn)
	if err := errors.Join(err, lastErr, f.Close()); err != nil {
		r.Fatal(err)
	}
	return r.event("Stop", path, map[string]any{"stop_hook_active": false, "last_assistant_message": closing})
}

// costs are the times of one program's runs.
type costs struct{ wall, cpu []time.Duration }

func (c *costs) add(wall, cpu time.Duration) {
	c.wall, c.cpu = append(c.wall, wall), append(c.cpu, cpu)
}

// orders are all that three programs can run in: whoever follows the script finds the caches cold.
var orders = [...][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}}

// lap runs each program once, in another order from lap to lap.
func (r *race) lap(i int, event []byte, hook, empty, script *costs) {
	runs := []struct {
		path string
		to   *costs
	}{{r.hook, hook}, {r.empty, empty}, {r.script, script}}
	for _, k := range orders[i%len(orders)] {
		runs[k].to.add(r.once(runs[k].path, event))
	}
}

func (r *race) once(path string, event []byte) (wall, cpu time.Duration) {
	r.Helper()
	cmd := exec.CommandContext(r.Context(), path)
	var out strings.Builder
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = r.repo, r.env, bytes.NewReader(event), &out
	began := time.Now()
	if err := cmd.Run(); err != nil {
		r.Fatalf("%s: %v", path, err)
	}
	took := time.Since(began)
	if out.Len() > 0 {
		r.Fatalf("%s answers a harmless call with %s", path, out.String())
	}
	return took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func (r *race) must(cmd *exec.Cmd) {
	r.Helper()
	if raw, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v: %v\n%s", cmd.Args, err, raw)
	}
}

func median(d []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// ratio is the median of the pairs' ratios: a slow moment of the machine hits both of a pair.
func ratio(a, b []time.Duration) float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = float64(a[i]) / float64(b[i])
	}
	slices.Sort(out)
	if len(out) == 0 {
		return 0
	}
	return out[len(out)/2]
}
