package doctor

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func statMode(path string) (fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// gitTop returns the top folder of the repository around a folder, or "".
func (p *Patient) gitTop(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// tracked reports whether git has a file in its index.
func (p *Patient) tracked(ctx context.Context, path string) bool {
	if p.gitTop(filepath.Dir(path)) == "" {
		return false
	}
	out := git(ctx, p.Start, p.Environ, filepath.Dir(path), "ls-files", "--error-unmatch", "--", filepath.Base(path))
	return out.Err == nil && out.Exit == 0
}

// ignoredBy returns the file whose rule makes git ignore a path, or "".
func (p *Patient) ignoredBy(ctx context.Context, path string) string {
	out := git(ctx, p.Start, p.Environ, filepath.Dir(path), "check-ignore", "--verbose", "--no-index", "--", filepath.Base(path))
	if out.Err != nil || out.Exit != 0 {
		return ""
	}
	source, _, _ := strings.Cut(out.Stdout, ":")
	return source
}
