package policy_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/settings/policy"
)

// TestThePageOfKeys holds docs/policy-keys.md to the types that a policy is read
// into.
func TestThePageOfKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Every key of a policy\n\nMade from the types that a policy is read into; `agentguard schema` prints the same for editors.\n\n| key | takes | what it does |\n| --- | --- | --- |\n")
	rows(&b, reflect.TypeFor[policy.Policy](), "")
	const page = "../../docs/policy-keys.md"
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("run the test with -update (-page +types)\n%s", diff)
	}
}

func rows(b *strings.Builder, typ reflect.Type, prefix string) {
	for f := range typ.Fields() {
		name := f.Tag.Get("json")
		if name == "" || name == "-" {
			continue
		}
		key, inner := prefix+name, f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
			if inner.Kind() == reflect.Slice {
				key += "[]"
			}
			if inner.Kind() == reflect.Map {
				key += ".NAME"
			}
			inner = inner.Elem()
		}
		var takes string
		switch {
		case f.Tag.Get("choices") != "":
			takes = strings.ReplaceAll(f.Tag.Get("choices"), ",", ", ")
		case inner == reflect.TypeFor[policy.Duration]():
			takes = "a time"
		case inner.Kind() == reflect.Struct:
			takes = "object"
		case inner.Kind() == reflect.Bool:
			takes = "true, false"
		case inner.Kind() == reflect.Int:
			takes = fmt.Sprintf("%s to %s", f.Tag.Get("min"), f.Tag.Get("max"))
			if f.Tag.Get("max") == "" {
				takes = "a number"
			}
		default:
			takes = "text"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", key, takes, strings.ReplaceAll(f.Tag.Get("doc"), "|", `\|`))
		if inner.Kind() == reflect.Struct {
			rows(b, inner, key+".")
		}
	}
}
