package outline

import (
	"strings"
	"testing"
	"time"
)

// TestBounded holds Follow to its bounds: no script of a hook may hold the
// doctor up.
func TestBounded(t *testing.T) {
	nested := strings.Repeat("if a; then b; ", 120) + strings.Repeat("fi; ", 120)
	tests := map[string]func() *Program{
		"branches in a row": func() *Program { return Shell(strings.Repeat("if a; then x=$RANDOM; echo $x; fi\n", 1500)) },
		"branches inside":   func() *Program { return Shell(nested) },
		"a long chain":      func() *Program { return Shell(strings.Repeat("a || ", 3000) + "b") },
		"functions that call": func() *Program {
			return Shell("f() { a || f; g; }\ng() { b && f; f; f; }\n" + strings.Repeat("f; g\n", 300))
		},
		"many variables":  func() *Program { return Shell(strings.Repeat("v$i=1; a && x1=$x1$x1; b && y=$x1$y\n", 400)) },
		"growing values":  func() *Program { return Shell("x=aaaaaaaa\n" + strings.Repeat("x=$x$x\n", 60)) },
		"python branches": func() *Program { return Python(strings.Repeat("if a():\n    print(1)\n", 1500)) },
		"python brackets": func() *Program { return Python(strings.Repeat("f(", 20000)) },
		"node branches":   func() *Program { return JavaScript(strings.Repeat("if (a()) { console.log(1); }\n", 1500)) },
		"node brackets":   func() *Program { return JavaScript(strings.Repeat("{", 20000)) },
		"node callbacks":  func() *Program { return JavaScript(strings.Repeat("f(() => { g(); });\n", 1500)) },
		"node quotes":     func() *Program { return JavaScript(strings.Repeat("'\\", 20000)) },
		"python strings":  func() *Program { return Python(strings.Repeat("x = '''", 5000)) },
		"node comparisons": func() *Program {
			return JavaScript("if (" + strings.Repeat("a && (", 200) + "b" + strings.Repeat(")", 200) + ") f();")
		},
		"python long condition": func() *Program { return Python("if " + strings.Repeat("a or ", 3000) + "b:\n    c()\n") },
	}
	for name, read := range tests {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			ways := read().Follow(Outside{})
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("took %s", took)
			}
			if len(ways) > 4*maxWays {
				t.Errorf("%d ways", len(ways))
			}
		})
	}
}

func FuzzPython(f *testing.F) {
	f.Add("if x:\n  print(1)\nelse:\n  sys.exit(2)\n")
	f.Add("def f():\n  subprocess.run(['a', 'b'], env={**os.environ, 'X': '1'})\nf()\n")
	f.Fuzz(func(t *testing.T, src string) {
		Python(src).Follow(Outside{})
		Code("python", src)
	})
}

func FuzzJavaScript(f *testing.F) {
	f.Add("if (x) { console.log(JSON.stringify({a: 1})); } else process.exit(2);")
	f.Add("const f = () => { spawn('a', ['b'], { env: { ...process.env, X: '1' } }); };\nf();")
	f.Fuzz(func(t *testing.T, src string) {
		JavaScript(src).Follow(Outside{})
		Code("node", src)
	})
}
