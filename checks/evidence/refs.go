package evidence

import (
	"context"
	"strconv"
	"strings"
)

// Symbolic returns the full name that a symbolic ref points to. It is an error
// when ref is none.
func (r *Repo) Symbolic(ctx context.Context, ref string) (string, error) {
	return r.line(ctx, "symbolic-ref", "-q", ref)
}

// Unpushed counts the commits of HEAD that no remote branch has. Without any
// remote branch that is all of them.
func (r *Repo) Unpushed(ctx context.Context) (int, error) {
	out, err := r.line(ctx, "rev-list", "--count", "HEAD", "--not", "--remotes")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(out)
	if err != nil {
		return 0, ErrUnknown
	}
	return n, nil
}

// Merged tells that every commit of a branch is also in HEAD or in a remote
// branch, so that deleting its name loses nothing.
func (r *Repo) Merged(ctx context.Context, branch string) (bool, error) {
	if strings.HasPrefix(branch, "-") {
		return false, ErrUnknown
	}
	out, err := r.line(ctx, "rev-list", "--max-count=1", "refs/heads/"+branch, "--not", "HEAD", "--remotes")
	return err == nil && out == "", err
}
