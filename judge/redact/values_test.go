package redact_test

import (
	"testing"

	"agentguard/judge/redact"
)

func TestValues(t *testing.T) {
	const (
		password = "s3cr3tpassw0rd"
		token    = "gh" + "p_d0d1d2d3d4d5d6d7d8d9e0e1e2e3e4e5e6e7"
	)
	v := redact.Learn("psql postgres://app:"+password+"@db/x", "echo "+token, "PGPASSWORD=word mysql -psecretword")
	for name, c := range map[string]struct{ in, want string }{
		"nothing of it":        {"`rm -rf ~` deletes the home folder", "`rm -rf ~` deletes the home folder"},
		"out of its place":     {"overwrites //app:" + password + "@db/x on the remote", "overwrites //app:<redacted:connection-string>@db/x on the remote"},
		"cut":                  {"`echo " + token[:20] + "…` prints", "`echo <redacted:github-token>…` prints"},
		"cut short":            {"`psql //app:" + password[:6] + "…`, twice " + password[:6] + "…", "`psql //app:<redacted:connection-string>…`, twice <redacted:connection-string>…"},
		"a cut of other text":  {"`go test ./...…` and s3…", "`go test ./...…` and s3…"},
		"a word stays":         {"the word and secretword stand for themselves", "the word and secretword stand for themselves"},
		"and what else is one": {"AWS_SECRET_ACCESS_KEY=d0d1d2d3d4d5d6d7d8d9e0e1e2e3e4e5e6e7e8e9", "AWS_SECRET_ACCESS_KEY=<redacted:aws-secret-key>"},
	} {
		if got, _ := v.Text(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got, counts := v.Text(token + " " + password); got != "<redacted:github-token> <redacted:connection-string>" || counts.Total() != 2 {
		t.Errorf("%q, %v", got, counts)
	}
	var none redact.Values
	if got, _ := none.Text(token); got != "<redacted:github-token>" {
		t.Errorf("the zero value: %q", got)
	}
}
