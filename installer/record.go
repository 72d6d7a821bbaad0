package installer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// record is what an install left behind for its undo. It is kept outside the
// repository: one for each scope and settings file.
type record struct {
	Format  int          `json:"format"`
	Scope   string       `json:"scope"`
	Path    string       `json:"settings"`
	Program string       `json:"program,omitempty"`
	Time    time.Time    `json:"time"`
	Files   []recordFile `json:"files"`
	// Timeouts are those that the install asked for, by event: an entry with
	// another one has it from the person.
	Timeouts map[string]int `json:"timeouts,omitempty"`
}

// recordFile holds one file's bytes without us and as we left it.
type recordFile struct {
	Path    string   `json:"path"`
	Kind    FileKind `json:"kind"`
	Existed bool     `json:"existed"`
	Before  []byte   `json:"before"`
	After   []byte   `json:"after"`
	// Dirs are folders that were made for the file, the innermost first.
	Dirs []string `json:"dirs,omitempty"`
}

const recordFormat = 1

func (r Request) recordPath() string {
	sum := sha256.Sum256([]byte(r.Scope.String() + "\x00" + r.SettingsPath()))
	return filepath.Join(r.StateDir, "installs", hex.EncodeToString(sum[:8])+".json")
}

func (r record) file(path string) (recordFile, bool) {
	for _, f := range r.Files {
		if f.Path == path {
			return f, true
		}
	}
	return recordFile{}, false
}

func (r *record) put(file recordFile) {
	for i := range r.Files {
		if r.Files[i].Path == file.Path {
			r.Files[i] = file
			return
		}
	}
	r.Files = append(r.Files, file)
}

// readRecord returns the record of the request's scope and settings file, empty
// when there is none. A record that cannot be read is treated as none: undo then
// works by recognising entries.
func readRecord(path string) record {
	data, err := os.ReadFile(path)
	if err != nil {
		return record{}
	}
	var rec record
	if json.Unmarshal(data, &rec) != nil || rec.Format != recordFormat {
		return record{}
	}
	return rec
}

// allRecords reads every install record of the state folder, for the program
// paths in them.
func allRecords(stateDir string) []record {
	dir := filepath.Join(stateDir, "installs")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []record
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			out = append(out, readRecord(filepath.Join(dir, e.Name())))
		}
	}
	return out
}

// writeRecord replaces the record, whole or not at all.
func writeRecord(path string, rec record) error {
	rec.Format = recordFormat
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("install record: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("install record: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".install-*.tmp")
	if err != nil {
		return fmt.Errorf("install record: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("install record: %w", err)
	}
	return nil
}

func removeRecord(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("install record: %w", err)
	}
	return nil
}
