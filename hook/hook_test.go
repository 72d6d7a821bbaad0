package hook_test

import (
	"math/rand/v2"
	"testing"

	"agentguard/hook"
)

func TestStrictest(t *testing.T) {
	pass, allow := hook.Outcome{}, hook.Outcome{Decision: hook.Allow, Check: "a"}
	ask, deny := hook.Outcome{Decision: hook.Ask, Check: "b", Reason: "r"}, hook.Outcome{Decision: hook.Deny, Check: "c", Reason: "s"}
	got := hook.Strictest(pass, ask, deny, allow)
	if got.Decision != hook.Deny || got.Check != "c" || got.Reason != "s" {
		t.Errorf("Strictest = %+v", got)
	}
	rewrite := hook.Outcome{Rewrite: []byte(`{}`)}
	if hook.Strictest(rewrite, ask).Rewrite != nil {
		t.Error("a rewrite survived a question")
	}
	if hook.Strictest(rewrite, pass).Rewrite == nil {
		t.Error("a rewrite was lost")
	}
}

// TestStrictestLaws: commutative in the decision, associative, never weaker than
// any input.
func TestStrictestLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	one := func() hook.Outcome { return hook.Outcome{Decision: hook.Decision(rnd.IntN(4))} }
	for range 1000 {
		a, b, c := one(), one(), one()
		abc := hook.Strictest(a, b, c)
		if hook.Strictest(c, b, a).Decision != abc.Decision {
			t.Fatal("not commutative")
		}
		if hook.Strictest(hook.Strictest(a, b), c).Decision != abc.Decision || hook.Strictest(a, hook.Strictest(b, c)).Decision != abc.Decision {
			t.Fatal("not associative")
		}
		for _, o := range []hook.Outcome{a, b, c} {
			if abc.Decision < o.Decision {
				t.Fatal("weaker than an input")
			}
		}
	}
}

func TestDecisionWords(t *testing.T) {
	for _, d := range []hook.Decision{hook.Pass, hook.Allow, hook.Ask, hook.Deny} {
		text, err := d.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back hook.Decision
		if err := back.UnmarshalText(text); err != nil || back != d {
			t.Errorf("%v became %v", d, back)
		}
	}
}
