package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"agentguard/checks"
	"agentguard/checks/audit"
	"agentguard/hook"
)

// Records returns the call's one event record, then a judge record for each
// check that judged a text.
func (r *Result) Records(in *checks.Input, now time.Time) []audit.Record {
	base := Record(in.Event, now)
	event := base
	event.Kind, event.MS = "event", ms(r.Elapsed)
	event.Decision, event.Check, event.Reason = r.Outcome.Decision, r.Outcome.Check, r.Outcome.Reason
	event.Failures = slices.Clone(r.Failures)
	event.Note = strings.Join(in.Excepted(), "; ")
	if command, ok := in.ShellCommand(); ok {
		event.Subject = command
	}
	records := []audit.Record{event}
	for _, f := range r.Findings {
		if f.Finding.Note != "" {
			records[0].Failures = append(records[0].Failures, audit.Failure{Check: f.Check.ID, Error: f.Finding.Note})
		}
		if f.Finding.Decision > hook.Pass || len(f.Finding.Rewrite) > 0 {
			records[0].Findings = append(records[0].Findings, audit.Finding{
				Check: f.Check.ID, Mode: f.Mode.String(), Decision: f.Finding.Decision, Rule: f.Finding.Rule,
				Reason: f.Finding.Reason, Standing: f.Finding.Standing, LetGo: f.LetGo,
			})
			if records[0].Subject == "" {
				records[0].Subject = f.Finding.Subject
			}
		}
		if f.Finding.Verdict != nil {
			records = append(records, judgement(base, f, in.Policy.LogText))
		}
	}
	return records
}

// Record fills what every record says of its event.
func Record(ev hook.Event, now time.Time) audit.Record {
	rec := audit.Record{
		Time: now, Kind: "event", Client: ev.Client, Session: ev.SessionID, Prompt: ev.PromptID, Event: ev.Name,
		Agent: ev.AgentType, Project: ev.ProjectDir,
	}
	if ev.Tool != nil {
		rec.Tool, rec.ToolUseID = ev.Tool.Name, ev.Tool.UseID
	}
	return rec
}

func judgement(base audit.Record, f Found, keepText bool) audit.Record {
	rec := base
	rec.Kind, rec.Check, rec.Decision = "judge", f.Check.ID, f.Finding.Decision
	v := *f.Finding.Verdict
	if !keepText {
		v.Raw, v.Reason = "", "" // a judge may quote what it read
	}
	j := &audit.Judgement{Verdict: v, Standing: f.Finding.Standing, MS: ms(v.Elapsed)}
	if m := f.Finding.Judged; m != nil {
		j.Signal, j.Bypass, j.Secrets = m.Signal, m.Bypass, m.Secrets
		sum := sha256.Sum256([]byte(m.Text))
		j.TextHash = hex.EncodeToString(sum[:])
		if keepText {
			j.Text = m.Text
		}
	}
	rec.Judge = j
	return rec
}

func ms(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}
