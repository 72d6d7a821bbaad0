package mcp

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, tool, input string
		want              Call
	}{
		{"no MCP tool", "Bash", `{"command":"ls"}`, Call{}},
		{"input that is no object", "mcp__fs__write_file", `[1]`, Call{Server: "fs", Tool: "write_file"}},
		{"write", "mcp__fs__write_file", `{"path":"a","content":"x"}`, Call{Server: "fs", Tool: "write_file", Files: []File{{Path: "a", Text: "x", Whole: true}}}},
		{"write of nothing", "mcp__fs__write_file", `{"path":"a","content":""}`, Call{Server: "fs", Tool: "write_file", Files: []File{{Path: "a", Whole: true}}}},
		{"append", "mcp__fs__append_file", `{"path":"a","content":"x"}`, Call{Server: "fs", Tool: "append_file", Files: []File{{Path: "a", Text: "x"}}}},
		{"edits", "mcp__fs__edit_file", `{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"z","newText":""}]}`, Call{Server: "fs", Tool: "edit_file", Files: []File{{Path: "a", Changes: []Change{{"x", "y", false}, {"z", "", false}}}}}},
		{"several files", "mcp__fs__write_files", `{"files":[{"path":"a","content":"x"},{"path":"b","content":"y"}]}`, Call{Server: "fs", Tool: "write_files", Files: []File{{Path: "a", Text: "x", Whole: true}, {Path: "b", Text: "y", Whole: true}}}},
		{"wrapped", "mcp__fs__write_file", `{"request":{"path":"a","content":"x"}}`, Call{Server: "fs", Tool: "write_file", Files: []File{{Path: "a", Text: "x", Whole: true}}}},
		{"address instead of a path", "mcp__web__save", `{"uri":"https://example.com/a","content":"x"}`, Call{Server: "web", Tool: "save"}},
		{"move", "mcp__fs__move_file", `{"source":"a b","destination":"c"}`, Call{Server: "fs", Tool: "move_file", Script: "mv -- 'a b' c"}},
		{"deletion of a folder", "mcp__fs__delete_directory", `{"path":"a"}`, Call{Server: "fs", Tool: "delete_directory", Script: "rm -r -- a"}},
		{"command with words", "mcp__sh__run", `{"command":"git","args":["commit","-m","a b"],"cwd":"/r"}`, Call{Server: "sh", Tool: "run", Script: "cd /r && git commit -m 'a b'"}},
		{"words alone", "mcp__sh__exec", `{"cmd":["rm","-rf","x y"]}`, Call{Server: "sh", Tool: "exec", Script: "rm -rf 'x y'"}},
		{"program left out", "mcp__terraform__execute", `{"command":"plan"}`, Call{Server: "terraform", Tool: "execute", Script: "terraform plan"}},
		{"other machine", "mcp__ssh__exec", `{"host":"h","command":"ls"}`, Call{Server: "ssh", Tool: "exec", Script: "ssh h ls"}},
		{"git push", "mcp__git__git_push", `{"path":"/r","remote":"origin","branch":"main","forceWithLease":true}`, Call{Server: "git", Tool: "git_push", Script: "git -C /r push --force-with-lease origin main"}},
		{"git status", "mcp__git__git_status", `{"repo_path":"/r"}`, Call{Server: "git", Tool: "git_status"}},
		{"sql", "mcp__db__run_sql", `{"sql":"select 1","database":"app"}`, Call{Server: "db", Tool: "run_sql", Script: "psql -h server -d app -c 'select 1'"}},
		{"words to search for", "mcp__docs__query", `{"query":"drop table"}`, Call{Server: "docs", Tool: "query"}},
		{"files on a forge", "mcp__github__push_files", `{"owner":"o","repo":"r","files":[{"path":"a","content":"x"}]}`, Call{Server: "github", Tool: "push_files", Script: "gh api -X PUT repos/o/r/contents", Sent: []File{{Path: "a", Text: "x", Whole: true}}}},
		{"browser", "mcp__playwright__browser_type", `{"path":".env","text":"x"}`, Call{Server: "playwright", Tool: "browser_type"}},
		{"unknown verb", "mcp__acme__deleteProject", `{"id":"1"}`, Call{Server: "acme", Tool: "deleteProject", Act: "deletes or ends something that acme keeps."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Read(c.tool, json.RawMessage(c.input))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzRead: no input crashes the reader, and text for people gives no command.
func FuzzRead(f *testing.F) {
	f.Add("mcp__fs__write_file", `{"path":"a","content":"x"}`)
	f.Add("mcp__git__git_push", `{"force":true,"args":[1]}`)
	f.Add("mcp____", `{"a":{"a":{"a":null}}}`)
	f.Add("mcp__x", `null`)
	f.Fuzz(func(t *testing.T, tool, input string) {
		c := Read("mcp__playwright__"+tool, json.RawMessage(input))
		if c.Script != "" || len(c.Files) > 0 || c.Act != "" {
			t.Errorf("%q %q: %+v", tool, input, c)
		}
		Read(tool, json.RawMessage(input))
	})
}
