package redact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/judge/redact"
)

func TestText(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"nothing", "I ran the tests; 12 passed.", "I ran the tests; 12 passed."},
		{"aws id", "id AKIAEXAMPLE0DUMMY000 ok", "id <redacted:aws-access-key> ok"},
		{"github in a header", "Authorization: token ghp_000000000000000000000000000000DUMMY0", "Authorization: token <redacted:github-token>"},
		{"env line", "GITHUB_TOKEN=ghp_d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0\n", "GITHUB_TOKEN=<redacted:github-token>\n"},
		{"glued to Japanese", "トークンghp_d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0を設定", "トークン<redacted:github-token>を設定"},
		{"pem", "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIDUMMYDUMMYDUMMY\n-----END RSA PRIVATE KEY-----\nend", "key:\n<redacted:private-key>\nend"},
		{"connection string", "postgres://app:s3cr3t@db:5432/x", "postgres://app:<redacted:connection-string>@db:5432/x"},
		{"reference stays", "postgres://app:${DB_PASS}@db/x password=$PW token: ${{ secrets.TOKEN }}", "postgres://app:${DB_PASS}@db/x password=$PW token: ${{ secrets.TOKEN }}"},
		{"base64", "Z2hwX2QwZDBkMGQwZDBkMGQwZDBkMGQwZDBkMGQwZDBkMGQwZDBkMA==", "<redacted:github-token>"},
		{"percent", "x=ghp%5Fd0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0&y=1", "x=<redacted:github-token>&y=1"},
		{"password", `{"password": "hunter2!"}`, `{"password": "<redacted:password>"}`},
		{"an address as a path", "/repo/postgres:/app:s3cr3t@db:5432/x", "/repo/postgres:/app:<redacted:connection-string>@db:5432/x"},
		{"words are no passwords", "password: required, token: refreshed at login, secret: none", "password: required, token: refreshed at login, secret: none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := redact.Text(tc.in)
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("Text (-want +got):\n%s", d)
			}
			if again, n := redact.Text(got); again != got || n != nil {
				t.Errorf("second pass changed it: %q, %v", again, n)
			}
		})
	}
}
