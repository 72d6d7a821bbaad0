package policy

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"agentguard/settings"
)

// OwnRule is a rule of the project about commands and writes. Every condition
// that is given must hold; at least one must be given. With decision allow it is
// an exception from another rule instead.
type OwnRule struct {
	ID         string   `json:"id" required:"true" doc:"Name of the rule, in lower case with dashes; messages and logs show it."`
	Tool       string   `json:"tool" doc:"Glob of the tool's name, such as \"Bash\" or \"mcp__github__*\"."`
	Program    string   `json:"program" doc:"Glob of the program's base name; wrappers such as sudo and env are seen through."`
	Subcommand string   `json:"subcommand" doc:"Words that follow the program, such as \"push\" or \"pr merge\"; options between them do not matter."`
	Flags      []string `json:"flags" doc:"Options that must all be given; \"--force|-f\" means either."`
	Args       []string `json:"args" doc:"Globs that must each fit an argument; * stands for any text."`
	Path       string   `json:"path" doc:"Glob of a file that is written, moved or deleted, relative to the repository; ** crosses folders."`
	Branch     string   `json:"branch" doc:"Glob of the branch: what a push goes to, else the one that is checked out."`
	Content    string   `json:"content" doc:"Regular expression for what is written."`
	Rule       string   `json:"rule" doc:"Of an exception: the rule that does not apply, a built-in one or an own one."`
	Decision   string   `json:"decision" required:"true" choices:"deny,ask,allow" doc:"What happens: deny, ask, or allow for an exception."`
	Reason     string   `json:"reason" doc:"Told to the agent: why, and what to do instead. A rule that refuses needs one."`
	Because    string   `json:"because" doc:"The incident that the rule exists for."`
	Halt       bool     `json:"halt" doc:"Emergency brake: a denied call also ends the turn."`
	// Where is the place of the entry, file:line:col.
	Where string `json:"-"`
	// Layer is the layer that the rule stands in.
	Layer Layer `json:"-"`
}

// Refuses tells a rule from an exception.
func (r OwnRule) Refuses() bool { return r.Decision != "allow" }

// Secrets adjusts secret-leak.
type Secrets struct {
	Allow []SecretAllow `json:"allow" doc:"Finds that are none."`
	Rules []SecretRule  `json:"rules" doc:"More kinds of secrets."`
}

// SecretAllow lets finds go by file, by kind or by both.
type SecretAllow struct {
	Path   string `json:"path" doc:"Glob of files, relative to the repository; ** crosses folders."`
	Kind   string `json:"kind" doc:"Kind of the find, as the refusal names it; a glob."`
	Reason string `json:"reason" required:"true" doc:"Why these are no secrets; for the next reader."`
	Where  string `json:"-"`
}

// SecretRule is one more kind of secret.
type SecretRule struct {
	ID       string `json:"id" required:"true" doc:"Name of the kind."`
	Pattern  string `json:"pattern" required:"true" doc:"Regular expression for one line."`
	Decision string `json:"decision" choices:"ask,deny" doc:"What a find does; deny when absent."`
	Reason   string `json:"reason" required:"true" doc:"Told to the agent: what this is and where it belongs."`
	Where    string `json:"-"`
}

// Rewrite says which commands are replaced by a safer form. A layer can only
// make it safer.
type Rewrite struct {
	Lease   *bool `json:"lease" doc:"Replace --force by --force-with-lease in a push of the own branch; false asks instead."`
	Preview bool  `json:"preview" doc:"Let rm -rf of tracked files list what would go instead of deleting it."`
}

// ownRules checks what types alone cannot say of the own rules.
func (d *decoder) ownRules(rules []OwnRule) {
	list, _ := d.doc.Root.Get("commands")
	for i, r := range rules {
		n := list.Items[i]
		at := func(key string) int {
			if v, ok := n.Get(key); ok {
				return v.Start
			}
			return n.Start
		}
		name := fmt.Sprintf("commands[%d]", i)
		if j := slices.IndexFunc(rules, func(o OwnRule) bool { return o.ID == r.ID }); j < i {
			d.problem(at("id"), "%s: the id %q stands twice; the first is at %s", name, r.ID, rules[j].Where)
		}
		if strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			d.problem(at("id"), "%s.id is %q; accepted are lower-case letters, digits and dashes", name, r.ID)
		}
		d.pattern(at("content"), name+".content", r.Content)
		conditions := r.Tool != "" || r.Program != "" || r.Subcommand != "" || len(r.Flags)+len(r.Args) > 0 || r.Path != "" || r.Branch != "" || r.Content != ""
		switch {
		case !conditions:
			d.problem(n.Start, "%s needs a condition: tool, program, subcommand, flags, args, path, branch or content", name)
		case r.Refuses() && r.Reason == "":
			d.problem(n.Start, "%s refuses and needs \"reason\": what the agent is told, with the way to go on", name)
		case r.Refuses() && r.Rule != "":
			d.problem(at("rule"), "%s.rule: only an exception (decision allow) names a rule", name)
		case !r.Refuses() && r.Rule == "":
			d.problem(n.Start, "%s is an exception and needs \"rule\": the id of the rule that does not apply; a refusal names it", name)
		case r.Halt && r.Decision != "deny":
			d.problem(at("halt"), "%s.halt: only a rule with decision deny ends the turn", name)
		case r.Subcommand != "" && r.Program == "":
			d.problem(at("subcommand"), "%s.subcommand needs \"program\": whose subcommand it is", name)
		}
		if !r.Refuses() && r.Rule != "" {
			d.exempted(at("rule"), name, r, rules)
		}
		for j, f := range r.Flags {
			for alt := range strings.SplitSeq(f, "|") {
				if !strings.HasPrefix(alt, "-") || alt == "-" || alt == "--" {
					d.problem(at("flags"), "%s.flags[%d] is %q; an option begins with a dash", name, j, f)
				}
			}
		}
	}
}

