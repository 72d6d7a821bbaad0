//go:build faults

package door

import (
	"context"
	"os"
	"sync"
	"time"

	"agentguard/checks"
	"agentguard/hook"
	"agentguard/settings/policy"
)

// faults returns a check that breaks in the way AGENTGUARD_FAULT names. Only
// test builds have it.
func faults() []checks.Check {
	return []checks.Check{{
		ID: "fault", Title: "breaks on purpose", Guard: true, Standard: policy.Enforce,
		Events: []hook.EventName{hook.PreToolUse, hook.Stop},
		Run: func(context.Context, *checks.Input) (checks.Finding, error) {
			switch os.Getenv("AGENTGUARD_FAULT") {
			case "panic":
				panic("on purpose")
			case "nil":
				var p *checks.Input
				_ = p.Event.Name
			case "deadlock":
				var mu sync.Mutex
				mu.Lock()
				mu.Lock()
			case "stack":
				return checks.Finding{Reason: string(rune(recurse(1)))}, nil
			case "map":
				concurrentMap()
			case "sleep":
				time.Sleep(30 * time.Second)
			case "goroutine":
				go panic("in a goroutine that nobody watches")
				time.Sleep(time.Second)
			case "print":
				os.Stdout.WriteString("") // nothing: a check has no business here
			}
			return checks.Finding{}, nil
		},
	}}
}

func recurse(n int) int {
	if n == 0 {
		return 0
	}
	return recurse(n+1) + 1
}

func concurrentMap() {
	m := map[int]int{}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 1_000_000 {
				m[i%10] = g
			}
		})
	}
	wg.Wait()
}
