package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lookPath finds a program on the PATH of an environment, or returns "". A name
// with a slash is looked for in dir.
func lookPath(name string, environ []string, dir string) string {
	if strings.ContainsRune(name, '/') {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if executable(path) {
			return path
		}
		return ""
	}
	for _, folder := range pathFolders(environ) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		if path := filepath.Join(folder, name); executable(path) {
			return path
		}
	}
	return ""
}

func pathFolders(environ []string) []string {
	for _, pair := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(pair, "PATH="); ok {
			return filepath.SplitList(value)
		}
	}
	return []string{"/usr/local/bin", "/usr/bin", "/bin"}
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
