package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"agentguard/hook/transcript"
)

// Look is what a later moment of a conversation shows of work that was started
// before: a file that is read, a tool that asks, the client's own notice.
type Look struct {
	call, task string   // ids; empty where the moment does not name them
	paths      []string // files it shows
	text       string   // the output that it shows
	piece      bool     // the text follows on what was shown before
	running    bool     // it says that the work goes on
	ended      bool     // it says that the work has ended
	known      bool     // status is the exit status
	status     int
}

// LookOf reads a finished call of a tool as a look; false for a call that shows
// nothing of other work.
func LookOf(call transcript.Call) (Look, bool) {
	if call.Failed || call.Pending {
		return Look{}, false
	}
	in := gjson.ParseBytes(call.Input)
	switch call.Tool {
	case "Read", "read_file":
		p := in.Get("file_path").String() + in.Get("path").String()
		l := Look{paths: []string{p}, text: unnumbered(call.Output)}
		l.trailer(true)
		return l, p != ""
	case "BashOutput", "TaskOutput":
		l := Look{task: in.Get("task_id").String() + in.Get("bash_id").String() + in.Get("shell_id").String(), piece: call.Tool == "BashOutput"}
		l.tags(call.Output)
		return l, true
	case "write_stdin":
		c, _ := PlainCall(call.Output)
		l := Look{task: in.Get("session_id").String(), text: c.Output, piece: true, running: c.Background, known: !c.NoStatus}
		if c.Failed {
			l.status, _ = exitStatus(c.Output)
			_, l.text, _ = strings.Cut(c.Output, "\n")
		}
		return l, l.task != ""
	}
	if IsShell(call.Tool) {
		return lookByShell(call, flow(ShellText(call.Input)))
	}
	return Look{}, false
}

// lookByShell reads a shell call that shows files.
func lookByShell(call transcript.Call, steps []step) (Look, bool) {
	if call.Failed || call.Pending || call.Background {
		return Look{}, false
	}
	l := Look{text: call.Output}
	all := true
	for _, st := range steps {
		switch baseName(st.words[0]) {
		case "cat", "tail", "head", "grep", "rg", "less", "sed", "awk", "wc", "egrep":
		case "sleep", "echo", "cd":
			continue
		default:
			all = false
			continue
		}
		for _, w := range st.words[1:] {
			if !slices.Contains(l.paths, w) {
				l.paths = append(l.paths, w)
			}
		}
	}
	if !all {
		// Among other commands only the client's own files can be told apart.
		l.paths = slices.DeleteFunc(l.paths, func(p string) bool { return !strings.HasSuffix(p, ".output") })
	}
	if len(tasksIn(l.paths)) > 1 {
		return Look{}, false // of which one is what it shows?
	}
	l.trailer(false)
	return l, len(l.paths) > 0
}

func tasksIn(paths []string) []string {
	var tasks []string
	for _, p := range paths {
		if strings.HasSuffix(p, ".output") && !slices.Contains(tasks, p) {
			tasks = append(tasks, p)
		}
	}
	return tasks
}

// trailer takes the line off by which the client ends the output file of a
// background task: "[exited with code 0]". Where the text is that of the file
// alone nothing may follow it.
func (l *Look) trailer(alone bool) {
	const open = "[exited with code "
	at := strings.LastIndex(l.text, open)
	if at < 0 || at > 0 && l.text[at-1] != '\n' {
		return
	}
	code, after, ok := strings.Cut(l.text[at+len(open):], "]")
	after = strings.TrimRight(after, "\r\n")
	if !ok || after != "" && (alone || !strings.HasPrefix(after, "\n")) {
		return
	}
	l.ended = true
	l.status, l.known = number(code)
	l.text = strings.TrimRight(l.text[:at], "\n")
}

// number reads a whole number.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil
}

