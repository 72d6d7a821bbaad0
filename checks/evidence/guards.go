package evidence

import (
	"slices"
	"strings"
)

// Guards tells whether a shell text runs tests first and reaches what it hands on,
// its commits, pushes and releases, only where they passed: "make test && git
// push". Then the text itself is the gate, and no earlier run is needed. It is
// not, where the tests are those of another folder, cover less than the policy's
// command, may be another program of that name, or where the text changes files
// behind them.
func Guards(src string, verify Verify) bool {
	steps := flow(src)
	plans := verify.plans()
	handsOn := false
	for i := range steps {
		if st := &steps[i]; !st.never && st.handsOn() {
			handsOn = true
			if !st.guarded(i, steps, plans, verify) {
				return false
			}
		}
	}
	return handsOn
}

// guarded tells whether tests have passed wherever the step at is reached.
func (st *step) guarded(at int, steps []step, plans []plan, verify Verify) bool {
	for i := range steps[:at] {
		run := &steps[i]
		if !st.passed.has(i) || run.background {
			continue
		}
		v, ok := run.recognise(plans, verify)
		if !ok || v.Masked || v.Background || v.Partial || v.Maybe || !v.gates(plans) || !v.sameRepository(st) || run.shadowed() {
			continue
		}
		behind := steps[i+1 : at]
		if run.piped == "tee" {
			behind = behind[1:]
		}
		if !slices.ContainsFunc(behind, func(s step) bool { return s.changesFiles() }) {
			return true
		}
	}
	return false
}

// gates tells what may stand for the tests: a run of them, or the policy's command
// where it names no tests.
func (v Verification) gates(plans []plan) bool {
	return v.Kind == Test || v.Kind == Check || v.Policy && !names(plans, Test)
}

// sameRepository tells that the tests ran on what the step hands on.
func (v Verification) sameRepository(st *step) bool {
	from := st.dir
	if baseName(st.words[0]) == "git" {
		_, _, dir := gitSub(st.words[1:])
		from = joinFolder(from, dir)
	}
	switch {
	case v.folder == unknownDir || from == unknownDir:
		return false
	case v.folder == from:
		return true
	}
	// The policy's command may have a folder of its own below.
	return v.Policy && !isAbsolute(v.folder) && !isAbsolute(from) && !strings.HasPrefix(v.folder, "..") && (from == here || strings.HasPrefix(v.folder, from+"/"))
}

// shadowed tells that the text puts a folder in front of PATH, so that the
// program may be another one of that name.
func (st *step) shadowed() bool {
	for _, a := range st.env {
		value, ok := strings.CutPrefix(a, "PATH=")
		if !ok {
			continue
		}
		for dir := range strings.SplitSeq(strings.Trim(value, `"'`), ":") {
			if dir == "$PATH" || dir == "${PATH}" {
				break
			}
			if !hasWord("/usr/local/bin /usr/bin /bin /usr/local/go/bin /opt/homebrew/bin /snap/bin $HOME/go/bin $HOME/.cargo/bin $HOME/.local/bin ~/.local/bin ~/.cargo/bin ~/go/bin", dir) {
				return true
			}
		}
	}
	return false
}

// handsOn tells a command that makes a commit or gives one to others.
func (st *step) handsOn() bool {
	if baseName(st.words[0]) == "git" {
		sub, _, _ := gitSub(st.words[1:])
		return hasWord("commit push tag merge", sub)
	}
	for _, w := range st.words[1:min(4, len(st.words))] {
		if anyWord(nameWords(w), "publish deploy release upload") {
			return true
		}
	}
	return len(st.words) > 2 && hasWord("gh glab", st.words[0]) && hasWord("create merge", st.words[2]) ||
		len(st.words) > 1 && (hasWord("kubectl oc", st.words[0]) && st.words[1] == "apply" || st.words[0] == "helm" && hasWord("upgrade install", st.words[1]))
}

// changesFiles tells a command that changes files of the project, so that what is
// handed on behind it is not what was tested.
func (st *step) changesFiles() bool {
	args := st.words[1:]
	switch name := baseName(st.words[0]); name {
	case "git":
		return movesTree(st.words)
	case "sed", "perl":
		return slices.ContainsFunc(args, func(a string) bool { return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "i") })
	case "mv", "cp", "patch", "tee", "dd", "truncate", "ed", "ex", "install", "ln", "rm":
		return slices.ContainsFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") && !isScratch(a) })
	case "echo", "printf", "cat":
		return slices.ContainsFunc(st.writes, func(w string) bool { return !isScratch(w) })
	}
	return false
}

// isScratch tells a file that no commit takes: in the temp folder, a log, what a
// coverage run leaves.
func isScratch(file string) bool {
	if isTemporary(file) || strings.HasPrefix(file, "/dev/") || strings.Contains(file, "coverage") {
		return true
	}
	for _, ext := range [...]string{".log", ".out", ".tmp", ".prof"} {
		if strings.HasSuffix(file, ext) {
			return true
		}
	}
	return false
}
