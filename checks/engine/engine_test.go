package engine_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentguard/checks"
	"agentguard/checks/engine"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func guard(id string, run func(context.Context, *checks.Input) (checks.Finding, error)) checks.Check {
	return checks.Check{ID: id, Guard: true, Standard: policy.Enforce, Run: run, Events: []hook.EventName{hook.PreToolUse, hook.Stop, hook.PostToolUse}}
}

func finds(d hook.Decision) func(context.Context, *checks.Input) (checks.Finding, error) {
	return func(context.Context, *checks.Input) (checks.Finding, error) {
		return checks.Finding{Decision: d, Rule: "rule", Reason: "because"}, nil
	}
}

func input(event hook.EventName, all []checks.Check, modes map[string]policy.Mode) *checks.Input {
	p := policy.Merge(nil, checks.Known(all), true, nil)
	maps.Copy(p.Modes, modes)
	in := &checks.Input{Event: hook.Event{Name: event, SessionID: "s"}, Policy: p}
	if event.IsStop() {
		in.Event.Stop = &hook.End{}
	}
	return in
}

func TestStrictestWins(t *testing.T) {
	all := []checks.Check{guard("a", finds(hook.Ask)), guard("b", finds(hook.Deny)), guard("c", finds(hook.Pass))}
	r := engine.Run(t.Context(), input(hook.PreToolUse, all, nil), all, time.Now)
	out := r.Answer()
	if out.Decision != hook.Deny || out.Check != "b" || len(r.Findings) != 3 {
		t.Errorf("%+v, %d findings", out, len(r.Findings))
	}
}

func TestModes(t *testing.T) {
	for mode, want := range map[policy.Mode]struct {
		decision hook.Decision
		found    int
		notices  int
	}{
		policy.Off:     {hook.Pass, 0, 0},
		policy.Observe: {hook.Pass, 1, 0},
		policy.Warn:    {hook.Pass, 1, 1},
		policy.Enforce: {hook.Deny, 1, 0},
	} {
		all := []checks.Check{guard("a", finds(hook.Deny))}
		r := engine.Run(t.Context(), input(hook.PreToolUse, all, map[string]policy.Mode{"a": mode}), all, time.Now)
		out := r.Answer()
		if out.Decision != want.decision || len(r.Findings) != want.found || len(out.Notices) != want.notices {
			t.Errorf("%v: %v, %d findings, notices %q", mode, out.Decision, len(r.Findings), out.Notices)
		}
	}
}

func TestARecorderCannotRefuse(t *testing.T) {
	c := guard("a", finds(hook.Deny))
	c.Guard = false
	r := engine.Run(t.Context(), input(hook.PreToolUse, []checks.Check{c}, nil), []checks.Check{c}, time.Now)
	if out := r.Answer(); out.Decision != hook.Pass {
		t.Errorf("%v", out.Decision)
	}
}

// TestFailureDirection: a gate that breaks asks, a stop that breaks passes, and
// the other checks still count.
func TestFailureDirection(t *testing.T) {
	broken := map[string]func(context.Context, *checks.Input) (checks.Finding, error){
		"error": func(context.Context, *checks.Input) (checks.Finding, error) {
			return checks.Finding{}, errors.New("no")
		},
		"panic": func(context.Context, *checks.Input) (checks.Finding, error) { panic("no") },
		"slow": func(ctx context.Context, _ *checks.Input) (checks.Finding, error) {
			<-ctx.Done()
			time.Sleep(time.Hour)
			return checks.Finding{Decision: hook.Deny}, ctx.Err()
		},
	}
	for name, run := range broken {
		for event, want := range map[hook.EventName]hook.Decision{hook.PreToolUse: hook.Ask, hook.Stop: hook.Pass, hook.PostToolUse: hook.Pass} {
			t.Run(name+" at "+string(event), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					all := []checks.Check{guard("broken", run), guard("sound", finds(hook.Pass))}
					r := engine.Run(t.Context(), input(event, all, nil), all, time.Now)
					if got := r.Answer().Decision; got != want {
						t.Errorf("answer %v, want %v", got, want)
					}
					if len(r.Failures) != 1 || r.Failures[0].Check != "broken" {
						t.Errorf("failures %+v", r.Failures)
					}
					if r.Elapsed > 20*time.Second {
						t.Errorf("took %v", r.Elapsed)
					}
					time.Sleep(2 * time.Hour) // let the check that was left behind end
				})
			})
		}
	}
}

