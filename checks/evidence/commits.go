package evidence

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// isHex tells a full or abbreviated object id.
func isHex(s string) bool {
	if len(s) < 4 || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// CommitExists looks an id up, full or abbreviated to at least 4 digits, and
// returns the full one. An id that names no commit, or several, does not exist.
// Branches of that name do not count.
func (r *Repo) CommitExists(ctx context.Context, id string) (full string, exists bool, err error) {
	if !isHex(id) {
		return "", false, nil
	}
	out, err := r.run(ctx, "rev-parse", "--disambiguate="+strings.ToLower(id))
	if err != nil {
		return "", false, err
	}
	for name := range strings.FieldsSeq(string(out)) {
		kind, err := r.line(ctx, "cat-file", "-t", name)
		if err != nil || kind != "commit" {
			continue
		}
		if full != "" {
			return "", false, nil
		}
		full = name
	}
	return full, full != "", nil
}

// Reachable tells whether commit is an ancestor of tip, or tip itself.
func (r *Repo) Reachable(ctx context.Context, commit, tip string) (bool, error) {
	_, err := r.run(ctx, "merge-base", "--is-ancestor", "--end-of-options", commit, tip)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// CommitTime is when the commit was made, by its committer line.
func (r *Repo) CommitTime(ctx context.Context, commit string) (time.Time, error) {
	line, err := r.line(ctx, "show", "-s", "--no-notes", "--format=%ct", "--end-of-options", commit+"^{commit}")
	if err != nil {
		return time.Time{}, err
	}
	sec, err := strconv.ParseInt(line, 10, 64)
	return time.Unix(sec, 0), err
}

// Tree is the tree id of a commit.
func (r *Repo) Tree(ctx context.Context, commit string) (string, error) {
	return r.line(ctx, "rev-parse", "-q", "--verify", "--end-of-options", commit+"^{tree}")
}

// Outgoing lists the commits of ref that no branch of the remote has, newest
// first, at most limit. An empty remote means any remote. more tells that there
// were further ones.
func (r *Repo) Outgoing(ctx context.Context, remote, ref string, limit int) (ids []string, more bool, err error) {
	remotes := "--remotes"
	if remote != "" {
		remotes += "=" + globQuote(remote)
	}
	out, err := r.run(ctx, "rev-list", "--max-count="+strconv.Itoa(limit+1), "--end-of-options", ref, "--not", remotes, "--")
	if exitCode(err) == 129 || exitCode(err) == 128 {
		out, err = r.run(ctx, "rev-list", "--max-count="+strconv.Itoa(limit+1), ref, "--not", remotes, "--")
	}
	if err != nil {
		return nil, false, err
	}
	ids = strings.Fields(string(out))
	if len(ids) > limit {
		return ids[:limit], true, nil
	}
	return ids, false, nil
}

func globQuote(s string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(s)
}

// StagedBlobs lists what a plain "git commit" would record: the paths whose
// index entry differs from HEAD.
func (r *Repo) StagedBlobs(ctx context.Context) ([]PathBlob, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	return r.changedSince(ctx, nil, head, nil)
}

// CommitBlobs lists the paths a commit brings, against its first parent.
func (r *Repo) CommitBlobs(ctx context.Context, commit string) ([]PathBlob, error) {
	if !isHex(commit) {
		return nil, fmt.Errorf("%q is no commit id: %w", commit, ErrUnknown)
	}
	out, err := r.run(ctx, "diff-tree", "--root", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-commit-id", "--diff-merges=first-parent", commit)
	if err != nil {
		return nil, err
	}
	return parseRaw(out)
}

// Blob reads a blob, at most limit bytes of it.
func (r *Repo) Blob(ctx context.Context, id string, limit int64) ([]byte, error) {
	if !isHex(id) {
		return nil, fmt.Errorf("%q is no object id: %w", id, ErrUnknown)
	}
	size, err := r.line(ctx, "cat-file", "-s", id)
	if err != nil {
		return nil, err
	}
	if n, err := strconv.ParseInt(size, 10, 64); err != nil || n > maxOutput {
		return nil, fmt.Errorf("blob %s of %s bytes: %w", id, size, ErrUnknown)
	}
	out, err := r.run(ctx, "cat-file", "blob", id)
	if int64(len(out)) > limit {
		out = out[:limit]
	}
	return out, err
}

// Config reads one configuration value as git sees it; ok is false when it is
// not set.
func (r *Repo) Config(ctx context.Context, key string) (value string, ok bool, err error) {
	value, err = r.line(ctx, "config", "--get", key)
	if exitCode(err) == 1 {
		return "", false, nil
	}
	return value, err == nil, err
}

// Alias returns the value of a git alias.
func (r *Repo) Alias(ctx context.Context, name string) (string, bool, error) {
	return r.Config(ctx, "alias."+name)
}
