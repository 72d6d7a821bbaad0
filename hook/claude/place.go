package claude

import (
	"bytes"
	"time"

	"github.com/tidwall/gjson"
)

// Place is where and when a line of a session file was written, and by whom.
// What the line does not say is empty: older clients and exports leave out much.
type Place struct {
	Session string
	Agent   string // id of the subagent; empty for the session itself
	ID      string // of the line
	Parent  string // of the line before it in the conversation
	CWD     string
	Branch  string
	// HasBranch tells that the line says what is checked out; an empty Branch then
	// means that CWD lies in no repository.
	HasBranch bool
	Mode      string // the permission mode, on lines of the user
	Time      time.Time
	Sidechain bool // a subagent's line
	Summary   bool // the client's summary of what came before
	// Wrote is the file that the line's result tells was written, and Before what
	// it held; Existed is false where it was new.
	Wrote, Before string
	Existed       bool
	// Launched is the id of the subagent whose result the line holds.
	Launched string
}

// LinePlace reads the place of one line of a session file. It returns false for
// what is no JSON object.
func LinePlace(line []byte) (Place, bool) {
	var p Place
	whole := gjson.ParseBytes(line)
	if !whole.IsObject() {
		return p, false
	}
	whole.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "sessionId":
			p.Session = value.Str
		case "agentId":
			p.Agent = value.Str
		case "uuid":
			p.ID = value.Str
		case "parentUuid":
			p.Parent = value.Str
		case "cwd":
			p.CWD = value.Str
		case "gitBranch":
			p.Branch, p.HasBranch = value.Str, true
		case "permissionMode":
			p.Mode = value.Str
		case "timestamp":
			p.Time, _ = time.Parse(time.RFC3339, value.Str) //nolint:errcheck // no time is the zero time
		case "isSidechain":
			p.Sidechain = value.Bool()
		case "isCompactSummary":
			p.Summary = value.Bool()
		case "toolUseResult":
			if value.IsObject() {
				p.result(value)
			}
		}
		return true
	})
	return p, true
}

// result takes what a tool's own result says beside its text.
func (p *Place) result(value gjson.Result) {
	p.Launched = value.Get("agentId").Str
	before := value.Get("originalFile")
	if before.Type == gjson.String || value.Get("type").Str == "create" {
		p.Wrote, p.Before, p.Existed = value.Get("filePath").Str, before.Str, before.Type == gjson.String
	}
}

// Embedded returns the line of a subagent that a progress line of its session
// repeats, with the subagent's id and the id of the call that launched it.
// Clients up to 2.1 write them.
func Embedded(line []byte) (inner []byte, agent, launchedBy string, ok bool) {
	if !bytes.Contains(line, []byte(`"agent_progress"`)) || gjson.GetBytes(line, "type").Str != "progress" {
		return nil, "", "", false
	}
	data := gjson.GetBytes(line, "data")
	message := data.Get("message")
	if data.Get("type").Str != "agent_progress" || !message.IsObject() {
		return nil, "", "", false
	}
	return []byte(message.Raw), data.Get("agentId").Str, gjson.GetBytes(line, "parentToolUseID").Str, true
}
