package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/hook/regular"
	"agentguard/settings"
)

// maxRecord bounds a file of the state folder that remembers one thing, in bytes.
const maxRecord = 64 << 10

// entries are our hook entries in one settings file.
type entries struct {
	Path     string   `json:"path"`
	Events   []string `json:"events"`
	Disabled bool     `json:"-"` // disableAllHooks is true
	Void     string   `json:"-"` // why the client drops the whole file
}

// settingsFiles are the files whose hooks a session reads, of those that an
// agent can write.
func (in *Input) settingsFiles() []string {
	dir, _ := in.World.Getenv("CLAUDE_CONFIG_DIR")
	if dir == "" && in.World.Home != "" {
		dir = filepath.Join(in.World.Home, ".claude")
	}
	project := filepath.Join(in.Event.ProjectDir, ".claude")
	var files []string
	if dir != "" {
		files = append(files, filepath.Join(dir, "settings.json"))
	}
	if in.Event.ProjectDir != "" {
		files = append(files, filepath.Join(project, "settings.json"), filepath.Join(project, "settings.local.json"))
	}
	return files
}

// readEntries reads a settings file as it stands now. A missing file has no
// entries; one that cannot be read is void.
func readEntries(path string) entries {
	e := entries{Path: path}
	snap, err := settings.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !snap.Exists:
		return e
	case err != nil:
		e.Void = err.Error()
		return e
	}
	doc, err := settings.Parse(snap.Bytes)
	if err != nil {
		e.Void = err.Error()
		return e
	}
	if fault, void := doc.Void(settings.Version{}); void {
		e.Void = fault.Message
	}
	if off, ok := doc.Root.Get("disableAllHooks"); ok {
		e.Disabled = off.Bool
	}
	for _, h := range doc.Handlers() {
		if ours(h) && !h.Shadowed && !slices.Contains(e.Events, h.Event) {
			e.Events = append(e.Events, h.Event)
		}
	}
	slices.Sort(e.Events)
	return e
}

// ours recognises an entry of ours generously: by the owner key, or by the
// program's name anywhere in the command. Only protection rests on it; removal
// by uninstall is exact.
func ours(h settings.Handler) bool {
	_, marked := h.Node.Get("agentguard")
	return marked || strings.Contains(h.Command, "agentguard-hook") || slices.ContainsFunc(h.Args, func(a string) bool {
		return strings.Contains(a, "agentguard-hook")
	})
}

// gone lists what was there before and is not any more.
func (e entries) gone(before entries) []string {
	return slices.DeleteFunc(slices.Clone(before.Events), func(event string) bool { return slices.Contains(e.Events, event) })
}

// entriesRecord is where the entries of a settings file are remembered.
func (in *Input) entriesRecord(path string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(path)))
	return filepath.Join(in.World.State, "agentguard", "entries", hex.EncodeToString(sum[:12])+".json")
}

// remembered returns the entries that a settings file had when they were last
// saved; none where nothing is remembered.
func (in *Input) remembered(path string) entries {
	var e entries
	b, err := regular.ReadOwn(in.entriesRecord(path), maxRecord)
	if err != nil || json.Unmarshal(b, &e) != nil {
		return entries{Path: path}
	}
	return e
}

// remember saves what a settings file holds. A failure is no reason to refuse
// anything: the next session tries again.
func (in *Input) remember(e entries) {
	if in.World.DryRun || slices.Equal(in.remembered(e.Path).Events, e.Events) {
		return
	}
	b, err := json.Marshal(e)
	if err != nil {
		return
	}
	name := in.entriesRecord(e.Path)
	if os.MkdirAll(filepath.Dir(name), 0o700) == nil {
		_ = regular.Replace(name, b) //nolint:errcheck // see above
	}
}
