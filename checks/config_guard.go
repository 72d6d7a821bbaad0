package checks

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"agentguard/hook"
	"agentguard/hook/regular"
	"agentguard/settings/policy"
)

func configGuard() Check {
	return Check{
		ID: "config-guard", Title: "refuses a change of settings that removes or disables the guards",
		Events: []hook.EventName{hook.ConfigChange}, Guard: true, Standard: policy.Enforce,
		Run: func(_ context.Context, in *Input) (Finding, error) { return in.configChange(), nil },
	}
}

// configChange compares the settings file that changed with what it held before.
// Client 2.1.332 keeps the old hooks in force for the session when the change is
// refused; the file on disk stays changed, so the reason says how to mend it.
func (in *Input) configChange() Finding {
	files := in.settingsFiles()
	if in.Event.File != "" {
		files = []string{in.Event.File}
	}
	for _, path := range files {
		if strings.HasPrefix(filepath.Base(path), "managed-settings") {
			continue // the administrator's file; the client does not let a hook refuse it
		}
		before, now := in.remembered(path), readEntries(path)
		name := in.tilde(path)
		switch gone := now.gone(before); {
		case now.Disabled:
			return tampered("disabled", fmt.Sprintf("%s now says disableAllHooks, which switches every guard off.", name), path)
		case now.Void != "" && (len(before.Events) > 0 || in.holdsOurs(path)):
			return tampered("void", fmt.Sprintf("%s is broken now (%s), so the client drops the whole file with the guards in it.", name, now.Void), path)
		case len(gone) > 0:
			return tampered("removed", fmt.Sprintf("the guards' hook entries for %s are gone from %s.", strings.Join(gone, ", "), name), path)
		}
		in.remember(now)
	}
	if !in.anyEntries() {
		return tampered("removed", "no settings file has the guards' hook entries any more.", in.Event.File)
	}
	return Finding{}
}

func tampered(rule, fact, path string) Finding {
	return Finding{
		Decision: hook.Deny, Rule: rule, Subject: path,
		Reason: fact + " This session keeps the guards in force. Put the file back as it was, for example with `git checkout -- " + filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path) + "`, or ask the user.",
	}
}

// holdsOurs tells a settings file that names our program even though it does
// not parse.
func (in *Input) holdsOurs(path string) bool {
	b, err := regular.Read(path, 1<<20)
	return err == nil && strings.Contains(string(b), "agentguard-hook")
}

// anyEntries tells whether any settings file of the session has entries of ours.
// A session may have them from a layer that is not read here (a plugin, an
// agent's frontmatter): then nothing is remembered and nothing can be missed.
func (in *Input) anyEntries() bool {
	had := false
	for _, path := range in.settingsFiles() {
		if len(readEntries(path).Events) > 0 {
			return true
		}
		had = had || len(in.remembered(path).Events) > 0
	}
	return !had
}

// tilde writes the home folder as ~.
func (in *Input) tilde(path string) string {
	if home := in.World.Home; home != "" && strings.HasPrefix(path, home+string(filepath.Separator)) {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}
