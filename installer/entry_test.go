package installer_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/installer"
	"agentguard/settings"
)

// teamCommand is the committed command as a settings file of ours has it.
func teamCommand(t *testing.T, require bool) string {
	t.Helper()
	p := newPlace(t)
	p.req.Require = require
	p.install()
	doc, err := settings.Parse([]byte(p.read(p.req.SettingsPath())))
	if err != nil {
		t.Fatal(err)
	}
	handlers := doc.Handlers()
	for _, h := range handlers {
		if h.Command != handlers[0].Command {
			t.Fatal("entries of one file must have one command: equal strings run once")
		}
	}
	return handlers[0].Command
}

// run starts a command as the client does.
func run(t *testing.T, shell, command, stdin string, env ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, "-c", command)
	cmd.Env, cmd.Dir = env, t.TempDir()
	cmd.Stdin = strings.NewReader(stdin)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

const hookProgram = "#!/bin/sh\nread -r line\necho \"got $line args $#\"\necho noise >&2\nexit 7\n"

func TestTeamCommandFindsTheProgram(t *testing.T) {
	command := teamCommand(t, false)
	for _, shell := range []string{"/bin/sh", "/bin/dash", "/bin/bash", "/bin/zsh"} {
		if _, err := os.Stat(shell); err != nil {
			continue
		}
		for _, where := range []string{"PATH", ".local/bin", "bin", "go/bin"} {
			t.Run(shell+" "+where, func(t *testing.T) {
				home := filepath.Join(t.TempDir(), "home dir 'q' $x")
				path, dir := "/usr/bin:/bin", filepath.Join(home, where)
				if where == "PATH" {
					dir = filepath.Join(home, "on the path")
					path = dir + ":" + path
				}
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "agentguard-hook"), []byte(hookProgram), 0o755); err != nil {
					t.Fatal(err)
				}
				out, errOut, status := run(t, shell, command, "{\"a\":1}\n", "PATH="+path, "HOME="+home)
				if out != "got {\"a\":1} args 0\n" || errOut != "noise\n" || status != 7 {
					t.Errorf("out %q, err %q, status %d", out, errOut, status)
				}
			})
		}
	}
}

func TestTeamCommandWithoutTheProgram(t *testing.T) {
	event := func(name string) string {
		return `{"session_id":"1","hook_event_name":"` + name + `","tool_input":{"command":"echo \"hook_event_name\":\"SessionStart\""}}` + "\n"
	}
	tests := []struct {
		name, stdin string
		require     bool
		want        string // a word of the JSON on stdout; empty: nothing at all
	}{
		{"start", event("SessionStart"), false, "systemMessage"},
		{"tool", event("PreToolUse"), false, ""},
		{"tool that quotes the start event", `{"hook_event_name":"PreToolUse","tool_input":{"content":"{\"hook_event_name\":\"SessionStart\"}"}}`, false, ""},
		{"stop", event("Stop"), false, ""},
		{"no stdin", "", false, ""},
		{"a huge event", `{"hook_event_name":"PostToolUse","x":"` + strings.Repeat("y", 3<<20) + `"}`, false, ""},
		{"required: start", event("SessionStart"), true, "systemMessage"},
		{"required: tool", event("PreToolUse"), true, `"permissionDecision":"deny"`},
		{"required: stop", event("Stop"), true, ""},
	}
	commands := map[bool]string{false: teamCommand(t, false), true: teamCommand(t, true)}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			// A folder and a file that cannot be run must not be taken for it.
			for _, bad := range []string{"bin/agentguard-hook", ".local/bin"} {
				if err := os.MkdirAll(filepath.Join(home, bad), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(home, ".local/bin/agentguard-hook"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, env := range [][]string{{"PATH=/usr/bin:/bin", "HOME=" + home}, {"PATH=/usr/bin:/bin"}} {
				out, errOut, status := run(t, "/bin/sh", commands[test.require], test.stdin, env...)
				if errOut != "" || status != 0 {
					t.Errorf("stderr %q, status %d", errOut, status)
				}
				if test.want == "" {
					if out != "" {
						t.Errorf("stdout %q", out)
					}
					continue
				}
				if !strings.Contains(out, test.want) || !json.Valid([]byte(out)) {
					t.Errorf("stdout %q", out)
				}
			}
		})
	}
}

func TestUpgradeKeepsWhatThePersonChanged(t *testing.T) {
	group := func(handler string) string {
		return "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          " + handler + "\n        ]\n      }\n    ]\n  }\n}\n"
	}
	const hook = "HOME/.local/bin/agentguard-hook"
	tests := []struct{ name, before, after string }{
		{
			"the program moved",
			`{ "type": "command", "command": "/old/1.2/agentguard-hook", "args": [], "timeout": 15, "agentguard": 1 }`,
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 1 }`,
		},
		{
			"the person's timeout and message stay",
			`{ "type": "command", "timeout": 99, "command": "/old/agentguard-hook", "args": [], "statusMessage": "guarding", "agentguard": 1 }`,
			`{ "type": "command", "timeout": 99, "command": "` + hook + `", "args": [], "statusMessage": "guarding", "agentguard": 1 }`,
		},
		{
			"an older generation",
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 0 }`,
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 1 }`,
		},
		{
			"the client dropped the owner key",
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15 }`,
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 1 }`,
		},
		{
			"a command changed by hand",
			`{ "type": "command", "command": "AGENTGUARD_DEBUG=1 agentguard-hook 2>>/tmp/log", "timeout": 15, "agentguard": 1 }`,
			`{ "type": "command", "command": "AGENTGUARD_DEBUG=1 agentguard-hook 2>>/tmp/log", "timeout": 15, "agentguard": 1 }`,
		},
		{
			"twice", // in the second group of the same event
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 1 }, { "type": "command", "command": "/old/agentguard-hook", "args": [], "timeout": 15, "agentguard": 1 }`,
			`{ "type": "command", "command": "` + hook + `", "args": [], "timeout": 15, "agentguard": 1 }`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t)
			p.req.Scope = installer.User
			p.req.Events = p.req.Events[2:] // Stop
			expand := func(s string) string { return strings.ReplaceAll(s, "HOME/", p.home+"/") }
			p.write(p.req.SettingsPath(), expand(group(test.before)))
			p.install()
			if got, want := p.read(p.req.SettingsPath()), expand(group(test.after)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if again := p.make(); !again.Empty() {
				t.Errorf("second time:\n%s", again.Diff())
			}
			p.uninstall()
			if got := p.read(p.req.SettingsPath()); strings.Contains(got, "agentguard") {
				t.Errorf("left after undo:\n%s", got)
			}
		})
	}
}

