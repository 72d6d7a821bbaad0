package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/shell/outline"
)

// rcNoise finds start-up files that print into a hook's stdout.
func rcNoise() Probe {
	return Probe{
		ID: "rc-noise", Title: "no start-up file of a shell prints into a hook's output", Kinds: []string{"stdout-noise-rc"},
		Deadline: 15e9,
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			done := map[string]bool{}
			for _, e := range p.read().entries {
				if e.target == nil || e.Type != "command" {
					continue
				}
				for _, r := range p.routes(e) {
					for _, f := range p.prints(e, r) {
						key := fmt.Sprintf("%s:%d", f.File, f.Line)
						if !done[key] {
							done[key] = true
							out = append(out, f)
						}
					}
				}
			}
			return out
		},
	}
}

// route is a way by which a start-up file is read.
type route struct {
	file        string
	why         string
	interactive bool
	login       bool
}

// routes lists the start-up files that the start of an entry reads.
func (p *Patient) routes(e *entry) []route {
	var out []route
	shells := p.shellsOf(e)
	home := func(name string) string { return filepath.Join(p.Home, name) }
	for _, s := range shells {
		switch s.name {
		case "bash":
			switch {
			case s.login:
				out = append(out, route{"/etc/profile", "a login shell", s.interactive, true})
				for _, name := range []string{".bash_profile", ".bash_login", ".profile"} {
					if exists(home(name)) {
						out = append(out, route{home(name), "a login shell (" + s.how + ")", s.interactive, true})
						break
					}
				}
			case s.interactive:
				out = append(out, route{home(".bashrc"), "an interactive shell (" + s.how + ")", true, false})
			default:
				if file := p.bashEnv(); file != "" {
					out = append(out, route{file, "BASH_ENV", false, false})
				}
				if level, ok := p.env("SHLVL"); s.dashC && (!ok || level == "" || level == "0") {
					// bash takes sockets on stdin for a remote shell then.
					out = append(out, route{home(".bashrc"), "bash -c without SHLVL, as in a start from a desktop or a service", false, false})
				}
			}
		case "zsh":
			zdot := p.Home
			if dir, ok := p.env("ZDOTDIR"); ok && dir != "" {
				zdot = dir
			}
			names := []string{".zshenv"}
			if s.login {
				names = append(names, ".zprofile", ".zlogin")
			}
			if s.interactive {
				names = append(names, ".zshrc")
			}
			for _, name := range names {
				out = append(out, route{filepath.Join(zdot, name), "zsh (" + s.how + ")", s.interactive, s.login})
			}
		case "sh", "dash", "ksh", "ash":
			if s.login {
				out = append(out, route{home(".profile"), "a login shell (" + s.how + ")", s.interactive, true})
			}
			if s.interactive {
				if file, ok := p.env("ENV"); ok && file != "" {
					out = append(out, route{p.expandHome(file), "ENV", true, false})
				}
			}
		}
	}
	out = append(out, p.sourced(e)...)
	return slices.DeleteFunc(out, func(r route) bool { return strings.HasPrefix(r.file, "/etc/") })
}

func (p *Patient) expandHome(path string) string {
	path = strings.NewReplacer("${HOME}", p.Home, "$HOME", p.Home).Replace(path)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(p.Home, rest)
	}
	return path
}

// bashEnv returns the file that BASH_ENV names, from the env blocks or the
// client's own environment.
func (p *Patient) bashEnv() string {
	value, _ := p.env("BASH_ENV")
	for _, v := range p.read().env {
		if v.name == "BASH_ENV" {
			value = v.value
		}
	}
	if value == "" {
		return ""
	}
	path := p.expandHome(value)
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.ProjectDir, path)
	}
	return path
}

type shellStart struct {
	name                      string
	login, interactive, dashC bool
	how                       string
}

// shellsOf lists the shells that the start of an entry goes through.
func (p *Patient) shellsOf(e *entry) []shellStart {
	var out []shellStart
	add := func(name string, l *launch, how string) {
		out = append(out, shellStart{name, l.login, l.interactive, l.dashC, how})
	}
	for _, u := range e.target.units {
		if u.launch == nil {
			continue
		}
		if l := u.launch; isShell(l.interp) {
			add(l.interp, l, l.interp+" "+flagsOf(l))
			continue
		}
		if words := shebang(u.text); len(words) > 0 && u.fixed == 0 && u.launch.interp == "" {
			if filepath.Base(words[0]) == "env" {
				words = words[1:]
				for len(words) > 0 && strings.HasPrefix(words[0], "-") {
					words = words[1:]
				}
			}
			if l := readLaunch(words); l != nil && isShell(l.interp) {
				add(l.interp, l, "the script's first line")
			}
		}
	}
	for _, l := range e.target.launches {
		if isShell(l.interp) && !slices.ContainsFunc(e.target.units, func(u *unit) bool { return u.launch == l }) {
			add(l.interp, l, l.interp+" "+flagsOf(l))
		}
	}
	if e.Shell == "bash" && e.Type == "command" && !e.HasArgs {
		out = append(out, shellStart{name: "bash", how: "the handler's shell"})
	}
	return out
}

