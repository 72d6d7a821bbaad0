package evidence

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentguard/hook/regular"
)

// linked reads the commit that a nested repository has checked out, from its
// files alone. exists is false where there is no repository; resolved is false
// where it has no commit yet. errFallback: only git can tell.
func linked(dir string) (id oid, exists, resolved bool, err error) {
	dotGit := filepath.Join(dir, ".git")
	st, err := os.Lstat(dotGit)
	if os.IsNotExist(err) {
		return id, false, false, nil
	}
	if err != nil {
		return id, true, false, errFallback
	}
	gitDir := dotGit
	if st.Mode().IsRegular() {
		var ok bool
		if gitDir, ok = gitFile(dotGit); !ok {
			return id, true, false, errFallback
		}
	} else if !st.IsDir() {
		return id, true, false, errFallback
	}
	common, ok := commonDir(gitDir)
	if !ok {
		return id, true, false, errFallback
	}
	ref, err := headFile(filepath.Join(gitDir, "HEAD"))
	for range 5 {
		if err != nil {
			return id, true, false, errFallback
		}
		name, symbolic := strings.CutPrefix(ref, "ref: ")
		if !symbolic {
			raw, err := hex.DecodeString(ref)
			if err != nil || len(raw) != len(id) {
				return id, true, false, errFallback
			}
			return oid(raw), true, true, nil
		}
		name = strings.TrimSpace(name)
		// A store of another kind leaves a name that cannot exist.
		if !strings.HasPrefix(name, "refs/heads/") || strings.Contains(name, "..") || name == "refs/heads/.invalid" {
			return id, true, false, errFallback
		}
		ref, err = headFile(filepath.Join(common, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			if ref, err = packedRef(common, name); ref == "" && err == nil {
				return id, true, false, nil
			}
		}
	}
	return id, true, false, errFallback
}

func headFile(path string) (string, error) {
	if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() {
		return "", errFallback
	}
	text, err := readSmall(path)
	return strings.TrimSpace(text), err
}

// maxPacked bounds what is read of the packed refs.
const maxPacked = 16 << 20

// packedRef looks a ref up among the packed ones; empty when it is not there.
func packedRef(common, name string) (string, error) {
	text, err := regular.Read(filepath.Join(common, "packed-refs"), maxPacked)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", errFallback
	}
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutSuffix(strings.TrimRight(line, "\n"), " "+name); ok && line[0] != '#' {
			return id, nil
		}
	}
	return "", nil
}

// link is a submodule whose commit is not the index's.
type link struct {
	entry int32
	id    oid
}

// gitlink compares a submodule with its folder.
func (w *worker) gitlink(d *dirHandle, c *child) error {
	e := &w.idx.entries[c.from]
	st, err := d.stat(c.name)
	switch {
	case err != nil:
		return err
	case c.to-c.from > 1 || e.stage != 0 || e.intentToAdd:
		return errFallback
	case st.kind() == kindUnknown:
		w.lost(c.from, c.to)
		return nil
	case st.kind() != kindDir:
		return errFallback
	}
	id, exists, resolved, err := linked(filepath.Join(w.root, filepath.FromSlash(e.path)))
	if err != nil {
		return err
	}
	e.state = same
	if exists && resolved && id != e.id {
		e.state = updated
		w.mu.Lock()
		w.links = append(w.links, link{int32(c.from), id})
		w.mu.Unlock()
	}
	return nil
}

// ignoresSubmodules tells that .gitmodules asks git to overlook some of them.
func ignoresSubmodules(root string) bool {
	text, err := regular.Read(filepath.Join(root, ".gitmodules"), maxAttributes)
	return err == nil && strings.Contains(strings.ToLower(string(text)), "ignore")
}
