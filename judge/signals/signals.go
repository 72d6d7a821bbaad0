// Package signals is stage one of the transcript judge: cheap patterns that say
// "look closer", and the certain allows that need no judge.
//
// A signal is broad on purpose; it decides nothing. Every signal carries
// messages that it hits and messages that it misses, and a test holds it to both.
package signals

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"agentguard/judge/prose"
)

// Signal is one pattern of one check in one language.
type Signal struct {
	Check string
	Lang  prose.Lang
	Name  string
	// Keywords are the words of which one must stand in a sentence before the
	// pattern is tried at all.
	Keywords []string
	// Pattern is a regular expression (RE2) over prose.Sentence.Plain.
	Pattern string
	Hits    []string
	Misses  []string

	compiled func() *regexp.Regexp
}

// Match is one place where a signal hits. Start and End are byte offsets of the
// sentence in the message.
type Match struct {
	Check, Name string
	Lang        prose.Lang
	Start, End  int
}

// All lists every signal, by check.
var All = sync.OnceValue(func() []Signal {
	var out []Signal
	for _, part := range [][]Signal{commitSignals(), scopeSignals(), changeSignals(), bugfixSignals()} {
		out = append(out, part...)
	}
	for i := range out {
		p := out[i].Pattern
		out[i].compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(p) })
	}
	return out
})

// Scan gives where the checks' signals hit in d, in the order of the text. Only
// the writer's own words are read, and command blocks that the text announces
// to run now.
func Scan(d *prose.Document, checks ...string) []Match {
	var out []Match
	for i := range d.Sentences {
		s := &d.Sentences[i]
		plain := ""
		for _, sig := range All() {
			if sig.Lang != s.Lang || !wanted(sig.Check, checks) {
				continue
			}
			if plain == "" {
				plain = s.Plain()
			}
			if sig.hits(plain) {
				out = append(out, Match{sig.Check, sig.Name, s.Lang, s.Start, s.End})
			}
		}
	}
	// What the reader itself takes for a proposal is a hit in any case.
	for _, check := range []string{commit, scope, change, shallow, unproven} {
		if !wanted(check, checks) || slices.ContainsFunc(out, func(m Match) bool { return m.Check == check }) {
			continue
		}
		if r := d.Read(check); r.Proposal == prose.Yes {
			for _, n := range r.Notes {
				if n.Says == "proposal" || n.Says == "reported as fixed" {
					out = append(out, Match{Check: check, Name: "reading: " + n.Rule, Start: n.Start, End: n.End})
				}
			}
		}
	}
	if wanted(commit, checks) {
		for _, p := range d.Parts {
			if p.Kind == prose.Code && p.Announced {
				out = append(out, Match{Check: commit, Name: "announced commands", Start: p.Start, End: p.End})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return a.Start - b.Start })
	return out
}

func wanted(check string, checks []string) bool {
	return len(checks) == 0 || slices.Contains(checks, check)
}

func (s *Signal) hits(plain string) bool {
	for _, k := range s.Keywords {
		if strings.Contains(plain, k) {
			return s.compiled().MatchString(plain)
		}
	}
	return false
}

// The ids of the checks, as the judge knows them.
const (
	commit   = "commit-before-verification"
	scope    = "scope-check"
	change   = "scope-change"
	shallow  = "shallow-bugfix"
	unproven = "bugfix-without-reproduction"
)
