package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestTaskFiles: a task file that the same script writes is followed into the
// tasks that it calls, and no further.
func TestTaskFiles(t *testing.T) {
	for _, c := range []struct {
		name, script string
		runs         []string // programs that must be seen
		not          []string // programs that must not
	}{
		{"the goal only", "printf 'a:\\n\\tuname\\nb:\\n\\twhoami\\n' > Makefile; make a", []string{"uname"}, []string{"whoami"}},
		{"the first without a goal", "printf '.PHONY: a\\na:\\n\\tuname\\nb:\\n\\twhoami\\n' > Makefile; make", []string{"uname"}, []string{"whoami"}},
		{"what the goal needs", "printf 'a: b\\nb: ; whoami\\n' > Makefile; make a", []string{"whoami"}, nil},
		{"variables", "printf 'P := uname\\na:\\n\\t@$(P)\\n' > Makefile; make a", []string{"uname"}, nil},
		{"a dry run", "printf 'a:\\n\\tuname\\n' > Makefile; make -n a", nil, []string{"uname"}},
		{"another folder", "printf 'a:\\n\\tuname\\n' > sub/Makefile; make -C sub a", []string{"uname"}, nil},
		{"a circle", "printf 'a: b\\nb: a\\n\\tuname\\n' > Makefile; make a", []string{"uname"}, nil},
		{"just", "printf 'a x:\\n    uname\\nb:\\n    whoami\\n' > justfile; just a 1", []string{"uname"}, []string{"whoami"}},
		{"npm run", `echo '{"scripts":{"prea":"id","a":"uname","b":"whoami"}}' > package.json; npm run a`, []string{"id", "uname"}, []string{"whoami"}},
		{"yarn", `echo '{"scripts":{"a":"uname"}}' > package.json; yarn a`, []string{"uname"}, nil},
		{"npm pkg set", "npm pkg set scripts.a='uname'; npm run a", []string{"uname"}, nil},
		{"not called", "npm pkg set scripts.a='uname'; npm test", nil, []string{"uname"}},
		{"no JSON", "echo '{' > package.json; npm run a", nil, []string{"uname"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var names []string
			for _, cmd := range Analyze(c.script, Env{Dir: "/r", Home: "/h"}).Commands {
				names = append(names, cmd.Name)
			}
			for _, n := range c.runs {
				if !slices.Contains(names, n) {
					t.Errorf("%s: %s is not among %s", c.script, n, strings.Join(names, " "))
				}
			}
			for _, n := range c.not {
				if slices.Contains(names, n) {
					t.Errorf("%s: %s is among %s", c.script, n, strings.Join(names, " "))
				}
			}
		})
	}
}
