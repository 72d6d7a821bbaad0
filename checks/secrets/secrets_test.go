package secrets_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/checks/secrets"
)

// Values are put together here, so that no scanner takes this file for a leak.
const (
	github = "gh" + "p_" + "wQ7dK2mZx9LrT4vB8nYcH3sJf6Pg1Ae5uRtW"
	aws    = "AK" + "IA" + "Q3EGUVZ7WLTRD2KX"
	awsKey = "h8Vq" + "Tz3rWmN/7yKbXcLpD2fGsJ9vEa+4uQwRtY6Z"
	slack  = "xo" + "xb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"
	stripe = "sk_" + "live_" + "9XkQ2mVrT7bLwNf4ZcHs8YdP"
	openai = "sk-" + "proj-" + "h7Jq2VtRz9LmXc4BnW8yKd5FsGp3EaUo"
	blob   = "h7Jq2VtRz9LmXc4BnW8yKd5FsGp3EaUoT7bLwNf4ZcHs8YdP9XkQ2mVrwQ7dK2mZx9LrT4vB8nYc"
	body   = "MIIEowIBAAKCAQEA7Zr1k9wq2VtXc4BnW8yKd5FsGp3EaUohJ7q2VtRz9LmXc4Bn\nW8yKd5FsGp3EaUoT7bLwNf4ZcHs8YdP9XkQ2mVrwQ7dK2mZx9LrT4vB8nYcH3sJf\n6Pg1Ae5uRtWhVqTz3rWmN7yKbXcLpD2fGsJ9vEa4uQwRtY6Z\n"
)

var key = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + body + "-----END RSA PRIVATE " + "KEY-----\n"

