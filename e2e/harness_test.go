package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/e2e/client"
	"agentguard/e2e/model"
)

// Without guards the model gets its way. A story that passes here too would prove nothing.
func TestWithoutGuards(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.sh("git commit -q --allow-empty -m second && git push -q && git reset -q --hard HEAD~1")
	s.play("tidy up",
		step{does: model.Bash("git push --force origin main"), hears: `forced update`, misses: `is_error|\[[a-z-]+\] `},
		step{does: model.Write(s.abs(".env"), "KEY=1\n"), misses: `is_error`},
		step{does: model.Say("I'll commit this now.")},
	)
	if s.sh("git ls-remote origin main") != s.sh("git rev-parse HEAD")+"\trefs/heads/main" {
		t.Error("the push did not reach the remote: the guarded story could not tell a denial from a push that fails")
	}
	if s.read(".env") != "KEY=1\n" {
		t.Error("the file was not written")
	}
}

// A hook of three lines shows that the harness sees denials, blocks and reasons when there are some.
func TestHarnessSeesDenialsAndBlocks(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	hook := filepath.Join(s.home, "hook.sh")
	s.write(hook, `#!/bin/sh
in=$(cat)
case $in in
*'"hook_event_name":"Stop"'*'"stop_hook_active":false'*) echo '{"decision":"block","reason":"[stop-once] run the tests"}' ;;
*'"hook_event_name":"PreToolUse"'*'rm -rf'*)
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[no-rm] not here"}}' ;;
esac
`)
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	entry := `[{"hooks":[{"type":"command","command":"` + hook + `"}]}]`
	s.write(".claude/settings.json", `{"hooks":{"PreToolUse":`+entry+`,"Stop":`+entry+`}}`)
	s.play("clean up",
		step{does: model.Bash("rm -rf build && touch ran-anyway"), hears: `(?s)is_error.*\[no-rm\] not here`},
		step{does: model.Say("Denied, fine."), hears: `\[stop-once\] run the tests`},
		step{does: model.Say("All done.")},
	)
	if s.blocks() != 1 || len(s.result.Of("Stop")) != 2 {
		t.Errorf("%d blocks in %d Stop hooks, want 1 in 2", s.blocks(), len(s.result.Of("Stop")))
	}
	if len(s.result.Denied) != 1 || s.result.Final != "All done." {
		t.Errorf("denied %v, final %q", s.result.Denied, s.result.Final)
	}
	if _, err := os.Stat(s.abs("ran-anyway")); err == nil {
		t.Error("the denied command ran")
	}
}

// The pinned version must be the one that is installed, or a note of what was tested would be wrong.
func TestClientIsThePinnedOne(t *testing.T) {
	c := realClient(t)
	if os.Getenv(client.PathVariable) != "" {
		t.Skip("another client was asked for by " + client.PathVariable)
	}
	if got := newStory(t).sh(c.Path + " --version"); !strings.HasPrefix(got, client.Version()+" ") {
		t.Errorf("client says %q, pinned is %s", got, client.Version())
	}
}

// outsideTemp makes a folder for one story. What lies in a temp folder is thrown away anyway, so that the guards let pass
// there what they refuse in a project.
func outsideTemp(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "agentguard-e2e")
		err = os.MkdirAll(cache, 0o700)
	}
	if err != nil {
		t.Skip("no folder outside of the temp folders: ", err)
	}
	dir, err := os.MkdirTemp(cache, "story-") //nolint:usetesting // a temp folder is what it must not be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
