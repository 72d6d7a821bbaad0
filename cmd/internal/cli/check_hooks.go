package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"agentguard/installer"
	"agentguard/settings"
)

// reviewHooks reports every hook entry in the committed settings that is neither
// ours nor listed in the policy's hooks.reviewed: whoever clones the repository
// runs it. The digest is over the bytes of the entry, so a change asks for a new
// review.
func (a *app) reviewHooks(p project, report *checkReport) {
	path := filepath.Join(p.root, ".claude", "settings.json")
	snap, err := settings.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !snap.Exists {
		return
	}
	if err != nil {
		report.add("error", "settings", path, "cannot be read: %v", err)
		return
	}
	doc, err := settings.Parse(snap.Bytes)
	if err != nil {
		report.add("error", "settings", path, "%v", err)
		return
	}
	ours := installer.Recognise(installer.Request{Home: p.world.Home, HookPath: p.world.Hook, StateDir: filepath.Join(p.world.State, "agentguard")})
	used := map[string]bool{}
	for _, h := range doc.Handlers() {
		if ours(h) {
			continue
		}
		sum := sha256.Sum256(doc.Source[h.Node.Start:h.Node.End])
		digest := "sha256:" + hex.EncodeToString(sum[:])
		used[digest] = true
		if slices.Contains(p.policy.Reviewed, digest) {
			continue
		}
		line, col := doc.Position(h.Node.Start)
		report.add("error", "hook", fmt.Sprintf("%s:%d:%d", path, line, col),
			"this %s hook is not agentguard's and nobody reviewed it: %q runs on every machine that clones this. Read it, then add %q to hooks.reviewed in the policy",
			h.Event, oneLine(first(h.Command, first(h.URL, h.Prompt)), 80), digest)
	}
	for _, digest := range p.policy.Reviewed {
		if !used[digest] {
			report.add("warning", "hook", path, "hooks.reviewed lists %s, which no hook entry has any more; remove it", digest)
		}
	}
}