func TestBuiltin(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             []secrets.Finding
	}{
		{"a token in code", "app/api.py", "import x\nTOKEN = \"" + github + "\"\n", found("app/api.py", 2, "github-token", secrets.Certain)},
		{"an AWS key", "deploy.sh", "export AWS_ACCESS_KEY_ID=" + aws + "\n", found("deploy.sh", 1, "aws-access-key", secrets.Certain)},
		{"a secret beside its id", "deploy.sh", "AWS_SECRET_ACCESS_KEY=" + awsKey + "\n", found("deploy.sh", 1, "aws-secret-key", secrets.Certain)},
		{"a bot token", "bot.js", "x\n\nconst t = '" + slack + "'", found("bot.js", 3, "slack-token", secrets.Certain)},
		{"a live payment key", "pay.rb", "Stripe.api_key = '" + stripe + "'", found("pay.rb", 1, "stripe-key", secrets.Certain)},
		{"a model key", "llm.ts", "apiKey: \"" + openai + "\"", found("llm.ts", 1, "openai-key", secrets.Certain)},
		{"a private key", "deploy/key", key, found("deploy/key", 1, "private-key", secrets.Certain)},
		{"a private key in a JSON string", "sa.json", `{"private_key": "` + strings.ReplaceAll(key, "\n", `\n`) + `"}`, found("sa.json", 1, "private-key", secrets.Certain)},
		{"a database address", "settings.py", "DB = 'postgres://app:Kq8vTz3rWm@db.corp.io/app'", found("settings.py", 1, "connection-string", secrets.Possible)},
		{"a token in a test", "tests/test_api.py", "T = '" + github + "'", found("tests/test_api.py", 1, "github-token", secrets.Possible)},

		{"an example", "app.py", "KEY = 'AKIA" + "IOSFODNN7EXAMPLE'", nil},
		{"a placeholder", "app.py", "KEY = 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'", nil},
		{"your own here", "app.py", "TOKEN = 'ghp_your-token-here-your-token-here-1234'", nil},
		{"counting up", "app.py", "T = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'", nil},
		{"from the environment", "app.py", "T = os.environ['GITHUB_TOKEN']", nil},
		{"a shell variable", "x.sh", "curl -H \"Authorization: Bearer ${GITHUB_TOKEN}\"", nil},
		{"an allow comment", "app.py", "T = '" + github + "' # agentguard:allow-secret", nil},
		{"gitleaks' allow comment", "app.py", "T = '" + github + "' # gitleaks:allow", nil},
		{"a class name", "app.css", ".sk-skeleton-loading-row-2-animated { color: red }", nil},
		{"a local database", "app.env.js", "x = 'postgres://app:Kq8vTz3rWm@localhost:5432/app'", nil},
		{"a compose service", "compose.yml", "URL: postgres://app:Kq8vTz3rWm@db:5432/app", nil},
		{"a key that is spoken of", "scan.py", "if '-----BEGIN RSA PRIVATE " + "KEY-----' in text:\n    raise ValueError\n", nil},
		{"a public key", "id.txt", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg" + body[14:] + "-----END PUBLIC KEY-----\n", nil},
		{"a hash in a lock file", "package-lock.json", `"integrity": "sha512-h7Jq2VtRz9LmXc4BnW8yKd5FsGp3EaUoT7bLwNf4ZcHs8YdP9XkQ2mVrwQ7dK2mZx9LrT4vB8nYcH3sJf6Pg=="`, nil},
		{"a prefix inside of a picture", "logo.js", "x = '" + strings.Repeat("h7Jq2VtRz9LmXc4BnW8yKd5FsGp3EaUo", 12) + "+" + aws + strings.Repeat("T7bLwNf4ZcHs8YdP", 8) + "'", nil},
		{"a prefix inside of a picture in lines", "logo.pem", blob + "\n" + aws + "/" + blob[:55] + "\n" + blob, nil},
		{"a line of base64 alone", "logo.pem", aws + "/" + blob[:55] + "\n", found("logo.pem", 1, "aws-access-key", secrets.Certain)},
		{"keys, one on a line", "keys.txt", aws + "\n" + strings.ToUpper(blob[:16]) + "\n" + blob[:40] + "\n", found("keys.txt", 1, "aws-access-key", secrets.Certain)},
		{"a proxy in the guide", "opts.py", "'scheme://[user:passwd@]proxy.server:port'", nil},
		{"a database address in the guide", "docs/setup.md", "postgres://app:Kq8vTz3rWm@db.corp.io/app", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := secrets.Builtin(secrets.File{Path: c.path, Text: c.text})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(c.want) > 0 && !secrets.Worth(c.text) {
				t.Error("the quick look would not have sent this to the scan")
			}
		})
	}
}

func found(path string, line int, kind string, level secrets.Level) []secrets.Finding {
	return []secrets.Finding{{Path: path, Line: line, Kind: kind, Level: level}}
}

func TestWorth(t *testing.T) {
	for text, want := range map[string]bool{
		"package app\n\nfunc main() {\n\tfmt.Println(\"hello\")\n}\n":    false,
		"import { useState } from 'react'\nexport const a = useState(0)": false,
		"":                            false,
		"password = \"Kq8vTz3rWmN7\"": true,
		key:                           true,
	} {
		if got := secrets.Worth(text); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}

// FuzzBuiltin: a find is placed inside of its file, its kind is a name and never
// the value, and the quick look would have sent the text to the scan.
func FuzzBuiltin(f *testing.F) {
	f.Add("T = '" + github + "'")
	f.Add(key)
	f.Add("postgres://a:b@c.d/e")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		found := secrets.Builtin(secrets.File{Path: "a", Text: text})
		if len(found) > 0 && !secrets.Worth(text) {
			t.Errorf("%+v, but the quick look would not have sent it to the scan", found)
		}
		for _, x := range secrets.Merge(found) {
			if x.Line < 1 || x.Line > lines || x.Path != "a" {
				t.Errorf("%+v of %d lines", x, lines)
			}
			if len(x.Kind) > 30 || strings.ContainsAny(x.Kind, " =:") {
				t.Errorf("kind %q", x.Kind)
			}
		}
	})
}
