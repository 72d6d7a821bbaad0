package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"agentguard/judge"
)

// claudeModel is asked when the policy names none: the small one is quick, and
// the questions are simple.
const claudeModel = "haiku"

// claude asks the Claude Code client, which brings the user's own login.
type claude struct {
	config Config
	host   Host
}

func newClaude(c Config, h Host) (judge.Backend, error) {
	if c.Model == "" {
		c.Model = claudeModel
	}
	if len(c.Command) == 0 {
		c.Command = []string{"claude"}
	}
	return claude{config: c, host: h}, nil
}

func (b claude) Name() string { return b.config.Name }

// judgeTurns are the answer, and what the client adds when its shape is wrong.
const judgeTurns = 3

// claudeArgs is the call that starts no hook, no tool and no server, reads no
// settings and leaves no session file (client 2.1.332). --bare would be shorter
// and never reads a subscription's login.
func claudeArgs(program []string, model string, p judge.Prompt) []string {
	return append(append([]string{}, program...),
		"-p",
		"--model", model,
		"--system-prompt", p.System,
		"--tools", "",
		"--strict-mcp-config",
		"--setting-sources", "",
		"--settings", `{"disableAllHooks":true}`,
		"--no-session-persistence",
		"--output-format", "json",
		"--json-schema", string(p.Schema),
		"--max-turns", strconv.Itoa(judgeTurns),
	)
}

// envelope is what the client prints about one call.
type envelope struct {
	IsError   bool            `json:"is_error"`
	Subtype   string          `json:"subtype"`
	Result    string          `json:"result"`
	Answer    json.RawMessage `json:"structured_output"`
	CostUSD   float64         `json:"total_cost_usd"`
	APIStatus int             `json:"api_error_status"`
}

func (b claude) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	p, err := judge.Wrap(q, b.host.Rand)
	if err != nil {
		return judge.Reply{}, err
	}
	out, err := b.host.run(ctx, process{command: claudeArgs(b.config.Command, b.config.Model, p), stdin: unmention(p.User), env: b.config.Env}, p.Checks)
	if err != nil {
		return judge.Reply{}, b.explain(out, err)
	}
	var e envelope
	if err := json.Unmarshal(out.stdout, &e); err != nil {
		return judge.Reply{}, errors.New("output is not the client's JSON envelope")
	}
	// Exit 0 and "success" also come with a plain sentence in result: only the
	// structured output is an answer.
	if e.IsError || len(e.Answer) == 0 || string(e.Answer) == "null" {
		return judge.Reply{}, e.failure()
	}
	return reply(q, e.Answer, e.CostUSD)
}

// unmention takes the meaning from "@path": also without tools the client reads
// the file that such a word names and sends it along (seen in 2.1.332), past our
// redaction. The full-width sign reads the same to a model.
func unmention(text string) string { return strings.ReplaceAll(text, "@", "＠") }

// explain prefers what the envelope says to the exit status, where there is one.
func (b claude) explain(out output, err error) error {
	var e envelope
	if out.exit > 0 && json.Unmarshal(out.stdout, &e) == nil && e.IsError {
		return e.failure()
	}
	return err
}

func (e envelope) failure() error {
	switch {
	case e.APIStatus != 0:
		return fmt.Errorf("the model's service answered with status %d", e.APIStatus)
	case e.IsError:
		return fmt.Errorf("the client failed (%s): %s", judge.Safe(e.Subtype, 60), judge.Safe(e.Result, 200))
	default:
		return errors.New("the model gave no structured answer")
	}
}
