// Package audit is the one log of every hook call: what was asked, what each
// check found, what was answered. Daily files of JSON lines, readable by their
// owner alone. No secret gets in: callers pass text through judge/redact first,
// and Append does so again for what it writes itself.
package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentguard/hook"
	"agentguard/hook/regular"
	"agentguard/judge"
	"agentguard/judge/redact"
)

// Record is one line of the log. Kind says which fields are set.
type Record struct {
	Time      time.Time      `json:"time"`
	Kind      string         `json:"kind"` // "event" or "judge"
	Client    string         `json:"client,omitempty"`
	Session   string         `json:"session,omitempty"`
	Prompt    string         `json:"prompt,omitempty"`
	Event     hook.EventName `json:"event"`
	Tool      string         `json:"tool,omitempty"`
	ToolUseID string         `json:"tool_use_id,omitempty"`
	Agent     string         `json:"agent,omitempty"`
	Project   string         `json:"project,omitempty"`
	Subject   string         `json:"subject,omitempty"` // the command or path, redacted and cut

	Decision hook.Decision  `json:"decision"`
	Check    string         `json:"check,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Note     string         `json:"note,omitempty"` // why nothing was checked (off, recursion, undecodable), or which exceptions applied
	Findings []Finding      `json:"findings,omitempty"`
	Failures []Failure      `json:"failures,omitempty"`
	Secrets  map[string]int `json:"secrets,omitempty"` // redacted, by kind
	MS       float64        `json:"ms"`

	Judge *Judgement `json:"judge,omitempty"`
}

// Finding is what one check found, whatever came of it.
type Finding struct {
	Check    string        `json:"check"`
	Mode     string        `json:"mode"`
	Decision hook.Decision `json:"decision"`
	Rule     string        `json:"rule,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Standing string        `json:"standing,omitempty"`
	// LetGo says why an enforced refusal did not go out: the turn was refused for
	// it already.
	LetGo string `json:"let_go,omitempty"`
}

// Failure is a check that broke.
type Failure struct {
	Check string `json:"check"`
	Error string `json:"error"`
}

// Judgement is the material of one stage-two decision: enough to measure the
// judge, compare prompts and find out why.
type Judgement struct {
	judge.Verdict
	Signal   string         `json:"signal,omitempty"`
	Bypass   string         `json:"bypass,omitempty"`
	Standing string         `json:"standing,omitempty"`
	Text     string         `json:"text,omitempty"`
	TextHash string         `json:"text_hash,omitempty"`
	Secrets  map[string]int `json:"secrets,omitempty"`
	MS       float64        `json:"judge_ms"`
}

// Bounds of one record, in bytes, so that a line is written by one write call.
const (
	maxName    = 256
	maxSubject = 2 << 10
	maxReason  = 1 << 10
	maxText    = 8 << 10
)

// Dir returns the log's folder in a state folder.
func Dir(state string) string { return filepath.Join(state, "agentguard", "log") }

// Append writes records to the file of their day under dir, all in one write, so
// that parallel hooks do not tear each other's lines. The folder is made with
// mode 0700, the file with 0600. A line that a dead writer left torn is ended
// first, and what stands in the file's place without being a file of ours is put
// aside: whoever made it would else keep the day out of the log.
func Append(dir string, now time.Time, records ...Record) error {
	if len(records) == 0 {
		return nil
	}
	var lines []byte
	for _, r := range records {
		r.tidy()
		line, err := r.line()
		if err != nil {
			return fmt.Errorf("writing the log: %w", err)
		}
		lines = append(lines, line...)
	}
	name := filepath.Join(dir, now.Format(time.DateOnly)+".jsonl")
	f, err := regular.Append(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(dir, 0o700)
	case errors.Is(err, regular.ErrKind), errors.Is(err, fs.ErrPermission):
		err = putAside(name, now)
	}
	if f == nil && err == nil {
		f, err = regular.Append(name)
	}
	if err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	if regular.TornEnd(f) {
		lines = append([]byte{'\n'}, lines...)
	}
	_, err = f.Write(lines)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	return nil
}

// aside stands between a log file's name and a number, where something was put
// aside.
const aside = ".aside-"

// putAside makes room for the log where something else stands that cannot be
// appended to. Another process may have done so already.
func putAside(name string, now time.Time) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o600 == 0o600 {
		return nil
	}
	return os.Rename(name, name+aside+strconv.FormatInt(now.UnixNano(), 10))
}

// Hide takes out what is known to be secret of the event that the record is about,
// also where it is quoted in part. Append takes out what shows itself to be one.
func (r *Record) Hide(known redact.Values) {
	r.texts(func(s *string, _ int) { *s, _ = known.Text(*s) })
}

// tidy redacts and cuts the free text of a record.
func (r *Record) tidy() {
	counts := map[string]int{}
	r.texts(func(s *string, limit int) { *s = clean(*s, limit, counts) })
	if len(counts) > 0 && len(r.Secrets) == 0 {
		r.Secrets = counts
	}
}

// texts gives each text of a record that the outside has a hand in, with the bytes
// that it may have. Texts behind a pointer are the record's own from then on.
func (r *Record) texts(each func(s *string, limit int)) {
	event := string(r.Event)
	for _, text := range []struct {
		s     *string
		limit int
	}{
		{&r.Subject, maxSubject},
		{&r.Reason, maxReason},
		{&r.Note, maxReason},
		// A client fills these, and a folder's name is anybody's.
		{&event, maxName},
		{&r.Session, maxName},
		{&r.Prompt, maxName},
		{&r.Tool, maxName},
		{&r.ToolUseID, maxName},
		{&r.Agent, maxName},
		{&r.Project, maxReason},
	} {
		each(text.s, text.limit)
	}
	r.Event = hook.EventName(event)
	for i := range r.Findings {
		each(&r.Findings[i].Reason, maxReason)
		each(&r.Findings[i].Rule, maxName)
		each(&r.Findings[i].LetGo, maxReason)
	}
	for i := range r.Failures {
		each(&r.Failures[i].Error, maxReason)
	}
	if r.Judge == nil {
		return
	}
	judged := *r.Judge
	judged.Errors = slices.Clone(judged.Errors)
	each(&judged.Text, maxText)
	each(&judged.Raw, maxText)
	each(&judged.Reason, maxReason)
	for i := range judged.Errors {
		each(&judged.Errors[i], maxReason)
	}
	r.Judge = &judged
}

func clean(s string, limit int, counts map[string]int) string {
	if s == "" {
		return s
	}
	s, found := redact.Text(s)
	for kind, n := range found {
		counts[string(kind)] += n
	}
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + " …"
	}
	return s
}

// Prune removes the log files that are older than days, and what was put aside
// for them. Files of other names stay.
func Prune(dir string, now time.Time, days int) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pruning the log: %w", err)
	}
	oldest := now.AddDate(0, 0, -days)
	var failed []error
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), aside)
		day, err := time.Parse(time.DateOnly+".jsonl", name)
		if err != nil || !day.Before(oldest) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			failed = append(failed, fmt.Errorf("pruning the log: %w", err))
		}
	}
	return errors.Join(failed...)
}
