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
	src  string       // the shell text of the run
	v    Verification // of the run
	edit []string     // changed paths, as far as they are known
	all  bool         // the tree changed in ways the conversation does not show
	turn int
	time time.Time
}

// Reader reads conversations.
type Reader struct {
	Root   string // top of the working tree; edits outside it do not count
	Dir    string // where relative paths begin; the session's folder
	Verify Verify
	Docs   DocMatcher
	// Parse tells what a shell text would write; nil: edits by shell are not seen.
	Parse func(src, dir string) shell.Script
	// NoStatus: see Call.
	NoStatus bool
}

// moments lists the runs and edits of the turns in order.
func (rd Reader) moments(turns []transcript.Turn) []moment {
	var list []moment
	for n, turn := range turns {
		for _, call := range turn.Calls {
			from := len(list)
			list = rd.call(list, call)
			for i := from; i < len(list); i++ {
				list[i].turn, list[i].time = n, call.Time
				if list[i].run != nil {
					list[i].run.Time = call.Time
				}
			}
		}
	}
	return list
}

func (rd Reader) call(list []moment, call transcript.Call) []moment {
	if call.Pending {
		return list
	}
	in := gjson.ParseBytes(call.Input)
	switch name := call.Tool; {
	case name == "Edit" || name == "Write" || name == "MultiEdit" || name == "NotebookEdit" ||
		name == "create_file" || name == "replace_string_in_file" || name == "str_replace_editor" || name == "write_file" || name == "replace":
		if call.Failed {
			return list
		}
		for _, key := range [...]string{"file_path", "notebook_path", "filePath", "path"} {
			if p := in.Get(key).String(); p != "" {
				return rd.addEdit(list, p)
			}
		}
	case name == "apply_patch" && !call.Failed:
		for _, p := range patchPaths(in.Get("command").String() + in.Get("input").String()) {
			list = rd.addEdit(list, p)
		}
	case name == "Task" || name == "Agent":
		return rd.subagent(list, call)
	case name == "BashOutput" || name == "TaskOutput":
		return rd.followUp(list, call)
	case isShell(name):
		src := in.Get("command").String()
		if src == "" {
			src = in.Get("cmd").String()
		}
		return rd.shellCall(list, call, src)
	case strings.HasPrefix(name, "mcp__") && kindOfName(name[strings.LastIndex(name, "__")+2:]).Tests():
		v := Verification{Kind: Test, Runner: name, Command: name, Last: true, Masked: true}
		return append(list, rd.ran(v, call, name))
	}
	return list
}

func isShell(tool string) bool {
	switch tool {
	case "Bash", "shell", "exec_command", "run_shell_command", "Execute", "exec", "local_shell", "PowerShell":
		return true
	}
	return false
}

// addEdit notes a changed path unless it is documentation or outside the tree.
func (rd Reader) addEdit(list []moment, path string) []moment {
	rel, inside := rd.relative(path)
	if !inside || rd.Docs.Match(rel) {
		return list
	}
	return append(list, moment{edit: []string{rel}})
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

// ran makes the moment of one run.
func (rd Reader) ran(v Verification, call transcript.Call, src string) moment {
	outcome, result := v.Ended(Call{Output: call.Output, Failed: call.Failed, Background: call.Background, NoStatus: rd.NoStatus})
	return moment{v: v, src: src, run: newRun(v, outcome, result, call.ID)}
}

func newRun(v Verification, outcome Outcome, result Result, id string) *Run {
	return &Run{
		ID: id, Kind: v.Kind, Runner: v.Runner, Command: v.Command, Outcome: outcome,
		Counts: result.Counts, Narrow: v.Narrow, Partial: v.Partial, Line: cut(result.Line, 300),
	}
}

// shellCall reads one shell call: what it changed, then what it ran. Changes of
// the same text are taken to come first: "sed -i … && make test".
func (rd Reader) shellCall(list []moment, call transcript.Call, src string) []moment {
	steps := flow(src)
	verify := rd.Verify
	verify.Root = rd.Root
	verifications := Recognise(src, verify)
	for i := range verifications {
		// What the text runs a moment later may hide behind a hook's "nothing".
		if verifications[i].Kind == Hook && len(verifications) > 1 {
			verifications[i].Kind = ""
		}
	}
	if neverRan(call.Output) && call.Failed {
		return list
	}
	changed, all := rd.shellEdits(src, steps, len(verifications) > 0)
	for _, p := range changed {
		list = append(list, moment{edit: []string{p}})
	}
	if all {
		list = append(list, moment{all: true})
	}
	for _, v := range verifications {
		if v.Kind == "" {
			continue
		}
		m := rd.ran(v, call, src)
		if m.run.Outcome == NotRun {
			continue
		}
		list = append(list, m)
	}
	if len(verifications) == 0 && reads(steps) {
		return rd.logRead(list, call, steps)
	}
	return list
}

// reads tells a text that only shows files.
func reads(steps []step) bool {
	for _, st := range steps {
		switch baseName(st.words[0]) {
		case "cat", "tail", "head", "grep", "rg", "less", "sed", "sleep", "echo", "awk", "wc", "cd", "egrep":
		default:
			return false
		}
	}
	return len(steps) > 0
}

// logRead takes a look into a file that an earlier run wrote for its output.
func (rd Reader) logRead(list []moment, call transcript.Call, steps []step) []moment {
	for i := len(list) - 1; i >= 0; i-- {
		m := &list[i]
		if m.run == nil || (m.run.Outcome != Background && m.run.Outcome != Masked && !m.v.Quiet) {
			continue
		}
		for _, st := range steps {
			for _, w := range st.words[1:] {
				if len(w) > 4 && strings.ContainsAny(w, "/.") && (strings.Contains(m.src, w) || strings.Contains(m.run.Line, w)) {
					return rd.resolve(list, i, call)
				}
			}
		}
	}
	return list
}

// followUp reads the output tool of a background call.
func (rd Reader) followUp(list []moment, call transcript.Call) []moment {
	for i, m := range slices.Backward(list) {
		if m.run != nil && m.run.Outcome == Background {
			return rd.resolve(list, i, call)
		}
	}
	return list
}

// resolve settles a run by output that was read later. It keeps its place: the
// tree it ran on is the one at its start.
func (rd Reader) resolve(list []moment, i int, call transcript.Call) []moment {
	text := call.Output
	if strings.Contains(text, "<status>running</status>") || strings.Contains(text, `"status":"running"`) {
		return list
	}
	v := list[i].v
	v.Background, v.Masked, v.Quiet = false, true, false
	c := Call{Output: text}
	if code, ok := between(text, "<exit_code>", "</exit_code>"); ok {
		v.Masked = false
		c.Failed = code != "0"
		v.Last = true
	}
	outcome, result := v.Ended(c)
	if outcome == Masked || outcome == NotRun {
		return list
	}
	id := list[i].run.ID
	list[i].run = newRun(v, outcome, result, id)
	return list
}

func between(s, open, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	mid, _, ok := strings.Cut(rest, end)
	return strings.TrimSpace(mid), ok
}

// subagent counts a report that shows a runner's own sums; its prose does not.
func (rd Reader) subagent(list []moment, call transcript.Call) []moment {
	if call.Background || call.Failed {
		return list
	}
	r := ReadOutput(call.Output)
	if r.Counts.Passed <= 0 && r.Counts.Failed <= 0 {
		return list
	}
	v := Verification{Kind: Test, Runner: "subagent", Command: "subagent", Last: true, Masked: true}
	return append(list, rd.ran(v, call, ""))
}
