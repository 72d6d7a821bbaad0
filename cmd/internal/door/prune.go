package door

import (
	"os"
	"path/filepath"
	"time"

	"agentguard/checks"
)

// stateLife is how long a session's memory and other small files are kept after
// they were last touched.
const stateLife = 30 * 24 * time.Hour

// pruneState removes what sessions left behind and nobody asks for any more. A
// file that cannot be removed is tried again at the next session.
func pruneState(w checks.World) {
	for _, folder := range []string{"sessions", "pending", "waivers"} {
		dir := filepath.Join(w.State, "agentguard", folder)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			info, err := e.Info()
			if err == nil && info.Mode().IsRegular() && w.Now.Sub(info.ModTime()) > stateLife {
				_ = os.Remove(filepath.Join(dir, e.Name())) //nolint:errcheck // see above
			}
		}
	}
}
