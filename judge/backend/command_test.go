package backend_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentguard/judge"
	"agentguard/judge/backend"
)

func testHost(t *testing.T) backend.Host {
	t.Helper()
	return backend.Host{Environ: os.Environ(), TempDir: t.TempDir(), Rand: rand.Reader}
}

func question(t *testing.T, checks ...string) judge.Question {
	t.Helper()
	q := judge.Question{Text: "Looks good. I'm committing this now."}
	for _, c := range checks {
		s, ok := judge.Named(c)
		if !ok {
			t.Fatalf("no spec of %s", c)
		}
		q.Specs = append(q.Specs, s)
	}
	return q
}

func TestCommandAnswersSeveralChecks(t *testing.T) {
	b, err := backend.New(backend.Config{Name: "oracle", Type: "command", Command: []string{"sh", "-c", `
		sep='{'
		for c in $AGENTGUARD_JUDGE_CHECKS; do printf '%s"%s":{"new_proposal":true,"reason":"x"}' "$sep" "$c"; sep=','; done
		printf '}'`}}, testHost(t))
	if err != nil {
		t.Fatal(err)
	}
	a := judge.Asker{Backends: []judge.Backend{b}, Now: time.Now}
	got := a.Ask(context.Background(), question(t, judge.CommitBeforeVerification, judge.ScopeCheck))
	for _, check := range []string{judge.CommitBeforeVerification, judge.ScopeCheck} {
		if v := got[check]; v.Result != judge.Violation || v.Backend != "oracle" {
			t.Errorf("%s: %+v", check, v)
		}
	}
}

func TestCommandByRelativePath(t *testing.T) {
	host := testHost(t)
	host.Dir = t.TempDir()
	script := "#!/bin/sh\ncat >/dev/null\nprintf '{\"new_proposal\":true,\"reason\":\"%s\"}' \"$1\"\n"
	if err := os.WriteFile(filepath.Join(host.Dir, "judge.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := backend.New(backend.Config{Type: "command", Command: []string{"./judge.sh", "{dir}"}}, host)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Ask(t.Context(), question(t, judge.ScopeCheck))
	if err != nil || r.Raw != `{"new_proposal":true,"reason":"{dir}"}` {
		t.Errorf("reply %q, error %v", r.Raw, err)
	}
}
