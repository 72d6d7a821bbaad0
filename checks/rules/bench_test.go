package rules

import (
	"testing"

	"agentguard/checks/shell"
)

func benchmark(b *testing.B, command string) {
	b.Helper()
	ctx := Context{Tool: "Bash", Text: command, CWD: "/home/dev/app", Home: "/home/dev", ProjectDir: "/home/dev/app"}
	ctx.Script = shell.Analyze(command, shell.Env{Dir: ctx.CWD, Home: ctx.Home})
	b.ReportAllocs()
	for b.Loop() {
		if len(everything(ctx)) > 0 {
			b.Fatal("stopped")
		}
	}
}

func BenchmarkHarmless(b *testing.B) { benchmark(b, "go test ./... && git status") }

func BenchmarkChain(b *testing.B) {
	benchmark(b, "cd src && npm ci && npm run build > /tmp/b.log 2>&1; git add -A && git commit -m x && git push; for f in *.py; do wc -l $f; done | sort | head -5")
}
