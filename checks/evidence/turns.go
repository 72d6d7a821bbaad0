package evidence

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentguard/checks/shell"
	"agentguard/hook/transcript"

	"github.com/tidwall/gjson"
)

// moment is one thing of a conversation that matters here: a run, or a change
// of the tree.
type moment struct {
	run  *Run
	v    Verification // of the run
	edit []string     // changed paths, as far as they are known
	all  bool         // the tree changed in ways the conversation does not show
	turn int
	time time.Time
	// of is the call that started a run whose end may be seen later.
	of *Started
	// missed is what changed while a run went on in the background.
	missed []moment
	// recorded tells a run that only the ledger knows.
	recorded bool
}

// Reader reads conversations.
type Reader struct {
	Root   string // top of the working tree; edits outside it do not count
	Dir    string // where relative paths begin where a call does not say; the session's folder
	Verify Verify
	Docs   DocMatcher
	// Parse tells what a shell text would write; nil: edits by shell are not seen.
	Parse func(src, dir string) shell.Script
	// Subagent returns the conversation of a subagent by its id; nil, or an empty
	// one: it is known by its report alone.
	Subagent func(id string) []transcript.Turn
}

// walk goes through a conversation once.
type walk struct {
	Reader
	dir   string // of the reader; a call may have its own
	list  []moment
	open  []*Started // oldest first
	turn  int
	now   time.Time
	depth int // of subagents
	mixed bool
}

// maxAgents bounds how deep subagents that start subagents are followed.
const maxAgents = 4

// moments lists the runs and edits of the turns in order.
func (rd Reader) moments(turns []transcript.Turn) []moment {
	w := walk{Reader: rd, dir: rd.Dir}
	w.Verify.Root, w.Verify.Compares = rd.Root, true
	for n, turn := range turns {
		w.turn = n
		w.read(turn)
	}
	w.sort()
	return w.list
}

func (w *walk) read(turn transcript.Turn) {
	notices := turn.Notices
	for i, call := range turn.Calls {
		for len(notices) > 0 && notices[0].AfterCalls <= i {
			w.notice(notices[0])
			notices = notices[1:]
		}
		w.call(call)
	}
	for _, n := range notices {
		w.notice(n)
	}
}

func (w *walk) add(m moment) {
	m.turn, m.time = w.turn, w.now
	if m.run != nil {
		m.run.Time = w.now
	}
	w.list = append(w.list, m)
}

// sort puts the moments of subagents that worked in the background between those
// of the session, by their time. A moment belongs to the turn it came in.
func (w *walk) sort() {
	if !w.mixed || slices.ContainsFunc(w.list, func(m moment) bool { return m.time.IsZero() }) {
		return
	}
	slices.SortStableFunc(w.list, func(a, b moment) int { return a.time.Compare(b.time) })
	for i := 1; i < len(w.list); i++ {
		w.list[i].turn = max(w.list[i].turn, w.list[i-1].turn)
	}
}

func (w *walk) call(call transcript.Call) {
	if call.Pending {
		return
	}
	w.now, w.Dir = call.Time, w.dir
	if call.Dir != "" {
		w.Dir = call.Dir
	}
	w.Verify.Dir = w.Dir
	in := gjson.ParseBytes(call.Input)
	switch name := call.Tool; {
	case name == "Edit" || name == "Write" || name == "MultiEdit" || name == "NotebookEdit" ||
		name == "create_file" || name == "replace_string_in_file" || name == "str_replace_editor" || name == "write_file" || name == "replace":
		if call.Failed {
			return
		}
		for _, key := range [...]string{"file_path", "notebook_path", "filePath", "path"} {
			if p := in.Get(key).String(); p != "" {
				w.addEdit(p)
				return
			}
		}
	case name == "apply_patch" && !call.Failed:
		for _, p := range patchPaths(in.Get("command").String() + in.Get("input").String()) {
			w.addEdit(p)
		}
	case name == "Task" || name == "Agent":
		w.subagent(call)
	case IsShell(name):
		w.shellCall(call, ShellText(call.Input))
	case strings.HasPrefix(name, "mcp__") && kindOfName(name[strings.LastIndex(name, "__")+2:]).Tests():
		v := Verification{Kind: Test, Runner: name, Command: name, Last: true, Masked: true}
		w.ran(v, call)
	default:
		if l, ok := LookOf(call); ok {
			w.look(l)
		}
	}
}

// IsShell tells the tools that run a shell text.
func IsShell(tool string) bool {
	switch tool {
	case "Bash", "shell", "exec_command", "run_shell_command", "Execute", "exec", "local_shell", "PowerShell":
		return true
	}
	return false
}

// ShellText is the shell text of a call's input, in the forms that clients have;
// empty where there is none.
func ShellText(input []byte) string {
	in := gjson.ParseBytes(input)
	for _, key := range [...]string{"command", "cmd", "script"} {
		switch v := in.Get(key); {
		case v.IsArray():
			words := v.Array()
			if inner := peel(texts(words)); inner.scripted {
				return inner.script
			}
			var quoted []string
			for _, w := range words {
				quoted = append(quoted, "'"+strings.ReplaceAll(w.String(), "'", `'\''`)+"'")
			}
			return strings.Join(quoted, " ")
		case v.String() != "":
			return v.String()
		}
	}
	return ""
}

