package checks

import (
	"context"
	"encoding/json"
	"path"
	"strings"

	"agentguard/checks/rules"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// Fault is something wrong with an own rule as a rule, found without a call.
type Fault struct {
	Rule    policy.OwnRule
	Kind    string // "shadowed", "unreachable"
	Sure    bool   // proved by the rules themselves, not by one example
	Message string
}

// Lint looks for own rules that can never decide anything: because no call can
// match them, or because another rule always decides first. bare is a call in the
// project without a tool; nothing is run.
func Lint(ctx context.Context, bare *Input) []Fault {
	var faults []Fault
	own := bare.Policy.Commands
	for i, r := range own {
		sample, complete := bare.sample(r)
		if sample == nil {
			faults = append(faults, Fault{r, "unreachable", true, "no call can match it: its conditions exclude each other"})
			continue
		}
		loose := r
		loose.Branch, loose.Content = "", ""
		if _, hit := sample.matcher(ctx).matches(loose); !hit {
			faults = append(faults, Fault{r, "unreachable", true, "no call can match it: not even " + sample.shown()})
			continue
		}
		if j := shadow(own, i); j >= 0 {
			faults = append(faults, Fault{r, "shadowed", true, "the rule " + own[j].ID + " (" + own[j].Where + ") decides every call that it matches"})
			continue
		}
		if rule, d := sample.builtIn(ctx); complete && d >= ownDecision(r) {
			faults = append(faults, Fault{r, "shadowed", false, "the built-in rule " + rule + " says " + d.String() + " already, for example to " + sample.shown()})
		}
	}
	return faults
}

// OwnMatches lists the own rules and exceptions that match the call, whatever
// decides in the end.
func (in *Input) OwnMatches(ctx context.Context) []policy.OwnRule {
	if in.Event.Tool == nil {
		return nil
	}
	m := in.matcher(ctx)
	m.inner = true
	var list []policy.OwnRule
	for _, r := range append(append([]policy.OwnRule{}, in.Policy.Commands...), in.Policy.Exceptions...) {
		if _, hit := m.matches(r); hit {
			list = append(list, r)
		}
	}
	return list
}

// builtIn tells what the built-in rules say of a call.
func (in *Input) builtIn(ctx context.Context) (rule string, d hook.Decision) {
	rc := in.plainContext(ctx)
	rc.Protect = nil
	for _, hits := range [][]rules.Hit{rules.Commands(rc), rules.Paths(rc), rules.Tamper(rc)} {
		if len(hits) > 0 && hits[0].Decision > d {
			rule, d = hits[0].Rule.ID, hits[0].Decision
		}
	}
	return rule, d
}

// sample makes a call that a rule is about; nil where its conditions exclude each
// other. complete tells that every condition is in it.
func (in *Input) sample(r policy.OwnRule) (call *Input, complete bool) {
	shell := r.Program != "" || len(r.Flags) > 0 || r.Tool == "" && len(r.Args) > 0
	tool := first(fill(r.Tool), "Write")
	if shell || r.Tool != "" && anyGlob(r.Tool, "Bash") {
		tool = "Bash"
	}
	ev := hook.Event{Client: in.Event.Client, Name: hook.PreToolUse, SessionID: "check", CWD: in.Event.CWD, ProjectDir: in.Event.ProjectDir}
	input := map[string]any{}
	if shell {
		if r.Tool != "" && !anyGlob(r.Tool, "Bash") && !anyGlob(r.Tool, "PowerShell") {
			return nil, false
		}
		words := []string{first(fill(r.Program), "program")}
		for w := range strings.FieldsSeq(r.Subcommand) {
			words = append(words, fill(w))
		}
		for _, f := range r.Flags {
			words = append(words, fill(f))
		}
		for _, a := range r.Args {
			words = append(words, shellQuote(fill(a)))
		}
		if r.Branch != "" && r.Program == "git" && r.Subcommand == "push" {
			words = append(words, "origin", fill(r.Branch))
		}
		if r.Path != "" {
			words = append(words, shellQuote(filePath(r.Path)))
		}
		input["command"] = strings.Join(words, " ")
	} else {
		if r.Path != "" || tool == "Write" {
			input["file_path"], input["content"] = path.Join(ev.ProjectDir, filePath(first(r.Path, "file"))), "text"
		}
		for i, a := range r.Args {
			input["arg"+string(rune('a'+i%26))] = fill(a)
		}
		if tool == "Bash" {
			input = map[string]any{"command": "true"}
			if r.Path != "" || r.Content != "" {
				input["command"] = "echo text > " + shellQuote(filePath(first(r.Path, "file")))
			}
		}
	}
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, false
	}
	ev.Tool = &hook.Tool{Name: tool, Input: raw}
	return &Input{Event: ev, Policy: in.Policy, World: in.World}, r.Content == "" && (r.Branch == "" || r.Subcommand == "push")
}

// shown writes a sample for a message.
func (in *Input) shown() string {
	if c, ok := in.ShellCommand(); ok {
		return "`" + c + "`"
	}
	return "a call of " + in.Event.Tool.Name
}

// fill makes a text that a glob matches: its first alternative with something
// for each star.
func fill(pattern string) string {
	one, _, _ := strings.Cut(pattern, "|")
	return strings.NewReplacer("*", "x", "?", "x").Replace(one)
}

// filePath makes a file that a path pattern matches.
func filePath(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		pattern += "x"
	}
	return strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(pattern)
}

// shadow returns another rule that decides every call that rule i matches, or
// -1: one that matches at least as much and is stricter, or as strict and earlier.
func shadow(own []policy.OwnRule, i int) int {
	for j := range own {
		stricter := ownDecision(own[j]) > ownDecision(own[i])
		same := ownDecision(own[j]) == ownDecision(own[i]) && j < i && (own[j].Halt || !own[i].Halt)
		if j != i && (stricter || same) && includes(own[j], own[i]) {
			return j
		}
	}
	return -1
}

// includes tells for sure that rule a matches whatever b matches.
func includes(a, b policy.OwnRule) bool {
	wide := func(a, b string) bool {
		return a == "" || b != "" && (a == b || !strings.Contains(b, "|") && anyGlob(a, b))
	}
	subA, subB := strings.Fields(a.Subcommand), strings.Fields(b.Subcommand)
	if len(subA) > len(subB) {
		return false
	}
	for i := range subA {
		if !wide(subA[i], subB[i]) {
			return false
		}
	}
	// A rule without a program is about what is written, one with it about
	// commands: neither holds the other.
	if (a.Program == "" && len(a.Flags)+len(a.Args) == 0) != (b.Program == "" && len(b.Flags)+len(b.Args) == 0) {
		return false
	}
	return wide(a.Tool, b.Tool) && wide(a.Program, b.Program) && wide(a.Branch, b.Branch) &&
		(a.Path == "" || a.Path == b.Path) && (a.Content == "" || a.Content == b.Content) &&
		eachIn(a.Flags, b.Flags, func(x, y string) bool {
			for alt := range strings.SplitSeq(y, "|") {
				if !strings.Contains("|"+x+"|", "|"+alt+"|") {
					return false
				}
			}
			return true
		}) && eachIn(a.Args, b.Args, wide)
}

// eachIn tells that each of a holds one of b.
func eachIn(a, b []string, holds func(a, b string) bool) bool {
	for _, x := range a {
		found := false
		for _, y := range b {
			found = found || holds(x, y)
		}
		if !found {
			return false
		}
	}
	return true
}
