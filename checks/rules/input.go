package rules

import (
	"encoding/json"
	"strings"

	"agentguard/checks/mcp"
)

// edit is one file that a tool would write, read from the tool's input.
type edit struct {
	path    string
	content *string // the whole new content, where the tool replaces it
	changes []change
	deletes bool
}

// change is one replacement of text by an editing tool.
type change struct {
	old, new string
	all      bool
}

// toolInput holds the fields that file tools of the known clients use.
type toolInput struct {
	FilePath     string  `json:"file_path"`
	FilePath2    string  `json:"filePath"`
	NotebookPath string  `json:"notebook_path"`
	Path         string  `json:"path"`
	Content      *string `json:"content"`
	Contents     *string `json:"contents"`
	FileText     *string `json:"file_text"`
	NewSource    *string `json:"new_source"`
	OldString    *string `json:"old_string"`
	NewString    *string `json:"new_string"`
	ReplaceAll   bool    `json:"replace_all"`
	Edits        []struct {
		OldString  string `json:"old_string"`
		NewString  string `json:"new_string"`
		OldText    string `json:"oldText"`
		NewText    string `json:"newText"`
		ReplaceAll bool   `json:"replace_all"`
	} `json:"edits"`
	Input   json.RawMessage `json:"input"`
	Patch   json.RawMessage `json:"patch"`
	Command json.RawMessage `json:"command"`
}

// edits lists what a tool call would write. A tool that only reads gives none;
// an input that cannot be read gives none either, because the client would not
// run it.
func (s *scan) edits() []edit {
	if mcp.Is(s.ctx.Tool) {
		return mcpEdits(s.ctx.Call.Files)
	}
	if readingTool(s.ctx.Tool) || len(s.ctx.Input) == 0 {
		return nil
	}
	var in toolInput
	if err := json.Unmarshal(s.ctx.Input, &in); err != nil {
		// One field of another type must not hide the path.
		var loose map[string]json.RawMessage
		if json.Unmarshal(s.ctx.Input, &loose) != nil {
			return nil
		}
		for _, key := range []string{"file_path", "notebook_path", "path", "filePath"} {
			var p string
			if json.Unmarshal(loose[key], &p) == nil && p != "" {
				in = toolInput{FilePath: p, Content: new(string)}
				break
			}
		}
	}
	if s.ctx.Tool == "apply_patch" {
		return patchEdits(rawText(in.Input), rawText(in.Patch), rawText(in.Command))
	}
	e := edit{path: cmpOr(in.FilePath, cmpOr(in.NotebookPath, cmpOr(in.FilePath2, in.Path)))}
	for _, c := range []*string{in.Content, in.Contents, in.FileText} {
		if c != nil {
			e.content = c
		}
	}
	if in.NewString != nil {
		c := change{new: *in.NewString, all: in.ReplaceAll}
		if in.OldString != nil {
			c.old = *in.OldString
		}
		e.changes = append(e.changes, c)
	}
	for _, x := range in.Edits {
		e.changes = append(e.changes, change{cmpOr(x.OldString, x.OldText), cmpOr(x.NewString, x.NewText), x.ReplaceAll})
	}
	var out []edit
	writes := e.content != nil || len(e.changes) > 0 || in.NewSource != nil || in.NotebookPath != ""
	if e.path != "" && (writes || writingTool(s.ctx.Tool)) {
		out = append(out, e)
	}
	return out
}

// mcpEdits turns the files of an MCP tool's call into edits.
func mcpEdits(files []mcp.File) []edit {
	var out []edit
	for _, f := range files {
		e := edit{path: f.Path}
		switch {
		case len(f.Changes) > 0:
			for _, c := range f.Changes {
				e.changes = append(e.changes, change{c.Old, c.New, c.All})
			}
		case f.Whole:
			e.content = &f.Text
		case f.Text != "":
			e.changes = []change{{new: f.Text}} // added somewhere
		}
		out = append(out, e)
	}
	return out
}

func readingTool(name string) bool {
	return oneOf(name, "", "Bash", "Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "Task", "Agent", "Skill", "BashOutput", "KillShell", "KillBash", "ExitPlanMode", "AskUserQuestion", "shell", "exec_command", "view_image")
}

func writingTool(name string) bool {
	return oneOf(name, "Write", "Edit", "MultiEdit", "NotebookEdit") || containsAny(strings.ToLower(name), "write_file", "edit_file", "create_file", "delete_file", "str_replace")
}

func rawText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var words []string
	if json.Unmarshal(raw, &words) == nil {
		return strings.Join(words, "\n")
	}
	return ""
}

// patchEdits reads the headers of an apply_patch text. Its changes are not
// replayed: a patched settings file counts as edited in an unknown way.
func patchEdits(texts ...string) []edit {
	var out []edit
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
				if p, ok := strings.CutPrefix(strings.TrimSpace(line), head); ok {
					out = append(out, edit{path: strings.TrimSpace(p), deletes: strings.Contains(head, "Delete")})
				}
			}
		}
	}
	return out
}

// after is the content of a file once the edit is done; ok=false where it
// cannot be told.
func (e edit) after(before string) (string, bool) {
	if e.content != nil {
		return *e.content, true
	}
	if len(e.changes) == 0 {
		return "", false
	}
	text := before
	for _, c := range e.changes {
		switch {
		case c.old == "" && text == "":
			text = c.new
		case c.old == "" || !strings.Contains(text, c.old):
			return text, text != before // the tool refuses; nothing more is known
		case c.all:
			text = strings.ReplaceAll(text, c.old, c.new)
		default:
			text = strings.Replace(text, c.old, c.new, 1)
		}
	}
	return text, true
}
