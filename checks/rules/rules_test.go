package rules

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// contextOf makes the context of a shell call in a fixture.
func contextOf(f *fixture, command, in string) Context {
	command = strings.ReplaceAll(command, "{{REPO}}", f.repo)
	command = strings.ReplaceAll(command, "{{HOME}}", f.home)
	cwd := filepath.Join(f.repo, in)
	if in == "~" {
		cwd = f.home
	}
	raw, _ := json.Marshal(map[string]string{"command": command})
	ctx := Context{
		Tool: "Bash", Input: raw, Text: command, CWD: cwd, Home: f.home, ProjectDir: f.repo, State: f.state,
		Temp: []string{"/tmp", "/var/tmp"},
	}
	// The fixture lies in a temp folder itself; only the home folder counts there.
	ctx.Script = shell.Analyze(command, shell.Env{Dir: cwd, Home: f.home, ReadFile: f.state.ReadFile})
	return ctx
}

func everything(ctx Context) []Hit {
	return append(append(Commands(ctx), Paths(ctx)...), Tamper(ctx)...)
}

func strictest(hits []Hit) hook.Decision {
	var d hook.Decision
	for _, h := range hits {
		d = max(d, h.Decision)
	}
	return d
}

func describe(hits []Hit) string {
	var b strings.Builder
	for _, h := range hits {
		b.WriteString("\n\t" + h.Decision.String() + " " + h.Rule.ID + ": " + h.Reason)
	}
	return b.String()
}

// TestRules runs every rule's own hits and misses: a hit must be stopped, by
// this rule, and a miss must pass all rules.
func TestRules(t *testing.T) {
	for _, r := range All() {
		t.Run(r.ID, func(t *testing.T) {
			for _, c := range r.Hits {
				f := fixtureOf(t, c.Tree)
				hits := everything(contextOf(f, c.Run, c.In))
				got := strictest(hits)
				if got < hook.Ask || c.Want != hook.Pass && got != c.Want {
					t.Errorf("hit %q (%s): got %v, want %v%s", c.Run, c.Tree, got, c.Want, describe(hits))
					continue
				}
				found := false
				for _, h := range hits {
					found = found || h.Rule.ID == r.ID
				}
				if !found {
					t.Errorf("hit %q: stopped, but not by this rule%s", c.Run, describe(hits))
				}
			}
			for _, c := range r.Misses {
				f := fixtureOf(t, c.Tree)
				if hits := everything(contextOf(f, c.Run, c.In)); len(hits) > 0 {
					t.Errorf("miss %q (%s): stopped%s", c.Run, c.Tree, describe(hits))
				}
			}
		})
	}
}

// TestVerbRows: a row that can never match, or that says nothing, is a mistake.
func TestVerbRows(t *testing.T) {
	for _, r := range All() {
		for _, v := range r.verbs {
			for words := range strings.SplitSeq(v.words+";"+v.but, ";") {
				if strings.Contains(strings.TrimPrefix(words, "… "), "…") {
					t.Errorf("%s, %s: %q: words between are only read behind a leading …", r.ID, v.prog, words)
				}
			}
			if v.fact == "" || !strings.HasSuffix(v.fact, ".") {
				t.Errorf("%s, %s: the fact %q is no sentence", r.ID, v.prog, v.fact)
			}
		}
	}
}

// TestRulesAreComplete: what users see of a rule must be there.
func TestRulesAreComplete(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range All() {
		if !id.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("rule id %q is not unique kebab-case", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Safe == "" || r.Family == "" {
			t.Errorf("%s: title, family or safe way missing", r.ID)
		}
		if len(r.Safe) > 140 || !strings.HasSuffix(r.Safe, ".") {
			t.Errorf("%s: the safe way must be one short sentence: %q", r.ID, r.Safe)
		}
		if r.ID != "path-policy" && len(r.Tools) < 4 && (len(r.Hits) < 2 || len(r.Misses) < 2) {
			t.Errorf("%s: needs hits and misses beside it", r.ID)
		}
	}
}
