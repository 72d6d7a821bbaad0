package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"agentguard/checks"
	"agentguard/cmd/internal/door"
	"agentguard/installer"
	"agentguard/settings"
	"agentguard/settings/policy"
)

// initOptions are what init was asked to do.
type initOptions struct {
	Dir         string
	Scope       string
	Profile     string
	Agents      []string
	Templates   []string
	Judge       []string
	Handler     string
	Require     bool
	FollowLinks bool
	DryRun      bool
	Yes         bool
}

func (a *app) initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "set the guards up for this repository (writes; shows the changes first)",
		ArgsUsage: "[FOLDER]",
		Description: "Writes hook entries into the client's settings and a policy into .agentguard/,\n" +
			"shows the changes first, asks on a terminal, and ends by proving that the guards refuse.\n" +
			"A second run changes nothing. `agentguard uninstall` restores the original bytes.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Value: "project", Usage: "project (committed, for the team), local (you, here), user (you, everywhere), or managed (prints what an administrator installs)"},
			&cli.StringFlag{Name: "profile", Usage: "observe, standard or strict; standard when absent"},
			&cli.StringSliceFlag{Name: "agents", Usage: "also put the hooks into these agent files (`NAME`, or all)"},
			&cli.StringSliceFlag{Name: "template", Usage: "add a ready agent: verifier, reviewer"},
			&cli.StringSliceFlag{Name: "judge", Usage: "judge backends in this order, instead of those found here"},
			&cli.StringFlag{Name: "handler", Value: "command", Usage: "who reads a turn's end: command (our program), or the client's own prompt or agent handler"},
			&cli.BoolFlag{Name: "require", Usage: "tool calls of a teammate without the program are blocked, not let through"},
			&cli.BoolFlag{Name: "follow-links", Usage: "write through links that lead out of the project"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change and write nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usage("init takes one folder, not %d; put flags before it", c.NArg())
			}
			o := initOptions{
				Dir: c.Args().First(), Scope: c.String("scope"), Profile: c.String("profile"), Agents: c.StringSlice("agents"),
				Templates: c.StringSlice("template"), Judge: c.StringSlice("judge"), Handler: c.String("handler"), Require: c.Bool("require"),
				FollowLinks: c.Bool("follow-links"), DryRun: c.Bool("dry-run"), Yes: c.Bool("yes"),
			}
			if a.Terminal && !o.Yes && !o.DryRun {
				a.interview(c, &o)
			}
			return a.init(c.Context, o)
		},
	}
}

// interview asks on a terminal for what no flag said. An empty answer is the
// default.
func (a *app) interview(c *cli.Context, o *initOptions) {
	if !c.IsSet("scope") {
		o.Scope = a.choose("For whom?", []string{"project", "local", "user"}, "project",
			"project is committed and guards the whole team, local is you in this checkout, user is you everywhere")
	}
	if !c.IsSet("profile") {
		o.Profile = a.choose("How strict?", []string{"observe", "standard", "strict"}, "standard",
			"observe only records, standard refuses what does damage or is not true, strict refuses all that the checks find")
	}
}

// choose asks for one of a few words; an empty or unknown answer is the default.
func (a *app) choose(question string, words []string, usual, help string) string {
	a.notef("%s (%s)\n%s [%s] ", question, help, strings.Join(words, " / "), usual)
	answer := strings.ToLower(a.answer())
	if slices.Contains(words, answer) {
		return answer
	}
	if answer != "" {
		a.notef("%q is none of them: %s it is.\n", answer, usual)
	}
	return usual
}

// answer reads one line of the person's.
func (a *app) answer() string {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.In)
	}
	line, err := a.lines.ReadString('\n')
	if err != nil && line == "" {
		a.notef("\n")
	}
	return strings.TrimSpace(line)
}

