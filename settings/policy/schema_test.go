package policy_test

import (
	"encoding/json"
	"testing"

	"agentguard/settings/policy"
)

// TestSchemaSaysWhatDecodeTakes: every choice of the schema decodes, and what is
// an object there takes no list.
func TestSchemaSaysWhatDecodeTakes(t *testing.T) {
	var schema struct {
		Required   []string
		Properties map[string]struct {
			Type       string
			Enum       []string
			Properties map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(policy.Schema(known), &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Required) != 1 || schema.Required[0] != "version" {
		t.Errorf("required %v", schema.Required)
	}
	if _, ok := schema.Properties["checks"].Properties["on-guard"]; !ok {
		t.Error("the checks are not listed by id")
	}
	for key, p := range schema.Properties {
		for _, choice := range p.Enum {
			src, err := json.Marshal(map[string]any{"version": 1, key: choice})
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := policy.Decode(src, policy.Team, "p", known); len(problems) > 0 {
				t.Errorf("the schema allows %s, Decode does not: %v", src, problems)
			}
		}
		src, err := json.Marshal(map[string]any{"version": 1, key: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		if _, problems := policy.Decode(src, policy.Team, "p", known); p.Type == "object" && len(problems) == 0 {
			t.Errorf("%s is an object in the schema, yet Decode takes a list", key)
		}
	}
}
