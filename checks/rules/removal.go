package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// lossKind names the removal rule that speaks about a loss.
type lossKind string

const (
	lossNone    lossKind = ""
	lossSystem  lossKind = "rm-system"
	lossHome    lossKind = "rm-home"
	lossProject lossKind = "rm-project"
	lossUnset   lossKind = "rm-unset-variable"
	lossList    lossKind = "rm-unread-list"
	lossWork    lossKind = "rm-work"
	lossData    lossKind = "rm-data"
)

// loss is what one deletion would cost.
type loss struct {
	kind lossKind
	verdict
}

func (l loss) or(m loss) loss {
	if m.decision > l.decision {
		return m
	}
	return l
}

// lossKey names one deletion for the cache: several rules ask about each.
type lossKey struct {
	command          int
	path             string
	recursive, slash bool
}

// removal judges one deletion by any program.
func (s *scan) removal(e shell.Effect) loss {
	if e.Op != shell.Delete {
		return loss{}
	}
	key := lossKey{e.Command, e.Path.Text, e.Recursive, e.Slash}
	if l, ok := s.losses[key]; ok {
		return l
	}
	if s.losses == nil {
		s.losses = map[lossKey]loss{}
	}
	l := s.judgeRemoval(e)
	s.losses[key] = l
	return l
}

func (s *scan) judgeRemoval(e shell.Effect) loss {
	if s.ownedByFind(e.Command) {
		return loss{}
	}
	name := ""
	if e.Command >= 0 && e.Command < len(s.cmds) {
		name = s.cmds[e.Command].Name
	}
	if oneOf(name, "rmdir", "git", "tar", "unzip", "patch", "ed", "apply_patch") {
		return loss{}
	}
	if name != "" {
		// The command's own words know which other command they come from.
		for _, a := range s.cmds[e.Command].Args {
			if len(a.From()) > 0 && (a.Text == e.Path.Text || s.abs(e.Command, a.Text) == e.Path.Text) {
				return s.lossOf(e.Command, a, e.Recursive)
			}
		}
	}
	if e.Slash && e.Path.Text == unknown && e.Recursive {
		return s.lossOf(e.Command, shell.Word{Text: unknown + "/", Parts: e.Path.Parts}, true)
	}
	return s.lossOf(e.Command, e.Path, e.Recursive)
}

// lossOf judges the removal of what a word names.
func (s *scan) lossOf(cmd int, w shell.Word, recursive bool) loss {
	if known(w) && !s.found(w) {
		return s.lossAt(cmd, w.Text, recursive)
	}
	if i := strings.LastIndex(w.Text, unknown); i >= 0 {
		tail := w.Text[i+len(unknown):]
		if strings.HasPrefix(tail, "/") && regenerable(strings.Trim(tail, "/")) {
			return loss{} // "$anything"/node_modules
		}
	}
	if prefix, _, _ := strings.Cut(w.Text, unknown); strings.HasSuffix(prefix, "/") && prefix != "/" {
		at := s.placeOf(s.abs(cmd, strings.TrimRight(prefix, "/")))
		if at == tempPlace || at == cachePlace || at == projectPlace && regenerable(s.fromRoot(s.abs(cmd, prefix))) {
			return loss{}
		}
	}
	if l, ok := s.lossOfOutput(cmd, w, recursive); ok {
		return l
	}
	// An unset variable is the empty text: the worst of both readings counts.
	bare := s.abs(cmd, empty(w))
	if strings.HasPrefix(w.Text, unknown) && strings.HasPrefix(empty(w), "/") {
		bare = path.Clean(empty(w))
	}
	tempVar := slices.ContainsFunc(w.Parts, func(p shell.Part) bool {
		return p.Kind == shell.Var && oneOf(p.Name, "TMPDIR", "TEMP", "TMP", "RUNNER_TEMP", "BATS_TMPDIR", "BATS_TEST_TMPDIR", "XDG_RUNTIME_DIR")
	})
	rest := strings.Trim(empty(w), "/")
	if strings.HasPrefix(w.Text, unknown) {
		return s.lossOfUnset(cmd, w, bare, rest, recursive, tempVar)
	}
	prefix, _, _ := strings.Cut(w.Text, unknown)
	at := s.placeOf(s.abs(cmd, strings.TrimRight(prefix, "/")))
	if !strings.HasSuffix(prefix, "/") {
		at = s.placeOf(path.Dir(s.abs(cmd, prefix+"x")))
	}
	switch {
	case at == tempPlace || at == tempTop || at == cachePlace || at == projectPlace && regenerable(s.fromRoot(s.abs(cmd, prefix))):
		return loss{}
	case recursive && at >= homeTop && at != systemSoft:
		return loss{kindOf(at), deny("deletes a whole system or home folder if its variable is empty.")}
	case recursive && at >= gitPlace:
		return loss{lossProject, deny("deletes the whole project if its variable is empty.")}
	case recursive || at >= homeDeep:
		return loss{lossUnset, ask("deletes a folder whose name is not known before it runs.")}
	}
	return loss{}
}

