package audit

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"agentguard/hook"
	"agentguard/judge"
)

// TestLine compares the hand-made encoder with encoding/json: for a record with
// each single field set, for a full one, and for text of all sorts. A field that
// somebody adds to the record alone fails here.
func TestLine(t *testing.T) {
	full := Record{
		Time: time.Date(2026, 11, 29, 12, 0, 0, 123456789, time.FixedZone("", 3600)), Kind: "judge", Client: "claude", Session: "s",
		Prompt: "p", Event: hook.Stop, Tool: "Bash", ToolUseID: "toolu_01", Agent: "verifier", Project: "/repo", Subject: "ls | wc -l",
		Decision: hook.Deny, Check: "false-claim", Reason: "no", Note: "n", MS: 1234.56,
		Findings: []Finding{{Check: "a", Mode: "enforce", Decision: hook.Ask, LetGo: "already"}}, Failures: []Failure{{"a", "b"}},
		Secrets: map[string]int{"jwt": 2, "aws": 1},
		Judge:   &Judgement{Verdict: judge.Verdict{Check: "a", Fields: map[string]bool{"x": true}}, Signal: "commit", MS: 0.01},
	}
	records := map[string]Record{"empty": {}, "full": full}
	from := reflect.ValueOf(full)
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		if from.Field(i).IsZero() {
			t.Errorf("the full record lacks %s", name)
		}
		var one Record
		reflect.ValueOf(&one).Elem().Field(i).Set(from.Field(i))
		records["only "+name] = one
	}
	for _, s := range []string{
		`a "quoted" word`, `C:\dir`, "two\nlines\ttab", "<b> & 'c'", "é 日本語 \U0001F600", "\u2028\u2029", "\x00\x1f\x7f", "bad \xff utf-8 \xe2\x82", "plain ~ text",
	} {
		records["text "+s] = Record{Subject: s, Kind: s, Event: hook.EventName(s), Note: s}
	}
	for _, ms := range []float64{0, 0.01, 3, 1e21, 1e-9, -1, 123456.78, 1e-6} {
		records["number "+time.Duration(ms*1e3).String()] = Record{MS: ms}
	}
	for name, r := range records {
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.line()
		if err != nil || string(got) != string(want)+"\n" {
			t.Errorf("%s: %v\ngot  %swant %s", name, err, got, want)
		}
	}
}
