package backend

import (
	"context"

	"agentguard/judge"
)

// codex asks the Codex CLI, which brings the user's own login.
type codex struct {
	config Config
	host   Host
}

func newCodex(c Config, h Host) (judge.Backend, error) {
	if len(c.Command) == 0 {
		c.Command = []string{"codex"}
	}
	return codex{config: c, host: h}, nil
}

func (b codex) Name() string { return b.config.Name }

// The files that codex reads and writes, beside the empty folder it starts in.
const (
	codexSchema  = "schema.json"
	codexSystem  = "system.md"
	codexMessage = "answer.txt"
)

// codexArgs is the call without hooks, tools, project files and session file
// (client 0.171.0). The system text replaces 17 kB of built-in instructions.
func codexArgs(program []string, model string) []string {
	args := append(append([]string{}, program...),
		"exec", "--ephemeral", "--skip-git-repo-check", "-s", "read-only", "--ignore-rules",
	)
	for _, feature := range [...]string{
		"hooks", "apps", "plugins", "multi_agent", "view_image", "goals", "shell_tool",
		// Without this one a dead network is waited for without end.
		"unbounded_connection_retries",
	} {
		args = append(args, "--disable", feature)
	}
	for _, setting := range [...]string{
		"web_search=disabled", "project_doc_max_bytes=0", "model_reasoning_effort=low",
		"model_instructions_file={dir}/" + codexSystem,
		"include_environment_context=false", "include_permissions_instructions=false", "include_apps_instructions=false",
		"skills.include_instructions=false", "skills.bundled.enabled=false",
	} {
		args = append(args, "-c", setting)
	}
	if model != "" {
		args = append(args, "-m", model)
	}
	return append(args, "--output-schema", "{dir}/"+codexSchema, "-o", "{dir}/"+codexMessage, "-C", "{cwd}", "-")
}

func (b codex) Ask(ctx context.Context, q judge.Question) (judge.Reply, error) {
	p, err := judge.Wrap(q, b.host.Rand)
	if err != nil {
		return judge.Reply{}, err
	}
	out, err := b.host.run(ctx, process{
		command: codexArgs(b.config.Command, b.config.Model),
		stdin:   p.User,
		env:     b.config.Env,
		files:   map[string]string{codexSchema: string(p.Schema), codexSystem: p.System + "\n"},
		read:    codexMessage,
	}, p.Checks)
	if err != nil {
		return judge.Reply{}, err
	}
	// The client does not check the answer against the schema; ParseReply does.
	text := out.file
	if len(text) == 0 {
		text = out.stdout
	}
	return reply(q, text, 0)
}
