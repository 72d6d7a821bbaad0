package evidence

import (
	"slices"
	"strings"
)

// Kind is what a command verifies.
type Kind string

// The kinds. Check is a script or task that runs several things, or whose name
// says no more than that it checks; Hook is what a git hook ran inside a commit
// or push; Compare is cmp, diff and the like.
const (
	Test    Kind = "test"
	Build   Kind = "build"
	Lint    Kind = "lint"
	Types   Kind = "types"
	Check   Kind = "check"
	CI      Kind = "ci"
	Hook    Kind = "hook"
	Compare Kind = "compare"
)

// Tests tells the kinds that can stand for "the tests ran".
func (k Kind) Tests() bool { return k == Test || k == Check || k == CI || k == Hook }

// VerifyCommand is one command by which a project verifies itself, from the
// policy.
type VerifyCommand struct {
	Kind    Kind
	Command string
}

// Verify lists a project's own commands; empty when the policy names none.
type Verify struct {
	Commands []VerifyCommand
}

// Verification is one command of a shell text that verifies something.
type Verification struct {
	Kind    Kind
	Runner  string // "go test", "pytest", "make test"
	Command string // its words, wrappers peeled
	// Narrow tells that it selects a part: a path, a name filter.
	Narrow bool
	// Partial tells that it is narrower than the policy's command.
	Partial bool
	// Policy tells that it is the policy's command.
	Policy bool

	Masked     bool   // its failure need not show in the exit status
	Piped      string // the command that reads its output
	Background bool
	Quiet      bool // its output is hidden
	Prints     bool // the text prints its exit status afterwards
	Last       bool // a failure of the whole text is its own
	words      []string
	at         int        // the step of the text
	readers    [][]string // the words of the commands that its output goes through
}

// Recognise lists the verifying commands of a shell text in order. Text that
// only mentions a runner (echo, grep, a file being written) is none.
func Recognise(src string, verify Verify) []Verification {
	var list []Verification
	steps := flow(src)
	for i, st := range steps {
		v, ok := recogniseWords(st.words, verify)
		if !ok {
			continue
		}
		v.at = i
		for k := i; steps[k].piped != "" && k+1 < len(steps); k++ {
			v.readers = append(v.readers, steps[k+1].words)
		}
		v.Masked, v.Piped, v.Background, v.Quiet, v.Prints, v.Last = st.masked, st.piped, st.background, st.quiet, st.status, st.last
		list = append(list, v)
	}
	return list
}

func recogniseWords(words []string, verify Verify) (Verification, bool) {
	if len(words) == 0 {
		return Verification{}, false
	}
	if hasAny(words[1:], "--help --version") {
		return Verification{}, false
	}
	v, known := fromTable(words)
	for _, c := range verify.Commands {
		for _, st := range flow(c.Command) {
			if len(st.words) == 0 || isTrivial(st.words[0]) {
				continue
			}
			same, narrower := comparePolicy(words, st.words)
			if !same && !narrower {
				continue
			}
			if !known {
				v = Verification{Kind: c.Kind, Runner: strings.Join(st.words[:min(2, len(st.words))], " ")}
				known = true
			}
			v.Policy = v.Policy || same
			if same {
				v.Kind = c.Kind
			}
		}
	}
	if !known {
		return v, false
	}
	v.words = words
	v.Command = strings.Join(words, " ")
	for _, c := range verify.Commands {
		if c.Kind == v.Kind && !v.Policy && v.Narrow {
			v.Partial = true
		}
	}
	return v, true
}

func isTrivial(name string) bool {
	return slices.Contains([]string{"cd", "export", "set", "source", ".", "echo", "true", "pushd", "popd", "mkdir"}, name)
}

// comparePolicy tells whether words are the policy's command, perhaps with more
// flags (same), or the same command with more targets (narrower).
func comparePolicy(words, policy []string) (same, narrower bool) {
	if baseName(words[0]) != baseName(policy[0]) {
		return false, false
	}
	rest := append([]string(nil), words[1:]...)
	for _, p := range policy[1:] {
		i := slices.Index(rest, p)
		if i < 0 {
			// A flag of the policy that only changes the output may be missing.
			if strings.HasPrefix(p, "-") {
				continue
			}
			return false, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for i, w := range rest {
		if !strings.HasPrefix(w, "-") && !valueOf(rest, i) || selects(w) {
			return false, true
		}
	}
	return true, false
}

// valueOf tells whether the word at i is a number that the flag before it takes
// ("-p 4", "--maxfail 1").
func valueOf(words []string, i int) bool {
	return i > 0 && strings.HasPrefix(words[i-1], "-") && !strings.Contains(words[i-1], "=") && strings.Trim(words[i], "0123456789ms.") == ""
}

// selects tells a flag that picks tests out.
func selects(w string) bool {
	name, _, _ := strings.Cut(w, "=")
	return slices.Contains([]string{
		"-k", "-m", "-run", "--run", "-t", "--tests", "--testNamePattern", "--testPathPattern", "--testPathPatterns",
		"--filter", "--grep", "-g", "-R", "--tests-regex", "-Dtest", "-Dit.test", "-only", "--only", "--lf", "--last-failed",
		"--sw", "--stepwise", "--onlyChanged", "-o", "--changed", "--related", "findRelatedTests", "--findRelatedTests",
		"--example", "-e", "--name", "-n", "--lib", "--bin", "--test", "--doc", "--package", "-p", "--testsuite", "--group", "--project",
	}, name)
}

// Guards tells whether a shell text runs tests first and reaches its git commit
// or push only when they pass: "make test && git push". Then the text itself is
// the gate, and no earlier run is needed.
func Guards(src string, verify Verify) bool {
	steps := flow(src)
	for i, st := range steps {
		v, ok := recogniseWords(st.words, verify)
		if !ok || st.masked || st.background || (v.Kind != Test && v.Kind != Check) || v.Partial {
			continue
		}
		for _, later := range steps[i+1:] {
			if h, ok := recogniseWords(later.words, Verify{}); ok && h.Kind == Hook || len(later.words) > 1 && later.words[0] == "git" && hasWord("commit push tag", later.words[1]) {
				return true
			}
		}
	}
	return false
}
