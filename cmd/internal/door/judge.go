package door

import (
	"context"
	"crypto/rand"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"agentguard/checks"
	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/settings/policy"
)

// Judge returns the judge that the policy asks for. Nothing of it is built
// before a text has to be judged. A backend that cannot be built is left out:
// the others still answer, and doctor names it.
func Judge(env Env, w checks.World, p *policy.Effective) func(context.Context, judge.Question) map[string]judge.Verdict {
	return func(ctx context.Context, q judge.Question) map[string]judge.Verdict {
		// A client that gives up on a hook sends SIGTERM: a judge's process must not
		// outlive the hook. Listening costs start-up time, so it begins here.
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		backends, _ := Backends(w, p) //nolint:errcheck // see above
		asker := judge.Asker{Backends: backends, Timeout: time.Duration(p.Judge.Timeout), Now: env.Now}
		if !w.DryRun {
			store := backend.FileStore{Dir: filepath.Join(w.State, "agentguard", "judge")}
			asker.Breaker.Store, asker.Cache.Store = store, store
		}
		return asker.Ask(ctx, q)
	}
}

// Backends builds the judge backends of a policy, in its order.
func Backends(w checks.World, p *policy.Effective) ([]judge.Backend, error) {
	var configs []backend.Config
	for _, name := range slices.Sorted(maps.Keys(p.Judge.Backends)) {
		b := p.Judge.Backends[name]
		configs = append(configs, backend.Config{
			Name: name, Type: b.Type, Model: b.Model, BaseURL: b.BaseURL, KeyEnv: b.KeyEnv, Command: b.Command,
		})
	}
	return backend.Order(p.Judge.Order, configs, backend.Host{
		Environ: os.Environ(), TempDir: os.TempDir(), Rand: rand.Reader, Program: w.Tool,
	})
}
