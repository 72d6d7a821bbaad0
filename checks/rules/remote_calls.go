package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

// runsRemote finds a shell or interpreter whose text comes from the network.
func runsRemote(s *scan, i int) verdict {
	c := &s.cmds[i]
	const fact = "runs text from the network that nobody has read."
	if c.Name == "deno" || c.Name == "bun" {
		for _, a := range c.Args {
			if hasPrefixAny(a.Text, "http://", "https://") && !s.localOnly(c) {
				return deny(fact)
			}
		}
	}
	if program, ok := inlineProgram(c); ok && runs(program) && getsURL(program+strings.Join(texts(c.Args), " ")) {
		return deny(fact)
	}
	if program, ok := inlineProgram(c); ok && oneOf(c.Name, "ruby", "perl", "php") && containsAny(program, "eval") && containsAny(program, "`curl", "`wget", "(`curl", "%x(curl", "%x(wget", "qx(curl", "qx(wget", "qx{curl", "shell_exec('curl", "shell_exec(\"curl") && !containsAny(program, "localhost", "127.0.0.1") {
		return deny(fact)
	}
	if c.Name == "" || c.Name == unknown { // a program whose name the network gives
		for _, j := range s.origins(c.Program) {
			if fetches(&s.cmds[j]) && !s.localOnly(&s.cmds[j]) {
				return deny(fact)
			}
		}
	}
	sourcesInput := oneOf(c.Name, "source", ".") && len(c.Args) == 0
	if !runner(c.Name) && !oneOf(c.Name, "xargs", "parallel") && !c.Unread {
		return verdict{}
	}
	var origins []int
	if c.Unread || sourcesInput || readsProgram(c) || oneOf(c.Name, "xargs", "parallel") {
		origins = append(origins, s.upstream(i)...)
		for _, a := range c.Args {
			origins = append(origins, s.origins(a)...)
		}
		origins = append(origins, s.originsOfText(c.Stdin)...)
		for _, r := range c.Redirs {
			origins = append(origins, s.origins(r.Path)...)
		}
	}
	if oneOf(c.Name, "xargs", "parallel") && !s.feedsShell(i) {
		return verdict{}
	}
	for _, j := range origins {
		if hasPrefixAny(s.cmds[j].Stdin.File.Text, "/dev/tcp/", "/dev/udp/") {
			return deny(fact)
		}
		if fetches(&s.cmds[j]) {
			if s.localOnly(&s.cmds[j]) {
				return ask("runs text from a local server that nobody has read.")
			}
			return deny(fact)
		}
	}
	return verdict{}
}

// readsProgram tells an interpreter whose program is not on its command line:
// it comes from standard input or from an argument that is not known.
func readsProgram(c *shell.Command) bool {
	if !interpreterName(c.Name) {
		return false
	}
	for n, a := range c.Args {
		t := a.Text
		switch {
		case t == "-" || t == "/dev/stdin":
			return true
		case n > 0 && oneOf(c.Args[n-1].Text, "-c", "-e", "--eval", "-r", "-E", "-p"):
			return !known(a)
		case t == "-m" || t == "--module":
			return false
		case !strings.HasPrefix(t, "-"):
			return false
		}
	}
	return !c.Stdin.Known
}

// originsOfText lists the commands behind the text on standard input.
func (s *scan) originsOfText(in shell.Input) []int {
	var out []int
	for _, j := range in.From {
		if j >= 0 && j < len(s.cmds) {
			out = append(append(out, j), s.upstream(j)...)
		}
	}
	return append(out, s.origins(in.File)...)
}

// feedsShell tells that an xargs runs its words as shell text.
func (s *scan) feedsShell(i int) bool {
	for j := i + 1; j < len(s.cmds); j++ {
		if s.cmds[j].Parent == i && (runner(s.cmds[j].Name) || s.cmds[j].Name == "") {
			return true
		}
	}
	return false
}

// inlineProgram is the program text of an interpreter's -c or -e, of its known
// standard input, or of a file that the same script wrote.
func inlineProgram(c *shell.Command) (string, bool) {
	if c.Source == "" && !interpreterName(c.Name) && !oneOf(c.Name, "lua", "osascript", "awk", "gawk") {
		return "", false
	}
	var text strings.Builder
	text.WriteString(c.Source)
	for n, a := range c.Args {
		t := a.Text
		if n > 0 && len(c.Args[n-1].Text) >= 2 && c.Args[n-1].Text[0] == '-' && oneOf(c.Args[n-1].Text[len(c.Args[n-1].Text)-1:], "c", "e", "r", "E", "p", "n", "eval") || n > 0 && oneOf(c.Args[n-1].Text, "--eval", "--print", "eval") {
			text.WriteString(t + "\n")
		}
	}
	if c.Stdin.Known {
		text.WriteString(c.Stdin.Text)
	}
	return text.String(), text.Len() > 0
}

