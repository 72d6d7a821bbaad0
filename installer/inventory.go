package installer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/settings"
)

// State is how an entry of ours compares with what would be written today.
type State string

// The states of an entry.
const (
	// Written is a text of ours.
	Written State = "written"
	// Edited carries our owner key and runs another command.
	Edited State = "edited"
)

// Owned is one entry of ours in a settings file.
type Owned struct {
	Scope Scope
	Path  string
	Line  int
	Event string
	State State
}

// Inventory lists our entries in the settings files of all scopes. A file that
// cannot be read holds none that the client could read.
func Inventory(req Request) []Owned {
	var out []Owned
	own := req.owner(allRecords(req.StateDir))
	for _, scope := range []Scope{Project, Local, User} {
		req.Scope = scope
		if scope == Local && req.client().LocalFile == "" || scope != User && req.ProjectDir == "" {
			continue
		}
		path := req.SettingsPath()
		snap, err := settings.ReadFile(path)
		if err != nil || len(out) > 0 && out[len(out)-1].Path == path {
			continue
		}
		doc, err := settings.Parse(snap.Bytes)
		if err != nil {
			continue
		}
		for _, h := range doc.Handlers() {
			if !own.owned(h) {
				continue
			}
			line, _ := doc.Position(h.Node.Start)
			state := Edited
			if own.written(h) {
				state = Written
			}
			out = append(out, Owned{Scope: scope, Path: path, Line: line, Event: h.Event, State: state})
		}
	}
	return out
}

// installNotes says what the person must know about the choice made.
func (p *Plan) installNotes() {
	seen := map[Scope]bool{p.req.Scope: true}
	for _, o := range Inventory(p.req) {
		if !seen[o.Scope] {
			seen[o.Scope] = true
			p.Notes = append(p.Notes, fmt.Sprintf(
				"%s has entries of agentguard too, so each check runs twice; take one out: agentguard uninstall --scope %s", p.Show(o.Path), o.Scope))
		}
	}
	if len(p.Changes) == 0 {
		return
	}
	if p.req.Client.Note != "" {
		p.Notes = append(p.Notes, p.req.Client.Note)
	}
	if p.req.Scope == User {
		return
	}
	top := gitTop(p.req.ProjectDir)
	if p.req.Scope == Project && top != "" && top != p.req.ProjectDir {
		p.Notes = append(p.Notes, "the client reads "+p.Show(p.req.SettingsPath())+
			" only when it is started in this folder, not in the one above or in one below")
	}
	if p.req.Scope != Project {
		return
	}
	if dir := filepath.Dir(p.req.HookPath); p.req.HookPath != "" && !slices.Contains(usualDirs(p.req.Home), dir) {
		p.Notes = append(p.Notes, "the hooks find your agentguard-hook in "+p.Show(dir)+
			" only through PATH; a client started from the desktop may have another PATH, so put the program into ~/.local/bin")
	}
	var hidden []string
	for _, c := range p.Changes {
		if c.Kind != IgnoreFile && top != "" && ignoredHere(top, c.Path, filepath.Join(top, ".git", "info", "exclude")) {
			hidden = append(hidden, p.Show(c.Path))
		}
	}
	if len(hidden) > 0 {
		p.Notes = append(p.Notes, "git ignores "+strings.Join(hidden, " and ")+
			": nobody who clones gets it, and worktrees do not have it; take the rule out of the ignore file, or use git add -f")
		return
	}
	p.Notes = append(p.Notes, "commit these files: everybody who clones then has the same guards, and worktrees have them too")
}
