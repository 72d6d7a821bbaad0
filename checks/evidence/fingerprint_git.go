package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentguard/hook/regular"
	"agentguard/hook/throwaway"
)

// snapshotByGit is the reference: the installed git works on a throw-away copy
// of the index and puts objects into a throw-away folder.
func (r *Repo) snapshotByGit(ctx context.Context, withChanges bool) (Snapshot, error) {
	var s Snapshot
	if r.root == "" {
		return s, ErrNoWorktree
	}
	dir, remove, err := throwaway.Dir(r.temp)
	if err != nil {
		return s, err
	}
	defer remove()
	index := filepath.Join(dir, "index")
	if err := copyIndex(filepath.Join(r.gitDir, "index"), index); err != nil {
		return s, err
	}
	objects := filepath.Join(dir, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil {
		return s, err
	}
	env := []string{
		"GIT_INDEX_FILE=" + index,
		"GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoteAlternate(filepath.Join(r.commonDir, "objects")),
	}

	changed, removed, err := r.trackedChanges(ctx, env)
	if err != nil {
		return s, err
	}
	if len(removed) > 0 {
		in := []byte(strings.Join(removed, "\x00") + "\x00")
		if _, err := r.runWith(ctx, env, in, "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return s, err
		}
	}
	if err := r.updateIndex(ctx, env, changed); err != nil {
		return s, err
	}
	if s.Tracked, err = r.writeTree(ctx, env); err != nil {
		return s, err
	}
	untracked, err := r.untracked(ctx, env)
	if err != nil {
		return s, err
	}
	if err := r.addUntracked(ctx, env, untracked); err != nil {
		return s, err
	}
	if s.Tree, err = r.writeTree(ctx, env); err != nil || !withChanges {
		return s, err
	}
	head, err := r.Head(ctx)
	if err != nil {
		return s, err
	}
	s.Head = head.ID
	s.Changed, err = r.changedSince(ctx, env, head, untracked)
	if len(s.Changed) > MaxChanged {
		s.Changed, s.Cut = s.Changed[:MaxChanged], true
	}
	return s, err
}

// copyIndex copies the index with its time: git takes an entry for racy by
// comparing with it.
func copyIndex(from, to string) error {
	in, err := regular.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, st.ModTime(), st.ModTime())
}

// quoteAlternate writes a path the way GIT_ALTERNATE_OBJECT_DIRECTORIES wants.
func quoteAlternate(path string) string {
	if strings.ContainsAny(path, "\":;\n") {
		return strconv.Quote(path)
	}
	return path
}

