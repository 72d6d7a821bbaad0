package redact_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge/redact"
)

// alias maps a name that the messages use for a kind to ours.
var alias = map[redact.Kind]redact.Kind{"github-pat": "github-token"}

// TestMessages reads closing messages of agents: the secrets in them are found
// and counted by kind, and nothing is taken from the others.
func TestMessages(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n, secrets := 0, 0
	for lines.Scan() {
		var m struct {
			ID, Text string
			Secrets  []struct {
				Kind  redact.Kind
				Count int
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		n++
		want := redact.Counts{}
		for _, s := range m.Secrets {
			kind := s.Kind
			if a, ok := alias[kind]; ok {
				kind = a
			}
			want[kind] += s.Count
			secrets += s.Count
		}
		if len(want) == 0 {
			want = nil
		}
		out, got := redact.Text(m.Text)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: counts (-want +got):\n%s%s", m.ID, d, out)
		}
	}
	if err := lines.Err(); err != nil || n < 300 || secrets < 5 {
		t.Errorf("%d messages with %d secrets read, error %v", n, secrets, err)
	}
}
