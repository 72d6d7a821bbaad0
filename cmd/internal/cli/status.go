package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/urfave/cli/v2"

	"agentguard/checks/audit"
	"agentguard/checks/evidence"
	"agentguard/cmd/internal/door"
	"agentguard/installer"
	"agentguard/settings"
	"agentguard/settings/frontmatter"
	"agentguard/settings/policy"
)

func (a *app) statusCommand() *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show what holds in this folder, and where each part comes from (read-only)",
		ArgsUsage: "[FOLDER]",
		Flags:     []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			dir, err := folder(c)
			if err != nil {
				return err
			}
			return a.status(dir, c.Bool("json"))
		},
	}
}

// statusReport is the JSON form of status.
type statusReport struct {
	Folder   string         `json:"folder"`
	Profile  string         `json:"profile"`
	Trusted  bool           `json:"trusted"`
	Weaker   bool           `json:"weaker_until_trusted"`
	Layers   []layerStatus  `json:"layers"`
	Checks   []checkStatus  `json:"checks"`
	Hooks    []hookStatus   `json:"hooks"`
	Judge    []string       `json:"judge"`
	Verify   policy.Verify  `json:"verify"`
	Off      string         `json:"off,omitempty"`
	Log      string         `json:"log"`
	Problems []string       `json:"problems,omitempty"`
	Evidence evidenceStatus `json:"evidence"`
}

// evidenceStatus is how this tree stands, and why facts cannot be had, if they
// cannot.
type evidenceStatus struct {
	Standing string            `json:"standing"`
	Why      string            `json:"why"`
	Error    *evidence.Trouble `json:"error,omitempty"`
}

type layerStatus struct {
	Layer string `json:"layer"`
	Path  string `json:"path"`
}

type checkStatus struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Mode   string `json:"mode"`
	Origin string `json:"origin"`
}

// hookStatus is one hook entry as the client sees it.
type hookStatus struct {
	Event   string `json:"event"`
	Layer   string `json:"layer"`
	Place   string `json:"place"` // file:line
	Ours    bool   `json:"ours"`
	Command string `json:"command,omitempty"` // of an entry that is not ours
	Off     string `json:"off,omitempty"`     // why it does not run
}

func (a *app) statusOf(dir string) statusReport {
	call := door.Call{Env: a.env, Checks: door.Checks()}
	w := a.env.World()
	p := call.Policy(w, dir, dir)
	s := statusReport{
		Folder: dir, Profile: string(p.Profile), Trusted: p.Trusted, Weaker: p.Untrusted, Judge: p.Judge.Order, Verify: p.Verify,
		Log: audit.Dir(w.State), Off: door.WhyOff(a.env), Checks: []checkStatus{}, Layers: []layerStatus{}, Hooks: []hookStatus{},
	}
	if p.OffForbidden {
		s.Off = "" // a switch that a policy forbids switches nothing
	}
	for _, f := range p.Files {
		s.Layers = append(s.Layers, layerStatus{f.Layer.String(), f.Path})
	}
	for _, c := range call.Checks {
		row := checkStatus{c.ID, c.Title, p.Mode(c.ID).String(), a.place(p.Origins[c.ID], dir)}
		if !c.Guard {
			row.Mode, row.Origin = "on", "always"
			if p.Mode(c.ID) == policy.Off {
				row.Mode, row.Origin = "off", a.place(p.Origins[c.ID], dir)
			}
		}
		s.Checks = append(s.Checks, row)
	}
	for _, problem := range p.Problems {
		s.Problems = append(s.Problems, problem.Error())
	}
	s.Hooks = a.hooks(dir)
	s.Evidence = a.evidenceOf(dir)
	return s
}

