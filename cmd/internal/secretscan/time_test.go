package secretscan_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentguard/checks/secrets"
	"agentguard/cmd/internal/secretscan"
)

// lines makes a text of about n bytes of lines that are not alike.
func lines(n int, line func(word func(n int) string) string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		return string(b)
	}
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(line(word))
	}
	return b.String()
}

// TestTimeIsLinear: eight times the text takes about eight times the time, whatever
// it is made of. A scan that grows with the square takes 64 times as much.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures times")
	}
	scanner, err := secretscan.New()
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]func(word func(int) string) string{
		"keys":            func(word func(int) string) string { return `key = "` + word(24) + "\"\n" },
		"keys, one line":  func(word func(int) string) string { return `key="` + word(24) + `",` },
		"tokens":          func(word func(int) string) string { return "t = gh" + "p_" + word(36) + "\n" },
		"tokens, in line": func(word func(int) string) string { return "t=gh" + "p_" + word(36) + ";" },
		"base64":          func(word func(int) string) string { return word(76) + "\n" },
		"one word":        func(word func(int) string) string { return word(76) },
	} {
		took := func(n int) time.Duration {
			text := lines(n, line)
			best := time.Hour
			for range 2 {
				began := time.Now()
				if _, err := scanner.Files(t.Context(), []secrets.File{{Path: "a.py", Text: text}}); err != nil {
					t.Fatal(err)
				}
				best = min(best, time.Since(began))
			}
			return best
		}
		small, large := took(40<<10), took(320<<10)
		if large > 24*small+50*time.Millisecond {
			t.Errorf("%s: 40 kB take %v, 320 kB %v", name, small, large)
		}
		t.Logf("%s: 40 kB %v, 320 kB %v", name, small, large)
	}
}

// TestEnough: a file that is full of possible finds is known to be one before its
// end, and a certain find behind them is found all the same.
func TestEnough(t *testing.T) {
	text := lines(2<<20, func(word func(int) string) string { return `key = "` + word(24) + "\"\n" }) + "T = '" + github + "'\n"
	began := time.Now()
	found, err := secretscan.Files(t.Context(), []secrets.File{{Path: "a.py", Text: text, Enough: 50}})
	if err != nil || len(found) < 50 || found[0].Kind != "github-token" || found[0].Line != strings.Count(text, "\n") {
		t.Errorf("%d finds, the first %+v, %v", len(found), found[0], err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestParts: the borders of parts hide no find, tear none in two and move no line.
func TestParts(t *testing.T) {
	for at := 3 << 10; at < 9<<10; at += 97 {
		for name, filler := range map[string]string{"in lines": "x = y\n", "in one line": "x = y; "} {
			before := strings.Repeat(filler, at/len(filler)) + "\n"
			text := before + "api_key = '" + generic + "'\n" + strings.Repeat(filler, 500)
			want := []secrets.Finding{{Path: "a.py", Line: strings.Count(before, "\n") + 1, Kind: "generic-api-key", Level: secrets.Possible}}
			got, err := secretscan.Files(t.Context(), []secrets.File{{Path: "a.py", Text: text}})
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s, at %d: %v %v, want %v", name, at, got, err, want)
			}
		}
	}
	// A long value is none of the rules', and no end of a part makes it one.
	long := "key = '" + lines(20<<10, func(word func(int) string) string { return word(76) }) + "'\n"
	if got, err := secretscan.Files(t.Context(), []secrets.File{{Path: "a.py", Text: long}}); err != nil || len(got) > 0 {
		t.Errorf("in a long value: %v %v", got, err)
	}
	allowed := strings.Repeat("x = y; ", 900) + "api_key = '" + generic + "'; " + strings.Repeat("x = y; ", 900) + "# agentguard:allow-secret\n"
	if got, err := secretscan.Files(t.Context(), []secrets.File{{Path: "a.py", Text: allowed}}); err != nil || len(got) > 0 {
		t.Errorf("in a long line that is allowed: %v %v", got, err)
	}
}

// TestSoFar: what was found before the time was over is told.
func TestSoFar(t *testing.T) {
	text := "T = '" + github + "'\n" + lines(20<<20, func(word func(int) string) string { return `key = "` + word(24) + "\"\n" })
	scanner, err := secretscan.New()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	found, err := scanner.Files(ctx, []secrets.File{{Path: "a.py", Text: text}})
	if !errors.Is(err, context.DeadlineExceeded) || len(found) == 0 || found[0].Kind != "github-token" {
		t.Errorf("%d finds, %v", len(found), err)
	}
}
