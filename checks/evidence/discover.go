package evidence

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"agentguard/hook/regular"
)

// found is a repository that was found without asking git.
type found struct {
	root, gitDir, commonDir string
	own                     bool // git would not call it foreign
}

// discover finds the plain case of git's own search: a working tree with its
// .git folder or file on one file system. Everything else is left to git: its
// variables, bare repositories, folders inside .git.
func discover(dir string, getenv func(string) (string, bool)) (found, bool) {
	for _, name := range [...]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"} {
		if _, ok := getenv(name); ok {
			return found{}, false
		}
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return found{}, false
	}
	start, ok := device(dir)
	for ok {
		if strings.ContainsRune(dir, '\n') || isFile(filepath.Join(dir, "HEAD")) {
			return found{}, false // perhaps inside a git folder
		}
		dev, same := device(dir)
		if !same || dev != start {
			return found{}, false
		}
		dotGit := filepath.Join(dir, ".git")
		if st, err := os.Lstat(dotGit); err == nil {
			f := found{root: dir, gitDir: dotGit}
			switch {
			case st.Mode().IsRegular():
				if f.gitDir, ok = gitFile(dotGit); !ok {
					return found{}, false
				}
			case !st.IsDir():
				return found{}, false
			}
			f.commonDir, ok = commonDir(f.gitDir)
			f.own = ours(dir, dotGit, f.gitDir)
			return f, ok
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return found{}, false
}

// repositoryAbove tells whether dir lies in what looks like a repository, whole
// or broken, as far up as git would look.
func repositoryAbove(dir string, getenv func(string) (string, bool)) bool {
	if v, ok := getenv("GIT_DIR"); ok && v != "" {
		return true
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return false
	}
	_, across := getenv("GIT_DISCOVERY_ACROSS_FILESYSTEM")
	start, known := device(dir)
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if isFile(filepath.Join(dir, "HEAD")) && isDir(filepath.Join(dir, "objects")) {
			return true // bare, or a folder inside .git
		}
		parent := filepath.Dir(dir)
		if dev, ok := device(parent); parent == dir || known && ok && dev != start && !across {
			return false
		}
		dir = parent
	}
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// gitFile follows a .git file of a linked worktree or submodule.
func gitFile(path string) (string, bool) {
	text, err := readSmall(path)
	target, ok := strings.CutPrefix(strings.TrimRight(text, "\r\n"), "gitdir: ")
	if err != nil || !ok || target == "" || strings.ContainsAny(target, "\r\n") {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	target, err = filepath.EvalSymlinks(target)
	return target, err == nil
}

// commonDir returns the folder that all worktrees share, and whether gitDir looks
// like a repository at all.
func commonDir(gitDir string) (string, bool) {
	if _, err := os.Lstat(filepath.Join(gitDir, "HEAD")); err != nil {
		return "", false
	}
	common := gitDir
	if text, err := readSmall(filepath.Join(gitDir, "commondir")); err == nil {
		common = strings.TrimRight(text, "\r\n")
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
		if common, err = filepath.EvalSymlinks(common); err != nil {
			return "", false
		}
	}
	return common, isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

// readSmall reads a file that has one line.
func readSmall(path string) (string, error) {
	b, err := regular.Read(path, 16<<10)
	if errors.Is(err, regular.ErrKind) || errors.Is(err, regular.ErrSize) {
		err = errFallback
	}
	return string(b), err
}
