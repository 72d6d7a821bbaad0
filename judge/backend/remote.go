package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentguard/judge"
)

// remote asks a model behind HTTP. The hook program links no HTTP: it runs
// "agentguard judge ask" beside itself, which reads a Request on stdin and
// prints a Response. The key stays in the environment.
type remote struct {
	config Config
	host   Host
}

func newRemote(c Config, h Host) (judge.Backend, error) {
	if c.Model == "" {
		return nil, fmt.Errorf("%w %q: \"model\" is missing", ErrConfig, c.Name)
	}
	if c.Type == "openai" && c.BaseURL == "" {
		return nil, fmt.Errorf("%w %q: \"base_url\" is missing", ErrConfig, c.Name)
	}
	if h.Program == "" {
		return nil, fmt.Errorf("%w %q: the program agentguard, which sends the request, is not installed beside agentguard-hook", ErrConfig, c.Name)
	}
	return remote{c, h}, nil
}

// Request is what "agentguard judge ask" reads.
type Request struct {
	Backend   Config       `json:"backend"`
	Prompt    judge.Prompt `json:"prompt"`
	TimeoutMS int64        `json:"timeout_ms"`
}

// Response is what it prints. Error is set when there is no answer.
type Response struct {
	Text    string  `json:"text,omitempty"`
	CostUSD float64 `json:"cost_usd,omitempty"`
	Error   string  `json:"error,omitempty"`
}

// margin is what starting and ending the sibling takes of the time.
const margin = 50 * time.Millisecond

func (b remote) Name() string { return b.config.Name }

func (b remote) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	p, err := judge.Wrap(q, b.host.Rand)
	if err != nil {
		return judge.Reply{}, err
	}
	r := Request{Backend: b.config, Prompt: p}
	if deadline, ok := ctx.Deadline(); ok {
		r.TimeoutMS = max((time.Until(deadline) - margin).Milliseconds(), 1)
	}
	request, err := json.Marshal(r)
	if err != nil {
		return judge.Reply{}, fmt.Errorf("writing the request: %w", err)
	}
	out, err := b.host.run(ctx, process{command: []string{b.host.Program, "judge", "ask"}, stdin: string(request), env: b.config.Env}, p.Checks)
	if err != nil {
		return judge.Reply{}, err
	}
	var got Response
	if err := json.Unmarshal(out.stdout, &got); err != nil {
		return judge.Reply{}, errors.New("agentguard judge ask printed no JSON response")
	}
	if got.Error != "" {
		return judge.Reply{}, errors.New(got.Error)
	}
	return reply(q, []byte(got.Text), got.CostUSD)
}
