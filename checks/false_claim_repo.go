package checks

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/hook/transcript"
	"agentguard/judge/prose"
)

// sessionTurns is how far back a session is searched for what would bear a claim
// out, in turns.
const sessionTurns = 50

// sessionCalls lists the tool calls of the session, oldest first, as far as
// sessionTurns and the reader's own bounds allow.
func (in *Input) sessionCalls() []transcript.Call {
	calls, _ := in.calls.get(func() ([]transcript.Call, error) { //nolint:errcheck // an unreadable transcript shows no calls
		h, err := in.readHistory(transcript.Limits{Turns: sessionTurns})
		var all []transcript.Call
		for _, t := range h.Turns {
			all = append(all, t.Calls...)
		}
		return all, err
	})
	return calls
}

// againstCommit looks for a commit that the writer says to have made here. An id
// that a tool printed in this session exists, wherever that is: on a server, in
// another clone, under another name.
func (in *Input) againstCommit(ctx context.Context, c prose.Claim) (fact, act string) {
	id := strings.ToLower(c.Detail)
	repo, err := in.Repo(ctx)
	if err != nil || len(id) < 7 || repo.Partial() || in.worksElsewhere(repo) {
		return "", ""
	}
	if exists, err := in.hasCommit(ctx, id); err != nil || exists {
		return "", ""
	}
	for _, call := range in.sessionCalls() {
		if strings.Contains(strings.ToLower(call.Output), id[:7]) || strings.Contains(strings.ToLower(string(call.Input)), id[:7]) {
			return "", ""
		}
	}
	return fmt.Sprintf("This repository has no commit %s.", c.Detail), "Look with `git log -1`, then correct the statement or make the commit."
}

// againstPush holds a claim of a push against the branch's upstream. Where the
// session pushed something, or the claim names another place, the remote may know
// more than we do.
func (in *Input) againstPush(ctx context.Context, c prose.Claim) (fact, act string) {
	o, err := in.Overview(ctx)
	if err != nil || o.Upstream == "" || o.Gone || o.Ahead == 0 || !samePlace(c.Detail, o) {
		return "", ""
	}
	repo, err := in.Repo(ctx)
	if err != nil || in.worksElsewhere(repo) {
		return "", ""
	}
	if n, err := repo.Unpushed(ctx); err != nil || n == 0 {
		return "", "" // on another branch of the remote
	}
	if slices.ContainsFunc(in.sessionCalls(), pushes) {
		return "", ""
	}
	return fmt.Sprintf("%s not on %s.", plural(o.Ahead, "commit is", "commits are"), o.Upstream), "Push with `git push`, or correct the statement."
}

// pushes tells a call that may have pushed something: by a shell, a subagent, or
// a tool of that name.
func pushes(c transcript.Call) bool {
	if c.Failed {
		return false
	}
	if shellText(c) != "" {
		return strings.Contains(shellText(c), "push")
	}
	return strings.Contains(strings.ToLower(c.Tool), "push") || (c.Tool == "Task" || c.Tool == "Agent") && strings.Contains(strings.ToLower(string(c.Input)+c.Output), "push")
}

// shellText gives the script of a shell tool's call; empty for any other.
func shellText(c transcript.Call) string {
	var fields struct{ Command, Cmd json.RawMessage }
	switch c.Tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Grep", "Glob", "Task", "Agent", "apply_patch":
		return ""
	}
	if json.Unmarshal(c.Input, &fields) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(fields.Command, &text) == nil && text != "" {
		return text
	}
	if json.Unmarshal(fields.Cmd, &text) == nil {
		return text
	}
	return ""
}

// samePlace tells that a named place is the current branch, its upstream, or
// where everything goes.
func samePlace(place string, o evidence.Overview) bool {
	remote, branch, _ := strings.Cut(o.Upstream, "/")
	switch place = strings.TrimPrefix(strings.ToLower(place), "remotes/"); place {
	case "", "remote", "branch", "remote branch", "github", "gitlab", "リモート", "リモートリポジトリ", "リモートブランチ", "远程", "远程仓库", "远程分支", "远端", "远端仓库", "远端分支",
		"feature branch", "same branch", "current branch", "working branch":
		return true
	case strings.ToLower(remote), strings.ToLower(branch), strings.ToLower(o.Upstream), strings.ToLower(o.Head.Branch):
		return true
	}
	return false
}

// againstClean looks for tracked files with changes that the message does not
// name. Untracked files count only where it says that nothing at all is left, and
// where it says that all was committed, only the files that the session touched.
func (in *Input) againstClean(ctx context.Context, text string, c prose.Claim) (fact, act string) {
	o, err := in.Overview(ctx)
	if err != nil || o.Status.Clean() {
		return "", ""
	}
	repo, err := in.Repo(ctx)
	if err != nil || in.worksElsewhere(repo) {
		return "", ""
	}
	everything := c.Detail != "" || strings.Contains(strings.ToLower(c.Text), "untracked")
	left := o.Status.Of(func(f evidence.FileStatus) bool {
		name := path.Base(f.Path)
		return (f.X != '?' || everything) && !ownFile(f.Path) && !strings.Contains(text, name) && (c.Kind == prose.ClaimClean || in.touched(name))
	})
	if len(left) == 0 {
		return "", ""
	}
	return fmt.Sprintf("The working tree is not clean: %s.", someOf(left)), "Commit or restore what is left, or correct the statement."
}

// touched tells that a call of the session names a file.
func (in *Input) touched(name string) bool {
	return slices.ContainsFunc(in.sessionCalls(), func(c transcript.Call) bool { return !c.Failed && strings.Contains(string(c.Input), name) })
}

// ownFile tells a file that the guards or the client write by themselves.
func ownFile(name string) bool {
	return strings.HasPrefix(name, ".agentguard/") || strings.HasPrefix(name, ".claude/") || strings.HasPrefix(name, ".codex/")
}

// worksElsewhere tells that the session worked with git, or went, outside of the
// repository: what its messages tell may be true of another one.
func (in *Input) worksElsewhere(repo *evidence.Repo) bool {
	rd := in.reader()
	for _, call := range in.sessionCalls() {
		command := shellText(call)
		if !strings.Contains(command, "git") && !strings.Contains(command, "cd ") && !strings.Contains(command, "pushd ") {
			continue
		}
		for _, c := range rd.Parse(command, rd.Dir).Commands {
			var dir shell.Word
			if g, ok := shell.ParseGit(c); ok {
				if !g.GitDir.Zero() || !g.WorkTree.Zero() {
					return true
				}
				dir = g.Dir
			} else if (c.Name == "cd" || c.Name == "pushd") && len(c.Args) > 0 {
				dir = c.Args[0]
			}
			if outside(repo.Root(), rd.Dir, dir) {
				return true
			}
		}
	}
	return false
}

// outside tells a folder that is not known to lie in root.
func outside(root, base string, dir shell.Word) bool {
	switch {
	case dir.Zero() || dir.Text == "" || dir.Text == "-":
		return false
	case !dir.Known():
		return true
	}
	name := dir.Text
	if !path.IsAbs(name) {
		name = path.Join(base, name)
	}
	return name != root && !strings.HasPrefix(name, root+"/") && path.Clean(name) != path.Clean(base) && !strings.HasPrefix(name, base+"/")
}

// someOf names a few of the files.
func someOf(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