func texts(list []gjson.Result) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out
}

// addEdit notes a changed path unless it is documentation or outside the tree.
func (w *walk) addEdit(path string) {
	if rel, inside := w.relative(path); inside && !w.Docs.Match(rel) {
		w.add(moment{edit: []string{rel}})
	}
}

func (rd Reader) relative(path string) (string, bool) {
	root := rd.Root
	if root == "" {
		root = rd.Dir
	}
	if !filepath.IsAbs(path) {
		base := rd.Dir
		if base == "" {
			base = root
		}
		path = filepath.Join(base, path)
	}
	if root == "" {
		return filepath.ToSlash(path), true
	}
	rel, err := filepath.Rel(root, path)
	if err == nil && (rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))) {
		// The client's spelling of the folder may differ from git's by links.
		if dir, lerr := filepath.EvalSymlinks(filepath.Dir(path)); lerr == nil {
			rel, err = filepath.Rel(root, filepath.Join(dir, filepath.Base(path)))
		}
	}
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// patchPaths reads the file names of an apply_patch text.
func patchPaths(patch string) []string {
	var paths []string
	for line := range strings.Lines(patch) {
		for _, p := range [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if rest, ok := strings.CutPrefix(line, p); ok {
				paths = append(paths, strings.TrimSpace(rest))
			}
		}
	}
	return paths
}

// refused tells a call that the client or a person did not let run: it changed
// nothing and ran nothing.
func refused(output string) bool {
	head := output[:min(len(output), 400)]
	for _, s := range [...]string{"The user doesn't want to proceed", "Permission to use", "hook error", "requires approval", "InputValidationError", "tool_use_error"} {
		if strings.Contains(head, s) {
			return true
		}
	}
	return false
}

// ran adds a run that is no shell command.
func (w *walk) ran(v Verification, call transcript.Call) {
	for _, r := range endedRuns("", []Verification{v}, CallOf(call), call.ID) {
		w.add(moment{v: r.v, run: r.run})
	}
}

// shellCall reads one shell call: what it changed, then what it ran. Changes of
// the same text are taken to come first: "sed -i … && make test".
func (w *walk) shellCall(call transcript.Call, src string) {
	steps := flow(src)
	list := Recognise(src, w.Verify)
	if call.Failed && (refused(call.Output) || len(list) == 0 && neverRan(outputLines(call.Output))) {
		return
	}
	changed, all := w.shellEdits(src, steps, len(list) > 0)
	for _, p := range changed {
		w.add(moment{edit: []string{p}})
	}
	if all {
		w.add(moment{all: true})
	}
	var of *Started
	for _, r := range endedRuns(src, list, CallOf(call), call.ID) {
		if r.open() && of == nil {
			s := StartedBy(call, src, w.Dir)
			of = &s
			w.open = append(w.open, of)
		}
		m := moment{v: r.v, run: r.run}
		if r.open() {
			m.of = of
		}
		w.add(m)
	}
	if l, ok := lookByShell(call, steps); ok && len(list) == 0 {
		w.look(l)
	}
}

func (w *walk) notice(n transcript.Notice) {
	w.now = n.Time
	if l, ok := LookOfNotice(n.Text); ok {
		w.look(l)
	}
}

// look settles the runs of the newest started call that it shows the end of.
func (w *walk) look(l Look) {
	for _, s := range slices.Backward(w.open) {
		if runs := s.settle(l, w.Verify); len(runs) > 0 {
			for _, r := range runs {
				w.settle(s, r)
			}
			return
		}
	}
}

// settle puts what is now known of a run in the place of what was. A run in the
// background ends here, on the tree that it began on.
func (w *walk) settle(s *Started, r endedRun) {
	at := slices.IndexFunc(w.list, func(m moment) bool { return m.of == s && m.run.Command == r.run.Command })
	if at < 0 {
		return
	}
	m := w.list[at]
	ran := m.run.Outcome == Background
	r.run.Time = m.run.Time
	m.v, m.run = r.v, r.run
	if !r.open() {
		m.of = nil
	}
	if !ran {
		w.list[at] = m
		return
	}
	for _, since := range w.list[at+1:] {
		if since.run == nil {
			m.missed = append(m.missed, since)
		}
	}
	w.list = slices.Delete(w.list, at, at+1)
	w.add(m)
}

// subagent reads what a subagent did where its conversation is kept, at the place
// of the call that started it. Elsewhere its report counts where it shows a
// runner's own sums; its prose does not.
func (w *walk) subagent(call transcript.Call) {
	if w.Subagent != nil && call.Agent != "" && w.depth < maxAgents {
		if turns := w.Subagent(call.Agent); len(turns) > 0 {
			w.mixed = w.mixed || call.Background
			w.depth++
			for _, turn := range turns {
				w.read(turn)
			}
			w.depth--
			return
		}
	}
	if call.Background || call.Failed {
		return
	}
	r := ReadOutput(call.Output)
	if r.Counts.Passed <= 0 && r.Counts.Failed <= 0 {
		return
	}
	w.ran(Verification{Kind: Test, Runner: "subagent", Command: "subagent", Last: true, Masked: true}, call)
}
