package evidence

import (
	"context"
	"fmt"
	"strings"
)

// Commit says what a commit that is about to be made takes up besides the index.
type Commit struct {
	All     bool     // "git add -A" or "git add ." runs before it: every file
	Tracked bool     // "git commit -a", "git add -u": every tracked file
	Paths   []string // "git add PATH", "git commit PATH": files or folders below the root
}

// takes tells whether the commit takes the path's working file.
func (c Commit) takes(p PathBlob) bool {
	if c.All || c.Tracked && !p.Untracked {
		return true
	}
	for _, path := range c.Paths {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "./"), "/")
		if path == "." || path == "" || p.Path == path || strings.HasPrefix(p.Path, path+"/") {
			return true
		}
	}
	return false
}

// Covers tells how the content of a commit stands: the tree must stand well, and
// what is committed must be what lies in the tree. A commit of documentation
// alone needs no run.
func (a *Assessment) Covers(ctx context.Context, r *Repo, c Commit, docs DocMatcher) Finding {
	unknown := func(err error) Finding {
		return Finding{Standing: StandingUnknown, Why: "the files to commit cannot be read: " + err.Error()}
	}
	if a.Now == nil {
		now, err := r.Snapshot(ctx)
		if err != nil {
			return unknown(err)
		}
		a.Now = &now
	}
	staged, err := r.StagedBlobs(ctx)
	if err != nil {
		return unknown(err)
	}
	if a.Now.Cut {
		return unknown(fmt.Errorf("more than %d files changed", MaxChanged))
	}
	content, left := []PathBlob(nil), []PathBlob(nil)
	taken := map[string]bool{}
	for _, p := range a.Now.Changed {
		if c.takes(p) {
			content = append(content, p)
			taken[p.Path] = true
		}
	}
	for _, p := range staged {
		// A staged change whose file was brought back to HEAD is undone by "add".
		if !taken[p.Path] && !c.takes(p) {
			content, left = append(content, p), append(left, p)
		}
	}
	if docs.All(content) {
		return Finding{Standing: Supported, Why: "only documentation is committed"}
	}
	if a.Standing != Supported {
		return a.Finding
	}
	other, err := a.Now.Mismatch(left)
	if err != nil {
		return unknown(err)
	}
	for _, p := range other {
		if !docs.Match(p) {
			return Finding{Stale, p + " is staged with other content than was tested", a.Run}
		}
	}
	for _, p := range a.Run.Fresh {
		if taken[p] && !docs.Match(p) {
			return Finding{Stale, p + " was not there when `" + a.Run.short() + "` ran", a.Run}
		}
	}
	return a.Finding
}
