package shell

import "testing"

func BenchmarkAnalyze(b *testing.B) {
	for name, src := range map[string]string{
		"line":  "go test ./... && git status",
		"chain": "cd src && go build ./... && go vet ./... && go test ./... -count=1 2>&1 | tail -20 && git add -A && git commit -m 'feat: x' && git status --short && ls -la && echo \"done $(date)\"",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				Analyze(src, testEnv())
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, src := range hostile() {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				Analyze(src, testEnv())
			}
		})
	}
}
