package installer_test

import (
	"errors"
	"strings"
	"testing"

	"agentguard/installer"
	"agentguard/settings/frontmatter"
)

const agentSource = "---\nname: fixer\ndescription: Mends things # yes\ntools: [Read, Edit]\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo agentguard-hook\n---\nMend it.\n"

func (p *place) agentHandlers(path string) []string {
	p.t.Helper()
	f, err := frontmatter.Parse([]byte(p.read(path)))
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, h := range f.Handlers() {
		out = append(out, h.Event+" "+h.Matcher+" "+h.Command)
	}
	return out
}

func withAgents(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.req.Events = append(p.req.Events, installer.EventSpec{Name: "SubagentStop", Matcher: "x", Timeout: 15})
	p.write(p.path(".claude/agents/fixer.md"), agentSource)
	p.write(p.path(".claude/agents/deep/win.md"), strings.ReplaceAll("---\nname: win-dows\ndescription: x\n---\nBody\n", "\n", "\r\n"))
	p.write(p.path(".claude/agents/broken.md"), "---\nname: b\ndescription: x\n  Use when: asked\n---\n")
	p.write(p.path(".claude/agents/loose.md"), "---\nname: loose\ndescription: Use when: asked\n---\n")
	p.write(p.path(".claude/agents/README.md"), "# Our agents\n")
	return p
}

func TestAgentsGetTheCommandOfSettings(t *testing.T) {
	for _, agents := range [][]string{{"all"}, {"fixer", "win-dows"}, {"win", "fixer"}} {
		t.Run(strings.Join(agents, " "), func(t *testing.T) {
			p := withAgents(t)
			p.req.Agents = agents
			before := p.tree()
			p.install()
			command := strings.TrimPrefix(p.handlers(p.req.SettingsPath())[0], "PreToolUse * ")
			got := p.agentHandlers(p.path(".claude/agents/fixer.md"))
			want := []string{"Stop  echo agentguard-hook", "Stop  " + command, "PreToolUse * " + command}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("fixer: %q", got)
			}
			if got := p.agentHandlers(p.path(".claude/agents/deep/win.md")); len(got) != 2 {
				t.Errorf("win: %q", got)
			}
			if again := p.make(); !again.Empty() {
				t.Errorf("second install:\n%s", again.Diff())
			}
			p.uninstall()
			p.same(before, "after undo")
		})
	}
}

func TestAgentsAfterAChangeByHand(t *testing.T) {
	p := withAgents(t)
	p.req.Agents = []string{"fixer"}
	p.install()
	path := p.path(".claude/agents/fixer.md")
	p.write(path, strings.Replace(p.read(path), "Mend it.", "Mend it well.", 1))
	p.uninstall()
	if got, want := p.read(path), strings.Replace(agentSource, "Mend it.", "Mend it well.", 1); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAgentsRefused(t *testing.T) {
	p := withAgents(t)
	p.req.Agents = []string{"nobody"}
	if _, err := installer.Make(p.req); err == nil || !strings.Contains(err.Error(), "fixer") {
		t.Errorf("err = %v, want the names that exist", err)
	}
	p.req.Agents = []string{"broken"}
	_, err := installer.Make(p.req)
	var refusal *installer.Refusal
	if !errors.As(err, &refusal) || refusal.Line != 3 || len(refusal.Ways) < 2 {
		t.Errorf("err = %v", err)
	}
	p.req.Agents = []string{"fixer"}
	p.req.Scope = installer.Local
	if _, err := installer.Make(p.req); err == nil {
		t.Error("agent files are not local")
	}
}

func TestReadyAgents(t *testing.T) {
	for _, scope := range []installer.Scope{installer.Project, installer.User} {
		t.Run(scope.String(), func(t *testing.T) {
			p := newPlace(t)
			p.req.Scope = scope
			p.req.Templates = []string{"verifier", "reviewer"}
			before := p.tree()
			p.install()
			path := strings.Replace(p.req.SettingsPath(), "settings.json", "agents/verifier.md", 1)
			if got := p.agentHandlers(path); len(got) != 1 || !strings.HasPrefix(got[0], "PreToolUse * ") {
				t.Errorf("hooks: %q", got)
			}
			f, _ := frontmatter.Parse([]byte(p.read(path)))
			if tools := f.Text("tools"); strings.Contains(tools, "Write") || strings.Contains(tools, "Edit") || tools == "" {
				t.Errorf("the verifier may use %q", tools)
			}
			if again := p.make(); !again.Empty() {
				t.Errorf("second install:\n%s", again.Diff())
			}
			p.uninstall()
			p.same(before, "after undo")
		})
	}
	p := newPlace(t)
	mine := "---\nname: verifier\ndescription: mine\n---\n"
	p.write(p.path(".claude/agents/verifier.md"), mine)
	p.req.Templates = []string{"verifier"}
	plan := p.make()
	p.apply(plan)
	if got := p.read(p.path(".claude/agents/verifier.md")); got != mine {
		t.Errorf("the person's agent became\n%s", got)
	}
	if len(plan.Notes) == 0 || !strings.Contains(strings.Join(plan.Notes, "\n"), "verifier.md") {
		t.Errorf("notes: %q", plan.Notes)
	}
	p.req.Templates = []string{"wizard"}
	if _, err := installer.Make(p.req); err == nil || !strings.Contains(err.Error(), "verifier") {
		t.Errorf("err = %v", err)
	}
}

// The program moved, and the agent's hooks follow it; the person's lines stay.
func TestAgentHooksFollowTheProgram(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	path := strings.Replace(p.req.SettingsPath(), "settings.json", "agents/mine.md", 1)
	p.write(path, "---\nname: mine\ndescription: x # why\n---\nBody\n")
	p.req.Agents = []string{"mine"}
	before := p.tree()
	p.install()
	old := p.req.HookPath
	want := strings.ReplaceAll(p.read(path), old, "/usr/local/bin/agentguard-hook")
	p.req.HookPath = "/usr/local/bin/agentguard-hook"
	p.install()
	if got := p.read(path); got != want || strings.Contains(got, old) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.uninstall()
	p.same(before, "after undo")
}

// A command of ours that the person wrapped stays wrapped, and is named.
func TestAgentHooksChangedByHandStay(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	path := strings.Replace(p.req.SettingsPath(), "settings.json", "agents/mine.md", 1)
	p.write(path, "---\nname: mine\n---\n")
	p.req.Agents = []string{"all"}
	p.install()
	mine := strings.Replace(p.read(path), "\""+p.req.HookPath+"\"\n          args: []", "\"env X=1 my-wrapper\"", 1)
	p.write(path, mine)
	plan := p.make()
	if !plan.Empty() || !strings.Contains(strings.Join(plan.Notes, " "), "changed by hand") {
		t.Errorf("notes %q\n%s", plan.Notes, plan.Diff())
	}
	p.uninstall()
	if got := p.read(path); got != "---\nname: mine\n---\n" {
		t.Errorf("after undo %q", got)
	}
}