func flagsOf(l *launch) string {
	var flags []string
	if l.login {
		flags = append(flags, "-l")
	}
	if l.interactive {
		flags = append(flags, "-i")
	}
	if l.dashC {
		flags = append(flags, "-c")
	}
	return strings.Join(flags, " ")
}

// sourced lists start-up files that the hook's code reads itself.
func (p *Patient) sourced(e *entry) []route {
	var out []route
	for _, u := range e.target.units {
		if u.lang != "sh" || u.prog == nil {
			continue
		}
		u.prog.Walk(func(n *outline.Node) {
			if n.Kind != outline.Include || len(n.Words) == 0 || n.Out == outline.Other {
				return
			}
			name := n.Words[0](p.outside(nil).Var)
			if !outline.Known(name) || !filepath.IsAbs(name) {
				return
			}
			if base := filepath.Base(name); strings.HasPrefix(name, p.Home+"/") && strings.HasPrefix(base, ".") || base == "nvm.sh" || base == "activate" {
				out = append(out, route{name, fmt.Sprintf("%s line %d", p.show(u.file), u.line(n.Line)), false, false})
			}
		})
	}
	return out
}

// prints follows a start-up file as that shell would and lists the lines that
// reach stdout.
func (p *Patient) prints(e *entry, r route) []Finding {
	var out []Finding
	seen := map[string]bool{}
	flags := "hBc"
	if r.interactive {
		flags = "himBHs"
	}
	vars := map[string]string{"PS1": "", "BASH_VERSION": "5", "SHLVL": "1", "TERM": outline.Unknown, "SSH_TTY": "", "SSH_CONNECTION": "", "DISPLAY": outline.Unknown, "TMUX": ""}
	if r.interactive {
		vars["PS1"] = "$ "
	}
	var read func(path string, depth int)
	read = func(path string, depth int) {
		if seen[path] || depth > 4 {
			return
		}
		seen[path] = true
		raw, err := readBounded(path)
		if err != nil {
			return
		}
		prog := outline.Shell(string(raw))
		outside := p.outside(vars)
		outside.Flags = flags
		lines := map[int]bool{}
		var inner []string
		for _, w := range prog.Follow(outside) {
			for _, ev := range w.Events {
				if ev.Node.Line == 0 {
					continue
				}
				if ev.Node.Kind == outline.Start && len(ev.Words) > 1 && ev.Words[0] == "eval" && ev.To == outline.Stdout && strings.Contains(string(raw), "ssh-agent") {
					if strings.Contains(lineText(string(raw), ev.Node.Line), "ssh-agent") {
						lines[ev.Node.Line] = true
					}
				}
				if ev.To == outline.Stdout && (p.classify(e.target, ev) == plain || ev.Node.Kind == outline.Say && ev.Text != "") && !invisible(ev) {
					lines[ev.Node.Line] = true
				}
			}
		}
		inner = p.reached(prog, outside)
		for _, line := range sortedKeys(lines) {
			out = append(out, Finding{
				Kind: "stdout-noise-rc", Severity: Error, File: path, Line: line,
				Message: fmt.Sprintf("This line prints into the output of the hook in %s:%d, which is started through %s. With text before it the client reads no JSON: a refusal is lost.", e.file, e.line, r.why),
				Fix:     "Guard it: case $- in *i*) … ;; esac, or [ -t 1 ] && …; or start the hook without that shell.",
			})
		}
		for _, next := range inner {
			read(next, depth+1)
		}
	}
	read(r.file, 0)
	return out
}

func lineText(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return lines[line-1]
}

// invisible tells a print that leaves no byte.
func invisible(ev outline.Event) bool {
	return ev.Node.Kind == outline.Say && ev.Text == "" && len(ev.Words) == 0
}

// reached lists the files that a start-up file reads on some way.
func (p *Patient) reached(prog *outline.Program, outside outline.Outside) []string {
	var out []string
	outside.Include = func(name string) (*outline.Program, bool) {
		name = p.expandHome(name)
		if outline.Known(name) && filepath.IsAbs(name) && strings.HasPrefix(name, p.Home) && !slices.Contains(out, name) {
			out = append(out, name)
		}
		return nil, false
	}
	prog.Follow(outside)
	return out
}