func kindOf(p place) lossKind {
	switch {
	case p >= systemSoft:
		return lossSystem
	case p == homeTop || p >= homeDeep && p <= keyPlace || p == cachePlace:
		return lossHome
	default:
		return lossProject
	}
}

func (s *scan) lossOfUnset(cmd int, w shell.Word, bare, rest string, recursive, tempVar bool) loss {
	slash := strings.HasPrefix(empty(w), "/")
	switch {
	case !recursive && !w.HasGlob():
		return loss{}
	case tempVar && rest != "" && !w.HasGlob():
		return loss{}
	case strings.Contains(s.show(cmd), ":?") && (slash || recursive): // an empty value stops it
		v := ask("deletes a folder whose name is not known before it runs.")
		v.safe = "Write the path out, or ask the person."
		return loss{lossUnset, v}
	case slash && (wildcardOnly(rest) || rest == ""):
		return loss{lossUnset, deny("deletes everything below / if its variable is unset or empty.")}
	case slash && (withinAny(stripGlob(bare), systemFolders) || withinAny(stripGlob(bare), softFolders)):
		return loss{lossUnset, deny("becomes " + named(bare) + " if its variable is unset or empty.")}
	case tempVar:
		return loss{}
	case regenerable(strings.Trim(rest, "/")):
		return loss{}
	case slash && recursive:
		return loss{lossUnset, ask("names a folder through a variable whose value is not known.")}
	case recursive:
		return loss{lossUnset, ask("deletes what a variable names, and its value is not known.")}
	}
	return loss{lossUnset, ask("deletes by a pattern below a folder that is not known.")}
}

// stripGlob is the part of a path before its first pattern.
func stripGlob(p string) string {
	i := strings.IndexAny(p, "*?[{")
	if i < 0 {
		return p
	}
	if p = path.Dir(p[:i] + "x"); p == "." {
		return ""
	}
	return p
}

// wildcardOnly tells a last part that matches everything, hidden or not: *,
// .*, .[!.]*, {*,.*}, **.
func wildcardOnly(name string) bool {
	if name == "" || !strings.ContainsAny(name, "*?") {
		return false
	}
	return strings.Trim(name, "*.?[]!^{},/") == "" || name == ".[a-zA-Z0-9]*" || name == "[a-zA-Z0-9]*"
}

// lossAt judges the removal of one path or pattern.
func (s *scan) lossAt(cmd int, name string, recursive bool) loss {
	p := s.abs(cmd, name)
	if p == "" {
		if recursive || strings.ContainsAny(name, "*?") {
			return loss{lossUnset, ask("deletes in a folder that is not known before it runs.")}
		}
		return loss{}
	}
	if base := path.Base(p); strings.ContainsAny(base, "*?[") {
		if wildcardOnly(base) {
			for wildcardOnly(path.Base(p)) { // everything in it is the folder itself
				recursive = recursive || strings.Contains(path.Base(p), "**")
				p = path.Dir(p)
			}
			if s.cdMayFail(cmd, name, p) {
				p = s.ctx.CWD
			}
			if at := s.placeOf(p); !recursive && (at == projectPlace || at == projectTop) && !regenerable(s.fromRoot(p)) {
				return s.lossOfGlobFiles(cmd, p, base)
			}
			recursive = true
		}
	}
	narrowed := stripGlob(p)
	exact := narrowed == p
	at := s.placeOf(narrowed)
	if exact {
		return s.lossIn(cmd, p, at, recursive)
	}
	return s.lossOfPattern(cmd, p, narrowed, at, recursive)
}

// cdMayFail tells that a pattern without a folder follows a cd into a folder
// that does not exist, and runs all the same.
func (s *scan) cdMayFail(cmd int, name, dir string) bool {
	if cmd < 0 || cmd >= len(s.cmds) || path.IsAbs(name) && dir != s.dir(cmd) || dir == s.ctx.CWD || dir != s.dir(cmd) || s.kind(dir) != Missing {
		return false
	}
	if s.cmds[cmd].Conditional {
		// Behind && a failed cd stops; in a branch that holds both it may not.
		together := false
		for j := range cmd {
			together = together || oneOf(s.cmds[j].Name, "cd", "pushd") && s.cmds[j].Conditional
		}
		if !together {
			return false
		}
	}
	for _, e := range s.ctx.Script.Effects {
		if e.Op == shell.MakeDir && within(e.Path.Text, dir) || e.Op == shell.Write && within(e.Path.Text, dir) {
			return false
		}
	}
	return true
}

