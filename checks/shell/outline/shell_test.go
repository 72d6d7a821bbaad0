package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief writes a way as one line: what it said and started, and its status.
func brief(w Way) string {
	var b []string
	for _, e := range w.Events {
		to := map[Stream]string{Stdout: "out", Stderr: "err", Other: "-"}[e.To]
		switch e.Node.Kind {
		case Say:
			b = append(b, fmt.Sprintf("%s:%s", to, e.Text))
		default:
			b = append(b, fmt.Sprintf("%s!%s", to, strings.Join(e.Words, " ")))
		}
	}
	status := fmt.Sprint(w.Status)
	if w.From >= 0 {
		status = "of " + fmt.Sprint(w.From)
	}
	return strings.Join(append(b, "="+status), " ; ")
}

func ways(p *Program, vars map[string]string) []string {
	var out []string
	for _, w := range p.Follow(Outside{Flags: "hB", Var: func(name string) string {
		if v, ok := vars[name]; ok {
			return v
		}
		return Unknown
	}}) {
		out = append(out, strings.ReplaceAll(brief(w), Unknown, "?"))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestShellWays(t *testing.T) {
	tests := []struct {
		name, src string
		vars      map[string]string
		want      []string
	}{
		{name: "a print and an end", src: "echo hi; exit 3", want: []string{"out:hi ; =3"}},
		{name: "to stderr", src: "echo hi >&2", want: []string{"err:hi ; =0"}},
		{name: "to nowhere", src: "{ echo hi; } >/dev/null 2>&1", want: []string{"-:hi ; =0"}},
		{name: "a group to stderr", src: "{ echo a; echo b; } >&2", want: []string{"err:a ; err:b ; =0"}},
		{name: "captured", src: "x=$(echo hi; exit 2); echo done", want: []string{"-:hi ; out:done ; =0"}},
		{name: "unknown condition", src: "if grep -q x f; then exit 2; fi\nexit 0", want: []string{"out!grep -q x f ; =0", "out!grep -q x f ; =2"}},
		{name: "swallowed", src: "guard || true", want: []string{"out!guard ; =0"}},
		{name: "passed on", src: "guard && echo ok", want: []string{"out!guard ; =of 0", "out!guard ; out:ok ; =0"}},
		{name: "exec", src: "exec guard x", want: []string{"out!guard x ; =of 0"}},
		{name: "own variable", src: `[ -n "$MINE" ] && exit 0; guard`, vars: map[string]string{"MINE": "1"}, want: []string{"=0"}},
		{name: "own variable not set", src: `[ -n "$MINE" ] && exit 0; guard`, vars: map[string]string{"MINE": ""}, want: []string{"out!guard ; =of 0"}},
		{name: "inverted", src: `[ -z "$MINE" ] || exit 0; guard`, vars: map[string]string{"MINE": "1"}, want: []string{"=0"}},
		{name: "double brackets", src: `if [[ -n $MINE && $OTHER == yes ]]; then exit 0; fi; guard`, vars: map[string]string{"MINE": "1", "OTHER": "yes"}, want: []string{"=0"}},
		{name: "case", src: `case $- in *i*) ;; *) exit 0;; esac; echo hi`, want: []string{"=0"}},
		{name: "terminal", src: `if [ -t 1 ]; then echo hi; fi`, want: []string{"=0"}},
		{name: "depth", src: `D=$((${D:-0}+1)); [ "$D" -gt 1 ] && exit 0; guard`, vars: map[string]string{"D": "1"}, want: []string{"=0"}},
		{name: "function", src: "no() { echo \"$1\" >&2; exit 2; }\nno a", want: []string{"err:? ; =2"}},
		{name: "pipe", src: "guard | tee log", want: []string{"-!guard ; out!tee log ; =of 1"}},
		{name: "pipefail", src: "set -o pipefail; guard | tee log", want: []string{"-!guard ; out!tee log ; =-1"}},
		{name: "subshell exit", src: "(exit 2); echo on", want: []string{"out:on ; =0"}},
		{name: "negated", src: "! guard && exit 2; exit 0", want: []string{"out!guard ; =0", "out!guard ; =2"}},
		{name: "constant in a variable", src: `m='{"a":1}'; echo "$m"`, want: []string{`out:{"a":1} ; =0`}},
		{name: "printf", src: `printf '%s\n' '{"a":1}'`, want: []string{"out:{\"a\":1}\n ; =0"}},
		{name: "set in a branch", src: "i=0; case $- in *i*) i=1;; esac; [ $i = 1 ] && echo hi", want: []string{"=1"}},
		{name: "exec diverts the rest", src: "exec >/dev/null; echo hi", want: []string{"-:hi ; =0"}},
		{name: "status kept", src: "guard; rc=$?; exit $rc", want: []string{"out!guard ; =-1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ways(Shell(tt.src), tt.vars)); diff != "" {
				t.Errorf("ways (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzShell(f *testing.F) {
	for _, src := range []string{"a || b && c | d", "if a; then b; else c; fi", "f() { f; }; f", "case $x in a) b;; esac", "$(", "((x=1))"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p := Shell(src)
		ways := p.Follow(Outside{})
		if len(ways) > 4*maxWays {
			t.Errorf("%d ways", len(ways))
		}
		for _, w := range ways {
			if w.From >= len(w.Events) {
				t.Errorf("status of event %d of %d", w.From, len(w.Events))
			}
		}
	})
}
