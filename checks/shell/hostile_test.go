package shell

import (
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

const hostileSize = 60 << 10

// hostile are texts that were built to make a parser recurse or an analysis
// explode, each as long as a text may be.
func hostile() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, hostileSize/len(s)) }
	return map[string]string{
		"open substitutions":     strings.Repeat("$(", 350_000),
		"substitutions":          fill("$("),
		"parentheses":            fill("("),
		"braces":                 fill("{ "),
		"braces tight":           fill("{"),
		"brackets":               fill("["),
		"tests":                  fill("[[ "),
		"if":                     fill("if "),
		"while":                  fill("while "),
		"case":                   fill("case x in "),
		"for":                    fill("for x do "),
		"elif":                   "if x; then y; " + fill("elif x; then y; ") + " fi",
		"functions of functions": fill("f()"),
		"function words":         fill("function f "),
		"time":                   fill("time "),
		"bang":                   fill("! "),
		"coproc":                 fill("coproc "),
		"and":                    fill("a&&"),
		"and long":               "a" + fill("&&a"),
		"or long":                "a" + fill("||a"),
		"pipe":                   "a" + fill("|a"),
		"pipes of cat":           "echo x" + fill("|cat"),
		"statements":             fill("a;"),
		"newlines":               fill("\n"),
		"background":             fill("a&"),
		"arithmetic minus":       "$((" + fill("-") + "1))",
		"arithmetic minus cmd":   "((" + fill("- ") + "1))",
		"arithmetic not":         "((" + fill("!") + "1))",
		"arithmetic assign":      "((" + fill("a=") + "1))",
		"arithmetic ternary":     "((" + fill("a?b:") + "1))",
		"arithmetic power":       "((1" + fill("**1") + "))",
		"arithmetic plus":        "((1" + fill("+1") + "))",
		"arithmetic comma":       "((1" + fill(",1") + "))",
		"test not":               "[[ " + fill("! ") + "a ]]",
		"test and":               "[[ a" + fill(" && a") + " ]]",
		"heredocs":               fill("cat <<E\n"),
		"heredocs in a line":     fill("<<E "),
		"heredocs with ends":     fill("cat <<E\nE\n"),
		"backslashes":            fill("\\"),
		"backticks":              fill("`"),
		"escaped backticks":      fill("\\`"),
		"quotes":                 fill("\""),
		"quoted substitutions":   fill("\"$("),
		"parameters":             fill("${a:-"),
		"parameters in quotes":   fill("\"${a:-"),
		"brace expansion":        "rm " + fill("{a,b}"),
		"brace sequence":         "rm {1..99999999}{1..99999999}",
		"brace nest":             "rm " + fill("{a,"),
		"globs":                  "rm " + fill("*?[a]"),
		"pattern trim":           "x=" + strings.Repeat("a", 30000) + "; rm ${x%%*a*a*a*a*a*b}",
		"replace":                "x=" + strings.Repeat("a", 30000) + "; rm ${x//a*a*a*b/c}",
		"doubling variable":      "x=aaaaaaaa; " + fill("x=$x$x; "),
		"doubling words":         "x='a a a a'; " + fill("x=\"$x $x\"; ") + "rm $x",
		"many variables":         many("v%=1; "),
		"many branches":          many("v%=1; [ a ] && v%=2; "),
		"many alternatives":      many("[ a ] && v%=2 || v%=3; rm $v0 $v1 $v2; "),
		"many functions":         many("f%() { f0; f1; f2; f3; }; f%; "),
		"functions doubling":     "f0() { :; }; " + chained(),
		"mutual recursion":       "f() { g; g; h; }; g() { f; f; h; }; h() { f; g; }; f",
		"loops in loops":         strings.Repeat("for x in 1 2 3 4 5 6 7 8; do ", 20) + "rm $x" + strings.Repeat("; done", 20),
		"while in while":         strings.Repeat("while a; do x=$x.; ", 100) + "rm $x" + strings.Repeat("; done", 100),
		"eval in eval":           "x='eval $x; eval $x'; eval $x",
		"alias loop":             "alias a='b; b' b='a; a'\na",
		"aliases":                many("alias a%='rm x'\n"),
		"xargs lines":            "printf '" + fill("a\\n") + "' | xargs -I{} sh -c 'rm {}'",
		"parallel lines":         "parallel 'rm {}' ::: " + fill("a "),
		"read lines":             "while read x; do rm $x; done <<E\n" + fill("a\n") + "E",
		"printf rounds":          "printf '%s%s' " + fill("a "),
		"nested sh":              nestedSh(12),
		"python brackets":        "python3 -c '" + fill("(") + "'",
		"python calls":           "python3 -c '" + fill("f(") + "'",
		"python lists":           "python3 -c 'x=" + fill("[") + "'",
		"python strings":         "python3 -c '" + fill("\"a\" ") + "'",
		"python f strings":       "python3 -c '" + fill("f\"{") + "'",
		"python doubling":        "python3 -c 'x=\"a\"\n" + fill("x=x+x\n") + "'",
		"python minus":           "python3 -c '" + fill("-") + "'",
		"python plus":            "python3 -c 'x=1" + fill("+1") + "'",
		"python eval":            "python3 -c 'x=\"eval(x)\"; eval(x)'",
		"python in":              "python3 -c '" + fill("for x in y ") + "'",
		"node braces":            "node -e '" + fill("{") + "'",
		"node require":           "node -e '" + fill("require(\"a\") ") + "'",
		"perl globs":             "perl -e '" + fill("<*") + "'",
		"awk strings":            "awk '" + fill("\"a\" ") + "'",
		"git options":            "git " + fill("-c a=b ") + "x",
		"git alias loop":         "git -c alias.a='!git -c alias.a=\"!git a\" a; git a' a",
		"sed scripts":            "sed '" + fill("s/a/b/e;") + "' x",
		"find exec":              "find " + fill("a ") + " -exec rm {} +",
		"find many exec":         "find a b c d e f g h " + fill("-exec rm {} + "),
		"tar bundle":             "tar " + fill("f") + " x",
		"operands":               "rm " + fill("a "),
		"redirections":           "a" + fill(" >b"),
		"process substitutions":  "cat " + fill("<(a) "),
		"dots":                   "rm " + fill("../"),
		"null bytes":             fill("\x00"),
		"private runes":          "rm " + fill("\U000F0000"),
		"unknown runes":          "rm " + fill("\uFFFC"),
		"invalid bytes":          "rm " + fill("\xff"),
		"env split":              "env -S '" + fill("env -S ") + "'",
		"sudo chain":             fill("sudo "),
		"xargs chain":            fill("xargs "),
		"if chain deep":          strings.Repeat("if a; then ", 400) + "rm x" + strings.Repeat("; fi", 400),
		"subshell deep":          strings.Repeat("( ", 400) + "rm x" + strings.Repeat(" )", 400),
		"substitution deep":      strings.Repeat("$(", 400) + "rm x" + strings.Repeat(")", 400),
		"function words in code": "cat > a.js <<'E'\n" + fill("function f() { if (a) { for (;;) { g(h()) } } }\n") + "E\nrm x",
		"false quotation":        "\"'\" " + fill("$(") + " \"'\"",
		"false here-document":    "echo \"<<'E'\"\n" + fill("$( ") + "\nE\n",
		"quoted brackets":        "echo '" + fill("(") + "' && rm x",
		"bad line recovery":      fill(")\n"),
		"bad line recovery 2":    fill("if\nrm x\n"),
	}
}

