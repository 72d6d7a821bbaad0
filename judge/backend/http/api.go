package http

import (
	"encoding/json"
	"errors"
	nethttp "net/http"
	"strings"

	"agentguard/judge"
	"agentguard/judge/backend"
)

// api is one way to speak to a model.
type api struct {
	base   string // where the policy gives no address
	keyEnv string // where the policy names no variable; empty means that no key is sent
	path   string
	// plainer tells that a service of this kind may not know schemas.
	plainer bool
	headers func(h nethttp.Header, key string)
	body    func(model string, p judge.Prompt, schema bool) any
	read    func([]byte) (backend.Response, error)
}

type object = map[string]any

// maxTokens is enough for five checks with a sentence each.
const maxTokens = 1500

var errNoAnswer = errors.New("the service's response holds no answer")

// answerTool is the tool whose input is the answer: forcing a tool makes every
// model of this service keep to a schema.
const answerTool = "answer"

var anthropic = api{
	base:   "https://api.anthropic.com",
	keyEnv: "ANTHROPIC_API_KEY",
	path:   "v1/messages",
	headers: func(h nethttp.Header, key string) {
		h.Set("X-Api-Key", key)
		h.Set("Anthropic-Version", "2023-06-01")
	},
	body: func(model string, p judge.Prompt, _ bool) any {
		return object{
			"model":       model,
			"max_tokens":  maxTokens,
			"system":      p.System,
			"messages":    []object{{"role": "user", "content": p.User}},
			"tools":       []object{{"name": answerTool, "description": "Give the answer.", "input_schema": p.Schema}},
			"tool_choice": object{"type": "tool", "name": answerTool},
		}
	},
	read: readAnthropic,
}

func readAnthropic(body []byte) (backend.Response, error) {
	var m struct {
		Content []struct {
			Type  string          `json:"type"`
			Name  string          `json:"name"`
			Text  string          `json:"text"`
			Input json.RawMessage `json:"input"`
		} `json:"content"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return backend.Response{}, errNoAnswer
	}
	for _, c := range m.Content {
		if c.Type == "tool_use" && c.Name == answerTool && len(c.Input) > 0 {
			return backend.Response{Text: string(c.Input)}, nil
		}
	}
	// A server that imitates the service may not know tools.
	if len(m.Content) == 1 && m.Content[0].Type == "text" && m.Content[0].Text != "" {
		return backend.Response{Text: m.Content[0].Text}, nil
	}
	return backend.Response{}, errNoAnswer
}

var openAI = api{
	path:    "chat/completions",
	plainer: true,
	headers: func(h nethttp.Header, key string) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	},
	body: func(model string, p judge.Prompt, schema bool) any {
		b := object{
			"model":    model,
			"messages": []object{{"role": "system", "content": p.System}, {"role": "user", "content": p.User}},
			"stream":   false,
		}
		if schema {
			b["response_format"] = object{
				"type":        "json_schema",
				"json_schema": object{"name": answerTool, "strict": true, "schema": p.Schema},
			}
		}
		return b
	},
	read: readOpenAI,
}

func readOpenAI(body []byte) (backend.Response, error) {
	var m struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			Cost float64 `json:"cost"` // some gateways tell it
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &m); err != nil || len(m.Choices) == 0 || m.Choices[0].Message.Content == "" {
		return backend.Response{}, errNoAnswer
	}
	return backend.Response{Text: afterThought(m.Choices[0].Message.Content), CostUSD: m.Usage.Cost}, nil
}

// afterThought drops the reasoning that some local models print before their
// answer. It is the model's own text, the judged one does not get there.
func afterThought(text string) string {
	const open, end = "<think>", "</think>"
	if !strings.HasPrefix(strings.TrimSpace(text), open) {
		return text
	}
	_, rest, ok := strings.Cut(text, end)
	if !ok {
		return text
	}
	return rest
}
