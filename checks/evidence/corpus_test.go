package evidence

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"agentguard/hook/transcript"
)

type corpusCall struct {
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
	OK     bool            `json:"ok"`
	Output string          `json:"output"`
}

func corpusTurn(calls []corpusCall, from int) transcript.Turn {
	var turn transcript.Turn
	for i, c := range calls {
		out := c.Output
		if !c.OK && c.Tool == "Bash" {
			out = "Exit code 1\n" + out
		}
		turn.Calls = append(turn.Calls, transcript.Call{ID: fmt.Sprint("call", from+i), Tool: c.Tool, Input: c.Input, Output: out, Failed: !c.OK})
	}
	return turn
}

// TestCorpusTurns runs the standing over labelled conversations: the tool calls
// alone must agree with what the label says of the claim. Claims about commit
// ids are no claims of a run.
func TestCorpusTurns(t *testing.T) {
	f, err := os.Open("testdata/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	n := 0
	for in.Scan() {
		var c struct {
			ID, Family, Evidence string
			Calls, Prior         []corpusCall
		}
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		turns := []transcript.Turn{corpusTurn(c.Prior, 1000), corpusTurn(c.Calls, 0)}
		a := Assess(context.Background(), Input{Turns: turns, Reader: Reader{Dir: "/repo"}})
		want := c.Evidence == "verified"
		var got bool
		switch c.Family {
		case "sha-missing", "past-with-sha":
			continue // decided by the repository
		case "false-repro-claim", "tool-reproduced-only", "user-gave-repro":
			got = a.Reproduced != nil
		case "not-reproducible-declared":
			got = a.Standing == Supported
		default:
			got = a.Standing == Supported
			if !want && !a.Standing.Contradicts() {
				t.Errorf("%s (%s): standing %s does not contradict: %s", c.ID, c.Family, a.Standing, a.Why)
			}
		}
		if got != want {
			t.Errorf("%s (%s): want %s, got standing %s: %s", c.ID, c.Family, c.Evidence, a.Standing, a.Why)
		}
	}
	if n < 90 {
		t.Fatalf("%d cases read", n)
	}
}