// lossOfPattern judges a path with a pattern that narrows it.
func (s *scan) lossOfPattern(cmd int, p, dir string, at place, recursive bool) loss {
	if regenerable(s.fromRoot(p)) {
		return loss{}
	}
	switch {
	case at == tempPlace || at == tempTop || at == cachePlace:
		return loss{}
	case at >= systemPlace:
		return loss{lossSystem, deny("deletes by a pattern in " + named(dir) + ", which the system needs.")}
	case at == homeTop && recursive:
		return loss{lossHome, deny("deletes by a pattern in the home folder.")}
	case at == gitPlace || at == gitInner:
		return s.lossInGit(p, "deletes parts of the repository's own data.")
	case at >= homeDeep && at != projectTop || at == systemSoft:
		return loss{kindOf(at), ask("deletes by a pattern in " + named(dir) + ", outside the project.")}
	case isDataPattern(path.Base(p)):
		return loss{lossData, ask("deletes local data that has no other copy.")}
	case recursive && (at == projectTop || at == projectPlace):
		return s.lossIn(cmd, dir, projectPlace, true)
	case at == projectTop || at == projectPlace:
		return s.lossOfGlobFiles(cmd, dir, path.Base(p))
	}
	return loss{lossWork, ask("deletes by a pattern outside the project.")}
}

func isDataPattern(name string) bool {
	return hasSuffixAny(strings.ToLower(strings.TrimRight(name, "*")), dataSuffixes...)
}

// lossOfGlobFiles judges rm *.txt in the project: a question where the
// repository cannot bring everything back.
func (s *scan) lossOfGlobFiles(cmd int, dir, pattern string) loss {
	r, ok := s.repo(dir)
	if !ok {
		return loss{lossWork, ask("deletes files by a pattern, and no repository holds a copy.")}
	}
	st, ok := r.Path(dir)
	if !ok || !s.untouched(cmd) || st.Modified || st.Untracked {
		return loss{lossWork, ask("deletes files by the pattern " + clip(pattern, 40) + " in a folder with uncommitted work.")}
	}
	return loss{}
}

// lossIn judges one exact path.
func (s *scan) lossIn(cmd int, p string, at place, recursive bool) loss {
	short := named(p)
	if recursive && at == projectPlace && s.kind(p) == File {
		recursive = false // -r says nothing about a file
	}
	if !recursive {
		return s.lossOfFile(cmd, p, at)
	}
	switch at {
	case rootPlace, systemPlace:
		return loss{lossSystem, deny("deletes " + short + ", which the system needs.")}
	case systemSoft:
		return loss{lossSystem, deny("deletes " + short + ", which is not part of the project.")}
	case homeTop:
		return loss{lossHome, deny("deletes the home folder or a folder above it.")}
	case keyPlace:
		return loss{lossHome, deny(s.keyFact(p))}
	case homeEntry, homeDeep:
		v := deny("deletes " + short + ", which is outside the project.")
		if strings.HasPrefix(strings.TrimPrefix(p, s.ctx.Home+"/"), ".") {
			v.decision = hook.Ask // settings and caches of programs: made again, with some loss
		}
		return loss{lossHome, v}
	case elsewherePlace:
		return loss{lossHome, ask("deletes " + short + ", which is outside the project.")}
	case projectTop:
		return loss{lossProject, deny("deletes the whole project or a folder above it.")}
	case gitPlace:
		return loss{lossProject, deny("deletes a .git folder: history, stashes and branches that exist nowhere else.")}
	case gitInner:
		if hasSuffixAny(p, ".lock", "/rebase-merge", "/rebase-apply", "/gc.log") {
			return loss{}
		}
		return s.lossInGit(p, "deletes parts of the repository's own data.")
	case otherProject:
		return loss{lossProject, deny("deletes " + short + ", another project.")}
	case tempTop:
		return loss{lossSystem, ask("deletes all temp files, those of other programs too.")}
	case projectPlace:
		return s.lossInProject(cmd, p, true)
	case tempPlace, cachePlace:
	}
	return loss{}
}

// lossInGit judges a deletion below .git; fact is true where the thing is git's own.
func (s *scan) lossInGit(p, fact string) loss {
	if rest, inside := s.insideGit(p); inside && !gitOwn(rest) {
		return loss{lossProject, ask("deletes what another tool keeps inside .git.")}
	}
	return loss{lossProject, deny(fact)}
}

