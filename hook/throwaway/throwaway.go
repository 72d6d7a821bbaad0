// Package throwaway makes throw-away folders for what other programs must be given
// as files. They may hold file contents, so they go with the program that made
// them: its door removes what is left when it ends, also where a check was left
// behind at its deadline, and the next start sweeps up after one that was killed.
package throwaway

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// prefix begins the names of all folders; the maker's process id follows.
const prefix = "agentguard-scratch-"

// life is for how long a folder stays whose process id is in use again.
const life = time.Hour

var made struct {
	sync.Mutex
	paths map[string]bool
}

// Dir makes a folder, mode 0700, in base or in the system's folder for temporary
// files where base is empty. base is made if it is missing. remove takes the folder
// away again.
func Dir(base string) (path string, remove func(), err error) {
	if base == "" {
		base = os.TempDir()
	} else if err := os.MkdirAll(base, 0o700); err != nil {
		return "", nil, err
	}
	path, err = os.MkdirTemp(base, prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return "", nil, err
	}
	made.Lock()
	defer made.Unlock()
	if made.paths == nil {
		made.paths = map[string]bool{}
	}
	made.paths[path] = true
	return path, func() { drop(path) }, nil
}

func drop(path string) {
	_ = os.RemoveAll(path) // what stays is swept up
	made.Lock()
	defer made.Unlock()
	delete(made.paths, path)
}

// Close removes the folders that are still there. A program that was just killed
// may write on for a moment.
func Close() {
	made.Lock()
	defer made.Unlock()
	for path := range made.paths {
		for range 5 {
			if os.RemoveAll(path) == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	clear(made.paths)
}

// Sweep removes the folders in base that processes left which are gone. One that
// cannot be removed is tried again the next time.
func Sweep(base string, now time.Time) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		id, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(id)
		if !ours || err != nil || !e.IsDir() || pid == os.Getpid() {
			continue
		}
		info, err := e.Info()
		if err == nil && (!alive(pid) || now.Sub(info.ModTime()) > life) {
			_ = os.RemoveAll(filepath.Join(base, e.Name())) // see above
		}
	}
}
