package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/hook/transcript"
)

func bash(command, output string) transcript.Call {
	input, _ := json.Marshal(map[string]string{"command": command}) //nolint:errcheck // a string
	return transcript.Call{ID: command, Tool: "Bash", Input: input, Output: output}
}

// TestMemoryIsBounded: however long a session is, little of it is kept, and what
// is kept keeps its order.
func TestMemoryIsBounded(t *testing.T) {
	var m memory
	long := strings.Repeat(strings.Repeat("x", 99)+"\n", 300)
	for i := range 100 {
		now := turn{user: "go"}
		edit, _ := json.Marshal(map[string]string{"file_path": fmt.Sprintf("/w/%d.go", i), "new_string": long}) //nolint:errcheck // strings
		m.add(&now, transcript.Call{ID: fmt.Sprint("e", i), Tool: "Edit", Input: edit})
		m.add(&now, bash(fmt.Sprintf("go test ./p%d", i), long))
		m.add(&now, bash(fmt.Sprintf("cat %d.log", i), long))
		m.add(&now, transcript.Call{ID: fmt.Sprint("g", i), Tool: "Glob", Output: long})
		m.end(now)
	}
	size := 0
	for _, list := range m.kept {
		for _, c := range list {
			size += len(c.Input) + len(c.Output)
		}
		if len(list) != maxKept {
			t.Errorf("%d calls of one class are kept, not %d", len(list), maxKept)
		}
	}
	if most := 3 * maxKept * (more*(maxFront+maxBack) + 100); size > most {
		t.Errorf("%d bytes are kept, more than %d", size, most)
	}
	all := m.flat(turn{})
	if !slices.IsSortedFunc(all, func(a, b numbered) int { return a.n - b.n }) {
		t.Error("the order is lost")
	}
	if h := m.history(turn{user: "now"}, true); len(h.Turns) != 4 || h.Current().User != "now" || h.Turns[1].User != "go" {
		t.Errorf("%d turns", len(h.Turns))
	}
}

// TestThinKeepsTheOutcome: an output without its middle reads as before, or more
// of it is kept.
func TestThinKeepsTheOutcome(t *testing.T) {
	pad := strings.Repeat("still running the suite\n", 250)
	for _, output := range []string{
		pad + "ok  \tx\t0.1s\n",
		"--- FAIL: TestA (0.1s)\nFAIL\tx\t0.1s\nFAIL\n" + pad,
		pad[:len(pad)/2] + "--- FAIL: TestA (0.1s)\nFAIL\tx\t0.1s\nFAIL\n" + pad[len(pad)/2:],
		"short",
	} {
		c := bash("go test ./... | tee log", output)
		if full, got := runsOf(c), runsOf(thin(c)); !slices.Equal(full, got) || len(full) == 0 {
			t.Errorf("%v became %v: %.40q", full, got, output)
		}
	}
}

// TestClassOf: what a standing may rest on is kept.
func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		call transcript.Call
		want int
	}{
		{bash("go test ./...", ""), aRun},
		{bash("./check-all", ""), aRun},
		{transcript.Call{Tool: "TaskOutput"}, aRun},
		{transcript.Call{Tool: "mcp__ide__run_tests"}, aRun},
		{bash("sed -i s/a/b/ a.go", ""), aChange},
		{bash("git checkout main", ""), aChange},
		{bash("git add -A", ""), aChange},
		{bash("cat <<'E' > a.go\nx\nE", ""), aChange},
		{bash("if (", ""), aChange},
		{transcript.Call{Tool: "Write"}, aChange},
		{bash("tail -5 out.log", ""), aLook},
		{transcript.Call{Tool: "Read"}, aLook},
		{transcript.Call{Tool: "Glob"}, noClass},
	} {
		verify := evidence.Verify{Commands: []evidence.VerifyCommand{{Kind: evidence.Test, Command: "./check-all"}}}
		if got := classOf(c.call, verify); got != c.want {
			t.Errorf("%s %s is of class %d, not %d", c.call.Tool, c.call.Input, got, c.want)
		}
	}
	if changes(shell.Analyze("ls && cat a", shell.Env{Dir: "/"})) {
		t.Error("looking changes nothing")
	}
}

// TestRoot: edits count below the top of the tree that the session stood in.
func TestRoot(t *testing.T) {
	for _, c := range []struct {
		name, project string
		folders       []string
		cwd, want     string
	}{
		{"the project", "/w/shop", nil, "/w/shop/web", "/w/shop"},
		{"a repository in the folder of the start", "/w", []string{"/w/shop"}, "/w/shop/web", "/w/shop"},
		{"another tree beside it", "/w/shop", []string{"/w/shop", "/w/shop-2"}, "/w/shop-2/web", "/w/shop-2"},
		{"another tree, not met before", "/w/shop", []string{"/w/shop"}, "/w/other", "/w/other"},
		{"no project", "", nil, "/w/shop", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session{file: &File{Project: c.project}, folders: c.folders}
			if got := s.root(c.cwd); got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}
