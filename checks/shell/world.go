package shell

import "strings"

// world follows commands that run in a container, a cluster or a virtual
// machine. Via names the way, because files there are not the files here.
func (a *analyzer) world(idx int, st *state, cx ctx) (output, bool) {
	c := a.cmd(idx)
	via, rest, script := worldWords(c.Name, c.Args)
	if via == "" || len(rest) == 0 {
		return output{}, false
	}
	st = st.fork()
	a.elsewhere(st)
	cx.nofunc, cx.world = true, true
	if strings.HasSuffix(via, " run") && strings.HasPrefix(via, c.Name) {
		before := len(a.mounts)
		a.mount(idx, st, cx)
		defer func() { a.mounts = a.mounts[:before] }()
	}
	if script {
		return a.nested(idx, via, a.joinWords(rest), st, cx), true
	}
	return a.inner(idx, via, rest, st, cx), true
}

func worldWords(name string, args []Word) (via string, rest []Word, script bool) {
	dashed := func(w []Word) []Word {
		for i := range w {
			if w[i].Text == "--" {
				return w[i+1:]
			}
		}
		return nil
	}
	switch name {
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose":
		return containerWords(name, args)
	case "kubectl", "oc", "k":
		i, sub := subcommand(args, "exec run debug")
		if sub == "" {
			return "", nil, false
		}
		after := args[i+1:]
		if d := dashed(after); d != nil {
			return name + " " + sub, d, false
		}
		o := Options(after, OptSpec{Stop: true, Short: "itqc:n:f:", Long: "container= namespace= stdin tty context= image= restart= rm"})
		if sub == "exec" && len(o.Rest) > 1 {
			return name + " exec", o.Rest[1:], false
		}
	case "lxc", "incus", "multipass", "distrobox", "toolbox", "devcontainer", "apptainer", "singularity", "limactl", "colima":
		i, sub := subcommand(args, "exec enter run shell ssh")
		if sub == "" {
			return "", nil, false
		}
		if d := dashed(args[i+1:]); d != nil {
			return name + " " + sub, d, false
		}
		o := Options(args[i+1:], OptSpec{Stop: true, Short: "n:B:W:", Long: "workspace-folder= name= bind="})
		if name == "devcontainer" {
			return name + " exec", o.Rest, false
		}
		if len(o.Rest) > 1 {
			return name + " " + sub, o.Rest[1:], false
		}
	case "vagrant", "fly", "flyctl", "gcloud":
		if _, sub := subcommand(args, "compute"); name == "gcloud" && sub != "" && dashed(args) != nil {
			return "gcloud ssh", dashed(args), true
		}
		o := Options(args, OptSpec{Short: "c:C:a:", Long: "command= app= zone= project="})
		if v, ok := o.Value("c", "C", "command"); ok {
			return name + " ssh", []Word{v}, true
		}
	case "adb":
		if i, sub := subcommand(args, "shell"); sub != "" {
			return "adb shell", args[i+1:], true
		}
	case "heroku":
		if i, sub := subcommand(args, "run"); sub != "" {
			o := Options(args[i+1:], OptSpec{Stop: true, Short: "a:", Long: "app="})
			return "heroku run", o.Rest, len(o.Rest) == 1
		}
	case "wsl":
		o := Options(args, OptSpec{Stop: true, Short: "d:u:e", Long: "exec distribution= user= cd="})
		return "wsl", o.Rest, false
	}
	return "", nil, false
}

