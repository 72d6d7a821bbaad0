package doctor

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestReportJSON(t *testing.T) {
	r := Report{home: "/home/me", Results: []Result{
		{Probe: "a", Title: "A", Status: Error, Findings: []Finding{
			{Kind: "x", Severity: Error, File: "/home/me/f", Line: 3, Message: "in /home/me/f", Fix: "mend", Fixable: true},
			{Kind: "proven", Severity: OK, File: "/home/me/g", Message: "ran /home/me/g"},
		}},
		{Probe: "b", Title: "B", Status: Skipped, Note: "only with --live"},
	}}
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Findings []map[string]any `json:"findings"`
		Proven   []string         `json:"proven"`
		Probes   []map[string]any `json:"probes"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Findings) != 1 || len(got.Proven) != 1 || len(got.Probes) != 2 {
		t.Fatalf("got %s", data)
	}
	f := got.Findings[0]
	if f["kind"] != "x" || f["severity"] != "error" || f["file"] != "~/f" || f["line"] != 3.0 || f["fixable"] != true || f["fix"] != "mend" {
		t.Errorf("finding: %v", f)
	}
	if strings.Contains(string(data), "/home/me") {
		t.Errorf("the home folder is shown: %s", data)
	}
	if r.Worst() != Error {
		t.Errorf("worst %s", r.Worst())
	}
	if (Report{}).Worst() != OK {
		t.Error("an empty report is no failure")
	}
}

func TestProbeThatHangsOrPanics(t *testing.T) {
	p := &Patient{Home: t.TempDir(), ProjectDir: t.TempDir()}
	p.defaults()
	hang := runProbe(t.Context(), p, Probe{ID: "hang", Deadline: 10 * time.Millisecond, Run: func(ctx context.Context, _ *Patient) []Finding {
		<-ctx.Done()
		<-t.Context().Done()
		return nil
	}})
	if hang.Status != Skipped || hang.Note == "" {
		t.Errorf("a probe that hangs: %+v", hang)
	}
	broken := runProbe(t.Context(), p, Probe{ID: "broken", Run: func(context.Context, *Patient) []Finding { panic("no") }})
	if broken.Status != Skipped || broken.Note == "" {
		t.Errorf("a probe that panics: %+v", broken)
	}
}