func (a *app) init(ctx context.Context, o initOptions) error {
	if o.Scope == "managed" {
		return a.managedFragment()
	}
	req, err := a.request(o.Dir, o.Scope)
	if err != nil {
		return err
	}
	profile, err := parseProfile(o.Profile)
	if err != nil {
		return err
	}
	if o.Profile != "" {
		req.Profile = string(profile)
	}
	if req.HookPath == "" {
		return fmt.Errorf("the hook program is missing: %s is not there; install both programs together with install.sh", a.env.World().Hook)
	}
	if o.Handler != "command" {
		cost, ok := nativeCosts[o.Handler]
		if !ok {
			return usage("%q is no handler; use command, prompt or agent", o.Handler)
		}
		a.notef("note: %s\n", cost)
		req.Events = native(req.Events, o.Handler)
	}
	req.Require, req.FollowLinks, req.Agents, req.Templates = o.Require, o.FollowLinks, o.Agents, o.Templates
	judges := o.Judge
	if len(judges) == 0 {
		judges = a.foundJudges(ctx)
	}
	var verify policy.Verify
	var from []string
	if req.Scope != installer.User { // a person's own policy speaks of no single project
		verify, from = detectVerify(os.DirFS(req.ProjectDir))
	}
	for _, name := range o.Judge {
		if !slices.Contains(policy.BuiltInBackends(), name) {
			return usage("%q is no judge that init can choose; there are %s. Others are described in the policy, under judge.backends", name, strings.Join(policy.BuiltInBackends(), ", "))
		}
	}
	req.Policy = policyText(req.Scope, profile, verify, from, judges)

	plan, err := installer.Make(req)
	if err != nil {
		return refusal(err)
	}
	if plan.Empty() {
		a.notef("Everything is in place; nothing to change.\n")
	} else if err := a.confirm(plan, o.DryRun, o.Yes); err != nil {
		return err
	}
	if len(o.Judge) > 0 && !slices.ContainsFunc(plan.Changes, func(c installer.Change) bool { return c.Kind == installer.PolicyFile }) {
		a.notef("note: --judge changes nothing: there is a policy already; write \"judge\": {\"order\": %s} into it\n", quoteList(o.Judge))
	}
	for _, note := range plan.Notes {
		a.notef("note: %s\n", a.tilde(note))
	}
	if o.DryRun {
		return nil
	}
	if err := plan.Apply(ctx, a.env.Now()); err != nil {
		return refusal(err)
	}
	if err := a.trustOwn(req, plan); err != nil {
		return err
	}
	return a.prove(ctx, req)
}

// managedFragment prints the managed settings and policy that an administrator
// puts onto machines. It writes nothing: where these files go is the system's.
func (a *app) managedFragment() error {
	w := a.env.World()
	hookPath := stableHookPath(w.Hook)
	if hookPath == "" {
		hookPath = w.Hook
	}
	handlers := map[string]any{}
	for _, e := range events(checks.All(), policy.Merge(nil, checks.Known(checks.All()), true, nil)) {
		h := map[string]any{"type": "command", "command": hookPath, "args": []string{}, "timeout": e.Timeout, "agentguard": 1}
		if e.FailClosed {
			h["onFailure"] = "block"
		}
		group := map[string]any{"hooks": []any{h}}
		if e.Matcher != "" {
			group["matcher"] = e.Matcher
		}
		handlers[e.Name] = []any{group}
	}
	a.notef("Put this into the client's managed settings (%s):\n", settings.World{OS: w.GOOS}.ManagedDir())
	if err := a.json(map[string]any{"allowManagedHooksOnly": false, "hooks": handlers}); err != nil {
		return err
	}
	a.notef("With \"allowManagedHooksOnly\": true nobody else's hooks run. The policy that goes with it lies in %s, for example:\n"+
		"{\"version\": 1, \"profile\": \"standard\", \"allow_off\": false}\n", policy.PathsFor("", w.Config, w.State, w.GOOS).Managed)
	return nil
}

// request fills what init and uninstall share.
func (a *app) request(dir, scopeWord string) (installer.Request, error) {
	var req installer.Request
	scope, err := installer.ParseScope(scopeWord)
	if err != nil {
		return req, usage("%w", err)
	}
	if dir == "" {
		dir = "."
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return req, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return req, usage("%s is no folder", dir)
	}
	w := a.env.World()
	hookPath := stableHookPath(w.Hook)
	client := w.Home + string(filepath.Separator) + ".claude"
	if moved := a.env.Get("CLAUDE_CONFIG_DIR"); moved != "" {
		client = moved
	}
	req = installer.Request{
		Scope: scope, ProjectDir: dir, Home: w.Home, Client: installer.ClaudeCode(client),
		StateDir: filepath.Join(w.State, "agentguard"), HookPath: hookPath, Events: events(checks.All(), a.policyOf(dir)),
	}
	if scope == installer.User {
		req.PolicyPath = filepath.Join(w.Config, "agentguard", "policy.jsonc")
	}
	return req, nil
}

// policyOf loads what holds in a folder.
func (a *app) policyOf(dir string) *policy.Effective {
	return door.Call{Env: a.env, Checks: door.Checks()}.Policy(a.env.World(), dir, dir)
}

// stableHookPath returns the hook program's path under a name that an upgrade
// keeps: the entry on PATH where that is the same file, else the program beside
// this one; empty when it is not installed.
func stableHookPath(beside string) string {
	info, err := os.Stat(beside)
	if err != nil {
		return ""
	}
	if onPath, err := exec.LookPath(filepath.Base(beside)); err == nil && filepath.IsAbs(onPath) {
		if other, err := os.Stat(onPath); err == nil && os.SameFile(info, other) {
			return onPath
		}
	}
	return beside
}

