package door

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"agentguard/checks/engine"
	"agentguard/hook/regular"
)

// maxSession bounds what one session remembers, in bytes.
const maxSession = 256 << 10

// session is what is remembered of one session between hook calls.
type session struct {
	Turn engine.Turn `json:"turn"`
	// Told are the problems that the person was told about in this session.
	Told []string `json:"told,omitempty"`
}

// sessionDir holds one small file for each session.
func sessionDir(state string) string { return filepath.Join(state, "agentguard", "sessions") }

// withSession runs f on the remembered state of a session, under a lock, and
// saves what f left. State that cannot be read is empty state and a lock that
// cannot be had is done without: a guard must not hang or refuse because its
// own memory is broken. A file that a crash left torn reads as empty.
func withSession(state, id string, f func(*session)) {
	sum := sha256.Sum256([]byte(id))
	path := filepath.Join(sessionDir(state), hex.EncodeToString(sum[:12])+".json")
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		lock := flock.New(path+".lock", flock.SetFlag(regular.LockFlags))
		for range 50 {
			if ok, err := lock.TryLock(); ok || err != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		defer lock.Unlock() //nolint:errcheck // a lock left behind is released with the process
	}
	var s session
	if b, err := regular.ReadOwn(path, maxSession); err == nil && json.Unmarshal(b, &s) != nil {
		s = session{}
	}
	before, _ := json.Marshal(s) //nolint:errcheck // plain data
	f(&s)
	after, err := json.Marshal(s)
	if err != nil || string(before) == string(after) {
		return
	}
	_ = regular.Replace(path, after) //nolint:errcheck // see above
}
