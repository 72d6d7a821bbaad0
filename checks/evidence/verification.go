package evidence

import (
	"slices"
	"strings"
)

// Kind is what a command verifies.
type Kind string

// The kinds. Check is a script or task that runs several things, or whose name
// says no more than that it checks; Hook is what a git hook ran inside a commit
// or push; Compare is what verifies one fact: cmp, diff, a health check, the dry
// run of a deployment.
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
	// Root is the top of the repository, Base the folder that the commands are for,
	// and Dir where the shell text starts, all absolute. Without Root nothing is
	// known of absolute paths; Base is Root where it is empty.
	Root, Base, Dir string
	world           bool // the command runs in a container or on another machine
	// Compares lists comparisons also where there are commands. They verify nothing
	// then, but may bear out what a message says of documents and configuration.
	Compares bool
}

// Verification is one command of a shell text that verifies something.
type Verification struct {
	Kind    Kind
	Runner  string // "go test", "pytest", "make test"
	Command string // its words, wrappers peeled
	// Narrow tells that it selects a part: a path, a name filter, a folder below
	// the one where the text starts.
	Narrow bool
	// Partial tells that it is narrower than the policy's command.
	Partial bool
	// Policy tells that it is the policy's command.
	Policy bool

	Masked     bool   // its failure need not show in the exit status
	Piped      string // the command that reads its output
	Background bool   // it is not waited for, or goes on for ever
	Quiet      bool   // its output is hidden
	Prints     bool   // the text prints its exit status afterwards
	Last       bool   // a failure of the whole text is its own
	// Maybe tells that it is reached only under a condition: unless its status is
	// its own, the output must show that it ran.
	Maybe   bool
	words   []string
	at      int        // the step of the text
	folder  string     // where it runs: see joinFolder
	readers [][]string // the words of the commands that its output goes through
}

// Recognise lists the verifying commands of a shell text in order. Text that
// only mentions a runner (echo, grep, a file being written) is none, and neither
// is a command that lists, plans or builds tests without running any.
func Recognise(src string, verify Verify) []Verification {
	var list []Verification
	steps := flow(src)
	plans := verify.plans()
	for i := range steps {
		st := &steps[i]
		v, ok := st.recognise(plans, verify)
		if !ok {
			continue
		}
		v.at = i
		for k := i; steps[k].piped != "" && k+1 < len(steps); k++ {
			v.readers = append(v.readers, steps[k+1].words)
		}
		v.Masked, v.Piped, v.Quiet, v.Prints, v.Last = v.Masked || st.masked, st.piped, st.quiet, st.status, st.last
		v.Background, v.Maybe = v.Background || st.background, v.Maybe || st.maybe
		list = append(list, v)
	}
	return list
}

// seen is what a command line says of itself.
type seen struct {
	Verification
	known  bool   // it verifies something
	idle   bool   // it is a runner's command that verifies nothing
	listed bool   // the table knows the program, but nothing that it verifies by these words
	dir    string // the folder that its own options name
}

// recognise reads one step of a text.
func (st *step) recognise(plans []plan, verify Verify) (Verification, bool) {
	if st.never {
		return Verification{}, false
	}
	verify.world = st.world
	v := readCommand(st.words, verify)
	v.environment(st.env)
	folder := joinFolder(st.dir, v.dir)
	where := verify.place(folder)
	for i := range plans {
		p := &plans[i]
		same, narrower := p.compare(st.words, verify)
		same = same && (where.start || where.rel == p.dir || where.rel == unknownDir)
		switch {
		case !same && !narrower, v.idle && !p.idle, !v.known && p.idlesWith(st.words), narrower && v.listed:
			continue
		case !v.known:
			v.Kind, v.Runner, v.known = p.kind, strings.Join(p.words[:min(2, len(p.words))], " "), true
		}
		v.idle, v.Narrow = false, v.Narrow || narrower
		v.Policy = v.Policy || same
		if same {
			v.Kind = p.kind
		}
	}
	if !v.known || v.idle || where.outside || v.Kind == Compare && len(plans) > 0 && !verify.Compares {
		return Verification{}, false
	}
	v.words, v.Command, v.folder = st.words, strings.Join(st.words, " "), folder
	v.Narrow = v.Narrow || where.below && !v.Policy && !v.wholeBelow()
	v.Partial = !v.Policy && v.Narrow && names(plans, v.Kind)
	return v.Verification, true
}

// wholeBelow tells runners that stand in a folder of their own and yet build and
// test everything.
func (v Verification) wholeBelow() bool {
	program, _, _ := strings.Cut(v.Runner, " ")
	return hasWord("ctest meson ninja samu cmake", program)
}

// plan is a command of the policy, read once.
type plan struct {
	kind  Kind
	words []string
	dir   string
	idle  bool // it is one that runs nothing, and yet what the project wants
}

func (v Verify) plans() []plan {
	var list []plan
	base := here
	if v.Root != "" && v.Base != "" {
		base = relative(v.Root, v.Base)
	}
	for _, c := range v.Commands {
		for _, st := range flow(c.Command) {
			if !isTrivial(st.words[0]) {
				list = append(list, plan{c.Kind, st.words, joinFolder(base, st.dir), readCommand(st.words, v).idle})
			}
		}
	}
	return list
}

// names tells whether the policy says how the kind is verified.
func names(plans []plan, k Kind) bool {
	return slices.ContainsFunc(plans, func(p plan) bool { return p.kind == k })
}

func isTrivial(name string) bool {
	return slices.Contains([]string{"cd", "export", "set", "source", ".", "echo", "true", "pushd", "popd", "mkdir"}, name)
}

// compare tells whether words are the policy's command, perhaps with more flags
// (same), or the same command with more targets (narrower).
func (p *plan) compare(words []string, verify Verify) (same, narrower bool) {
	rest, ok := p.without(words)
	if !ok || words[0] != p.words[0] && isForeign(words[0], verify) {
		return false, false
	}
	r := rowOf(words)
	l := r.read(rest)
	if want := rowOf(p.words); want != &passed && want != r || r.leavesTestsOut(l) {
		return false, false
	}
	more := passed.read(l.behind)
	if r == &passed || r.task {
		more = passed.readAll(rest)
	}
	if r.given(l, r.part) || passed.given(more, passed.part) {
		return false, true
	}
	for _, a := range append(slices.Clone(l.operands), more.operands...) {
		if !isNumber(a) && !hasWord(r.wide, a) {
			return false, true
		}
	}
	return true, false
}

// without takes the policy's words out of a command; ok is false where one that
// is no option is missing.
func (p *plan) without(words []string) (rest []string, ok bool) {
	if baseName(words[0]) != baseName(p.words[0]) {
		return nil, false
	}
	rest = slices.Clone(words[1:])
	for _, w := range p.words[1:] {
		i := slices.Index(rest, w)
		if i < 0 {
			// A flag of the policy that only changes the output may be missing.
			if strings.HasPrefix(w, "-") {
				continue
			}
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// idlesWith tells that words turn a command that only the policy knows off.
func (p *plan) idlesWith(words []string) bool {
	rest, ok := p.without(words)
	return ok && passed.idles(passed.readAll(rest))
}
