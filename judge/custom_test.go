package judge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentguard/judge"
)

func TestCustom(t *testing.T) {
	plain, err := judge.Custom("tone", "Is the message polite?", nil, "")
	if err != nil {
		t.Fatal(err)
	}
	own, err := judge.Custom("migration", "Does it announce a migration?", []judge.Field{{Name: "announces", Required: true}, {Name: "has_backup"}}, "announces AND NOT has_backup")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		spec   judge.Spec
		answer string
		want   judge.Result
	}{
		{plain, `{"ok":true}`, judge.Allowed},
		{plain, `{"ok":false,"reason":"rude"}`, judge.Violation},
		{plain, `{"reason":"rude"}`, judge.Fail},
		{plain, `{"ok":"no"}`, judge.Fail},
		{own, `{"announces":true}`, judge.Violation},
		{own, `{"announces":true,"has_backup":true}`, judge.Allowed},
		{own, `{"has_backup":false}`, judge.Fail},
	} {
		if v := judge.Normalise(tc.spec, json.RawMessage(tc.answer)); v.Result != tc.want {
			t.Errorf("%s %s: %s, want %s", tc.spec.Check, tc.answer, v.Result, tc.want)
		}
	}
	if p := wrap(t, judge.Question{Specs: []judge.Spec{plain}, Text: "x"}); !strings.Contains(p.User, "Is the message polite?") || !strings.Contains(p.User, `{"tone": {"ok": true|false`) {
		t.Error("the question is not asked")
	}
}

func TestCustomErrors(t *testing.T) {
	field := []judge.Field{{Name: "a"}}
	for name, build := range map[string]func() (judge.Spec, error){
		"no id":              func() (judge.Spec, error) { return judge.Custom("", "q", nil, "") },
		"no question":        func() (judge.Spec, error) { return judge.Custom("x", "", nil, "") },
		"formula alone":      func() (judge.Spec, error) { return judge.Custom("x", "q", nil, "a") },
		"fields alone":       func() (judge.Spec, error) { return judge.Custom("x", "q", field, "") },
		"unknown field":      func() (judge.Spec, error) { return judge.Custom("x", "q", field, "b") },
		"operator as a name": func() (judge.Spec, error) { return judge.Custom("x", "q", []judge.Field{{Name: "not"}}, "not") },
		"reason as a name":   func() (judge.Spec, error) { return judge.Custom("x", "q", []judge.Field{{Name: "reason"}}, "reason") },
		"capital letters":    func() (judge.Spec, error) { return judge.Custom("x", "q", []judge.Field{{Name: "A"}}, "A") },
	} {
		if s, err := build(); err == nil {
			t.Errorf("%s was accepted: %+v", name, s)
		}
	}
}