// exempted checks that the rule an exception names exists. A managed layer may
// name the own rules of other layers, which it cannot see.
func (d *decoder) exempted(offset int, name string, r OwnRule, rules []OwnRule) {
	var ids []string
	for _, c := range d.known {
		if c.Rules != nil {
			ids = append(ids, c.Rules()...)
		}
	}
	for _, o := range rules {
		if o.Refuses() {
			ids = append(ids, o.ID)
		}
	}
	if slices.Contains(ids, r.Rule) || d.layer == Managed {
		return
	}
	d.problem(offset, "%s.rule is %q%s; an exception names a rule of dangerous-command or an own rule of this file (for protected files there is protect.exempt)", name, r.Rule, didYouMean(r.Rule, ids))
}

func (d *decoder) secretRules(s Secrets) {
	get := func(key string) settings.Node { n, _ := d.doc.Root.Get("secrets", key); return n }
	for i, r := range s.Rules {
		n := get("rules").Items[i]
		at, _ := n.Get("pattern")
		d.pattern(at.Start, fmt.Sprintf("secrets.rules[%d].pattern", i), r.Pattern)
	}
	for i, a := range s.Allow {
		if a.Path == "" && a.Kind == "" {
			d.problem(get("allow").Items[i].Start, "secrets.allow[%d] needs \"path\" or \"kind\"; without one it would let everything go", i)
		}
	}
}

// pattern checks a regular expression.
func (d *decoder) pattern(offset int, key, text string) {
	if text == "" {
		return
	}
	if _, err := syntax.Parse(text, syntax.Perl); err != nil {
		d.problem(offset, "%s is no regular expression: %s", key, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
}

// mergeOwn adds one layer's own rules. lets tells that the layer may let things
// go that a built-in rule stops.
func (e *Effective) mergeOwn(f *File, lets bool) {
	for _, r := range f.Policy.Commands {
		r.Layer = f.Layer
		if r.Refuses() {
			e.Commands = append(e.Commands, r)
		} else {
			e.Exceptions = append(e.Exceptions, r)
		}
	}
	s := f.Policy.Secrets
	e.Secrets.Rules = append(e.Secrets.Rules, s.Rules...)
	if lets {
		e.Secrets.Allow = append(e.Secrets.Allow, s.Allow...)
	} else if f.Layer == Team && len(s.Allow) > 0 {
		e.Untrusted = true // the team's layer is the base: only trust is missing
	}
	if f.Policy.Rewrite.Lease != nil && !*f.Policy.Rewrite.Lease {
		e.Rewrite.Lease = f.Policy.Rewrite.Lease
	}
	e.Rewrite.Preview = e.Rewrite.Preview || f.Policy.Rewrite.Preview
}

// settleExceptions keeps the exceptions that have the say: one from an own rule
// counts from that rule's layer or a stronger one, one from a built-in rule from
// the base layer or the managed one. A repository's count only when trusted, but
// for rules of its own.
func (e *Effective) settleExceptions(base *File, trusted bool) {
	e.Exceptions = slices.DeleteFunc(e.Exceptions, func(x OwnRule) bool {
		fromRepo := x.Layer == Team || x.Layer == Local
		own := false
		for _, r := range e.Commands {
			if r.ID != x.Rule {
				continue
			}
			own = true
			if x.Layer > r.Layer || fromRepo && !trusted && x.Layer != r.Layer {
				return true
			}
		}
		if own || x.Layer == Managed {
			return false
		}
		if base == nil || x.Layer != base.Layer {
			return true
		}
		if fromRepo && !trusted {
			e.Untrusted = true
			return true
		}
		return false
	})
}

// stricterOwn joins the own rules of two folders: both refuse, and only what
// both let go is let go.
func (e *Effective) stricterOwn(a, b *Effective) {
	e.Commands = slices.Concat(a.Commands, b.Commands)
	e.Exceptions = slices.DeleteFunc(slices.Clone(a.Exceptions), func(x OwnRule) bool {
		return !slices.ContainsFunc(b.Exceptions, func(y OwnRule) bool { return x.Where == y.Where })
	})
	e.Secrets.Rules = slices.Concat(a.Secrets.Rules, b.Secrets.Rules)
	e.Secrets.Allow = slices.DeleteFunc(slices.Clone(a.Secrets.Allow), func(x SecretAllow) bool { return !slices.Contains(b.Secrets.Allow, x) })
	if b.Rewrite.Lease != nil {
		e.Rewrite.Lease = b.Rewrite.Lease
	}
	e.Rewrite.Preview = a.Rewrite.Preview || b.Rewrite.Preview
}
