package shell

import (
	"slices"
	"strconv"
	"strings"
)

// Git is a git command line as git reads it.
type Git struct {
	Sub  string // the subcommand, lower case, "" where there is none or it is not known
	Args []Word // what follows the subcommand
	Dir  Word   // the folder git works in, -C applied
	// Configs are the settings given for this one run, by -c, --config-env and
	// the GIT_CONFIG_ variables, in that order of strength, weakest first. Section
	// and key are lower case, a subsection is as written.
	Configs  []Assign
	GitDir   Word // --git-dir or GIT_DIR; Zero without
	WorkTree Word // --work-tree or GIT_WORK_TREE; Zero without
	// Flags are the other options before the subcommand, without values:
	// "no-pager", "bare", "literal-pathspecs".
	Flags []string
}

// Config returns the last value of a setting; name is in lower case.
func (g Git) Config(name string) (Word, bool) {
	for _, v := range slices.Backward(g.Configs) {
		if v.Name == name {
			return v.Value, true
		}
	}
	return Word{}, false
}

// ParseGit reads a command as git would. ok is false when it is no git: neither
// the program git nor one of its git-… programs. An alias is not resolved here:
// Analyze lists what it stands for as a command of its own.
func ParseGit(c Command) (g Git, ok bool) {
	name := c.Name
	direct := strings.HasPrefix(name, "git-") && gitBuiltin(strings.TrimPrefix(name, "git-"))
	if name != "git" && name != "hub" && !direct {
		return Git{}, false
	}
	g.Dir = c.Dir
	g.environment(c.Env)
	if direct {
		g.Sub, g.Args = canonicalSub(strings.TrimPrefix(name, "git-")), c.Args
		return g, true
	}
	args := c.Args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		args = g.option(args)
	}
	if len(args) > 0 {
		if t := args[0].Text; args[0].Known() {
			g.Sub = canonicalSub(t)
		}
		g.Args = args[1:]
	}
	return g, true
}

// option reads one option before the subcommand and returns what follows it.
func (g *Git) option(args []Word) []Word {
	t := args[0].Text
	name, value, attached := args[0].Cut("=")
	take := func() (Word, []Word) {
		if attached && strings.HasPrefix(t, "--") {
			return value, args[1:]
		}
		if len(args) < 2 {
			return Word{}, nil
		}
		return args[1], args[2:]
	}
	switch {
	case t == "-C":
		w, rest := take()
		g.chdir(w)
		return rest
	case t == "-c":
		if len(args) < 2 {
			return nil
		}
		g.config(args[1])
		return args[2:]
	case strings.HasPrefix(t, "-c") && len(t) > 2:
		g.config(args[0].CutPrefix(2))
		return args[1:]
	case strings.HasPrefix(t, "-C") && len(t) > 2:
		g.chdir(args[0].CutPrefix(2))
		return args[1:]
	case name == "--git-dir":
		w, rest := take()
		g.GitDir = w
		return rest
	case name == "--work-tree":
		w, rest := take()
		g.WorkTree = w
		return rest
	case name == "--config-env":
		w, rest := take()
		k, v, _ := w.Cut("=")
		g.Configs = append(g.Configs, Assign{Name: configName(k), Value: Word{Text: string(Unknown), Parts: []Part{{Kind: Var, Name: v.Text}}}})
		return rest
	case name == "--namespace", name == "--super-prefix", name == "--attr-source":
		_, rest := take()
		return rest
	}
	g.Flags = append(g.Flags, strings.TrimLeft(name, "-"))
	return args[1:]
}

func (g *Git) chdir(w Word) {
	switch {
	case w.Text == "":
	case w.Text[0] == '/' || w.HasUnknown() && strings.HasPrefix(w.Text, string(Unknown)):
		g.Dir = cleanWord(w)
	default:
		joined := Word{Text: g.Dir.Text + "/" + w.Text, Raw: w.Raw}
		joined.Parts = append(append(append([]Part{}, g.Dir.Parts...), Part{Text: "/"}), w.Parts...)
		g.Dir = cleanWord(joined)
	}
}

