package policy

import (
	"bytes"
	"errors"
	"reflect"

	"agentguard/settings"
)

// Case is one test of a policy: a call and what must become of it. A case file
// has one on each line.
type Case struct {
	Run     string            `json:"run" doc:"A shell command. It is never run."`
	Write   string            `json:"write" doc:"A file that a tool writes, relative to the folder."`
	Content string            `json:"content" doc:"What is written."`
	Stop    string            `json:"stop" doc:"A closing message."`
	Tool    string            `json:"tool" doc:"Name of another tool."`
	Input   map[string]string `json:"input" doc:"That tool's input."`
	Cwd     string            `json:"cwd" doc:"Folder of the session, relative to the project."`
	Expect  string            `json:"expect" required:"true" choices:"deny,ask,allow,pass,rewrite,block" doc:"What must happen; pass is allow, block is deny at the end of a turn."`
	Check   string            `json:"check" doc:"The check that must decide."`
	Rule    string            `json:"rule" doc:"The rule that must decide."`
	// Where is the place of the case, file:line:col.
	Where string `json:"-"`
}

// Wants is the decision that the case expects, in one word for each meaning.
func (c Case) Wants() string {
	switch c.Expect {
	case "pass":
		return "allow"
	case "block":
		return "deny"
	default:
		return c.Expect
	}
}

// DecodeCases reads a case file: a JSON object on each line, empty lines and
// lines with comments apart. It returns the cases that are right and every
// problem.
func DecodeCases(src []byte, path string) ([]Case, []Problem) {
	var cases []Case
	var problems []Problem
	line := 0
	for text := range bytes.Lines(src) {
		line++
		trimmed := bytes.TrimSpace(text)
		if len(trimmed) == 0 || bytes.HasPrefix(trimmed, []byte("//")) {
			continue
		}
		c, found := decodeCase(text, path, line)
		for i := range found {
			found[i].Layer = Team
		}
		problems = append(problems, found...)
		if len(found) == 0 {
			cases = append(cases, c)
		}
	}
	return cases, problems
}

func decodeCase(text []byte, path string, line int) (Case, []Problem) {
	var c Case
	d := decoder{layer: Team, path: path, before: line - 1}
	doc, err := settings.Parse(text)
	if err != nil {
		at := 1
		if syntax, ok := errors.AsType[*settings.SyntaxError](err); ok {
			at = syntax.Col
		}
		return c, []Problem{{Path: path, Line: line, Col: at, Message: "this line is not one JSON object: " + err.Error()}}
	}
	d.doc = doc
	d.value(doc.Root, reflect.ValueOf(&c).Elem(), "case", "")
	if len(d.problems) > 0 {
		return c, d.problems
	}
	given := 0
	for _, set := range []bool{c.Run != "", c.Write != "", c.Stop != "", c.Tool != ""} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		d.problem(doc.Root.Start, "a case says one of run, write, stop or tool; this one says %d", given)
	case c.Content != "" && c.Write == "":
		d.problem(doc.Root.Start, "content needs \"write\": the file that it goes into")
	case c.Input != nil && c.Tool == "":
		d.problem(doc.Root.Start, "input needs \"tool\": the tool that it goes to")
	}
	c.Where = d.where(doc.Root.Start)
	return c, d.problems
}
