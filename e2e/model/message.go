package model

import (
	"encoding/json"
	"fmt"
	"io"
)

type usage struct {
	Input  int `json:"input_tokens"`
	Create int `json:"cache_creation_input_tokens"`
	Read   int `json:"cache_read_input_tokens"`
	Output int `json:"output_tokens"`
}

type message struct {
	ID           string           `json:"id"`
	Type         string           `json:"type"`
	Role         string           `json:"role"`
	Model        string           `json:"model"`
	Content      []map[string]any `json:"content"`
	StopReason   *string          `json:"stop_reason"`
	StopSequence *string          `json:"stop_sequence"`
	Usage        usage            `json:"usage"`
}

// answer makes the message of one turn. n makes its ids unique within the server's life.
func answer(model string, t Turn, n int) message {
	if model == "" {
		model = "scripted"
	}
	m := message{
		ID: fmt.Sprintf("msg_scripted_%04d", n), Type: "message", Role: "assistant", Model: model,
		Content: []map[string]any{}, Usage: usage{Input: 100, Output: 20},
	}
	reason := "end_turn"
	for i, b := range t.Blocks {
		if b.Tool == "" {
			m.Content = append(m.Content, map[string]any{"type": "text", "text": b.Text})
			continue
		}
		reason = "tool_use"
		id, input := b.ID, b.Input
		if id == "" {
			id = fmt.Sprintf("toolu_scripted_%04d_%d", n, i)
		}
		if input == nil {
			input = map[string]any{}
		}
		m.Content = append(m.Content, map[string]any{"type": "tool_use", "id": id, "name": b.Tool, "input": input})
	}
	if t.StopReason != "" {
		reason = t.StopReason
	}
	m.StopReason = &reason
	return m
}

// stream writes the message as server-sent events, each block in one delta.
func (m message) stream(w io.Writer) error {
	start := m
	start.Content, start.StopReason, start.Usage.Output = []map[string]any{}, nil, 1
	if err := event(w, "message_start", map[string]any{"message": start}); err != nil {
		return err
	}
	for i, b := range m.Content {
		first, delta := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			input, err := json.Marshal(b["input"])
			if err != nil {
				return fmt.Errorf("writing the input of %v: %w", b["name"], err)
			}
			first = map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
		}
		for _, e := range []struct {
			name string
			data map[string]any
		}{
			{"content_block_start", map[string]any{"index": i, "content_block": first}},
			{"content_block_delta", map[string]any{"index": i, "delta": delta}},
			{"content_block_stop", map[string]any{"index": i}},
		} {
			if err := event(w, e.name, e.data); err != nil {
				return err
			}
		}
	}
	err := event(w, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": m.Usage.Output},
	})
	if err != nil {
		return err
	}
	return event(w, "message_stop", map[string]any{})
}

func event(w io.Writer, name string, data map[string]any) error {
	data["type"] = name
	raw, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("writing event %s: %w", name, err)
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, raw)
	return err
}
