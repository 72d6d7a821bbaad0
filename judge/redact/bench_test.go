package redact_test

import (
	"strings"
	"testing"

	"agentguard/judge/redact"
)

// BenchmarkText reads prose and code without a secret, which is what nearly all
// texts are.
func BenchmarkText(b *testing.B) {
	text := strings.Repeat("I changed `src/components/invoice/TotalRow.tsx` so that it rounds once: total = sum(lines); see https://example.com/docs?page=3.\n", 32)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text)
	}
}