// tags reads the answer of a tool that asks for a task's output.
func (l *Look) tags(text string) {
	head := text
	for _, mark := range [...]string{"<output>", "<stdout>", "<stderr>"} {
		head, _, _ = strings.Cut(head, mark)
	}
	switch status, _ := between(head, "<status>", "</status>"); status {
	case "running", "pending":
		l.running = true
	case "completed", "failed":
		l.ended = true
	case "killed":
		l.running = true // it never came to an end of its own
	}
	if code, ok := between(head, "<exit_code>", "</exit_code>"); ok {
		l.status, l.known = number(code)
	}
	l.text = text
	if body, ok := outerBetween(text, "<output>", "</output>"); ok {
		l.text = body
		return
	}
	out, hasOut := outerBetween(text, "<stdout>", "</stdout>")
	errs, hasErr := outerBetween(text, "<stderr>", "</stderr>")
	if hasOut || hasErr {
		l.text = out + "\n" + errs
	}
}

// LookOfNotice reads the client's word that a shell command in the background
// ended. Its summary quotes a description that the model wrote, so that only
// what stands behind it counts.
func LookOfNotice(text string) (Look, bool) {
	var l Look
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<task-notification>")
	if !ok {
		return l, false
	}
	head, _, _ := strings.Cut(rest, "<summary>")
	l.task, _ = between(head, "<task-id>", "</task-id>")
	l.call, _ = between(head, "<tool-use-id>", "</tool-use-id>")
	file, _ := between(head, "<output-file>", "</output-file>")
	status, _ := between(head, "<status>", "</status>")
	if l.task == "" && l.call == "" || status != "completed" && status != "failed" {
		return l, false
	}
	if file != "" {
		l.paths = []string{file}
	}
	l.ended = true
	summary, _ := outerBetween(rest, "<summary>", "</summary>")
	l.status, l.known = noticedStatus(summary, status == "failed")
	return l, true
}

// noticedStatus reads the end of a notice's summary: "… completed (exit code 0)",
// "… failed with exit code 1". A failure without a number is a failure.
func noticedStatus(summary string, failed bool) (int, bool) {
	said := summary[strings.LastIndexByte(summary, '"')+1:]
	for _, lead := range [...]string{"(exit code ", "with exit code "} {
		if _, code, ok := strings.Cut(said, lead); ok {
			end := strings.IndexFunc(code, func(r rune) bool { return r < '0' || r > '9' })
			if end < 0 {
				end = len(code)
			}
			return number(code[:end])
		}
	}
	return 1, failed
}

// File is the file in which the client keeps the output that the look is about;
// empty where the moment shows the output itself, or names no single file.
func (l Look) File() string {
	if l.text != "" || len(l.paths) != 1 {
		return ""
	}
	return l.paths[0]
}

// Showing is the look with the content of its file.
func (l Look) Showing(content string) Look {
	was := l
	l.text = content
	l.trailer(true)
	l.ended = true
	if was.known {
		l.status, l.known = was.status, true
	}
	return l
}

func between(s, open, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	mid, _, ok := strings.Cut(rest, end)
	return strings.TrimSpace(mid), ok
}

// outerBetween is between up to the last end: what is inside may hold the mark.
func outerBetween(s, open, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	at := strings.LastIndex(rest, end)
	if at < 0 {
		return "", false
	}
	return rest[:at], true
}

// unnumbered takes the line numbers off that a file is shown with: "   12→text",
// "12<tab>text". A text whose lines are not numbered one after the other stays.
func unnumbered(text string) string {
	var b strings.Builder
	next := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		end := strings.IndexFunc(trimmed, func(r rune) bool { return r < '0' || r > '9' })
		if end <= 0 {
			if next > 0 && strings.TrimSpace(line) == "" {
				continue
			}
			return text
		}
		n, err := strconv.Atoi(trimmed[:end])
		if err != nil || next > 0 && n != next {
			return text
		}
		rest, arrow := strings.CutPrefix(trimmed[end:], "→")
		if !arrow {
			var tab bool
			if rest, tab = strings.CutPrefix(trimmed[end:], "\t"); !tab {
				return text
			}
		}
		next = n + 1
		b.WriteString(rest)
	}
	return b.String()
}
