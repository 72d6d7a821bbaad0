package claude

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"agentguard/hook/transcript"
)

// History reads the end of a session file. Line types that it does not know are
// passed over, so that transcripts of other client versions still read.
// sidechain must be true for a subagent's own file, whose lines are all marked
// as a side chain; in a session's file of an older client such lines are a
// subagent's and not the session's.
func (Client) History(path string, sidechain bool, l transcript.Limits) (transcript.History, error) {
	return transcript.Read(path, l, func(line []byte) (transcript.Entry, bool) {
		return parseLine(line, sidechain)
	})
}

// Line translates one line of a session file, read in any direction.
func (Client) Line(line []byte, sidechain bool) (transcript.Entry, bool) {
	return parseLine(line, sidechain)
}

// maxOutput is how much of a tool's result is kept: its head, and more of its
// tail, where test runners put their summary.
const (
	maxOutputHead = 16 << 10
	maxOutputTail = 48 << 10
)

// Subagent names the file that holds the conversation of a subagent of a session,
// by the session's own file; it is empty where there is none. A subagent may
// have started the other: its file stands beside the other's then.
func (Client) Subagent(session, id string) string {
	if session == "" || id == "" || len(id) > 80 || strings.Trim(id, idLetters) != "" {
		return "" // an id is no path
	}
	dir, name := filepath.Dir(session), "agent-"+id+".jsonl"
	for _, path := range []string{
		filepath.Join(strings.TrimSuffix(session, ".jsonl"), "subagents", name),
		filepath.Join(dir, name), // beside another subagent's file, and where older clients put it
	} {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

const idLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// parseLine translates one line of a session file.
func parseLine(line []byte, sidechain bool) (transcript.Entry, bool) {
	var e transcript.Entry
	// Only these kinds carry conversation; the prefilter spares parsing the large
	// bookkeeping lines, which also repeat hook feedback.
	noticed := bytes.Contains(line, []byte(noticeStart))
	if !noticed && !bytes.Contains(line, []byte(`"message"`)) {
		return e, false
	}
	kind := gjson.GetBytes(line, "type").Str
	if kind != "user" && kind != "assistant" && (kind != "attachment" || !noticed) {
		return e, false
	}
	if gjson.GetBytes(line, "isSidechain").Bool() && !sidechain {
		return e, false
	}
	at, _ := time.Parse(time.RFC3339, gjson.GetBytes(line, "timestamp").Str) //nolint:errcheck // no time is the zero time
	content := gjson.GetBytes(line, "message.content")
	switch kind {
	case "assistant":
		assistantLine(&e, line, content, at)
	case "attachment":
		// What came in the middle of a turn.
		if a := gjson.GetBytes(line, "attachment"); a.Get("type").Str == "queued_command" {
			addNotice(&e, resultText(a.Get("prompt")), at)
		}
	default:
		userLine(&e, line, content, at)
	}
	return e, e.Prompt || len(e.Texts)+len(e.Calls)+len(e.Results)+len(e.Notices) > 0
}

// noticeStart begins the client's word that a background task ended.
const noticeStart = "<task-notification>"

func addNotice(e *transcript.Entry, text string, at time.Time) bool {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, noticeStart) {
		return false
	}
	e.Notices = append(e.Notices, transcript.Notice{Text: text, Time: at})
	return true
}

func assistantLine(e *transcript.Entry, line []byte, content gjson.Result, at time.Time) {
	id := gjson.GetBytes(line, "message.id").Str
	if content.Type == gjson.String {
		e.Texts = append(e.Texts, transcript.Text{MessageID: id, Text: content.Str})
		return
	}
	content.ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "text":
			if text := block.Get("text").Str; strings.TrimSpace(text) != "" {
				e.Texts = append(e.Texts, transcript.Text{MessageID: id, Text: text})
			}
		case "tool_use":
			input := block.Get("input")
			e.Calls = append(e.Calls, transcript.Call{
				ID: block.Get("id").Str, Tool: block.Get("name").Str, Input: []byte(input.Raw),
				Background: input.Get("run_in_background").Bool(), Dir: gjson.GetBytes(line, "cwd").Str, Time: at,
			})
		}
		return true
	})
}

func userLine(e *transcript.Entry, line []byte, content gjson.Result, at time.Time) {
	var text strings.Builder
	if content.Type == gjson.String {
		text.WriteString(content.Str)
	}
	if content.IsArray() {
		content.ForEach(func(_, block gjson.Result) bool {
			switch block.Get("type").Str {
			case "tool_result":
				result := gjson.GetBytes(line, "toolUseResult")
				task := result.Get("backgroundTaskId")
				e.Results = append(e.Results, transcript.Call{
					ID: block.Get("tool_use_id").Str, Output: resultText(block.Get("content")),
					Failed:     block.Get("is_error").Bool(),
					Background: task.Exists(), Task: task.Str, Agent: result.Get("agentId").Str,
				})
			case "text":
				text.WriteString(block.Get("text").Str)
			}
			return true
		})
	}
	if len(e.Results) > 0 || text.Len() == 0 {
		return
	}
	if gjson.GetBytes(line, "isMeta").Bool() || gjson.GetBytes(line, "isCompactSummary").Bool() {
		return
	}
	if addNotice(e, text.String(), at) || notUsers(text.String()) {
		return
	}
	e.Prompt, e.User = true, text.String()
}

// notUsers tells texts that the client itself puts into user lines.
func notUsers(text string) bool {
	text = strings.TrimSpace(text)
	for _, p := range []string{
		"<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
		"<bash-stdout>", "<bash-stderr>", "<system-reminder>", "Stop hook feedback:", "[Request interrupted by user",
	} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func resultText(content gjson.Result) string {
	s := content.Str
	if content.IsArray() {
		var b strings.Builder
		content.ForEach(func(_, block gjson.Result) bool {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(block.Get("text").Str)
			return true
		})
		s = b.String()
	}
	if len(s) > maxOutputHead+maxOutputTail {
		s = s[:maxOutputHead] + "\n…\n" + s[len(s)-maxOutputTail:]
	}
	return s
}
