package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Request is one HTTP request of the client, in the order they came.
type Request struct {
	Method, Path string
	Lane         string // of the lane that answered; empty for the fallback and for other paths
	Turn         int    // index of the lane's turn, -1 for the fallback
	Model        string
	Stream       bool
	Tools        []string // names offered
	System       string
	FirstUser    string
	LastUser     string // newest user message, tool results included
	New          string // all that came after the last assistant message: where hook feedback shows up
	Body         json.RawMessage
	users        string
	schema       string
}

// text is everything a pattern may look at.
func (r *Request) text() string {
	return strings.Join([]string{r.Model, r.System, r.users, r.schema}, "\n")
}

type wireRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
	OutputConfig json.RawMessage `json:"output_config"`
	OutputFormat json.RawMessage `json:"output_format"`
}

// read fills the request's parts from its body. A body that is no such request leaves them empty.
func (r *Request) read(body []byte) {
	r.Body = body
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return
	}
	r.Model, r.Stream, r.System = w.Model, w.Stream, flatten(w.System)
	r.schema = string(w.OutputConfig) + string(w.OutputFormat)
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	var users, fresh []string
	for _, m := range w.Messages {
		text := flatten(m.Content)
		switch m.Role {
		case "assistant":
			fresh = nil
			continue
		case "user":
			users = append(users, text)
		}
		fresh = append(fresh, text) // hook text also comes as messages of role system
	}
	r.New, r.users = strings.Join(fresh, "\n"), strings.Join(users, "\n")
	if len(users) > 0 {
		r.FirstUser, r.LastUser = users[0], users[len(users)-1]
	}
}

type wireBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"tool_use_id"`
	IsError bool            `json:"is_error"`
	Content json.RawMessage `json:"content"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
}

// flatten turns message content (a string or a list of blocks) into text that a test can search. Tool results keep
// their error mark.
func flatten(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []wireBlock
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var out []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			out = append(out, b.Text)
		case "tool_result":
			mark := ""
			if b.IsError {
				mark = " is_error"
			}
			out = append(out, fmt.Sprintf("[tool_result%s %s] %s", mark, b.ID, flatten(b.Content)))
		case "tool_use":
			out = append(out, fmt.Sprintf("[tool_use %s] %s", b.Name, b.Input))
		}
	}
	return strings.Join(out, "\n")
}
