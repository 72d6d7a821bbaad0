package evidence

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Head is where the working tree stands.
type Head struct {
	ID       string // commit id; empty when Unborn
	Branch   string // short name; empty when Detached
	Detached bool
	Unborn   bool // the branch has no commit yet
}

// Head reads HEAD.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	h, ok := r.fileHead()
	if ok {
		return h, nil
	}
	ref, err := r.line(ctx, "symbolic-ref", "-q", "HEAD")
	switch {
	case err == nil:
		h.Branch = strings.TrimPrefix(ref, "refs/heads/")
	case exitCode(err) == 1:
		h.Detached = true
	default:
		return h, err
	}
	h.ID, err = r.line(ctx, "rev-parse", "-q", "--verify", "HEAD^{commit}")
	if exitCode(err) == 1 && !h.Detached {
		h.ID, h.Unborn, err = "", true, nil
	}
	return h, err
}

// fileHead reads the branch and its commit from the files, which saves two calls
// of git; false when only git can tell.
func (r *Repo) fileHead() (Head, bool) {
	if !r.plain {
		return Head{}, false
	}
	text, err := headFile(filepath.Join(r.gitDir, "HEAD"))
	branch, ok := strings.CutPrefix(text, "ref: refs/heads/")
	if err != nil || !ok || branch == ".invalid" || strings.Contains(branch, "..") || strings.ContainsAny(branch, " \t\n\\") {
		return Head{}, false
	}
	id, err := headFile(filepath.Join(r.commonDir, "refs", "heads", filepath.FromSlash(branch)))
	if errors.Is(err, fs.ErrNotExist) {
		id, err = packedRef(r.commonDir, "refs/heads/"+branch)
		if err == nil && id == "" {
			return Head{Branch: branch, Unborn: true}, true
		}
	}
	if raw, notHex := hex.DecodeString(id); err != nil || notHex != nil || len(raw) != len(oid{}) {
		return Head{}, false
	}
	return Head{ID: id, Branch: branch}, true
}

// Upstream is the remote branch that the current branch follows.
type Upstream struct {
	Ref    string // refs/remotes/origin/main
	Remote string // origin; "." for a local branch
	Branch string // the branch's name on the remote
	Gone   bool   // configured, but nothing was fetched under that name
	Ahead  int    // commits that only the current branch has; meaningless when Gone
	Behind int
}

// Upstream reads the current branch's upstream; ok is false when there is none
// (detached HEAD included).
func (r *Repo) Upstream(ctx context.Context) (up Upstream, ok bool, err error) {
	head, err := r.Head(ctx)
	if err != nil || head.Detached {
		return up, false, err
	}
	out, err := r.run(ctx, "for-each-ref", "--format=%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream:track)",
		"refs/heads/"+head.Branch)
	if err != nil {
		return up, false, err
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		f := strings.Split(line, "\x00")
		if len(f) != 4 || f[0] == "" {
			continue
		}
		up = Upstream{Ref: f[0], Remote: f[1], Branch: strings.TrimPrefix(f[2], "refs/heads/"), Gone: f[3] == "[gone]"}
		if up.Gone {
			return up, true, nil
		}
		up.Ahead, up.Behind, err = r.AheadBehind(ctx, head.ID, up.Ref)
		return up, err == nil, err
	}
	return up, false, nil
}

// AheadBehind counts the commits that only a has and that only b has.
func (r *Repo) AheadBehind(ctx context.Context, a, b string) (ahead, behind int, err error) {
	line, err := r.line(ctx, "rev-list", "--count", "--left-right", "--end-of-options", a+"..."+b, "--")
	if err != nil {
		return 0, 0, err
	}
	left, right, _ := strings.Cut(line, "\t")
	if ahead, err = strconv.Atoi(left); err != nil {
		return 0, 0, err
	}
	behind, err = strconv.Atoi(right)
	return ahead, behind, err
}

// InProgress names the operations that are under way: merge, rebase,
// cherry-pick, revert, bisect, am.
func (r *Repo) InProgress() []string {
	var names []string
	for _, mark := range []struct{ file, name string }{
		{"MERGE_HEAD", "merge"},
		{"rebase-merge", "rebase"},
		{"rebase-apply/applying", "am"},
		{"rebase-apply/rebasing", "rebase"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"BISECT_LOG", "bisect"},
	} {
		if _, err := os.Lstat(filepath.Join(r.gitDir, filepath.FromSlash(mark.file))); err == nil {
			names = append(names, mark.name)
		}
	}
	return names
}
