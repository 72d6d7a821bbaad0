package evidence

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"agentguard/hook/transcript"
)

// CallOf is how a call of a conversation or of an event ended.
func CallOf(call transcript.Call) Call {
	if call.NoStatus && !call.Failed {
		c, _ := PlainCall(call.Output)
		c.Background = c.Background || call.Background
		return c
	}
	return Call{Output: call.Output, Failed: call.Failed, Background: call.Background, NoStatus: call.NoStatus}
}

// PlainCall reads how a command ended from the one text that some clients give
// (Codex): its output alone, or behind a head that names the exit status. task
// is the id under which a command that still runs can be asked. Where the text
// does not tell the status, NoStatus is set.
func PlainCall(text string) (c Call, task string) {
	if strings.HasPrefix(text, "{") && gjson.Valid(text) {
		doc := gjson.Parse(text)
		if out := doc.Get("output"); out.Type == gjson.String {
			if code := doc.Get("metadata.exit_code"); code.Type == gjson.Number {
				return withStatus(out.Str, int(code.Int())), ""
			}
			return Call{Output: out.Str, NoStatus: true}, ""
		}
	}
	head, body, ok := strings.Cut(text, "\nOutput:\n")
	if !ok {
		if head, ok = strings.CutSuffix(text, "\nOutput:"); !ok {
			return Call{Output: text, NoStatus: true}, ""
		}
	}
	if strings.Count(head, "\n") > 6 {
		return Call{Output: text, NoStatus: true}, "" // "Output:" stands in the output
	}
	c = Call{Output: text, NoStatus: true}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		for _, lead := range [...]string{"Process exited with code ", "Exit code: ", "exit code: "} {
			if code, has := strings.CutPrefix(line, lead); has {
				if n, known := number(code); known {
					c = withStatus(body, n)
				}
			}
		}
		for _, lead := range [...]string{"Process running with session ID ", "Script running with cell ID "} {
			if id, has := strings.CutPrefix(line, lead); has {
				return Call{Output: body, Background: true, NoStatus: true}, strings.TrimSpace(id)
			}
		}
	}
	return c, ""
}

// withStatus makes the call whose exit status is known.
func withStatus(output string, status int) Call {
	if status == 0 {
		return Call{Output: output}
	}
	return Call{Output: exitLine(status) + output, Failed: true}
}

// exitLine is the first line of a failed call's output.
func exitLine(status int) string { return fmt.Sprintf("Exit code %d\n", status) }
