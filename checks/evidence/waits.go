package evidence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentguard/hook/regular"
)

// git opens the files of a repository without asking what they are: a pipe in the
// place of one keeps it waiting for ever, and one without an end is read to it.
// Whoever can write into .git can put such a file there, so a repository is looked
// over before git is started on it.

// Bounds of one look: how many names it goes through, and how many bytes a file of
// those may have that git reads whole. The index and packs have their own size.
const (
	maxLooked  = 20_000
	maxGitFile = 64 << 20
)

// wouldWait tells that git would wait for a file of the repository around dir, or
// of the person's settings. Loose objects are not looked at: there are too many,
// and a call of git has a time limit as well.
func wouldWait(dir string, getenv func(string) (string, bool)) error {
	l := look{left: maxLooked}
	for _, name := range [...]string{"GIT_DIR", "GIT_COMMON_DIR"} {
		if v, ok := getenv(name); ok && v != "" {
			if !filepath.IsAbs(v) {
				v = filepath.Join(dir, v)
			}
			l.gitDir(v)
		}
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if st, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			l.worktree(at, st)
			break
		}
		if isDir(filepath.Join(at, "objects")) && isDir(filepath.Join(at, "refs")) {
			l.gitDir(at)
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if home, ok := getenv("HOME"); ok && home != "" {
		l.file(filepath.Join(home, ".gitconfig"))
		l.folder(filepath.Join(home, ".config", "git"))
	}
	if xdg, ok := getenv("XDG_CONFIG_HOME"); ok && xdg != "" {
		l.folder(filepath.Join(xdg, "git"))
	}
	if l.odd == "" {
		return nil
	}
	return fmt.Errorf("%w: %w", &fs.PathError{Op: "open", Path: l.odd, Err: l.why}, ErrSlow)
}

// look collects the first odd file.
type look struct {
	odd  string
	why  error
	left int // names that may still be looked at
}

// worktree looks at what git reads in a working tree's top folder.
func (l *look) worktree(root string, dotGit fs.FileInfo) {
	for _, name := range [...]string{".gitignore", ".gitattributes", ".gitmodules"} {
		l.file(filepath.Join(root, name))
	}
	path := filepath.Join(root, ".git")
	switch {
	case dotGit.IsDir():
		l.gitDir(path)
	case dotGit.Mode()&os.ModeSymlink != 0:
		if target, err := filepath.EvalSymlinks(path); err == nil && isDir(target) {
			l.gitDir(target)
			return
		}
		l.file(path)
	default:
		l.file(path)
		if target, ok := gitFile(path); ok {
			l.gitDir(target)
		}
	}
}

// gitDir looks at a repository's own folder and, of a linked worktree, at the one
// that it shares.
func (l *look) gitDir(dir string) {
	l.folder(dir)
	for _, name := range [...]string{"info", "objects/info", "objects/pack"} {
		l.folder(filepath.Join(dir, filepath.FromSlash(name)))
	}
	l.tree(filepath.Join(dir, "refs"))
	if l.odd != "" {
		return
	}
	if common, ok := commonDir(dir); ok && common != dir {
		l.gitDir(common)
	}
}

// tree looks at all files below a folder.
func (l *look) tree(dir string) {
	for _, e := range l.folder(dir) {
		if e.IsDir() {
			l.tree(filepath.Join(dir, e.Name()))
		}
	}
}

// folder looks at the files of a folder and returns its entries.
func (l *look) folder(dir string) []fs.DirEntry {
	if l.odd != "" || l.left <= 0 {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.file(dir)
		}
		return nil
	}
	l.left -= len(entries)
	for _, e := range entries {
		if !e.IsDir() {
			l.file(filepath.Join(dir, e.Name()))
		}
	}
	return entries
}

// file looks at one name, links followed. What is not there does not wait.
func (l *look) file(path string) {
	if l.odd != "" {
		return
	}
	st, err := os.Stat(path)
	if err != nil || st.IsDir() {
		return
	}
	large := int64(maxGitFile)
	if base := filepath.Base(path); base == "index" || strings.HasPrefix(base, "sharedindex.") || filepath.Base(filepath.Dir(path)) == "pack" {
		large = maxIndex
	}
	switch {
	case !st.Mode().IsRegular():
		l.odd, l.why = path, regular.ErrKind
	case st.Size() > large && !strings.HasSuffix(path, ".pack"):
		l.odd, l.why = path, regular.ErrSize
	}
}
