package evidence

import (
	"strings"
	"testing"
)

// TestOwnStatus: the client's word on a call is the run's own only where nothing
// stands between.
func TestOwnStatus(t *testing.T) {
	failed := Call{Output: "Exit code 2\nboom", Failed: true}
	for _, c := range []struct {
		name, src string
		call      Call
		status    int
		ok        bool
	}{
		{"alone, well", "go test ./...", Call{Output: "ok  x 0.1s"}, 0, true},
		{"alone, badly", "go test ./...", failed, 2, true},
		{"behind a folder", "cd web && npm test", failed, 2, true},
		{"before a commit that need not be what failed", "go test ./... && git push", failed, 0, false},
		{"before a commit, all well", "go test ./... && git push", Call{}, 0, true},
		{"into a filter", "go test ./... | tail -5", Call{}, 0, false},
		{"masked", "go test ./... || true", Call{}, 0, false},
		{"before another command", "go test ./...; echo done", Call{}, 0, false},
		{"in the background", "go test ./...", Call{Background: true}, 0, false},
		{"of a client that tells none", "go test ./...", Call{NoStatus: true}, 0, false},
		{"an error without a number", "go test ./...", Call{Output: "timed out", Failed: true}, 0, false},
		{"a program that is not there", "go test ./...", Call{Output: "Exit code 127\nsh: go: command not found", Failed: true}, 0, false},
		{"a pipeline's state", "gh run view 1", Call{}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := Recognise(c.src, Verify{})
			if len(list) == 0 {
				t.Fatal("no run")
			}
			if status, ok := list[0].OwnStatus(c.call); status != c.status || ok != c.ok {
				t.Errorf("%d, %v", status, ok)
			}
		})
	}
}

// TestEdited: documentation, what lies elsewhere and runs are no edits.
func TestEdited(t *testing.T) {
	turns := talk(
		"edit /w/a.go", "edit /w/README.md", "edit /elsewhere/b.go", "run go test ./... => ok  x 0.1s", "run sed -i s/a/b/ c.go => ",
	)
	got := Reader{Root: "/w", Dir: "/w", Parse: parse}.Edited(turns[0].Calls)
	if strings.Join(got, " ") != "a.go c.go" {
		t.Errorf("%q", got)
	}
}
