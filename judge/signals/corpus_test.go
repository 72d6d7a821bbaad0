package signals

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/judge/prose"
)

// labelled is one line of testdata/judge.jsonl, the labelled closing messages.
type labelled struct {
	ID, Check, Family, Lang, Text string
	Stage1, Expect, User          string
	Evidence                      string
	Edited                        bool
	OnlyCheck                     bool `json:"only_check"`
	Fields                        map[string]bool
}

func corpus(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open("testdata/judge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c labelled
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", sc.Bytes(), err)
		}
		out = append(out, c)
	}
	if len(out) < 300 {
		t.Fatalf("only %d messages", len(out))
	}
	return out
}

// TestStageOne: a message labelled hit is hit by its check's signals, and one
// labelled miss is not.
func TestStageOne(t *testing.T) {
	hits := 0
	for _, c := range corpus(t) {
		got := len(Scan(prose.Parse(c.Text), c.Check)) > 0
		if got {
			hits++
		}
		if c.Stage1 == "hit" && !got || c.Stage1 == "miss" && got {
			t.Errorf("%s: hit %v, label %s: %.200q", c.ID, got, c.Stage1, c.Text)
		}
	}
	t.Logf("%d messages hit", hits)
}

// TestSignalsCoverReading: whatever the reader calls a proposal, a signal hits,
// so that the reader is asked at all.
func TestSignalsCoverReading(t *testing.T) {
	for _, c := range corpus(t) {
		d := prose.Parse(c.Text)
		if d.Read(c.Check).Proposal == prose.Yes && len(Scan(d, c.Check)) == 0 {
			t.Errorf("%s: a proposal without a signal: %.200q", c.ID, c.Text)
		}
	}
}

// TestSignalsCoverSentences is TestSignalsCoverReading over the labelled
// sentences of the reader.
func TestSignalsCoverSentences(t *testing.T) {
	files, err := filepath.Glob("../prose/testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("sentences: %v %v", files, err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		check := ""
		for line := range strings.SplitSeq(string(raw), "\n") {
			if head, ok := strings.CutPrefix(line, "# "); ok {
				check, _, _ = strings.Cut(head, " ")
			}
			labels, text, ok := strings.Cut(line, " | ")
			if !ok || labels != "P" {
				continue
			}
			d := prose.Parse(strings.ReplaceAll(text, `\n`, "\n"))
			if d.Read(check).Proposal == prose.Yes && len(Scan(d, check)) == 0 {
				t.Errorf("%s: a proposal without a signal: %q", check, text)
			}
		}
	}
}
