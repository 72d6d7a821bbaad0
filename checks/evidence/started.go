package evidence

import (
	"path"
	"slices"
	"strings"

	"agentguard/hook/transcript"
)

// Started is a shell call whose runs were not seen to end: it went on in the
// background, or its output went elsewhere.
type Started struct {
	ID     string `json:"id"`
	Source string `json:"src"`           // the shell text
	Dir    string `json:"dir,omitempty"` // the folder it was started in
	// Task is the client's id of the background task that the call became; empty
	// for a call that ended.
	Task string `json:"task,omitempty"`
	// Shown is what was shown of its output so far, where it is shown in pieces.
	Shown string `json:"-"`
}

// StartedBy makes it of the call with this shell text.
func StartedBy(call transcript.Call, src, dir string) Started {
	s := Started{ID: call.ID, Source: src, Dir: dir, Task: call.Task}
	switch {
	case s.Task != "":
	case call.NoStatus:
		_, s.Task = PlainCall(call.Output)
	case call.Background:
		s.Task = taskNamed(call.Output)
	}
	return s
}

// Traced tells that something later can show how the call's runs ended.
func (s Started) Traced() bool { return s.Task != "" || len(logsOf(s.Source)) > 0 }

// taskNamed reads the id of a background task from the text that the client
// answers with: "… in background with ID: b1. …", "… to the background (ID: b1)".
func taskNamed(text string) string {
	for _, lead := range [...]string{"background with ID: ", "by user with ID: ", "background (ID: "} {
		if _, rest, ok := strings.Cut(text, lead); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune(taskLetters, r) })
			if end < 0 {
				end = len(rest)
			}
			return rest[:end]
		}
	}
	return ""
}

const taskLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// shownIn tells that a look shows the output of the client's background task.
func (s Started) shownIn(l Look) bool {
	switch {
	case l.call != "" && l.call == s.ID:
		return true
	case s.Task == "" || l.call != "":
		return false
	case l.task != "":
		return l.task == s.Task
	}
	return slices.ContainsFunc(l.paths, func(p string) bool { return p[strings.LastIndexAny(p, `/\`)+1:] == s.Task+".output" })
}

// loggedTo tells that the call's text sent output into one of the files that a
// look shows.
func (s Started) loggedTo(l Look) bool {
	logs := logsOf(s.Source)
	return slices.ContainsFunc(l.paths, func(p string) bool {
		if slices.ContainsFunc(logs, func(log string) bool { return log == p || path.Join(s.Dir, log) == path.Clean(p) }) {
			return true
		}
		return path.IsAbs(p) && len(logs) > 0 && strings.Contains(s.Source, p) // by a variable
	})
}

// logsOf lists the files to which a shell text sends output, as written.
func logsOf(src string) []string {
	var logs []string
	tee := false
	toks := tokenize(src)
	for i, t := range toks {
		switch {
		case t.redirect:
			if i+1 == len(toks) || toks[i+1].op || !strings.Contains(t.text, ">") {
				continue
			}
			if to := toks[i+1].text; !strings.HasPrefix(to, "/dev/") && !(strings.HasSuffix(t.text, "&") && strings.Trim(to, "0123456789") == "") {
				logs = append(logs, to)
			}
		case t.op:
			tee = false
		case tee && !strings.HasPrefix(t.text, "-"):
			logs = append(logs, t.text)
		case t.text == "tee":
			tee = true
		}
	}
	return logs
}

// Settled returns what a look shows of how the call's runs ended; none where it
// does not tell.
func (s Started) Settled(l Look, verify Verify) []Run {
	var runs []Run
	for _, r := range s.settle(l, verify) {
		runs = append(runs, *r.run)
	}
	return runs
}

func (s *Started) settle(l Look, verify Verify) []endedRun {
	switch {
	case s.shownIn(l):
		return s.ended(l, verify)
	case s.loggedTo(l) && strings.TrimSpace(l.text) != "":
		return s.logged(l, verify)
	}
	return nil
}

// ended reads the runs of a background task as if the call had ended now.
func (s *Started) ended(l Look, verify Verify) []endedRun {
	if l.piece {
		s.Shown += l.text
		l.text = s.Shown
	}
	if l.running {
		return nil
	}
	c := Call{Output: l.text, NoStatus: !l.known}
	if l.known && l.status != 0 {
		c.Failed, c.Output = true, exitLine(l.status)+l.text
	}
	list := Recognise(s.Source, verify)
	return slices.DeleteFunc(endedRuns(s.Source, list, c, s.ID), func(r endedRun) bool {
		if r.run.Outcome == Background {
			return true // started with & inside the call
		}
		if l.known || l.ended {
			return false
		}
		// It may still be running: only what the rest cannot change counts.
		return r.run.Outcome != Failed && !(r.run.Outcome == Passed && r.closed())
	})
}

// closed tells that the output that was read so far ends a run: its runner sums
// up once, at the end. Those that sum up each package may have more to come.
func (r endedRun) closed() bool {
	return r.run.Counts.Passed > 0 && !strings.HasPrefix(r.v.Runner, "go ") && !strings.HasPrefix(r.v.Runner, "cargo")
}

// logged reads the last run of the text whose output may have gone to the file.
func (s *Started) logged(l Look, verify Verify) []endedRun {
	list := Recognise(s.Source, verify)
	for _, v := range slices.Backward(list) {
		if s.Task == "" && !v.Background && !v.Masked && !v.Quiet {
			continue
		}
		v.Background, v.Masked, v.Quiet = false, true, false
		for _, r := range endedRuns("", []Verification{v}, Call{Output: l.text}, s.ID) {
			if r.run.Outcome != Masked && r.run.Outcome != Unknown {
				return []endedRun{r}
			}
		}
		return nil
	}
	return nil
}
