package installer

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"agentguard/settings"
	"agentguard/settings/frontmatter"
	"agentguard/templates"
)

// agentEvents are the events that an agent's own hooks get: those that fire in a
// subagent. A Stop there fires as SubagentStop.
func (r Request) agentEvents() []EventSpec {
	var out []EventSpec
	for _, e := range r.Events {
		switch e.Name {
		case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest":
		case "SubagentStop":
			e.Name, e.Matcher = "Stop", ""
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}

// agentTargets lists the agent files that the request names and the ready agents
// it asks for; for an undo, all agent files.
func (r Request) agentTargets(own owner, plan *Plan) ([]target, error) {
	dir := r.agentsDir()
	files, err := agentFiles(dir)
	if err != nil {
		return nil, err
	}
	var out []target
	for _, name := range r.Templates {
		i := slices.IndexFunc(templates.Agents(), func(a templates.Agent) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%q is no ready agent: there are %s", name, templateNames())
		}
		out = append(out, r.templateTarget(filepath.Join(dir, name+".md"), templates.Agents()[i], own, plan))
	}
	if plan.undo {
		for _, file := range files {
			out = append(out, r.agentTarget(file, own, plan))
		}
		return out, nil
	}
	chosen, err := r.chooseAgents(files, plan)
	if err != nil {
		return nil, err
	}
	for _, file := range chosen {
		if !slices.ContainsFunc(out, func(t target) bool { return t.path == file }) {
			out = append(out, r.agentTarget(file, own, plan))
		}
	}
	if len(out) > 0 && r.Scope == Project {
		plan.Notes = append(plan.Notes,
			"hooks in agent files run only after the client's trust question for this folder was answered with yes; those in settings run without")
	}
	return out, nil
}

func templateNames() string {
	var names []string
	for _, a := range templates.Agents() {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// agentFiles lists the Markdown files below the agents folder, sorted.
func agentFiles(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && strings.HasSuffix(d.Name(), ".md") {
			out = append(out, path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("agent files: %w", err)
	}
	sort.Strings(out)
	return out, nil
}

// chooseAgents finds the files of the names asked for. A file that the client
// does not load as an agent is an error when named, and a note under "all".
func (r Request) chooseAgents(files []string, plan *Plan) ([]string, error) {
	if len(r.Agents) == 0 {
		return nil, nil
	}
	all := slices.Contains(r.Agents, "all")
	found := map[string]bool{}
	var chosen, names []string
	for _, file := range files {
		snap, err := readTarget(file)
		if err != nil {
			return nil, err
		}
		stem := strings.TrimSuffix(filepath.Base(file), ".md")
		parsed, err := frontmatter.ParseLoose(snap.Bytes)
		name := parsed.Text("name")
		names = append(names, stem)
		switch {
		case err != nil && all:
			plan.Notes = append(plan.Notes, fmt.Sprintf("%s:%v; it got no hooks", plan.Show(file), err))
		case all, slices.Contains(r.Agents, stem), name != "" && slices.Contains(r.Agents, name):
			found[stem], found[name] = true, true
			chosen = append(chosen, file)
		}
	}
	for _, name := range r.Agents {
		ready := slices.Contains(r.Templates, name)
		if name != "all" && !found[name] && !ready {
			if len(names) == 0 {
				return nil, fmt.Errorf("there is no agent %q: %s holds no agent files", name, plan.Show(r.agentsDir()))
			}
			return nil, fmt.Errorf("there is no agent %q in %s: there are %s", name, plan.Show(r.agentsDir()), strings.Join(names, ", "))
		}
	}
	return chosen, nil
}

func (r Request) agentTarget(path string, own owner, plan *Plan) target {
	return target{
		kind: AgentFile, path: path, why: "the same hooks for this agent",
		install: func(snap settings.Snapshot) (settings.Next, error) {
			if !snap.Exists {
				return settings.Next{Delete: true}, nil
			}
			after, err := r.addAgentHooks(path, snap.Bytes, own, plan)
			return settings.Next{Bytes: after}, err
		},
		strip: func(snap settings.Snapshot, _ recordFile) (settings.Next, error) {
			after, err := stripAgentHooks(path, snap.Bytes, own)
			return settings.Next{Bytes: after}, err
		},
	}
}

// templateTarget writes a ready agent with its hooks. A file of that name that
// does not come from us is the person's and stays as it is.
func (r Request) templateTarget(path string, agent templates.Agent, own owner, plan *Plan) target {
	t := r.agentTarget(path, own, plan)
	t.kind, t.why = TemplateFile, "a ready agent: "+agent.Name
	t.install = func(snap settings.Snapshot) (settings.Next, error) {
		if snap.Exists {
			bare, err := stripAgentHooks(path, snap.Bytes, own)
			if err != nil || !slices.Contains(agent.Texts, string(bare)) {
				plan.Notes = append(plan.Notes, plan.Show(path)+" is there already and was left as it is; name it with --agents to give it the hooks")
				return settings.Next{Bytes: snap.Bytes}, nil //nolint:nilerr // a broken file of the person's is none of ours either
			}
		}
		after, err := r.addAgentHooks(path, []byte(agent.Texts[0]), own, plan)
		return settings.Next{Bytes: after}, err
	}
	return t
}

func agentRefusal(path string, err error) error {
	syntax, ok := errors.AsType[*settings.SyntaxError](err)
	if !ok {
		return err
	}
	return &Refusal{
		Path: path, Line: syntax.Line, Col: syntax.Col, Found: syntax.Msg,
		Why:  "the hooks of this agent cannot be changed safely",
		Ways: []string{"mend that place, then run this again", "leave this agent out of --agents: the hooks in settings act in subagents too"},
	}
}

// addAgentHooks gives an agent file our entries, renews older ones, and takes
// out those of events that are no longer asked for.
func (r Request) addAgentHooks(path string, src []byte, own owner, plan *Plan) ([]byte, error) {
	f, err := frontmatter.ParseLoose(src)
	if err != nil {
		return nil, agentRefusal(path, err)
	}
	if _, strict := frontmatter.Parse(src); strict != nil {
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s:%v; older clients see no agent in this file", plan.Show(path), strict))
	}
	events := r.agentEvents()
	if f, err = removeAgentHooks(f, own, false, func(event string, earlier int) bool {
		return earlier > 0 || !slices.ContainsFunc(events, func(e EventSpec) bool { return e.Name == event })
	}); err != nil {
		return nil, agentRefusal(path, err)
	}
	for _, e := range events {
		i := slices.IndexFunc(f.Handlers(), func(h frontmatter.Handler) bool { return h.Event == e.Name && own.owned(h.Handler) })
		if i < 0 {
			if f, err = f.Add(e.Name, e.Matcher, r.handler(e)); err != nil {
				return nil, agentRefusal(path, err)
			}
			continue
		}
		h := f.Handlers()[i]
		if newer(h.Handler) {
			continue
		}
		if !own.written(h.Handler) {
			plan.Notes = append(plan.Notes, fmt.Sprintf(
				"%s:%d: our %s entry runs another command, changed by hand; it was left as it is", plan.Show(path), h.Line, e.Name))
			continue
		}
		if f, err = r.renewAgentHook(f, h, e); err != nil {
			return nil, agentRefusal(path, err)
		}
	}
	return f.Source(), nil
}

// renewAgentHook brings an entry of an older form up to today's: one changed
// command in its place, all else by writing the entry anew.
func (r Request) renewAgentHook(f frontmatter.File, h frontmatter.Handler, e EventSpec) (frontmatter.File, error) {
	want := r.handler(e)
	keys, other := outdated(h.Node, want)
	if !other && len(keys) == 0 {
		return f, nil
	}
	if !other && len(keys) == 1 && keys[0] == "command" {
		command, _ := want.Get("command")
		return f.SetText(h, "command", command.Text)
	}
	f, err := f.Remove(h)
	if err != nil {
		return f, err
	}
	return f.Add(e.Name, e.Matcher, want)
}

// stripAgentHooks takes all our entries out of an agent file. One that does not
// parse holds none that act.
func stripAgentHooks(path string, src []byte, own owner) ([]byte, error) {
	f, err := frontmatter.ParseLoose(src)
	if err != nil {
		return src, nil //nolint:nilerr // not an agent to the client
	}
	f, err = removeAgentHooks(f, own, true, func(string, int) bool { return true })
	if err != nil {
		return nil, agentRefusal(path, err)
	}
	return f.Source(), nil
}

func removeAgentHooks(f frontmatter.File, own owner, leaving bool, choose func(event string, earlier int) bool) (frontmatter.File, error) {
	for {
		seen := map[string]int{}
		i := slices.IndexFunc(f.Handlers(), func(h frontmatter.Handler) bool {
			if !own.owned(h.Handler) || newer(h.Handler) && !leaving {
				return false
			}
			seen[h.Event]++
			return choose(h.Event, seen[h.Event]-1)
		})
		if i < 0 {
			return f, nil
		}
		next, err := f.Remove(f.Handlers()[i])
		if err != nil {
			return f, err
		}
		f = next
	}
}