func many(pattern string) string {
	var b strings.Builder
	for i := 0; b.Len() < hostileSize; i++ {
		b.WriteString(strings.ReplaceAll(pattern, "%", itoa(i)))
	}
	return b.String()
}

func itoa(i int) string {
	s := ""
	for {
		s = string(rune('0'+i%10)) + s
		if i /= 10; i == 0 {
			return s
		}
	}
}

func chained() string {
	var b strings.Builder
	for i := 1; b.Len() < hostileSize; i++ {
		b.WriteString("f" + itoa(i) + "() { f" + itoa(i-1) + "; f" + itoa(i-1) + "; }; ")
		if i%50 == 0 {
			b.WriteString("f" + itoa(i) + "; ")
		}
	}
	return b.String()
}

func nestedSh(n int) string {
	s := "rm x"
	for range n {
		s = "sh -c " + shellQuote(s)
		if len(s) > 60<<10 {
			break
		}
	}
	return s
}

// TestHostile checks that no text makes an analysis slow. The bound is far above
// what any of them takes, because machines differ; the benchmark has the figures.
func TestHostile(t *testing.T) {
	// The hook program lowers the limit of the stack too; passing it is fatal.
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	for name, src := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			s := Analyze(src, testEnv())
			took := time.Since(start)
			t.Logf("%v, %d commands, %d effects, fallback %q, truncated %q", took.Round(100*time.Microsecond), len(s.Commands), len(s.Effects), s.Fallback, s.Truncated)
			if took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if len(s.Commands) > maxCommands {
				t.Errorf("%d commands", len(s.Commands))
			}
		})
	}
}