func (a *app) status(dir string, asJSON bool) error {
	s := a.statusOf(dir)
	if asJSON {
		return a.json(s)
	}
	bold := paint(a.ColorOut, color.Bold)
	a.printf("%s\n", bold("Policy of "+a.tilde(s.Folder)))
	a.printf("  profile %s", s.Profile)
	switch {
	case len(s.Layers) == 0 && len(s.Problems) > 0:
		a.printf(" (built in; the policy file does not count, see below)")
	case len(s.Layers) == 0:
		a.printf(" (built in; no policy file)")
	}
	a.printf("\n")
	for _, l := range s.Layers {
		a.printf("  %-8s %s\n", l.Layer, a.tilde(l.Path))
	}
	if s.Weaker {
		a.printf("  This repository's policy asks for more than a clone may (weaker checks, a judge, commands to run).\n" +
			"  That part counts only after `agentguard trust`; what it tightens counts already.\n")
	}
	for _, p := range s.Problems {
		a.printf("  %s %s\n", paint(a.ColorOut, color.FgRed)("broken:"), a.tilde(p))
	}
	if s.Off != "" {
		a.printf("  %s %s: nothing is checked\n", paint(a.ColorOut, color.FgRed)("off:"), s.Off)
	}
	a.printf("\n%s\n", bold("Checks"))
	for _, c := range s.Checks {
		mode := c.Mode
		padded := fmt.Sprintf("%-8s", mode)
		if mode == policy.Enforce.String() {
			padded = paint(a.ColorOut, color.FgGreen)(padded)
		}
		a.printf("  %-30s %s %s\n", c.ID, padded, c.Origin)
	}
	a.printf("\n%s\n", bold("Hooks"))
	if !slices.ContainsFunc(s.Hooks, func(h hookStatus) bool { return h.Ours }) {
		a.printf("  none of ours: no settings that the client reads here have one; `agentguard init` adds them\n")
	}
	for _, h := range s.Hooks {
		what := "agentguard"
		if !h.Ours {
			what = h.Command
		}
		a.printf("  %-20s %-8s %s  %s\n", h.Event, h.Layer, h.Place, what)
		if h.Off != "" {
			a.printf("      %s %s\n", paint(a.ColorOut, color.FgRed)("does not run:"), a.tilde(h.Off))
		}
	}
	a.printf("\n%s\n  judge: %s\n", bold("Also"), strings.Join(s.Judge, ", "))
	if s.Verify.Empty() {
		a.printf("  verify: nothing said; `agentguard init` looks for the project's test command\n")
	} else {
		a.printf("  verify: %s\n", strings.Join(s.Verify.All(), "; "))
	}
	a.printf("  evidence: %s (%s)\n", s.Evidence.Standing, a.tilde(s.Evidence.Why))
	if t := s.Evidence.Error; t != nil {
		a.printf("    %s %s\n    mend: %s\n", paint(a.ColorOut, color.FgRed)("error:"), a.tilde(t.What), a.tilde(t.Mend))
	}
	a.printf("  log: %s\n", a.tilde(s.Log))
	if _, err := os.Stat(s.Log); err != nil {
		a.printf("    no record yet: the hooks have not run, or a new session is needed\n")
	}
	return nil
}

// evidenceOf says how this tree stands.
func (a *app) evidenceOf(dir string) evidenceStatus {
	f := a.factsOf(context.Background(), dir)
	s := evidenceStatus{Standing: string(evidence.StandingUnknown), Why: f.Unknown["standing"], Error: f.Trouble}
	if f.Standing != nil {
		s.Standing, s.Why = *f.Standing, f.Why
	}
	return s
}

// hooks lists the hook entries of every layer that a client started in dir reads,
// and tells which of them run.
func (a *app) hooks(dir string) []hookStatus {
	w := a.env.World()
	world := settings.World{Dir: dir, Home: w.Home, ConfigDir: a.env.Get("CLAUDE_CONFIG_DIR"), OS: w.GOOS, Getenv: a.env.Get}
	view := settings.Effective(world, frontmatter.Layers(world)...)
	ours := installer.Recognise(installer.Request{Home: w.Home, HookPath: w.Hook, StateDir: filepath.Join(w.State, "agentguard")})
	list := []hookStatus{}
	for _, e := range view.Entries {
		h := hookStatus{
			Event: e.Event, Layer: string(e.Source), Place: fmt.Sprintf("%s:%d", a.place(e.Path, dir), e.Line), Ours: ours(e.Handler), Off: e.Off,
		}
		if !h.Ours {
			h.Command = oneLine(first(e.Command, first(e.URL, e.Prompt)), 60)
		}
		list = append(list, h)
	}
	if view.Stopped != "" {
		list = append(list, hookStatus{Off: view.Stopped})
	}
	return list
}