func parseProfile(word string) (policy.Profile, error) {
	switch p := policy.Profile(word); p {
	case "":
		return policy.ProfileStandard, nil
	case policy.ProfileObserve, policy.ProfileStandard, policy.ProfileStrict:
		return p, nil
	default:
		return "", usage("%q is no profile; use observe, standard or strict", word)
	}
}

// foundJudges lists the judges that are here and the offline reader last.
func (a *app) foundJudges(context.Context) []string {
	var found []string
	if _, err := exec.LookPath("claude"); err == nil {
		found = append(found, "claude")
	}
	return append(found, "offline")
}

// confirm shows the plan and asks, unless told not to.
func (a *app) confirm(plan installer.Plan, dryRun, yes bool) error {
	for _, c := range plan.Changes {
		a.notef("%s: %s\n", plan.Show(c.Path), c.Why)
	}
	a.printf("%s", plan.Diff())
	switch {
	case dryRun:
		a.notef("Dry run: nothing was written.\n")
		return nil
	case yes:
		return nil
	case !a.Terminal:
		return refused("there is no terminal to ask on; look at the changes above and repeat with --yes")
	}
	if !a.ask("Write these changes?") {
		a.notef("Nothing was written.\n")
		return quiet(exitCancel)
	}
	return nil
}

// ask puts a yes-or-no question; only a clear yes is one.
func (a *app) ask(question string) bool {
	a.notef("%s [y/N] ", question)
	switch strings.ToLower(a.answer()) {
	case "y", "yes":
		return true
	default:
		return false
	}
}

// trustOwn trusts the repository's policy that init has just shown and written.
// One that lay there already may be a stranger's: it waits for `agentguard trust`.
func (a *app) trustOwn(req installer.Request, plan installer.Plan) error {
	w := a.env.World()
	paths := policy.PathsFor(req.ProjectDir, w.Config, w.State, w.GOOS)
	wrote := slices.ContainsFunc(plan.Changes, func(c installer.Change) bool { return c.Kind == installer.PolicyFile })
	if req.Scope != installer.User && wrote {
		if err := policy.Trust(paths.Trust, paths.Team, policy.RepositoryDigest(paths)); err != nil {
			return fmt.Errorf("recording trust in the policy: %w", err)
		}
		return nil
	}
	if a.policyOf(req.ProjectDir).Untrusted {
		a.notef("note: the policy that lies here already asks for more than a clone may; look at it, then run `agentguard trust`\n")
	}
	return nil
}

// refusal gives the installer's refusals their exit status.
func refusal(err error) error {
	return &exitError{exitRefused, err}
}

func (a *app) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name: "uninstall", Usage: "take the guards away again (writes; shows the changes first)",
		ArgsUsage:   "[FOLDER]",
		Description: "Restores the original bytes where nothing changed since; elsewhere removes exactly\nthe entries that are ours. Give the scope that init was given.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scope", Value: "project", Usage: "project, local or user"},
			&cli.BoolFlag{Name: "follow-links", Usage: "write through links that lead out of the project"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change and write nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
		},
		Action: func(c *cli.Context) error {
			req, err := a.request(c.Args().First(), c.String("scope"))
			if err != nil {
				return err
			}
			req.FollowLinks = c.Bool("follow-links")
			return a.uninstall(c.Context, req, c.Bool("dry-run"), c.Bool("yes"))
		},
	}
}

func (a *app) uninstall(ctx context.Context, req installer.Request, dryRun, yes bool) error {
	plan, err := installer.Undo(req)
	if err != nil {
		return refusal(err)
	}
	if plan.Empty() {
		a.notef("There is nothing of agentguard here in %s scope.\n", req.Scope)
	} else if err := a.confirm(plan, dryRun, yes); err != nil {
		return err
	}
	for _, note := range plan.Notes {
		a.notef("note: %s\n", a.tilde(note))
	}
	if dryRun {
		return nil
	}
	if err := plan.Apply(ctx, a.env.Now()); err != nil {
		return refusal(err)
	}
	w := a.env.World()
	paths := policy.PathsFor(req.ProjectDir, w.Config, w.State, w.GOOS)
	if req.Scope == installer.Project {
		if err := policy.Distrust(paths.Trust, paths.Team); err != nil {
			return err
		}
	}
	if !plan.Empty() {
		a.notef("Removed. Sessions that are running drop the hooks within seconds.\n")
	}
	return nil
}
