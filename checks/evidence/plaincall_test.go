package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/hook/transcript"
)

func TestPlainCall(t *testing.T) {
	for _, c := range []struct {
		name, text, task string
		want             Call
	}{
		{"output alone", "ok  \tx\t0.1s\n", "", Call{Output: "ok  \tx\t0.1s\n", NoStatus: true}},
		{"nothing", "", "", Call{NoStatus: true}},
		{
			"exited well", "Chunk ID: 93ee59\nWall time: 0.3 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nall good\n", "",
			Call{Output: "all good\n"},
		},
		{
			"failed", "Chunk ID: 93ee59\nWall time: 0.3 seconds\nProcess exited with code 2\nOriginal token count: 3\nOutput:\nbad\n", "",
			Call{Output: "Exit code 2\nbad\n", Failed: true},
		},
		{"older head", "Exit code: 1\nWall time: 1.2 seconds\nOutput:\nbad", "", Call{Output: "Exit code 1\nbad", Failed: true}},
		{"no output", "Exit code: 0\nWall time: 1.2 seconds\nOutput:", "", Call{}},
		{
			"still running", "Chunk ID: 9\nWall time: 10.0 seconds\nProcess running with session ID 4242\nOutput:\n...", "4242",
			Call{Output: "...", Background: true, NoStatus: true},
		},
		{"cell still running", "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n", "7", Call{Background: true, NoStatus: true}},
		{"object", `{"output":"bad\n","metadata":{"exit_code":1,"duration_seconds":0.1}}`, "", Call{Output: "Exit code 1\nbad\n", Failed: true}},
		{"object without a status", `{"output":"fine"}`, "", Call{Output: "fine", NoStatus: true}},
		{"an object that the command printed", `{"a":1}`, "", Call{Output: `{"a":1}`, NoStatus: true}},
		{
			"a head in the command's own output", "1\n2\n3\n4\n5\n6\n7\n8\nExit code: 0\nOutput:\nx", "",
			Call{Output: "1\n2\n3\n4\n5\n6\n7\n8\nExit code: 0\nOutput:\nx", NoStatus: true},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, task := PlainCall(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" || task != c.task {
				t.Errorf("task %q, want %q\n%s", task, c.task, diff)
			}
		})
	}
}

func TestShellText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"command":"go test ./..."}`, "go test ./..."},
		{`{"cmd":"go test ./..."}`, "go test ./..."},
		{`{"command":["bash","-lc","cd x && go test ./..."]}`, "cd x && go test ./..."},
		{`{"command":["go","test","./it's here"]}`, `'go' 'test' './it'\''s here'`},
		{`{"command":""}`, ""},
		{`{}`, ""},
		{`x`, ""},
	} {
		if got := ShellText([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestStarted(t *testing.T) {
	for _, c := range []struct {
		name   string
		call   transcript.Call
		source string
		task   string
		traced bool
	}{
		{"ended, output shown", transcript.Call{}, "pytest 2>&1 | tail -3", "", false},
		{"ended, output dropped", transcript.Call{}, "pytest > /dev/null 2>&1", "", false},
		{"ended, output in a file", transcript.Call{}, "pytest > out.log 2>&1", "", true},
		{"ended, output in a file too", transcript.Call{}, "pytest |& tee -a out.log", "", true},
		{"the client's field", transcript.Call{Background: true, Task: "b1", Output: "with ID: b2"}, "pytest", "b1", true},
		{"asked for", transcript.Call{Background: true, Output: "Command running in background with ID: b1. Output is"}, "pytest", "b1", true},
		{"moved", transcript.Call{Background: true, Output: "x\nCommand did not complete within its 2s timeout and was moved to the background (ID: b1). It"}, "pytest", "b1", true},
		{"by a person", transcript.Call{Background: true, Output: "Command was manually backgrounded by user with ID: b1. Output"}, "pytest", "b1", true},
		{"of a client with sessions", transcript.Call{NoStatus: true, Output: "Process running with session ID 7\nOutput:\n"}, "pytest", "7", true},
		{"text that only says so", transcript.Call{Output: "Command running in background with ID: b1."}, "pytest", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := StartedBy(c.call, c.source, "/r")
			if s.Task != c.task || s.Traced() != c.traced {
				t.Errorf("task %q, traced %v; want %q, %v", s.Task, s.Traced(), c.task, c.traced)
			}
		})
	}
}

// TestPlainTalk reads runs of a client that tells no exit status by itself.
func TestPlainTalk(t *testing.T) {
	const head = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess "
	call := func(id, tool, input, output string) transcript.Call {
		return transcript.Call{ID: id, Tool: tool, Input: []byte(input), Output: output, NoStatus: true}
	}
	test := func(output string) transcript.Call { return call("1", "exec_command", `{"cmd":"pytest"}`, output) }
	poll := func(session, output string) transcript.Call {
		return call("2", "write_stdin", `{"session_id":`+session+`}`, output)
	}
	for _, c := range []struct {
		name  string
		want  Standing
		calls []transcript.Call
	}{
		{"passed", Supported, []transcript.Call{test(head + "exited with code 0\nOutput:\n..")}},
		{"failed", StandingFailed, []transcript.Call{test(head + "exited with code 1\nOutput:\n.F")}},
		{"output alone, passed", Supported, []transcript.Call{test("3 passed in 0.1s")}},
		{"output alone, failed", StandingFailed, []transcript.Call{test("1 failed, 2 passed in 0.1s")}},
		{"output alone that does not tell", StandingUnknown, []transcript.Call{test("..")}},
		{"still running", BackgroundOnly, []transcript.Call{test(head + "running with session ID 7\nOutput:\n.")}},
		{"still running, and asked", BackgroundOnly, []transcript.Call{
			test(head + "running with session ID 7\nOutput:\n."), poll("7", head+"running with session ID 7\nOutput:\n."),
		}},
		{"asked again at its end", Supported, []transcript.Call{
			test(head + "running with session ID 7\nOutput:\n."), poll("7", head+"running with session ID 7\nOutput:\n."), poll("7", head+"exited with code 0\nOutput:\n."),
		}},
		{"asked at its bad end", StandingFailed, []transcript.Call{
			test(head + "running with session ID 7\nOutput:\n.F"), poll("7", head+"exited with code 1\nOutput:\n."),
		}},
		{"asked for another", BackgroundOnly, []transcript.Call{
			test(head + "running with session ID 7\nOutput:\n."), poll("8", head+"exited with code 0\nOutput:\n."),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Assess(t.Context(), Input{Turns: []transcript.Turn{{Calls: c.calls}}, Reader: Reader{Dir: "/r"}})
			if a.Standing != c.want {
				t.Errorf("%s, want %s: %s", a.Standing, c.want, a.Why)
			}
		})
	}
}
