package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/cmd/internal/door"
	"agentguard/hook"
	"agentguard/hook/clients"
)

// explainOptions say what to explain.
type explainOptions struct {
	Command []string // a shell command, as words or as one
	Event   string   // a file with an event as the client sends it; "-" is stdin
	Write   string   // a path that a tool would write
	Stop    string   // a closing message; "-" is stdin
	Dir     string
	JSON    bool
}

func (a *app) explainCommand() *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "tell what would be decided, and why (read-only)",
		ArgsUsage:   "-- COMMAND…",
		Description: "Runs the checks on a command, a written path, a closing message or a recorded event,\nand shows each check's finding with the rule and the policy line that enforces it.\nNothing is executed and nothing is recorded.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "event", Usage: "explain the hook event in `FILE` (- for standard input)"},
			&cli.StringFlag{Name: "write", Usage: "explain a tool's write to `PATH`"},
			&cli.StringFlag{Name: "stop", Usage: "explain a turn that ends with `TEXT` (- for standard input)"},
			&cli.StringFlag{Name: "dir", Usage: "the session's `FOLDER`; the current one when absent"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return a.explain(c.Context, explainOptions{
				Command: c.Args().Slice(), Event: c.String("event"), Write: c.String("write"), Stop: c.String("stop"),
				Dir: c.String("dir"), JSON: c.Bool("json"),
			})
		},
	}
}

func (a *app) explain(ctx context.Context, o explainOptions) error {
	client := clients.All()[0]
	ev, err := a.explainEvent(client, o)
	if err != nil {
		return err
	}
	call := door.Call{Env: a.env, Checks: door.Checks()}
	in := call.Input(client, ev)
	in.World.DryRun = true
	result := engine.Run(ctx, in, call.Checks, a.env.Now)
	out := result.Answer()
	if o.JSON {
		return a.json(explanation(in, result, out))
	}
	a.printf("%s", verdictLine(a.ColorOut, out))
	if off := door.WhyOff(a.env); off != "" && !in.Policy.OffForbidden {
		a.notef("note: the guards are off now (%s); this is what they decide once they are on\n", off)
	}
	a.explainScript(in)
	for _, f := range result.Findings {
		origin := in.Policy.Origins[f.Check.ID]
		if f.Finding.Decision == hook.Pass {
			a.explainPass(f)
			continue
		}
		a.printf("  %-28s %s (%s)", f.Check.ID, f.Finding.Decision, f.Mode)
		if f.Finding.Rule != "" {
			a.printf(", rule %s", f.Finding.Rule)
		}
		a.printf("\n%s%s\n%smode from %s\n", indent, wrap(f.Finding.Reason, indent), indent, a.place(origin, ev.ProjectDir))
		if f.Finding.Where != "" {
			a.printf("%spolicy line: %s\n", indent, a.tilde(f.Finding.Where))
		}
		if f.Finding.Standing != "" {
			a.printf("%sstanding: %s\n", indent, f.Finding.Standing)
		}
	}
	for _, f := range result.Failures {
		a.printf("  %-28s broke: %s\n", f.Check, f.Error)
	}
	for _, text := range in.Excepted() {
		a.printf("applied: %s\n", a.tilde(text))
	}
	for _, p := range in.Policy.Problems {
		a.printf("policy: %s\n", a.tilde(p.Error()))
	}
	return nil
}

const indent = "      "

// explainEvent builds the event that the options speak of.
func (a *app) explainEvent(client clients.Client, o explainOptions) (hook.Event, error) {
	dir := o.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return hook.Event{}, err
		}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return hook.Event{}, usage("--dir: %s is no folder", dir)
	}
	given := 0
	for _, set := range []bool{len(o.Command) > 0, o.Event != "", o.Write != "", o.Stop != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return hook.Event{}, usage("say one thing to explain: `agentguard explain -- COMMAND`, --write PATH, --stop TEXT or --event FILE")
	}
	ev := hook.Event{Client: client.Name(), Name: hook.PreToolUse, SessionID: "explain", CWD: dir, ProjectDir: dir}
	switch {
	case o.Event != "":
		raw, err := a.read(o.Event)
		if err != nil {
			return ev, err
		}
		if ev, err = client.Decode(raw, a.env.Get); err != nil {
			return ev, fmt.Errorf("%s: %w", o.Event, err)
		}
		if ev.CWD == "" {
			ev.CWD, ev.ProjectDir = dir, dir
		}
	case o.Stop != "":
		text := o.Stop
		if text == "-" {
			raw, err := a.read("-")
			if err != nil {
				return ev, err
			}
			text = string(raw)
		}
		ev.Name, ev.Stop = hook.Stop, &hook.End{LastMessage: text}
	case o.Write != "":
		ev.Tool = &hook.Tool{Name: "Write", Input: mustJSON(map[string]string{"file_path": o.Write, "content": ""})}
	default:
		command := strings.Join(o.Command, " ")
		if len(o.Command) > 1 {
			command = quoteWords(o.Command)
		}
		ev.Tool = &hook.Tool{Name: "Bash", Input: mustJSON(map[string]string{"command": command})}
	}
	return ev, nil
}

// read returns a file's content, or standard input for "-".
func (a *app) read(name string) ([]byte, error) {
	const limit = 8 << 20
	if name == "-" {
		return io.ReadAll(io.LimitReader(a.In, limit))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	return io.ReadAll(io.LimitReader(f, limit))
}

// quoteWords writes words as the shell would have to read them; an operator that
// came through as a word of its own stays one.
func quoteWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		switch {
		case w == "|" || w == "&&" || w == "||" || w == ";" || w == ">" || w == ">>" || w == "<":
			out[i] = w
		case w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_~*?") == "":
			out[i] = w
		default:
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}

// explained is the JSON form of an explanation.
type explained struct {
	Decision hook.Decision      `json:"decision"`
	Check    string             `json:"check,omitempty"`
	Reason   string             `json:"reason,omitempty"`
	Rewrite  json.RawMessage    `json:"rewrite,omitempty"`
	Script   *explainedScript   `json:"script,omitempty"`
	Applied  []string           `json:"applied,omitempty"` // exceptions of the policy
	Findings []explainedFinding `json:"findings"`
}

type explainedFinding struct {
	Check    string        `json:"check"`
	Mode     string        `json:"mode"`
	Origin   string        `json:"origin"`
	Decision hook.Decision `json:"decision"`
	Rule     string        `json:"rule,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Subject  string        `json:"subject,omitempty"`
	Where    string        `json:"where,omitempty"` // the policy's entry
	Note     string        `json:"note,omitempty"`
	Standing string        `json:"standing,omitempty"`
	MS       float64       `json:"ms"`
}

func explanation(in *checks.Input, r engine.Result, out hook.Outcome) explained {
	e := explained{
		Decision: out.Decision, Check: out.Check, Reason: out.Reason, Rewrite: out.Rewrite, Findings: []explainedFinding{},
		Script: scriptOf(in), Applied: in.Excepted(),
	}
	for _, f := range r.Findings {
		e.Findings = append(e.Findings, explainedFinding{
			Check: f.Check.ID, Mode: f.Mode.String(), Origin: in.Policy.Origins[f.Check.ID], Decision: f.Finding.Decision, Rule: f.Finding.Rule,
			Reason: f.Finding.Reason, Subject: f.Finding.Subject, Where: f.Finding.Where, Note: f.Finding.Note, Standing: f.Finding.Standing, MS: float64(f.Elapsed.Microseconds()) / 1000,
		})
	}
	return e
}