func getsURL(program string) bool {
	return containsAny(program, "http://", "https://") && containsAny(program, "urlopen", "requests.get", "requests.request", "urllib", "httpx", "fetch(", "http.get", "https.get", "axios", "LWP", "Net::HTTP", "open-uri", "URI.open", "file_get_contents", "curl_exec", "urlretrieve", "got(")
}

// runs tells that a program text runs other text.
func runs(program string) bool {
	flat := strings.ReplaceAll(program, " ", "")
	return containsAny(flat, "exec(", "eval(", "(eval)", "evalget(", "compile(", "newFunction(", "vm.run", "instance_eval", "runInThisContext", "Function(") && !strings.Contains(flat, "re.compile(") || strings.Contains(flat, "exec(")
}

// runsDownload follows files from a download to a command that runs them.
func runsDownload(s *scan) verdict {
	saved := map[string]bool{}
	var trees []string // folders that hold a clone or an unpacked download
	for i := range s.cmds {
		c := &s.cmds[i]
		if len(saved) > 0 || len(trees) > 0 {
			if p := s.runsFile(i, saved, trees); p != "" {
				return ask("runs " + clip(path.Base(p), 40) + ", which this script downloads unread.").at(i)
			}
		}
		if t := s.unpacks(i, saved); t != "" {
			trees = append(trees, t)
		}
		if fetches(c) && !oneOf(c.Name, "dig", "nslookup", "host") && !s.localOnly(c) {
			for _, p := range s.downloads(i) {
				saved[p] = true
			}
		}
		// mv and cp carry the download to another name.
		if oneOf(c.Name, "mv", "cp", "install", "ln") && len(saved) > 0 {
			o := shell.Options(c.Args, shell.OptSpec{Short: "m:o:g:t:S:", Long: "mode= owner= group= target-directory= suffix="})
			if n := len(o.Rest); n > 1 && saved[s.abs(i, o.Rest[0].Text)] {
				to := s.abs(i, o.Rest[n-1].Text)
				saved[to] = true
				saved[path.Join(to, path.Base(o.Rest[0].Text))] = true
			}
		}
	}
	return verdict{}
}

// unpacks names the folder that a clone or an unpacked download goes to.
func (s *scan) unpacks(i int, saved map[string]bool) string {
	c := &s.cmds[i]
	switch c.Name {
	case "git":
		g := s.git(i)
		if g == nil || g.sub != "clone" {
			return ""
		}
		o := shell.Options(g.args, shell.OptSpec{Short: "b:o:u:c:j:qvnls", Long: "depth= branch= origin= upload-pack= config= reference= template= jobs= filter= shallow-since= separate-git-dir= recurse-submodules=? single-branch bare mirror quiet"})
		switch len(o.Rest) {
		case 0:
			return ""
		case 1:
			return s.abs(i, strings.TrimSuffix(path.Base(strings.TrimRight(o.Rest[0].Text, "/")), ".git"))
		}
		return s.abs(i, o.Rest[1].Text)
	case "tar", "bsdtar", "unzip":
		fed := false
		for _, j := range s.upstream(i) {
			fed = fed || fetches(&s.cmds[j])
		}
		for _, a := range c.Args {
			fed = fed || saved[s.abs(i, a.Text)]
		}
		if !fed {
			return ""
		}
		o := shell.Options(c.Args, shell.OptSpec{Short: "C:f:d:xctzjJvpkoq", Long: "directory= file= extract strip-components="})
		if to, ok := o.Value("C", "directory", "d"); ok {
			return s.abs(i, to.Text)
		}
		return s.dir(i)
	}
	return ""
}

// setupName tells scripts that set a download up, as opposed to the build
// wrappers that every project has.
func setupName(p string) bool {
	base := strings.ToLower(path.Base(p))
	return hasSuffixAny(base, ".sh", ".bash", ".py", ".pl", ".rb", ".run") || hasPrefixAny(base, "install", "setup", "bootstrap")
}

func (s *scan) runsFile(i int, saved map[string]bool, trees []string) string {
	c := &s.cmds[i]
	fresh := func(p string) bool {
		return saved[p] || withinAny(p, trees) && setupName(p) && s.kind(p) == Missing
	}
	if p := s.abs(i, c.Program.Text); strings.Contains(c.Program.Text, "/") && fresh(p) {
		return p
	}
	if !runner(c.Name) && c.Name != "java" {
		return ""
	}
	if c.Unread {
		for _, j := range s.upstream(i) {
			if s.cmds[j].Name != "cat" {
				continue
			}
			for _, a := range s.cmds[j].Args {
				if p := s.abs(j, a.Text); fresh(p) {
					return p
				}
			}
		}
	}
	if p := s.abs(i, c.Stdin.File.Text); c.Stdin.File.Text != "" && fresh(p) {
		return p
	}
	for _, a := range c.Args {
		if strings.HasPrefix(a.Text, "-") {
			if oneOf(a.Text, "-c", "-e", "-m") {
				return ""
			}
			continue
		}
		if p := s.abs(i, a.Text); fresh(p) {
			return p
		}
		return "" // only the first operand is the script
	}
	return ""
}
