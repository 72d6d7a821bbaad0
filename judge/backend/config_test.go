package backend_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge"
	"agentguard/judge/backend"
)

func TestOrder(t *testing.T) {
	configs := []backend.Config{
		{Name: "local", Type: "openai", Model: "m", BaseURL: "http://127.0.0.1:11434/v1"},
		{Name: "mine", Type: "command", Command: []string{"true"}},
		{Name: "broken", Type: "command"},
		{Name: "claude", Model: "sonnet"},
	}
	host := testHost(t)
	host.Program = "agentguard"
	got, err := backend.Order([]string{"mine", "claude", "broken", "local", "codex", "nobody", "offline"}, configs, host)
	names := make([]string, len(got))
	for i, b := range got {
		names[i] = b.Name()
	}
	if d := cmp.Diff([]string{"mine", "claude", "local", "codex", "offline"}, names); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	if !errors.Is(err, backend.ErrConfig) || !strings.Contains(err.Error(), `"broken"`) || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("error %v", err)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, tc := range []struct {
		name    string
		config  backend.Config
		program string
		want    string
	}{
		{"unknown type", backend.Config{Name: "x", Type: "gemini"}, "p", "known are anthropic, claude"},
		{"command without a program", backend.Config{Type: "command"}, "p", "program to run"},
		{"empty program", backend.Config{Type: "command", Command: []string{""}}, "p", "program to run"},
		{"no model", backend.Config{Type: "anthropic"}, "p", `"model"`},
		{"no address", backend.Config{Type: "openai", Model: "m"}, "p", `"base_url"`},
		{"no sibling", backend.Config{Type: "anthropic", Model: "m"}, "", "not installed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			host := testHost(t)
			host.Program = tc.program
			if _, err := backend.New(tc.config, host); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func TestAllHasOffline(t *testing.T) {
	want := []string{"anthropic", "claude", "codex", "command", "offline", "openai"}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(backend.All()))); d != "" {
		t.Errorf("types (-want +got):\n%s", d)
	}
	b, err := backend.New(backend.Config{Name: judge.Offline}, testHost(t))
	if err != nil || b.Name() != judge.Offline {
		t.Fatalf("%v, %v", b, err)
	}
	if !errors.Is(backend.ErrUnsure, judge.ErrUnsure) {
		t.Error("an unsure offline reader would count as a failing one")
	}
}
