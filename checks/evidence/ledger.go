package evidence

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"agentguard/hook/regular"
)

// Run is one recorded verification.
type Run struct {
	ID      string `json:"id"` // the client's tool_use_id; empty where it has none
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"` // set for a run inside a subagent
	// Transcript is the file of the session's conversation, where its call stands;
	// empty where the client keeps none.
	Transcript string    `json:"transcript,omitempty"`
	Time       time.Time `json:"time"` // when it ended
	Duration   int64     `json:"ms,omitempty"`
	Dir        string    `json:"dir,omitempty"`
	Root       string    `json:"root,omitempty"` // top of the working tree: worktrees share a ledger

	Kind    Kind    `json:"kind"`
	Runner  string  `json:"runner"`
	Command string  `json:"command"`
	Outcome Outcome `json:"outcome"`
	Counts  Counts  `json:"counts"`
	Narrow  bool    `json:"narrow,omitempty"`
	Partial bool    `json:"partial,omitempty"`
	Line    string  `json:"line,omitempty"` // the output line that decided, cut

	// After is the tree when the run had ended; nil when it could not be told.
	After *Snapshot `json:"after,omitempty"`
	// Before is the tree on which a run began that goes on in the background.
	Before *Snapshot `json:"before,omitempty"`
	// Moved tells that the tree changed between Before and the end of the run, or
	// that this could not be told: what it ran on is not known.
	Moved bool `json:"moved,omitempty"`
	// Waived tells that a person let an unverified tree pass, with this reason.
	Waived string `json:"waived,omitempty"`
}

const (
	maxRecord = 64 << 10
	maxLedger = 4 << 20 // bytes of one file; then it becomes the older half
)

// Ledger is the record of runs of one repository, shared by all its worktrees
// and by concurrent sessions. It is two files of JSON lines: the current one
// and, beside it with ".1", the one before.
type Ledger struct {
	path string
}

// OpenLedger names the ledger of a repository in dir, the state folder's ledger
// folder. Nothing is created before the first Append.
func OpenLedger(dir string, r *Repo) Ledger {
	sum := sha256.Sum256([]byte(r.CommonDir()))
	return Ledger{path: filepath.Join(dir, hex.EncodeToString(sum[:12])+".jsonl")}
}

// Path is the current file.
func (l Ledger) Path() string { return l.path }

// Append records runs. Each is one write at the end of the file, so that
// concurrent sessions cannot mix their lines.
func (l Ledger) Append(runs ...Run) error {
	if len(runs) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	l.rotate()
	f, err := regular.Append(l.path)
	if err != nil {
		return err
	}
	for _, run := range runs {
		line, err := encodeRun(run)
		if err == nil {
			if tornEnd(f) {
				line = append([]byte{'\n'}, line...)
			}
			_, err = f.Write(line)
		}
		if err != nil {
			_ = f.Close()
			return fmt.Errorf("recording a run: %w", err)
		}
	}
	return f.Close()
}

// encodeRun writes one line of at most maxRecord bytes; what makes it longer is
// left out, the changed paths first.
func encodeRun(run Run) ([]byte, error) {
	run.Command = cut(run.Command, 2000)
	run.Line = cut(run.Line, 300)
	run.Waived = cut(run.Waived, 500)
	for {
		line, err := json.Marshal(run)
		if err != nil {
			return nil, err
		}
		if len(line) < maxRecord {
			return append(line, '\n'), nil
		}
		after, before := run.After.halved(), run.Before.halved()
		if after == run.After && before == run.Before {
			return nil, fmt.Errorf("a record of %d bytes", len(line))
		}
		run.After, run.Before = after, before
	}
}

// halved leaves half of the changed paths out; s itself where there are none.
func (s *Snapshot) halved() *Snapshot {
	if s == nil || len(s.Changed) == 0 {
		return s
	}
	half := *s
	half.Changed, half.Cut = s.Changed[:len(s.Changed)/2], true
	return &half
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// tornEnd tells a file whose last line has no end: its writer died. The next
// record must not be glued to it.
func tornEnd(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return err == nil && last[0] != '\n'
}

// rotate moves a full file aside. The lock keeps two writers from moving twice;
// a writer that cannot get it leaves the file to the other.
func (l Ledger) rotate() {
	if st, err := os.Stat(l.path); err != nil || st.Size() < maxLedger {
		return
	}
	lock := flock.New(l.path+".lock", flock.SetFlag(regular.LockFlags))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return
	}
	defer func() { _ = lock.Unlock() }()
	if st, err := os.Stat(l.path); err == nil && st.Size() >= maxLedger {
		_ = os.Rename(l.path, l.path+".1")
	}
}

// Runs returns the recorded runs, oldest first, at most the newest limit of them.
// torn counts lines that could not be read; they are skipped. A missing ledger
// is empty.
func (l Ledger) Runs(limit int) (runs []Run, torn int, err error) {
	for _, path := range []string{l.path + ".1", l.path} {
		f, err := regular.OpenOwn(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return runs, torn, err
		}
		more, bad, err := readRuns(f)
		_ = f.Close()
		if err != nil {
			return runs, torn, err
		}
		runs, torn = append(runs, more...), torn+bad
	}
	if len(runs) > limit {
		runs = runs[len(runs)-limit:]
	}
	return runs, torn, nil
}

func readRuns(f io.Reader) (runs []Run, torn int, err error) {
	in := bufio.NewReaderSize(io.LimitReader(f, 2*maxLedger), maxRecord)
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			torn++
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
		case len(bytes.TrimSpace(line)) > 0:
			var run Run
			if json.Unmarshal(line, &run) != nil || run.Kind == "" || run.Outcome == "" {
				torn++
			} else {
				runs = append(runs, run)
			}
		}
		if errors.Is(err, io.EOF) {
			return runs, torn, nil
		}
		if err != nil {
			return runs, torn, err
		}
	}
}
