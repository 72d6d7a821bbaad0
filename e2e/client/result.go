package client

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Result is what a session did.
type Result struct {
	Status   int      // exit status
	Final    string   // the closing text that the person sees
	Hooks    []Hook   // each hook's end, in order
	Denied   []Denial // tool calls that did not run
	Messages []string // lines that hooks showed to the person
	Session  string   // the session's id
	Stderr   string
	Took     time.Duration
}

// Hook is one run of one hook.
type Hook struct {
	Event   string
	Outcome string // success, error or cancelled
	Status  int
	Stdout  string
	Stderr  string
}

// Denial is a tool call that was refused.
type Denial struct {
	Tool  string
	Input map[string]any
}

// Of returns the hooks of one event.
func (r Result) Of(event string) []Hook {
	return slices.DeleteFunc(slices.Clone(r.Hooks), func(h Hook) bool { return h.Event != event })
}

// ErrNoResult says that the client ended without its closing line.
var ErrNoResult = errors.New("the client printed no result")

const maxLine = 16 << 20

// read fills the result from the client's stream of JSON lines.
func (r *Result) read(out []byte) error {
	type line struct {
		Type      string `json:"type"`
		Subtype   string `json:"subtype"`
		Event     string `json:"hook_event"`
		Outcome   string `json:"outcome"`
		ExitCode  int    `json:"exit_code"`
		Stdout    string `json:"stdout"`
		Stderr    string `json:"stderr"`
		Content   any    `json:"content"`
		Result    string `json:"result"`
		SessionID string `json:"session_id"`
		Denials   []struct {
			Tool  string         `json:"tool_name"`
			Input map[string]any `json:"tool_input"`
		} `json:"permission_denials"`
	}
	ended := false
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("reading the client's stream: %w in %.200q", err, lines.Text())
		}
		switch {
		case l.Type == "result":
			ended = true
			r.Final, r.Session = l.Result, l.SessionID
			for _, d := range l.Denials {
				r.Denied = append(r.Denied, Denial(d))
			}
		case l.Subtype == "hook_response":
			r.Hooks = append(r.Hooks, Hook{l.Event, l.Outcome, l.ExitCode, l.Stdout, l.Stderr})
		case l.Subtype == "informational":
			if s, ok := l.Content.(string); ok {
				r.Messages = append(r.Messages, s)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the client's stream: %w", err)
	}
	if !ended {
		return ErrNoResult
	}
	return nil
}
