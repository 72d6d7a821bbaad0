package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// agentMarks are variables that coding agents set for the programs they start.
// Claude Code 2.1.332 and Codex CLI 0.171.0 were looked at; the others are
// documented by their makers.
var agentMarks = []string{
	"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "CODEX_SANDBOX", "CODEX_THREAD_ID",
	"GEMINI_CLI", "QWEN_CODE_SESSION_ID", "CURSOR_AGENT", "COPILOT_CLI", "OPENCODE",
}

// agentPrograms are the base names of agent clients among a process's ancestors.
var agentPrograms = []string{"claude", "codex", "gemini", "qwen", "copilot", "cursor-agent", "opencode", "aider", "goose"}

// underAgent tells what shows that an agent client started this program: one of
// its variables, or the client among the ancestors; "" for a person.
func (a *app) underAgent() string {
	for _, name := range agentMarks {
		if a.env.Get(name) != "" {
			return name + " is set"
		}
	}
	pid := os.Getppid()
	for range 32 {
		name, parent, ok := process(pid)
		if !ok || pid <= 1 {
			return ""
		}
		if slices.Contains(agentPrograms, name) {
			return fmt.Sprintf("%s (process %d) started it", name, pid)
		}
		pid = parent
	}
	return ""
}

// process reads a process's name and parent where the system has /proc; ok is
// false elsewhere, and then the variables alone tell.
func process(pid int) (name string, parent int, ok bool) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return "", 0, false
	}
	// pid (name) state parent …; the name may hold spaces and brackets.
	text := string(b)
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return "", 0, false
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return text[open+1 : end], parent, err == nil
}

// personOnly refuses a command that is a person's alone, and has the person type
// a word on the terminal itself: an answer that a program pipes in is none.
func (a *app) personOnly(what, word string) error {
	if mark := a.underAgent(); mark != "" {
		return refused("%s is for a person at a terminal, not for an agent (%s)", what, mark)
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return refused("%s is for a person and needs a terminal to answer on", what)
	}
	defer tty.Close() //nolint:errcheck // nothing is buffered
	if _, err := fmt.Fprintf(tty, "%s: type %q to go on: ", what, word); err != nil {
		return err
	}
	answer, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil {
		return err
	}
	if strings.TrimSpace(answer) != word {
		a.notef("Nothing was changed.\n")
		return quiet(exitCancel)
	}
	return nil
}
