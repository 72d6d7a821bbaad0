package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// standIns starts stand-in clients to count how deep hooks nest, and the
// person's shells to hear whether their start-up files print.
func standIns() Probe {
	return Probe{
		ID: "live", Title: "stand-in clients count the nesting; your shells start without a word", Live: true,
		Kinds: []string{"recursion-llm-cli", "stdout-noise-rc", "proven"}, Deadline: 60 * time.Second,
		Run: func(ctx context.Context, p *Patient) []Finding {
			if p.OS == "windows" {
				return nil
			}
			var out []Finding
			for _, line := range p.read().commandLines() {
				if f := p.countDepth(ctx, line); f != nil {
					out = append(out, *f)
				}
			}
			return append(out, p.hearShells(ctx)...)
		},
	}
}

// standInClient answers as a client that runs the Stop hook at its end: it notes
// that it was started and runs the hook, four times deep at most.
const standInClient = `#!/bin/sh
case "$1" in --version) echo '2.1.332 (Claude Code)'; exit 0 ;; esac
n=$(wc -l < "$AGENTGUARD_DOCTOR_DIR/started")
echo started >> "$AGENTGUARD_DOCTOR_DIR/started"
case " $* " in *'disableAllHooks":true'*|*' --bare '*|*' --setting-sources  '*) hooks=off ;; *) hooks=on ;; esac
if [ "$hooks" = on ] && [ "$n" -lt 4 ]; then
  /bin/sh "$AGENTGUARD_DOCTOR_DIR/hook" < "$AGENTGUARD_DOCTOR_DIR/payload" >/dev/null 2>&1
fi
echo '{"type":"result","subtype":"success","is_error":false,"result":"{\"ok\":true}","structured_output":{"ok":true}}'
`

// countDepth runs our Stop entry with the stand-in first on PATH.
func (p *Patient) countDepth(ctx context.Context, line commandLine) *Finding {
	e := line.at("Stop")
	if e == nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "agentguard-doctor-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	b := bench{p: p, line: line, state: dir}
	payload := `{"hook_event_name":"Stop","session_id":"` + probeSession + `","stop_hook_active":false,"cwd":` + quoteJSON(p.ProjectDir) +
		`,"last_assistant_message":"I changed the parser and fixed the failing case. The rest is left for later."}`
	hook := e.Command + "\n"
	if e.HasArgs {
		words := []string{shellQuote(p.placeholders(e.Command))}
		for _, arg := range e.Args {
			words = append(words, shellQuote(p.placeholders(arg)))
		}
		hook = strings.Join(words, " ") + "\n"
	}
	for name, text := range map[string]string{"started": "", "hook": hook, "payload": payload + "\n", "bin/claude": standInClient, "bin/codex": standInClient} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		mode := os.FileMode(0o600)
		if strings.HasPrefix(name, "bin/") {
			mode = 0o700
		}
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(text), mode) != nil {
			return nil
		}
	}
	path := filepath.Join(dir, "bin")
	if old, ok := p.env("PATH"); ok {
		path += string(filepath.ListSeparator) + old
	}
	out := b.run(ctx, b.payload("Stop", map[string]any{
		"stop_hook_active": false, "last_assistant_message": "I changed the parser and fixed the failing case. The rest is left for later.",
	}), false, "PATH="+path, "AGENTGUARD_DOCTOR_DIR="+dir)
	started, err := readBounded(filepath.Join(dir, "started"))
	if err != nil || out.Err != nil {
		return nil
	}
	depth := strings.Count(string(started), "\n")
	f := &Finding{Kind: "proven", Severity: OK, File: e.file, Line: e.line}
	switch {
	case depth > 1:
		f.Kind, f.Severity = "recursion-llm-cli", Error
		f.Message = fmt.Sprintf("A stand-in client counted %d starts inside each other: our Stop entry judges its own judge.", depth)
		f.Fix = "Start the program directly, so that AGENTGUARD_JUDGE_ACTIVE reaches it, or update agentguard."
	case depth == 1:
		f.Message = p.show(e.file) + ": a judge's client was started once, and its own Stop hook stood aside."
	default:
		f.Message = p.show(e.file) + ": a stop started no client, so nothing can nest."
	}
	return f
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// hearShells starts the shells that people put before hooks and listens.
func (p *Patient) hearShells(ctx context.Context) []Finding {
	var out []Finding
	var reported []string
	for _, s := range []struct {
		name, flag, rc string
	}{
		{"bash", "-lc", ".profile"}, {"bash", "-ic", ".bashrc"}, {"zsh", "-c", ".zshenv"}, {"zsh", "-lc", ".zprofile"}, {"zsh", "-ic", ".zshrc"}, {"sh", "-lc", ".profile"},
	} {
		path := lookPath(s.name, p.Environ, p.ProjectDir)
		if path == "" {
			continue
		}
		run := p.Start(ctx, Process{Path: path, Args: []string{s.flag, ":"}, Env: p.clientEnv(), Dir: p.ProjectDir, Limit: 10 * time.Second})
		if run.Err != nil || strings.TrimSpace(run.Stdout) == "" {
			continue
		}
		file, line := p.blame(run.Stdout, s.rc)
		key := fmt.Sprintf("%s:%d", file, line)
		if slices.Contains(reported, key) {
			continue
		}
		reported = append(reported, key)
		severity := Info
		if p.startedThrough(s.name, strings.Contains(s.flag, "l"), strings.Contains(s.flag, "i")) {
			severity = Error
		}
		out = append(out, Finding{
			Kind: "stdout-noise-rc", Severity: severity, File: file, Line: line,
			Message: fmt.Sprintf("%s %s prints %s before it does anything: a hook started through it loses its answer.", s.name, s.flag, snippet(run.Stdout)),
			Fix:     "Guard the print with case $- in *i*) … ;; esac or [ -t 1 ], and start hooks without such a shell.",
		})
	}
	return out
}

// blame finds the start-up file and line that holds the printed words.
func (p *Patient) blame(stdout, fallback string) (file string, line int) {
	first, _, _ := strings.Cut(strings.TrimSpace(stdout), "\n")
	names := []string{fallback, ".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases", ".zshenv", ".zprofile", ".zshrc", ".zlogin"}
	for _, name := range names {
		path := filepath.Join(p.Home, name)
		raw, err := readBounded(path)
		if err != nil {
			continue
		}
		for i, text := range strings.Split(string(raw), "\n") {
			if first != "" && len(first) > 2 && strings.Contains(text, first) {
				return path, i + 1
			}
		}
	}
	return filepath.Join(p.Home, fallback), 0
}

func (p *Patient) startedThrough(name string, login, interactive bool) bool {
	for _, e := range p.read().entries {
		if e.target == nil {
			continue
		}
		for _, s := range p.shellsOf(e) {
			if s.name == name && s.login == login && s.interactive == interactive {
				return true
			}
		}
	}
	return false
}