// trackedChanges lists the tracked paths whose file differs from the index by
// stat data, and those whose file is gone. Submodules are compared by their HEAD
// alone: looking into them would run their own configuration.
func (r *Repo) trackedChanges(ctx context.Context, env []string) (changed, removed []string, err error) {
	out, err := r.guarded(ctx, env, nil, nil, "diff-files", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return nil, nil, err
	}
	fields := records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		path := fields[i+1]
		if strings.HasPrefix(fields[i], ":160000") && ignoresSubmodules(r.root) {
			return nil, nil, fmt.Errorf("submodule %s, which .gitmodules may hide: %w", path, ErrUnknown)
		}
		if strings.HasSuffix(fields[i], " D") || strings.HasSuffix(fields[i], " U") && !r.present(path) {
			removed = append(removed, path)
		} else {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	slices.Sort(removed)
	return slices.Compact(changed), slices.Compact(removed), nil
}

// present tells whether a file or link lies at the path, with no link among its
// folders.
func (r *Repo) present(path string) bool {
	dir := filepath.Join(r.root, filepath.Dir(filepath.FromSlash(path)))
	if plain, err := filepath.EvalSymlinks(dir); err != nil || plain != dir {
		return false
	}
	st, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
	return err == nil && !st.IsDir()
}

func (r *Repo) untracked(ctx context.Context, env []string) ([]string, error) {
	out, err := r.runWith(ctx, env, nil, "ls-files", "--others", "--exclude-standard", "-z")
	return records(out), err
}

func (r *Repo) updateIndex(ctx context.Context, env []string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	// A file that became a repository: update-index by name would only remove it.
	for _, p := range paths {
		dir := filepath.Join(r.root, filepath.FromSlash(p))
		if st, err := os.Lstat(dir); err != nil || !st.IsDir() {
			continue
		}
		id, _, resolved, err := linked(dir)
		if err != nil || !resolved || r.hash != "sha1" {
			continue
		}
		if _, err := r.runWith(ctx, env, nil, "update-index", "--add", "--replace", "--cacheinfo", "160000,"+id.String()+","+p); err != nil {
			return err
		}
		paths = slices.DeleteFunc(slices.Clone(paths), func(q string) bool { return q == p })
	}
	if len(paths) == 0 {
		return nil
	}
	in := []byte(strings.Join(paths, "\x00") + "\x00")
	_, err := r.guarded(ctx, env, in, paths, "update-index", "--add", "--remove", "--replace", "-z", "--stdin")
	return err
}

// addUntracked adds files, and nested repositories as links. A nested
// repository without a commit is left out: git cannot add it either.
func (r *Repo) addUntracked(ctx context.Context, env []string, paths []string) error {
	var files []string
	for _, p := range paths {
		nested, isRepo := strings.CutSuffix(p, "/")
		if !isRepo {
			files = append(files, p)
			continue
		}
		if err := r.updateIndex(ctx, env, []string{nested}); err != nil && exitCode(err) < 0 {
			return err
		}
	}
	if v, err := r.line(ctx, "config", "--bool", "core.sparseCheckout"); err == nil && v == "true" && len(files) > 0 {
		// Only "git add" knows which paths a sparse checkout may not add; it adds
		// the others and exits 1.
		in := []byte(strings.Join(files, "\x00") + "\x00")
		_, err := r.guarded(ctx, env, in, files, "add", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul")
		if err != nil && exitCode(err) != 1 {
			return err
		}
		return nil
	}
	return r.updateIndex(ctx, env, files)
}

func (r *Repo) writeTree(ctx context.Context, env []string) (string, error) {
	out, err := r.runWith(ctx, env, nil, "write-tree", "--missing-ok")
	return strings.TrimSpace(string(out)), err
}

// changedSince compares the throw-away index, which by now is the working tree,
// with HEAD.
func (r *Repo) changedSince(ctx context.Context, env []string, head Head, untracked []string) ([]PathBlob, error) {
	_, list, err := r.indexAgainst(ctx, env, head.ID)
	isNew := map[string]bool{}
	for _, p := range untracked {
		isNew[strings.TrimSuffix(p, "/")] = true
	}
	for i := range list {
		list[i].Untracked = isNew[list[i].Path]
	}
	return list, err
}

// stagedChanges lists both sides of what is staged.
func (r *Repo) stagedChanges(ctx context.Context, commit string) (olds, news []PathBlob, err error) {
	return r.indexAgainst(ctx, nil, commit)
}

// indexAgainst compares an index with a commit; no commit means an empty tree.
func (r *Repo) indexAgainst(ctx context.Context, env []string, commit string) (olds, news []PathBlob, err error) {
	if commit == "" {
		out, err := r.runWith(ctx, env, []byte{}, "hash-object", "-t", "tree", "--stdin")
		if err != nil {
			return nil, nil, err
		}
		commit = strings.TrimSpace(string(out))
	}
	out, err := r.runWith(ctx, env, nil, "diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", commit, "--")
	if err != nil {
		return nil, nil, err
	}
	return parseRawPairs(out)
}

// parseRaw reads the new side of git's raw form.
func parseRaw(out []byte) ([]PathBlob, error) {
	_, list, err := parseRawPairs(out)
	return list, err
}

// parseRawPairs reads the --raw -z form: ":oldmode newmode oldid newid S" and a
// path. A side that does not exist has neither mode nor blob.
func parseRawPairs(out []byte) (olds, news []PathBlob, err error) {
	fields := records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(meta) != 5 {
			return nil, nil, fmt.Errorf("reading git's raw form: %w", ErrUnknown)
		}
		from, to := PathBlob{Path: fields[i+1]}, PathBlob{Path: fields[i+1]}
		if meta[4] != "A" {
			from.Mode, from.Blob = meta[0], meta[2]
		}
		if meta[4] != "D" {
			to.Mode, to.Blob = meta[1], meta[3]
		}
		olds, news = append(olds, from), append(news, to)
	}
	return olds, news, nil
}