func TestWhatANewerProgramWroteStays(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	path := p.req.SettingsPath()
	p.write(path, "{\n  \"model\": \"opus\"\n}\n")
	p.install()
	newer := strings.ReplaceAll(strings.ReplaceAll(p.read(path), "\"agentguard\": 1", "\"agentguard\": 2"), "\"args\": []", "\"args\": [\"--new\"]")
	p.write(path, newer)
	p.req.Events = p.req.Events[:1]
	plan := p.make()
	if !plan.Empty() || !strings.Contains(strings.Join(plan.Notes, " "), "newer agentguard") {
		t.Errorf("notes %q, changes\n%s", plan.Notes, plan.Diff())
	}
	p.uninstall()
	if got := p.read(path); strings.Contains(got, "agentguard") {
		t.Errorf("an uninstall takes all of ours:\n%s", got)
	}
}

func TestTheNextPersonDoesNotLoosenARequirement(t *testing.T) {
	p := newPlace(t)
	p.req.Require = true
	p.install()
	p.req.Require = false
	if plan := p.make(); !plan.Empty() {
		t.Errorf("an init without --require loosens it:\n%s", plan.Diff())
	}
}

func TestEventsNoLongerAskedForGo(t *testing.T) {
	p := newPlace(t)
	foreign := "{\n  \"hooks\": {\n    \"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"hi\"}]}]\n  }\n}\n"
	p.write(p.req.SettingsPath(), foreign)
	p.install()
	p.req.Events = p.req.Events[:1]
	p.install()
	got := p.handlers(p.req.SettingsPath())
	if len(got) != 2 || got[0] != "SessionStart  hi" || !strings.HasPrefix(got[1], "PreToolUse * command -v") {
		t.Errorf("entries: %q", got)
	}
	p.uninstall()
	if got := p.read(p.req.SettingsPath()); got != foreign {
		t.Errorf("after undo:\n%s", got)
	}
}

func TestTimeoutsFollowThePolicyButNotThePerson(t *testing.T) {
	p := newPlace(t)
	p.install()
	p.req.Events[2].Timeout = 40 // the judge got more time
	p.install()
	doc, _ := settings.Parse([]byte(p.read(p.req.SettingsPath())))
	if h := doc.Handlers()[2]; h.Timeout != 40 {
		t.Errorf("our own timeout stayed %v", h.Timeout)
	}
	p.write(p.req.SettingsPath(), strings.Replace(p.read(p.req.SettingsPath()), "\"timeout\": 40", "\"timeout\": 7", 1))
	plan := p.make()
	if !plan.Empty() {
		t.Errorf("the person's timeout would change:\n%s", plan.Diff())
	}
	if len(plan.Notes) != 1 || !strings.Contains(plan.Notes[0], "cut off") {
		t.Errorf("notes: %q", plan.Notes)
	}
}

// An http handler, for the served form, comes and goes like the command.
func TestOtherHandlers(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	p.req.Templates = []string{"verifier"}
	before := p.tree()
	p.install()
	command := p.tree()
	http := func(port string) settings.Node {
		return settings.ObjectOf(
			settings.Entry("type", settings.TextOf("http")),
			settings.Entry("url", settings.TextOf("http://127.0.0.1:"+port+"/hook")),
			settings.Entry("headers", settings.ObjectOf(settings.Entry("Authorization", settings.TextOf("Bearer $AGENTGUARD_TOKEN")))),
			settings.Entry("allowedEnvVars", settings.ListOf(settings.TextOf("AGENTGUARD_TOKEN"))),
		)
	}
	for _, port := range []string{"7001", "7002"} {
		for i := range p.req.Events {
			p.req.Events[i].Handler = http(port)
		}
		p.install()
		if again := p.make(); !again.Empty() {
			t.Errorf("second install:\n%s", again.Diff())
		}
		doc, err := settings.Parse([]byte(p.read(p.req.SettingsPath())))
		if err != nil {
			t.Fatal(err)
		}
		if faults := doc.Faults(settings.Version{}); len(faults) > 0 {
			t.Errorf("faults: %+v", faults)
		}
		handlers := doc.Handlers()
		for _, h := range handlers {
			if h.Type != "http" || !strings.Contains(h.URL, port) || h.Timeout == 0 {
				t.Errorf("handler %+v", h)
			}
		}
		if len(handlers) != 3 || handlers[0].OnFailure != "block" {
			t.Errorf("handlers: %+v", handlers)
		}
		if text := p.read(filepath.Join(p.home, ".claude/agents/verifier.md")); !strings.Contains(text, port) || strings.Contains(text, "agentguard-hook") {
			t.Errorf("agent:\n%s", text)
		}
	}
	for i := range p.req.Events {
		p.req.Events[i].Handler = settings.Node{}
	}
	p.install()
	p.same(command, "back to the command")
	p.uninstall()
	p.same(before, "after undo")
}
