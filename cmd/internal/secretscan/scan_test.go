package secretscan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/checks/secrets"
	"agentguard/cmd/internal/secretscan"
)

// Values are put together here, so that no scanner takes this file for a leak.
const (
	github  = "gh" + "p_" + "wQ7dK2mZx9LrT4vB8nYcH3sJf6Pg1Ae5uRtW"
	generic = "Kq8vTz3r" + "WmN7yKbXcLpD2fGs"
	gitlab  = "glp" + "at-" + "x7Vq2TzR9mLc4BnW8yKd"
)

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name string
		file secrets.File
		want []secrets.Finding
	}{
		{"a kind of our own", secrets.File{Path: "a.py", Text: "x = 1\nT = '" + github + "'\n"}, one("a.py", 2, "github-token", secrets.Certain)},
		{"a rule of gitleaks", secrets.File{Path: "a.py", Text: "\n\napi_key = '" + generic + "'\n"}, one("a.py", 3, "generic-api-key", secrets.Possible)},
		{"lines of a hunk", secrets.File{Path: "a.py", First: 40, Commit: "abc1234", Text: "y = 2\napi_key = '" + generic + "'"}, []secrets.Finding{{Path: "a.py", Line: 41, Commit: "abc1234", Kind: "generic-api-key", Level: secrets.Possible}}},
		{"a token of another host", secrets.File{Path: "ci.yml", Text: "token: " + gitlab + "\n"}, one("ci.yml", 1, "gitlab-token", secrets.Certain)},
		{"a generic one in a test", secrets.File{Path: "tests/a.py", Text: "api_key = '" + generic + "'"}, nil},
		{"an allow comment", secrets.File{Path: "a.py", Text: "api_key = '" + generic + "' # agentguard:allow-secret"}, nil},
		{"a placeholder", secrets.File{Path: "a.py", Text: "api_key = 'your-api-key-here-1234'"}, nil},
		{"a variable", secrets.File{Path: "a.sh", Text: "api_key=${API_KEY_2}\nsecret_key=\"$(pass show app/key2)\""}, nil},
		{"a hash", secrets.File{Path: "a.go", Text: "const key = \"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\""}, nil},
		{"an id", secrets.File{Path: "a.go", Text: "token_id = \"3f2b8c1e-9d47-4c5a-8e21-7b6f0a1d2c3e\""}, nil},
		{"a name", secrets.File{Path: "a.ts", Text: "const tokenKey = 'session-refresh-token-v2'"}, nil},
		{"a name in code", secrets.File{Path: "a.ts", Text: "const apiKey = config.services.payments.apiKey2Value"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := secretscan.Files(t.Context(), []secrets.File{c.file})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func one(path string, line int, kind string, level secrets.Level) []secrets.Finding {
	return []secrets.Finding{{Path: path, Line: line, Kind: kind, Level: level}}
}

// TestTimeIsUp: a scan that was cut off is an error, not a clean answer.
func TestTimeIsUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := secretscan.Files(ctx, []secrets.File{{Path: "a", Text: "T = '" + github + "'"}}); err == nil || strings.Contains(err.Error(), github) {
		t.Errorf("error %v", err)
	}
}
