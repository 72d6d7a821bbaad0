package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"agentguard/settings"
)

// otherClients looks at the hooks of Codex and Gemini beside the client's own.
func otherClients() Probe {
	return Probe{
		ID: "other-clients", Title: "hooks of other clients", Kinds: []string{"codex-stop-uncapped", "codex-untrusted", "gemini-events", "settings-invalid-json", "wsl-bash"},
		Run: func(_ context.Context, p *Patient) []Finding {
			out := p.codex()
			out = append(out, p.gemini()...)
			return append(out, p.wsl()...)
		},
	}
}

// codexHome is the person's folder of Codex.
func (p *Patient) codexHome() string {
	if dir, ok := p.env("CODEX_HOME"); ok && dir != "" {
		return dir
	}
	return filepath.Join(p.Home, ".codex")
}

func (p *Patient) codex() []Finding {
	var out []Finding
	for _, path := range []string{filepath.Join(p.codexHome(), "hooks.json"), filepath.Join(p.ProjectDir, ".codex", "hooks.json")} {
		l := &layer{name: "codex", path: path}
		l.load(settings.Version{})
		if !l.exists || l.unreadable != "" {
			continue
		}
		if l.syntax != nil {
			out = append(out, l.invalid(l.syntax.Line, l.syntax.Msg, nil))
			continue
		}
		if f, bad := l.notStrict(); bad {
			out = append(out, f)
			continue
		}
		first := 0
		for _, h := range l.doc.Handlers() {
			e := &entry{Handler: h, layer: l, file: path}
			e.at = func(n settings.Node) int { return l.line(n.Start) }
			e.line = e.at(h.Node)
			if n, ok := h.Node.Get("command"); ok {
				e.line = e.at(n)
			}
			if first == 0 {
				first = e.line
			}
			e.ours = startsUs(h)
			e.target = p.resolve(e)
			if e.ours || h.Event != "Stop" && h.Event != "SubagentStop" {
				continue
			}
			for _, u := range e.target.units {
				for _, f := range p.stopLoop(u, []string{h.Event}) {
					f.Kind = "codex-stop-uncapped"
					f.Message = "Codex has no cap: " + f.Message
					out = append(out, f)
				}
			}
		}
		if first > 0 {
			out = append(out, p.codexTrust(path, first)...)
		}
	}
	return out
}

// codexTrust looks for a line of trust for the hooks of a file.
func (p *Patient) codexTrust(path string, line int) []Finding {
	config, err := readBounded(filepath.Join(p.codexHome(), "config.toml"))
	text := string(config)
	severity := Error
	if err != nil {
		severity = Info // Codex was never set up here
	}
	if strings.Contains(text, "hooks.state.\""+path+":") || strings.Contains(text, "hooks.state.\""+realPath(path)+":") {
		return nil
	}
	return []Finding{{
		Kind: "codex-untrusted", Severity: severity, File: path, Line: line,
		Message: "Codex runs a new or changed hook only after you trusted it, and headless it skips the others without a word. For these there is no trust on record.",
		Fix:     "Start codex here once and accept the hooks (/hooks).",
	}}
}

// geminiNames are Gemini's names for the events that people know from here.
var geminiNames = map[string]string{
	"PreToolUse": "BeforeTool", "PostToolUse": "AfterTool", "UserPromptSubmit": "BeforeAgent", "Stop": "AfterAgent", "PreCompact": "PreCompress",
	"SubagentStop": "AfterAgent",
}

func (p *Patient) gemini() []Finding {
	var out []Finding
	for _, path := range []string{filepath.Join(p.Home, ".gemini", "settings.json"), filepath.Join(p.ProjectDir, ".gemini", "settings.json")} {
		l := &layer{name: "gemini", path: path}
		l.load(settings.Version{})
		if !l.exists || l.unreadable != "" || l.syntax != nil {
			continue
		}
		hooks, _ := l.doc.Root.Get("hooks")
		for _, m := range hooks.Members {
			name, wrong := geminiNames[m.Key]
			if !wrong {
				continue
			}
			out = append(out, Finding{
				Kind: "gemini-events", Severity: Error, File: path, Line: l.line(m.KeyStart),
				Message: fmt.Sprintf("Gemini CLI has no event %s: this never runs. Timeouts there are milliseconds.", m.Key),
				Fix:     fmt.Sprintf("Name it %s.", name),
			}.with(l.replaceKey(m, name)))
		}
	}
	return out
}

// wsl finds the wrong bash first on a Windows PATH.
func (p *Patient) wsl() []Finding {
	if p.OS != "windows" {
		return nil
	}
	path, _ := p.env("PATH")
	lower := strings.ToLower(strings.ReplaceAll(path, "\\", "/"))
	system, gitAt := strings.Index(lower, "windows/system32"), strings.Index(lower, "/git/")
	if system < 0 || gitAt >= 0 && gitAt < system {
		return nil
	}
	for _, e := range p.read().entries {
		if strings.HasPrefix(e.Command, "bash ") {
			return []Finding{e.finding("wsl-bash", Warning,
				"System32 stands before Git on PATH, so this bash is WSL's, which does not know Windows paths.",
				"Put Git's bin folder first, or name its bash.exe by its path.")}
		}
	}
	return nil
}

// leftOver finds processes of hooks whose session is gone.
func leftOver() Probe {
	return Probe{
		ID: "left-over", Title: "no hook of an ended session still runs", Kinds: []string{"orphans"},
		Run: func(ctx context.Context, p *Patient) []Finding {
			if runtime.GOOS != "linux" || p.OS != "linux" {
				return nil
			}
			names, err := os.ReadDir("/proc")
			if err != nil {
				return nil
			}
			count := map[*entry]int{}
			for _, dir := range names {
				if _, err := strconv.Atoi(dir.Name()); err != nil || ctx.Err() != nil {
					continue
				}
				line, parent := process(dir.Name())
				if parent != 1 || line == "" {
					continue
				}
				for _, e := range p.read().entries {
					if e.target != nil && e.target.path != "" && filepath.IsAbs(e.target.path) && strings.Contains(line, e.target.path+"\x00") {
						count[e]++
						break
					}
				}
			}
			var out []Finding
			for _, e := range p.read().entries {
				if n := count[e]; n > 0 {
					out = append(out, e.finding("orphans", Warning,
						fmt.Sprintf("%d processes of this hook still run although their session is gone.", n),
						"End them, and let the hook end by itself: read one JSON value from stdin, do not wait for its end."))
				}
			}
			return out
		},
	}
}

// process returns a process's arguments and its parent.
func process(pid string) (line string, parent int) {
	raw, err := os.ReadFile("/proc/" + pid + "/cmdline")
	if err != nil || len(raw) == 0 {
		return "", 0
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return "", 0
	}
	_, rest, ok := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 2 {
		return "", 0
	}
	parent, _ = strconv.Atoi(fields[1])
	return string(raw), parent
}
