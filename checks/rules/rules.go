// Package rules holds the rules about commands and paths as data, and runs
// them over what checks/shell says a script would do.
//
// Each rule stands beside the commands that it stops and the look-alikes that
// it lets go; one table test runs them all. The package reads nothing itself:
// files and repositories are asked through State.
package rules

import (
	"slices"
	"strings"

	"agentguard/checks/mcp"
	"agentguard/checks/shell"
	"agentguard/hook"
)

// Rule is one thing that must not happen unseen.
type Rule struct {
	ID     string // kebab-case, stable: policies and logs name it
	Family string // the page docs/rules/<family>.md
	Title  string // what it stops, in a few words
	Safe   string // the safe way to the goal; ends every reason
	Hits   []Case
	Misses []Case
	Tools  []ToolCase

	// programs limits call and verbs to commands of these names; nil means all.
	programs []string
	call     func(*scan, int) verdict
	// git looks at git commands of the names in subs. All of a rule is constant
	// data, so that nothing is built when the hook starts.
	git    func(*scan, *gitCall) verdict
	subs   []string
	verbs  []verb
	effect func(*scan, shell.Effect) verdict
	script func(*scan) verdict
}

// Case is one example of a rule, run by the table test and never executed.
type Case struct {
	Run  string
	In   string        // folder it runs in, relative to the project; "~" is home
	Tree Tree          // state of the fixture repository
	Want hook.Decision // of a hit; Pass means "ask or deny"
}

// ToolCase is one call of a tool other than the shell, and what must be said of it.
type ToolCase struct {
	Tool  string
	Input string // JSON; {{REPO}} and {{HOME}} stand for the fixture's folders
	Want  hook.Decision
}

// Tree names a state of the fixture repository that the examples stand in.
type Tree string

// The states, as testdata/README.md describes them.
const (
	Dirty   Tree = ""        // on main, one file modified, one untracked
	Clean   Tree = "clean"   // on main, nothing modified or untracked
	Feature Tree = "feature" // on feature/login, clean, one commit not pushed
)

// Hit is one rule's answer to one call.
type Hit struct {
	Rule     *Rule
	Decision hook.Decision // Ask or Deny
	Reason   string        // addressed to the agent: the fact, then one act that settles it
	Command  string        // the offending command, shortened
	// Rewrite is the whole script with the same result and less risk, where
	// there is one. The caller may send it instead of Decision when this is the
	// only hit.
	Rewrite string
}

// verdict is what a match function says; the zero value is no match.
type verdict struct {
	decision hook.Decision
	fact     string
	safe     string // instead of the rule's own
	command  int    // index in Script.Commands plus one; 0 where the scan knows it
	rewrite  string
}

func deny(fact string) verdict { return verdict{decision: hook.Deny, fact: fact} }
func ask(fact string) verdict  { return verdict{decision: hook.Ask, fact: fact} }

// or is the stricter of two verdicts, the first of equal ones.
func (v verdict) or(w verdict) verdict {
	if w.decision > v.decision {
		return w
	}
	return v
}

func (v verdict) at(command int) verdict {
	v.command = command + 1
	return v
}

// Commands runs the rules of dangerous-command over a script and returns one
// hit for each rule that matched, strictest first. A script that could not be
// parsed is searched word by word and can at worst be asked about.
func Commands(ctx Context) []Hit {
	return newScan(ctx).run(families[:])
}

// All returns every rule in the order of the families.
func All() []*Rule {
	var all []*Rule
	for _, fam := range slices.Concat(families[:], [][]Rule{pathRules, tamperRules}) {
		for i := range fam {
			all = append(all, &fam[i])
		}
	}
	return all
}

// families lists the rules of dangerous-command, one family a file.
var families = [...][]Rule{
	removalRules, discardRules, historyRules, bypassRules, diskRules, permissionRules,
	databaseRules, cloudRules, remoteRules, exfilRules, interpreterRules, publishRules, windowsRules, mcpRules, fallbackRules,
}

func (s *scan) run(sets [][]Rule) []Hit {
	s.sets = sets
	var hits []Hit
	for _, fam := range sets {
		for i := range fam {
			if h, ok := s.apply(&fam[i]); ok {
				hits = append(hits, h)
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return int(b.Decision) - int(a.Decision) })
	return hits
}

func (s *scan) apply(r *Rule) (Hit, bool) {
	var worst verdict
	exempted := func(v verdict, command int) bool {
		return v.decision >= hook.Ask && s.ctx.Exempted != nil && s.ctx.Exempted(r.ID, command)
	}
	consider := func(v verdict) {
		if !exempted(v, v.command-1) {
			worst = worst.or(v)
		}
	}
	if r.script != nil {
		// What it says of its worst command may hold for others as well.
		if v := r.script(s); !exempted(v, -1) {
			worst = v
		}
	}
	if r.call != nil || r.git != nil || r.verbs != nil {
		for i := range s.cmds {
			if worst.decision == hook.Deny {
				break // nothing is stricter
			}
			if !r.concerns(s.cmds[i].Name) || s.explained(i) {
				continue
			}
			if r.call != nil {
				consider(r.call(s, i).at(i))
			}
			if r.git != nil {
				if g := s.git(i); g != nil && slices.Contains(r.subs, g.sub) && !g.help() && !(r.localLoss() && s.scratchRepo(g)) {
					consider(r.git(s, g).at(i))
				}
			}
			if r.verbs != nil {
				consider(s.matchVerbs(i, r.verbs).at(i))
			}
		}
	}
	if r.effect != nil {
		for _, e := range s.ctx.Script.Effects {
			if worst.decision == hook.Deny {
				break
			}
			if s.elsewhere(e.Command) == inContainer || s.explained(e.Command) {
				continue
			}
			consider(r.effect(s, e).at(e.Command))
		}
	}
	if worst.decision < hook.Ask {
		return Hit{}, false
	}
	h := Hit{Rule: r, Decision: worst.decision, Command: s.show(worst.command - 1), Rewrite: worst.rewrite}
	fact := worst.fact
	if h.Command != "" && mcp.Is(s.ctx.Tool) {
		fact = "(what this call does) " + fact // the agent did not write that command
	}
	h.Reason = reason(h.Command, fact, cmpOr(worst.safe, r.Safe))
	return h, true
}

// concerns tells that the rule looks at commands of that name. Git's own
// programs (git-reset) count as git.
func (r *Rule) concerns(name string) bool {
	if r.programs == nil || slices.Contains(r.programs, name) {
		return true
	}
	return (strings.HasPrefix(name, "git-") || name == "hub") && slices.Contains(r.programs, "git")
}

// localLoss tells rules about what only this clone would lose.
func (r *Rule) localLoss() bool {
	return r.Family == "git-discard" || r.Family == "git-history" && !slices.Contains(r.subs, "push")
}

// maxReason bounds one reason in bytes; clients show it to the model.
const maxReason = 300

// reason joins the command, the fact and the safe way. The command gives way
// first, because the agent knows what it sent.
func reason(command, fact, safe string) string {
	text := fact + " " + safe
	if room := maxReason - len(text) - 4; command != "" && room > 8 {
		text = "`" + clip(command, room) + "` " + text
	} else {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return clip(text, maxReason)
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