func containerWords(name string, args []Word) (string, []Word, bool) {
	o := Options(args, OptSpec{Stop: true, Short: "H:c:l:Df:p:", Long: "host= context= config= log-level= file= project-name= profile= env-file= project-directory= tls"})
	rest := o.Rest
	via := name
	if len(rest) > 0 && (rest[0].Text == "compose" || rest[0].Text == "container") {
		via += " " + rest[0].Text
		rest = Options(rest[1:], OptSpec{Stop: true, Short: "f:p:", Long: "file= project-name= profile= env-file= project-directory="}).Rest
	}
	if len(rest) == 0 {
		return "", nil, false
	}
	sub := rest[0].Text
	if sub != "run" && sub != "exec" && sub != "create" {
		return "", nil, false
	}
	in := Options(rest[1:], OptSpec{
		Stop: true, Short: "dIiPqtTa:c:e:h:l:m:p:u:v:w:",
		Long: "add-host= annotation= attach= blkio-weight= cap-add= cap-drop= cgroupns= cidfile= cpus= cpu-shares= cpuset-cpus= detach detach-keys= device= dns= entrypoint= env= env-file= expose= gpus= group-add= health-cmd= hostname= init interactive ip= ipc= label= label-file= link= log-driver= log-opt= mac-address= memory= memory-swap= mount= name= net= network= network-alias= no-healthcheck oom-kill-disable pid= pids-limit= platform= privileged publish= publish-all pull= quiet read-only restart= rm runtime= security-opt= shm-size= sig-proxy stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= tty ulimit= user= userns= uts= volume= volume-driver= volumes-from= workdir= no-deps service-ports use-aliases no-tty build remove-orphans index=",
	})
	via += " " + sub
	words := in.Rest
	if len(words) > 0 {
		image := words[0]
		words = words[1:] // image or container
		// alpine/git push: the image is named after the program it starts.
		if sub == "run" && len(words) > 0 && versionTag(image).Base() == "git" && programName(words[0]) != "sh" {
			words = append([]Word{Lit("git")}, words...)
		}
	}
	if e, ok := in.Value("entrypoint"); ok && strings.TrimSpace(e.Text) != "" {
		words = append([]Word{e}, words...)
	}
	return via, words, false
}

// versionTag drops the tag of an image name.
func versionTag(w Word) Word {
	if i := strings.LastIndexByte(w.Text, ':'); i > strings.LastIndexByte(w.Text, '/') && w.Known() {
		return Lit(w.Text[:i])
	}
	return w
}

// mount notes the folders that docker run and its kin share with the container,
// and sets the folder the command runs in.
func (a *analyzer) mount(idx int, st *state, _ ctx) {
	outer := a.cmd(idx).Dir
	args := a.cmd(idx).Args
	for i, w := range args {
		t := w.Text
		var v Word
		switch {
		case t == "-v" || t == "--volume" || t == "--mount" || t == "-w" || t == "--workdir":
			if i+1 < len(args) {
				v = args[i+1]
			}
		case strings.HasPrefix(t, "--volume=") || strings.HasPrefix(t, "--mount=") || strings.HasPrefix(t, "--workdir="):
			t, v, _ = w.Cut("=")
		case strings.HasPrefix(t, "-v") || strings.HasPrefix(t, "-w"):
			t, v = t[:2], w.CutPrefix(2)
		}
		if v.Zero() {
			continue
		}
		s := a.intern(v)
		switch t {
		case "-w", "--workdir":
			a.set(st, "PWD", a.path("/", s))
		case "--mount":
			host, inside := "", ""
			for f := range strings.SplitSeq(s, ",") {
				k, val, _ := strings.Cut(f, "=")
				switch k {
				case "source", "src":
					host = val
				case "target", "destination", "dst":
					inside = val
				}
			}
			a.addMount(idx, outer, host, inside)
		default:
			host, rest, ok := strings.Cut(s, ":")
			inside, mode, _ := strings.Cut(rest, ":")
			if ok && mode != "ro" {
				a.addMount(idx, outer, host, inside)
			}
		}
	}
}

func (a *analyzer) addMount(idx int, dir Word, host, inside string) {
	if inside == "" || host == "" || len(a.mounts) > 20 || alnum(host[0]) && !strings.Contains(host, "/") {
		return // a named volume is no folder of ours
	}
	a.mounts = append(a.mounts, mount{host: a.path(a.intern(dir), host), inside: a.clean(inside + "/"), command: idx})
}
