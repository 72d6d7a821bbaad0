package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// caseWorld is the repository and the session file that a labelled message stands in.
type caseWorld struct {
	dir, repo string
	begin     time.Time
}

var editTools = []string{"Edit", "Write", "MultiEdit", "NotebookEdit"}

func (w caseWorld) git(when time.Time, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", w.repo, "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"}, args...)...)
	stamp := fmt.Sprintf("%d +0000", when.Unix())
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.invalid",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.invalid", "GIT_AUTHOR_DATE=" + stamp, "GIT_COMMITTER_DATE=" + stamp,
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func (w caseWorld) put(name, text string) error {
	name = filepath.Join(w.repo, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// repository makes the case's repository and returns the short id of HEAD.
func (w caseWorld) repository(c judgeCase) (string, error) {
	if err := os.MkdirAll(w.repo, 0o755); err != nil {
		return "", err
	}
	calls := c.Context.ToolCalls
	if p := c.Context.PriorTurn; p != nil {
		calls = append(slices.Clone(p.ToolCalls), calls...)
	}
	var files []string
	made := map[string]bool{}
	for _, call := range calls {
		name, _ := call.Input["file_path"].(string)
		if name == "" || !slices.Contains(editTools, call.Tool) {
			continue
		}
		made[name] = made[name] || call.Tool == "Write"
		if !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	changed := files
	if len(changed) == 0 {
		changed = []string{"README.md"}
	}
	steps := []func() error{
		func() error { _, err := w.git(w.begin, "init", "-q"); return err },
		func() error { return w.put("README.md", "# project\n") },
		func() error {
			return w.putAll(slices.DeleteFunc(slices.Clone(files), func(f string) bool { return made[f] }), "return old\n")
		},
		func() error { return w.commit(w.begin.Add(-24*time.Hour), "initial import") },
	}
	if c.Context.Repo.HeadHasCommit {
		message := c.Context.Repo.Message
		if message == "" {
			message = "update"
		}
		steps = append(steps,
			func() error { return w.putAll(changed, "return new\n") },
			func() error { return w.commit(w.begin.Add(time.Minute), message) })
	}
	if c.Context.Repo.Dirty {
		steps = append(steps, func() error { return w.putAll(changed, "return new2\n") })
	}
	if c.Context.Repo.Untracked {
		steps = append(steps, func() error { return w.put("notes.txt", "x\n") })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return "", err
		}
	}
	return w.git(w.begin, "rev-parse", "--short=7", "HEAD")
}

func (w caseWorld) putAll(names []string, text string) error {
	for _, name := range names {
		if err := w.put(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (w caseWorld) commit(when time.Time, message string) error {
	if _, err := w.git(when, "add", "-A"); err != nil {
		return err
	}
	_, err := w.git(when, "commit", "-q", "-m", message)
	return err
}

// transcript writes the session file as Claude Code does: one line for each content block.
func (w caseWorld) transcript(c judgeCase, text string) string {
	s := session{begin: w.begin, repo: w.repo}
	for _, check := range c.Context.BlockedBefore {
		s.user("Please do the work described in the ticket.", false)
		s.says("I will commit this now.")
		s.user("Stop hook feedback:\n[agentguard-hook]: "+check+": proposal without verification evidence", true)
		s.says("Understood.")
	}
	if p := c.Context.PriorTurn; p != nil {
		s.user(p.User, false)
		s.calls(p.ToolCalls)
		s.says(p.Text)
	}
	if !c.Context.StopHookActive || len(c.Context.BlockedBefore) == 0 {
		s.user(c.Context.User, false)
	}
	s.calls(c.Context.ToolCalls)
	s.says(text)
	return s.out.String()
}

// session writes lines of a session file.
type session struct {
	out   strings.Builder
	begin time.Time
	repo  string
	n     int
}

func (s *session) line(fields map[string]any) {
	s.n++
	fields["uuid"], fields["isSidechain"], fields["cwd"] = fmt.Sprintf("u%d", s.n), false, s.repo
	fields["timestamp"] = s.begin.Add(time.Duration(3*s.n) * time.Second).UTC().Format(time.RFC3339)
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	s.out.Write(append(raw, '\n'))
}

func (s *session) user(text string, meta bool) {
	fields := map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}}
	if meta {
		fields["isMeta"] = true
	}
	s.line(fields)
}

func (s *session) block(b map[string]any) {
	s.line(map[string]any{"type": "assistant", "message": map[string]any{"id": fmt.Sprintf("m%d", s.n), "role": "assistant", "content": []any{b}}})
}

func (s *session) says(text string) { s.block(map[string]any{"type": "text", "text": text}) }

func (s *session) calls(calls []toolCall) {
	for _, c := range calls {
		id := fmt.Sprintf("toolu_%d", s.n)
		input := map[string]any{}
		for k, v := range c.Input {
			if name, ok := v.(string); ok && k == "file_path" {
				v = filepath.Join(s.repo, name)
			}
			input[k] = v
		}
		s.block(map[string]any{"type": "tool_use", "id": id, "name": c.Tool, "input": input})
		output := c.Output
		if !c.OK && c.Tool == "Bash" {
			code := 1
			if strings.Contains(output, "command not found") {
				code = 127
			}
			output = fmt.Sprintf("Exit code %d\n%s", code, output)
		}
		s.line(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": !c.OK},
		}}})
	}
}