// cleanWord cleans a path whose dots come after all that is not known.
func cleanWord(w Word) Word {
	a := &analyzer{}
	s := a.intern(w)
	if s == "" {
		return w
	}
	out := a.word(a.clean(s), "")
	out.Raw = w.Raw
	return out
}

func (g *Git) config(w Word) {
	k, v, ok := w.Cut("=")
	if !ok {
		v = Lit("true")
	}
	g.Configs = append(g.Configs, Assign{Name: configName(k), Value: v})
}

// configName folds the case of section and key as git does.
func configName(s string) string {
	i, j := strings.IndexByte(s, '.'), strings.LastIndexByte(s, '.')
	if i < 0 {
		return strings.ToLower(s)
	}
	if i == j {
		return strings.ToLower(s)
	}
	return strings.ToLower(s[:i]) + s[i:j] + strings.ToLower(s[j:])
}

// environment reads the variables that git takes instead of options.
func (g *Git) environment(env []Assign) {
	keys := map[string]Word{}
	for _, e := range env {
		switch {
		case e.Name == "GIT_DIR":
			g.GitDir = e.Value
		case e.Name == "GIT_WORK_TREE":
			g.WorkTree = e.Value
		case e.Name == "GIT_CONFIG_PARAMETERS":
			for p := range strings.FieldsSeq(strings.ReplaceAll(e.Value.Text, "'", "")) {
				g.config(Lit(p))
			}
		case strings.HasPrefix(e.Name, "GIT_CONFIG_"):
			keys[e.Name] = e.Value
		}
	}
	if len(keys) == 0 {
		return
	}
	n := 0
	if c, ok := keys["GIT_CONFIG_COUNT"]; ok {
		n, _ = strconv.Atoi(c.Text)
	}
	for i := range min(n, 100) {
		k, ok := keys["GIT_CONFIG_KEY_"+strconv.Itoa(i)]
		if ok {
			g.Configs = append(g.Configs, Assign{Name: configName(k.Text), Value: keys["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]})
		}
	}
}

func canonicalSub(s string) string {
	s = strings.ToLower(s)
	if s == "stage" {
		return "add"
	}
	return s
}

// gitBuiltin tells git's own subcommands; aliases cannot replace them.
func gitBuiltin(sub string) bool {
	switch sub {
	case "add", "stage", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-attr", "check-ignore",
		"check-mailmap", "check-ref-format", "checkout", "checkout-index", "cherry", "cherry-pick", "citool", "clean", "clone", "column", "commit",
		"commit-graph", "commit-tree", "config", "count-objects", "credential", "credential-cache", "credential-store", "daemon", "describe", "diff",
		"diff-files", "diff-index", "diff-tree", "difftool", "fast-export", "fast-import", "fetch", "fetch-pack", "filter-branch", "filter-repo", "fmt-merge-msg",
		"for-each-ref", "for-each-repo", "format-patch", "fsck", "fsmonitor--daemon", "gc", "get-tar-commit-id", "grep", "gui", "hash-object", "help", "hook",
		"http-backend", "http-fetch", "http-push", "imap-send", "index-pack", "init", "init-db", "instaweb", "interpret-trailers", "lfs", "log",
		"ls-files", "ls-remote", "ls-tree", "mailinfo", "mailsplit", "maintenance", "merge", "merge-base", "merge-file", "merge-index", "merge-one-file",
		"merge-tree", "mergetool", "mktag", "mktree", "multi-pack-index", "mv", "name-rev", "notes", "p4", "pack-objects", "pack-redundant", "pack-refs",
		"patch-id", "prune", "prune-packed", "pull", "push", "quiltimport", "range-diff", "read-tree", "rebase", "receive-pack", "reflog", "refs", "remote",
		"repack", "replace", "replay", "request-pull", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "scalar", "send-email", "send-pack",
		"shell", "shortlog", "show", "show-branch", "show-index", "show-ref", "sparse-checkout", "stash", "status", "stripspace", "submodule", "subtree", "svn",
		"switch", "symbolic-ref", "tag", "unpack-file", "unpack-objects", "update-index", "update-ref", "update-server-info", "upload-archive", "upload-pack",
		"var", "verify-commit", "verify-pack", "verify-tag", "version", "web--browse", "whatchanged", "worktree", "write-tree":
		return true
	}
	return false
}
