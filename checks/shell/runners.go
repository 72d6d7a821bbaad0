package shell

import (
	"slices"
	"strings"
)

// runner tells how a program carries another one.
type runner struct {
	opts    OptSpec
	assigns bool   // NAME=VALUE words stand before the program
	skip    int    // operands before the program: a duration, a user, a folder
	script  string // options whose value is shell text, separated by blanks
	join    bool   // the words are joined and read as shell text
	chdir   string // options that name the folder to run in
	sub     string // subcommands, one of which must stand first, separated by blanks
	dashes  bool   // the program stands behind "--" where there is one
	world   bool   // the program runs on another machine or in a container
}

// runnerFor is the table of programs that run what their arguments say. A
// program not listed here is still followed where a well-known program stands
// behind it, see carried.
func runnerFor(name string) (runner, bool) {
	switch name {
	case "sudo":
		return runner{assigns: true, chdir: "chdir D", opts: OptSpec{
			Stop: true, Short: "ABbD:EeHhiKklNnPp:R:r:SsT:t:U:u:Vvg:C:a:c:",
			Long: "askpass background bell close-from= chdir= preserve-env=? edit group= set-home help host= login remove-timestamp reset-timestamp list non-interactive preserve-groups prompt= chroot= stdin shell command-timeout= other-user= user= version validate role= type= no-update",
		}}, true
	case "doas":
		return runner{opts: OptSpec{Stop: true, Short: "Lnsa:C:u:"}}, true
	case "pkexec":
		return runner{opts: OptSpec{Stop: true, Long: "user= disable-internal-agent keep-cwd"}}, true
	case "gosu", "su-exec", "setuidgid", "chpst", "s6-setuidgid":
		return runner{opts: OptSpec{Stop: true, Short: "u:U:e:/:n:b:"}, skip: 1}, true
	case "su", "runuser", "sg":
		return runner{script: "c command session-command", opts: OptSpec{Short: "c:g:G:flmps:w:PTu:", Long: "command= session-command= group= supp-group= login preserve-environment shell= whitelist-environment= pty no-pty user= fast"}, dashes: true}, true
	case "env", "genv":
		return runner{assigns: true, chdir: "chdir C", script: "", opts: OptSpec{
			Stop: true, Short: "i0u:C:S:vP:a:",
			Long: "ignore-environment null unset= chdir= split-string= block-signal=? default-signal=? ignore-signal=? list-signal-handling debug argv0=",
		}}, true
	case "cross-env", "cross-env-shell", "envdir", "dotenv-cli":
		return runner{assigns: true, opts: OptSpec{Stop: true}}, true
	case "nice", "gnice":
		return runner{opts: OptSpec{Stop: true, Short: "n:", Long: "adjustment="}}, true
	case "ionice":
		return runner{opts: OptSpec{Stop: true, Short: "c:n:p:P:u:t", Long: "class= classdata= pid= pgid= uid= ignore"}}, true
	case "chrt":
		return runner{opts: OptSpec{Stop: true, Short: "abdfiormRT:P:D:vp"}, skip: 1}, true
	case "taskset":
		return runner{opts: OptSpec{Stop: true, Short: "acp"}, skip: 1}, true
	case "numactl":
		return runner{opts: OptSpec{Stop: true, Short: "i:N:C:m:p:l", Long: "interleave= cpunodebind= physcpubind= membind= preferred= localalloc"}}, true
	case "timeout", "gtimeout":
		return runner{opts: OptSpec{Stop: true, Short: "k:s:fpv", Long: "kill-after= signal= foreground preserve-status verbose"}, skip: 1}, true
	case "stdbuf", "gstdbuf":
		return runner{opts: OptSpec{Stop: true, Short: "i:o:e:", Long: "input= output= error="}}, true
	case "nohup", "gnohup", "setsid", "nocache", "eatmydata", "dbus-run-session", "dbus-launch", "chronic", "unbuffer",
		"proxychains", "proxychains4", "torsocks", "tsocks", "catchsegv", "noglob", "nocorrect", "rlwrap", "winpty", "start", "pty", "retry":
		return runner{opts: OptSpec{Stop: true, Short: "cfwpveqt:d:n:"}}, true
	case "time", "gtime":
		return runner{opts: OptSpec{Stop: true, Short: "apf:o:vlh", Long: "append portability format= output= verbose quiet"}}, true
	case "caffeinate":
		return runner{opts: OptSpec{Stop: true, Short: "disut:w:m"}}, true
	case "fakeroot":
		return runner{opts: OptSpec{Stop: true, Short: "l:s:i:b:uv", Long: "lib= faked= unknown-is-real"}}, true
	case "unshare":
		return runner{opts: OptSpec{Stop: true, Short: "imnpuUCTfrcS:G:R:w:", Long: "mount=? uts=? ipc=? net=? pid=? user=? cgroup=? time=? fork map-root-user map-current-user mount-proc=? root= wd= setuid= setgid= propagation= kill-child=? keep-caps map-user= map-group= map-auto"}, chdir: "w wd"}, true
	case "nsenter":
		return runner{opts: OptSpec{Stop: true, Short: "at:m::u::i::n::p::C::U::T::S:G:r::w::FZ", Long: "all target= mount=? uts=? ipc=? net=? pid=? cgroup=? user=? time=? setuid= setgid= root=? wd=? no-fork"}}, true
	case "chroot":
		return runner{world: true, opts: OptSpec{Stop: true, Long: "userspec= groups= skip-chdir"}, skip: 1}, true
	case "arch-chroot", "schroot":
		return runner{world: true, opts: OptSpec{Stop: true, Short: "r:b:w:c:u:d:Nq"}, skip: 1}, true
	case "systemd-run":
		return runner{opts: OptSpec{Stop: true, Short: "HM:p:Pqtu:dGrE:S", Long: "host= machine= scope user system unit= property= description= slice= remain-after-exit service-type= uid= gid= nice= working-directory= same-dir setenv= pty pipe quiet shell wait collect no-block on-active= on-calendar= on-boot="}, chdir: "working-directory"}, true
	case "setpriv", "prlimit", "setarch", "linux32", "linux64", "i386", "x86_64", "runcon", "choom", "uclampset":
		return runner{opts: OptSpec{Stop: true, Short: "n:", Long: "reuid= regid= init-groups clear-groups inh-caps= bounding-set="}}, true
	case "arch":
		return runner{opts: OptSpec{Stop: true, Single: true, Long: "x86_64 arm64 i386 arm64e"}}, true
	case "flock":
		return runner{script: "c command", opts: OptSpec{Short: "ensuw:E:oxFvc:", Stop: true, Long: "shared exclusive unlock nonblock timeout= conflict-exit-code= close no-fork verbose command="}, skip: 1}, true
	case "strace", "ltrace", "dtruss", "truss":
		return runner{opts: OptSpec{Stop: true, Short: "fFtTrviqyYcCDhVkwzZo:e:p:s:a:b:E:I:O:P:S:u:U:X:"}}, true
	case "xvfb-run", "valgrind", "heaptrack", "hyperfine-run", "firejail", "rr", "perf-run", "ccache", "sccache", "distcc", "entr", "faketime":
		return runner{opts: OptSpec{Stop: true, Short: "acdprze:f:n:s:"}}, true
	case "perf":
		return runner{sub: "record stat trace mem c2c kmem sched lock", opts: OptSpec{Stop: true, Short: "agDe:p:o:F:c:C:r:s:", Long: "event= output= all-cpus call-graph= freq= repeat= no-inherit"}}, true
	case "watch":
		return runner{join: true, opts: OptSpec{Stop: true, Short: "bcCdegn:pq:rtwx", Long: "beep color no-color differences=? errexit chgexit interval= precise no-rerun no-title no-wrap exec equexit="}}, true
	case "direnv":
		return runner{sub: "exec", skip: 1, opts: OptSpec{Stop: true}}, true
	case "mise", "rtx":
		return runner{sub: "exec x", script: "c command", dashes: true, opts: OptSpec{Short: "C:c:j:qyv", Long: "command= cd= jobs= raw fresh-env"}}, true
	case "asdf", "rbenv", "pyenv", "jenv", "nodenv", "goenv", "plenv", "phpenv":
		return runner{sub: "exec", opts: OptSpec{Stop: true}}, true
	case "nvm":
		return runner{sub: "exec", skip: 1, opts: OptSpec{Stop: true, Long: "silent lts=?"}}, true
	case "fnm":
		return runner{sub: "exec", opts: OptSpec{Stop: true, Long: "using="}}, true
	case "volta", "rustup":
		return runner{sub: "run", opts: OptSpec{Stop: true, Long: "node= npm= yarn= bundled-npm no-yarn install"}, skip: b2i(name == "rustup")}, true
	case "poetry", "pipenv", "pdm", "rye", "hatch", "uv", "conda", "mamba", "micromamba", "pixi", "devbox", "dotenvx", "doppler", "infisical", "op", "railway", "teller":
		return runner{sub: "run", dashes: true, script: "command", opts: OptSpec{Stop: true, Short: "n:p:C:qve:f:m:c:", Long: "name= prefix= cwd= project= directory= with= python= extra= group= env-file= package= no-capture-output live-stream quiet verbose no-sync frozen locked isolated all-extras active module= command= config= env= projectId= path="}}, true
	case "bundle", "pnpm", "npm", "yarn", "bun", "opam", "stack", "cabal", "dune", "aws-vault", "chamber", "sops", "envconsul", "tsh":
		return runner{sub: "exec x dlx exec-env", script: "c call", dashes: true, skip: b2i(name == "aws-vault" || name == "chamber"), opts: OptSpec{Stop: true, Short: "yc:p:C:rw:d:", Long: "yes package= call= recursive filter= workspace= parallel duration= no-session keep-file gemfile="}}, true
	case "npx", "bunx", "pnpx", "uvx", "pipx", "uvx.exe":
		return runner{script: "c call", opts: OptSpec{Stop: true, Short: "yc:p:nq", Long: "yes no package= call= ignore-existing quiet no-install from= with= python= spec= bun shell-auto-fallback=?"}}, true
	case "nix-shell":
		return runner{script: "run command", opts: OptSpec{Short: "p:A:I:", Long: "run= command= packages pure attr="}}, true
	case "nix":
		return runner{sub: "develop shell", script: "", opts: OptSpec{Stop: true}}, true
	case "guix":
		return runner{sub: "shell environment", dashes: true, opts: OptSpec{}}, true
	case "sshpass":
		return runner{opts: OptSpec{Stop: true, Short: "p:f:d:e::P:vhV"}}, true
	case "ssh", "autossh", "mosh":
		return runner{world: true, join: true, skip: 1, opts: OptSpec{Stop: true, Short: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:P:"}}, true
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "lxc", "incus", "multipass", "distrobox", "toolbox", "kubectl", "oc", "k", "devcontainer", "limactl", "colima", "vagrant", "adb", "wsl", "heroku", "fly", "flyctl", "gcloud", "apptainer", "singularity":
		return runner{}, true // world.go
	}
	return runner{}, false
}

func (a *analyzer) runner(idx int, r runner, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	name := c.Name
	args := c.Args
	via := name
	if r.sub != "" {
		i, sub := subcommand(args, r.sub)
		if sub == "" {
			return output{}, false
		}
		via = name + " " + sub
		args = args[i+1:]
	}
	o := Options(args, r.opts)
	if o.Has("help", "version") && len(o.Rest) == 0 {
		return output{}, false
	}
	st = st.fork()
	if r.chdir != "" {
		for _, d := range o.Values(strings.Fields(r.chdir)...) {
			a.set(st, "PWD", a.path(a.dir(st), a.intern(d)))
		}
	}
	if r.world && (name != "chroot" || len(o.Rest) == 0 || a.clean(o.Rest[0].Text+"/") != "/") {
		if name == "ssh" || name == "autossh" {
			effector{a, idx, st, cx}.sshOptions(o)
		}
		a.elsewhere(st)
		cx.world = true
	}
	rest := o.Rest
	if r.dashes && o.DashDash >= 0 {
		rest = rest[o.DashDash:]
	} else {
		rest = rest[min(r.skip, len(rest)):]
	}
	if r.skip > 0 && len(rest) > 0 && rest[0].Text == "--" {
		rest = rest[1:]
	}
	if name == "flock" && len(rest) > 1 && (rest[0].Text == "-c" || rest[0].Text == "--command") {
		return a.nested(idx, "flock", a.intern(rest[1]), st, cx), true
	}
	if s, ok := o.Value(strings.Fields(r.script)...); ok && r.script != "" {
		return a.nested(idx, via+" -c", a.intern(s), st, cx), true
	}
	if name == "env" || name == "genv" {
		if s, ok := o.Value("S", "split-string"); ok {
			rest = append(a.splitWords(a.intern(s)), rest...)
			more := Options(rest, r.opts)
			rest = more.Rest
		}
	}
	if name == "sudo" && o.Has("e", "edit") {
		for _, w := range rest {
			a.effect(Effect{Op: Modify, Path: a.pathWord(st, w), Command: idx})
		}
		return output{}, true
	}
	if r.assigns {
		for len(rest) > 0 {
			n, v, ok := rest[0].Cut("=")
			if !ok && strings.HasPrefix(rest[0].Text, "-") { // sudo A=1 -E rm
				if more := Options(rest, r.opts).Rest; len(more) < len(rest) {
					rest = more
					continue
				}
				break
			}
			if !ok || n == "" || strings.ContainsAny(n, "/ ") {
				break
			}
			cx.env = append(slices.Clip(cx.env), Assign{Name: n, Value: v})
			rest = rest[1:]
		}
		a.cmd(idx).Env = append(a.cmd(idx).Env[:len(a.cmd(idx).Env):len(a.cmd(idx).Env)], cx.env...)
	}
	if len(rest) == 0 {
		if name == "sudo" && o.Has("s", "i", "shell", "login") || name == "su" || name == "ssh" {
			a.cmd(idx).Carrier = true
			cx.via = append(slices.Clip(cx.via), name)
			return a.shellStdin(idx, st, cx), true
		}
		return output{}, name != "time"
	}
	cx.nofunc = true
	if r.join && !(name == "watch" && o.Has("x", "exec")) {
		return a.nested(idx, via, a.joinWords(rest), st, cx), true
	}
	if name == "su" || name == "runuser" || name == "sg" {
		if o.DashDash < 0 {
			rest = rest[1:]
			if len(rest) == 0 {
				cx.via = append(slices.Clip(cx.via), name)
				return a.shellStdin(idx, st, cx), true
			}
			if name == "sg" || rest[0].Text == "-c" {
				return a.nested(idx, via, a.joinWords(rest), st, cx), true
			}
		}
	}
	if r.sub != "" || strings.HasPrefix(name, "npx") || name == "bunx" {
		// npx pkg@1.2 is the program pkg.
		rest = append([]Word{versionless(rest[0])}, rest[1:]...)
	}
	return a.inner(idx, via, rest, st, cx), true
}
