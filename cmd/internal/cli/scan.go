package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"agentguard/checks/secrets"
	"agentguard/cmd/internal/secretscan"
)

// scanCommand is what the hook program runs beside itself at a commit, a push or
// a write that could hold a secret: it links no rules of that weight.
func (a *app) scanCommand() *cli.Command {
	return &cli.Command{
		Name: "scan", Hidden: true, Usage: "look for secrets in the files of one request of the hook program (read-only)",
		Action: func(c *cli.Context) error { return a.scan(c.Context) },
	}
}

func (a *app) scan(ctx context.Context) error {
	var request secrets.Request
	var out secrets.Response
	ctx, cancel := context.WithTimeout(ctx, secrets.ScanTime)
	defer cancel()
	// Six times the size, since JSON escapes what it carries.
	err := json.NewDecoder(io.LimitReader(a.In, 6*secrets.MaxTotal)).Decode(&request)
	if err != nil {
		out.Error = "the request is not one JSON object"
	} else if out.Findings, err = secretscan.Files(ctx, request.Files); err != nil {
		if out.Cut = errors.Is(err, context.DeadlineExceeded); !out.Cut {
			out.Error = err.Error()
		}
	}
	if len(out.Findings) > secrets.MaxFindings {
		out.Findings, out.Cut = out.Findings[:secrets.MaxFindings], true
	}
	if out.Findings == nil {
		out.Findings = []secrets.Finding{} // no list at all is no answer
	}
	return a.json(out)
}
