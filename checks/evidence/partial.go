package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Partial tells a repository that need not hold every commit of its history: a
// shallow or a partial clone, and one whose files cannot be read. That an id is
// unknown there says nothing.
func (r *Repo) Partial() bool {
	if _, err := os.Stat(filepath.Join(r.commonDir, "shallow")); !os.IsNotExist(err) {
		return true
	}
	packs, err := os.ReadDir(filepath.Join(r.commonDir, "objects", "pack"))
	if err != nil {
		return !os.IsNotExist(err)
	}
	return slices.ContainsFunc(packs, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".promisor") })
}