// keyFact says what a deletion in one of the folders with keys takes.
func (s *scan) keyFact(p string) string {
	switch rel := strings.TrimPrefix(p, s.ctx.Home+"/"); {
	case within(rel, ".claude/projects") && rel != ".claude/projects":
		return "deletes the transcripts of a project, which are evidence."
	case within(rel, ".claude/projects"), within(rel, ".codex/sessions"):
		return "deletes transcripts, which are evidence."
	case within(rel, ".claude"), within(rel, ".codex"):
		return "deletes settings or records of a coding agent."
	case hasPrefixAny(rel, ".docker"):
		return "deletes settings or logins in the home folder."
	}
	return "deletes keys or logins in the home folder."
}

func (s *scan) lossOfFile(cmd int, p string, at place) loss {
	if s.kind(p) == Folder && at != gitInner { // rm refuses a folder
		return loss{}
	}
	short := named(p)
	switch at {
	case rootPlace, systemPlace, systemSoft:
		if at == systemSoft {
			return loss{lossSystem, ask("deletes " + short + ", which is not part of the project.")}
		}
		return loss{lossSystem, deny("deletes " + short + ", which the system needs.")}
	case keyPlace:
		return loss{lossHome, deny(s.keyFact(p))}
	case homeEntry, homeDeep, otherProject, elsewherePlace:
		if s.kind(p) == Missing {
			return loss{}
		}
		return loss{lossHome, ask("deletes " + short + ", which is outside the project.")}
	case gitInner:
		if hasSuffixAny(p, ".lock", "/MERGE_MSG", "/COMMIT_EDITMSG", "/gc.log", "/gc.pid") {
			return loss{}
		}
		return s.lossInGit(p, "deletes a file of the repository's own data.")
	case projectPlace, projectTop:
		return s.lossInProject(cmd, p, false)
	case homeTop, gitPlace, tempTop, tempPlace, cachePlace:
	}
	return loss{}
}

// lossInProject asks the repository what would be lost.
func (s *scan) lossInProject(cmd int, p string, recursive bool) loss {
	base := strings.ToLower(path.Base(p))
	rel := s.fromRoot(p)
	if s.kind(p) == Missing && s.untouched(cmd) {
		return loss{}
	}
	r, ok := s.repo(path.Dir(p))
	var st PathState
	if ok {
		st, ok = r.Path(p)
	}
	built := regenerable(rel)
	if ok && st.Ignored && !st.Tracked && !st.Untracked {
		built = built || builtWhenIgnored(rel)
	}
	short := clip(cmpOr(rel, p), 60)
	if s.nestedClient(p) && !st.Modified {
		return loss{} // settings of a coding agent in a part of the project; the guard's are no loss for git to judge
	}
	switch {
	case isDataPattern(base) && !(ok && st.Tracked && !st.Modified), recursive && contains(dataNames, base) && !(ok && st.Tracked && !st.Ignored && !st.Untracked):
		return loss{lossData, ask("deletes " + short + ": local data that has no other copy.")}
	case built && !(ok && st.Tracked && recursive):
		return loss{}
	case built && ok && !st.Modified && !st.Untracked:
		return loss{lossWork, ask("deletes " + short + ", which git tracks.")}
	case !ok && recursive:
		return loss{lossWork, ask("deletes the folder " + short + ", and it is not known what git could bring back.")}
	case !ok:
		return loss{}
	case st.Modified:
		return loss{lossWork, ask("deletes " + short + ", which has changes that are not committed.")}
	case st.Untracked && (recursive || !scratchName(base)):
		return loss{lossWork, ask("deletes " + short + ", which git does not track: there is no other copy.")}
	case recursive && st.Tracked:
		return loss{lossWork, ask("deletes the tracked folder " + short + ".")}
	case recursive && st.Ignored:
		return loss{lossWork, ask("deletes " + short + ", which git ignores: there is no other copy.")}
	case st.Tracked && !s.untouched(cmd) && recursive:
		return loss{lossWork, ask("deletes " + short + " after other commands may have changed it.")}
	}
	return loss{}
}

// nestedClient tells the folder of a coding agent's settings below the project's
// top. What of it belongs to the guard is guard-tamper's matter.
func (s *scan) nestedClient(p string) bool {
	return oneOf(path.Base(p), ".claude", ".codex", ".cursor", ".gemini", ".conductor") && path.Dir(p) != s.ctx.ProjectDir && !s.homeIs(path.Dir(p))
}

// builtWhenIgnored is regenerable for something that the repository ignores.
func builtWhenIgnored(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if isBuilt(name) {
			return true
		}
	}
	return false
}

// scratchName tells names that people and agents give to throw-away files.
func scratchName(base string) bool {
	stem, _, _ := strings.Cut(base, ".")
	return hasPrefixAny(stem, "tmp", "temp", "scratch", "debug", "out", "output", "foo", "test_tmp", "repro") || strings.HasSuffix(stem, "_tmp")
}
