package prose

import (
	"strings"
	"sync"
)

// runsNow tells a sentence that announces that the block below it runs now.
func runsNow(s *Sentence) bool {
	if s.Mood == Question || len(s.Clauses) == 0 {
		return false
	}
	c := &s.Clauses[len(s.Clauses)-1]
	if has(c.tokens, "neg", "user", "modal") || c.Link == "if" {
		return false
	}
	_, _, ok := match(announces.of(s.Lang), trimmed(c.tokens))
	return ok
}

// runsThat tells a sentence that says that the block above it runs now.
func runsThat(s *Sentence) bool {
	return s.Lang == English && s.Mood != Question && has(s.tokens, "runG", "runB") && has(s.tokens, "now", "next") && has(s.tokens, "self", "lets") && has(s.tokens, "pron") && !has(s.tokens, "neg", "user", "modal")
}

var announces = tables{
	en: sync.OnceValue(func() []pattern {
		return rules(`
will: self adv* beN? adv* fut .{0,4} (runB | actB | mrgB | startB | openB)
doing: self beN adv* proceed? (runG | actG | startG | openG | mrgG)
now doing: ^ (intro comma?)* adv* (runG | actG | startG | openG | mrgG)
lets: lets adv* (runB | actB | mrgB | startB | openB)
dropped: ^ (intro comma?)* fut (runB | actB | mrgB | startB)
command: ^ (next | now) .{0,4} (command | commands)? $
`)
	}),
	ja: sync.OnceValue(func() []pattern {
		return rules(`
run: (obj | part)? (go | do | make) aux{0,2} (np | vol) $
act: (act | mrg) (obj | part)? do aux{0,2} (np | vol) $
`)
	}),
	zh: sync.OnceValue(func() []pattern {
		return rules(`
run: (self | now | want) .{0,4} (go | act | mrg)
`)
	}),
}

// changesSharedBlock reads the lines of a code block as commands.
func changesSharedBlock(block string) bool {
	_, body, _ := strings.Cut(block, "\n")
	return changesShared(body)
}
