package policy_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings/policy"
)

// TestExceptions: an exception counts from the layer that set the rule or a
// stronger one; from a built-in rule, from the base layer or the managed one.
func TestExceptions(t *testing.T) {
	const (
		rule    = `{"id":"mine","program":"terraform","decision":"deny","reason":"no"}`
		letMine = `{"id":"let-mine","program":"terraform","rule":"mine","decision":"allow"}`
		letPush = `{"id":"let-push","program":"git","rule":"git-push-force","decision":"allow"}`
	)
	for _, c := range []struct {
		name      string
		layers    map[policy.Layer]string
		trusted   bool
		want      []string
		untrusted bool
	}{
		{"the team's own rule, by the team", map[policy.Layer]string{policy.Team: rule + "," + letMine}, true, []string{"let-mine"}, false},
		{"the team's own rule, by the team, not trusted", map[policy.Layer]string{policy.Team: rule + "," + letMine}, false, []string{"let-mine"}, false},
		{"the managed rule, by itself", map[policy.Layer]string{policy.Managed: rule + "," + letMine}, true, []string{"let-mine"}, false},
		{"the team's rule, by the managed layer", map[policy.Layer]string{policy.Team: rule, policy.Managed: letMine}, false, []string{"let-mine"}, false},
		{"the person's rule, by the person", map[policy.Layer]string{policy.User: rule + "," + letMine}, false, []string{"let-mine"}, false},
		{"a built-in rule, by the base layer", map[policy.Layer]string{policy.Team: letPush}, true, []string{"let-push"}, false},
		{"a built-in rule, by a team that nobody trusts", map[policy.Layer]string{policy.Team: letPush}, false, nil, true},
		{"a built-in rule, by the person as base", map[policy.Layer]string{policy.User: letPush}, false, []string{"let-push"}, false},
		{"a built-in rule, by the person beside a team", map[policy.Layer]string{policy.Team: rule, policy.User: letPush}, true, nil, false},
		{"a built-in rule, by the local layer", map[policy.Layer]string{policy.Team: rule, policy.Local: letPush}, true, nil, false},
		{"a built-in rule, by the managed layer", map[policy.Layer]string{policy.Team: rule, policy.Managed: letPush}, false, []string{"let-push"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var files []policy.File
			for layer, text := range c.layers {
				p, problems := policy.Decode([]byte(`{"version":1,"commands":[`+text+`]}`), layer, layer.String(), known)
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				files = append(files, policy.File{Layer: layer, Path: layer.String(), Policy: p})
			}
			e := policy.Merge(files, known, c.trusted, nil)
			var got []string
			for _, x := range e.Exceptions {
				got = append(got, x.ID)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || e.Untrusted != c.untrusted {
				t.Errorf("untrusted %v (-want +got)\n%s", e.Untrusted, diff)
			}
		})
	}
}

// TestLaterLayersOnlyTighten: own rules add up, and what one layer switched off
// or let go is not let go by another.
func TestLaterLayersOnlyTighten(t *testing.T) {
	decode := func(layer policy.Layer, text string) policy.File {
		p, problems := policy.Decode([]byte(text), layer, layer.String(), known)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return policy.File{Layer: layer, Path: layer.String(), Policy: p}
	}
	e := policy.Merge([]policy.File{
		decode(policy.Team, `{"version":1,"commands":[{"id":"a","program":"x","decision":"deny","reason":"no"}],"rewrite":{"lease":false}}`),
		decode(policy.Local, `{"version":1,"commands":[{"id":"b","program":"y","decision":"ask","reason":"no"}],"rewrite":{"lease":true,"preview":true},"secrets":{"allow":[{"path":"**","reason":"all"}]}}`),
	}, known, true, nil)
	if ids := []string{e.Commands[0].ID, e.Commands[1].ID}; !slices.Contains(ids, "a") || !slices.Contains(ids, "b") {
		t.Errorf("rules %v", ids)
	}
	if e.Rewrite.Lease == nil || *e.Rewrite.Lease || !e.Rewrite.Preview || len(e.Secrets.Allow) > 0 {
		t.Errorf("rewrite %+v, allowed secrets %v", e.Rewrite, e.Secrets.Allow)
	}
}