// TestSlowChecksRunBeside each other: whoever waits holds up nobody for long.
func TestSlowChecksRunBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := func(context.Context, *checks.Input) (checks.Finding, error) {
			time.Sleep(time.Second)
			return checks.Finding{Decision: hook.Deny}, nil
		}
		all := []checks.Check{guard("quick", finds(hook.Pass)), guard("a", waits), guard("b", waits), guard("c", waits), guard("last", finds(hook.Ask))}
		r := engine.Run(t.Context(), input(hook.PreToolUse, all, nil), all, time.Now)
		if len(r.Findings) != len(all) || len(r.Failures) != 0 || r.Elapsed > 1100*time.Millisecond {
			t.Errorf("%d findings, %d failures after %v", len(r.Findings), len(r.Failures), r.Elapsed)
		}
		for i, f := range r.Findings {
			if f.Check.ID != all[i].ID {
				t.Errorf("finding %d is of %s, want %s", i, f.Check.ID, all[i].ID)
			}
		}
	})
}

func TestObservedFailureHasNoConsequence(t *testing.T) {
	all := []checks.Check{guard("a", func(context.Context, *checks.Input) (checks.Finding, error) { panic("no") })}
	r := engine.Run(t.Context(), input(hook.PreToolUse, all, map[string]policy.Mode{"a": policy.Observe}), all, time.Now)
	if r.Answer().Decision != hook.Pass || len(r.Failures) != 1 {
		t.Errorf("%+v", r)
	}
}

// stop runs one Stop through the engine and loop control.
func stop(t *testing.T, turn engine.Turn, active bool, message string, calls, maxBlocks int, matter string) (hook.Outcome, engine.Turn) {
	t.Helper()
	all := []checks.Check{guard("a", func(context.Context, *checks.Input) (checks.Finding, error) {
		return checks.Finding{Decision: hook.Deny, Reason: "run the tests", Matter: matter}, nil
	})}
	in := input(hook.Stop, all, nil)
	in.Event.PromptID, in.Event.Stop.HookActive = "p1", active
	r := engine.Run(t.Context(), in, all, time.Now)
	turn = r.Limit(turn, engine.Stopping{Event: in.Event, Message: message, Calls: calls, MaxBlocks: maxBlocks})
	return r.Answer(), turn
}

func TestLoopControl(t *testing.T) {
	type step struct {
		active  bool
		message string
		calls   int
		matter  string
		blocks  bool
	}
	cases := []struct {
		name  string
		max   int
		steps []step
	}{
		{"one refusal, then let go", 1, []step{{false, "commit now", 1, "no_run", true}, {true, "commit now", 1, "no_run", false}, {true, "commit now", 9, "failed", false}}},
		{"another hook's continuation counts as one", 1, []step{{true, "commit now", 1, "no_run", false}}},
		{"a flag that goes back does not start again", 1, []step{{false, "x", 1, "no_run", true}, {false, "y", 5, "no_run", false}, {false, "y", 5, "failed", false}}},
		{"more rounds for other matters", 3, []step{{false, "x", 1, "no_run", true}, {true, "y", 2, "failed", true}, {true, "z", 3, "stale", true}, {true, "w", 4, "partial", false}}},
		{"never twice for one matter", 3, []step{{false, "x", 1, "no_run", true}, {true, "y", 2, "no_run", false}}},
		{"the same message with nothing done", 3, []step{{false, "x", 1, "no_run", true}, {true, "x", 1, "failed", false}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var turn engine.Turn
			for i, s := range c.steps {
				var out hook.Outcome
				out, turn = stop(t, turn, s.active, s.message, s.calls, c.max, s.matter)
				if blocked := out.Decision == hook.Deny; blocked != s.blocks {
					t.Fatalf("step %d: blocked %v, want %v (%+v)", i, blocked, s.blocks, turn)
				}
				if !s.blocks && (len(out.Notices) != 1 || !strings.Contains(out.Notices[0], "still open")) {
					t.Errorf("step %d: the person hears %q", i, out.Notices)
				}
			}
		})
	}
}

func TestANewPromptStartsAgain(t *testing.T) {
	out, turn := stop(t, engine.Turn{Prompt: "p0", Blocks: 1, Matters: []string{"a: no_run"}}, false, "x", 0, 1, "no_run")
	if out.Decision != hook.Deny || turn.Prompt != "p1" || turn.Blocks != 1 {
		t.Errorf("%v, %+v", out.Decision, turn)
	}
}

func TestAToolGateRefusesEveryTime(t *testing.T) {
	all := []checks.Check{guard("a", finds(hook.Deny))}
	var turn engine.Turn
	for range 3 {
		in := input(hook.PreToolUse, all, nil)
		r := engine.Run(t.Context(), in, all, time.Now)
		turn = r.Limit(turn, engine.Stopping{Event: in.Event, MaxBlocks: 1})
		if r.Answer().Decision != hook.Deny {
			t.Fatal("let go")
		}
	}
}
