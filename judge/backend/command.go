package backend

import (
	"context"
	"fmt"

	"agentguard/judge"
)

// command is any program that reads the prompt on stdin and prints the answer
// as JSON. It finds the ids of the checks in AGENTGUARD_JUDGE_CHECKS.
type command struct {
	config Config
	host   Host
}

func newCommand(c Config, h Host) (judge.Backend, error) {
	if len(c.Command) == 0 || c.Command[0] == "" {
		return nil, fmt.Errorf("%w %q: \"command\" must name the program to run", ErrConfig, c.Name)
	}
	return command{c, h}, nil
}

func (b command) Name() string { return b.config.Name }

func (b command) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	p, err := judge.Wrap(q, b.host.Rand)
	if err != nil {
		return judge.Reply{}, err
	}
	out, err := b.host.run(ctx, process{command: b.config.Command, stdin: p.System + "\n\n" + p.User, env: b.config.Env}, p.Checks)
	if err != nil {
		return judge.Reply{}, err
	}
	return reply(q, out.stdout, 0)
}

// reply reads the answer of a model that wrote it as text.
func reply(q judge.Question, text []byte, cost float64) (judge.Reply, error) {
	answers, err := judge.ParseReply(q.Specs, text)
	if err != nil {
		return judge.Reply{}, fmt.Errorf("%w: %q", err, judge.Safe(string(text), 200))
	}
	return judge.Reply{Answers: answers, Raw: string(text), CostUSD: cost}, nil
}
