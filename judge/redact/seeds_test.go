package redact_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"agentguard/judge/redact"
)

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hexes   = "0123456789abcdef"
	b64     = letters + "+/"
)

// seed is one secret, made up anew: no file of ours holds one.
type seed struct {
	kind redact.Kind
	text string
}

// seeds makes one secret of each form, as long as their issuers make them.
func seeds(r *rand.Rand) []seed {
	of := func(n int, set string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[r.IntN(len(set))]
		}
		return string(b)
	}
	jwtPart := func(n int) string { return "eyJ" + of(n, letters+"-_") }
	return []seed{
		{"aws-access-key", "AKIA" + of(16, upper)},
		{"aws-access-key", "ASIA" + of(16, upper)},
		{"github-token", "ghp_" + of(36, letters)},
		{"github-token", "gho_" + of(36, letters)},
		{"github-token", "ghu_" + of(36, letters)},
		{"github-token", "ghs_" + of(36, letters)},
		{"github-token", "ghr_" + of(36, letters)},
		{"github-token", "github_pat_" + of(22, letters) + "_" + of(59, letters)},
		{"gitlab-token", "glpat-" + of(20, letters+"-_")},
		{"gitlab-token", "gldt-" + of(20, letters+"-_")},
		{"openai-key", "sk-" + of(48, letters)},
		{"openai-key", "sk-proj-" + of(120, letters+"-_")},
		{"openai-key", "sk-svcacct-" + of(60, letters+"-_")},
		{"anthropic-key", "sk-ant-api03-" + of(93, letters+"-_") + "AA"},
		{"anthropic-key", "sk-ant-oat01-" + of(80, letters+"-_")},
		{"slack-token", "xoxb-" + of(12, "0123456789") + "-" + of(12, "0123456789") + "-" + of(24, letters)},
		{"slack-token", "xoxp-" + of(12, "0123456789") + "-" + of(24, letters)},
		{"slack-token", "xapp-1-A" + of(10, upper) + "-" + of(13, "0123456789") + "-" + of(64, hexes)},
		{"slack-webhook", "https://hooks.slack.com/services/T" + of(8, upper) + "/B" + of(8, upper) + "/" + of(24, letters)},
		{"google-key", "AIza" + of(35, letters+"-_")},
		{"google-key", "ya29." + of(60, letters+"-_")},
		{"google-key", "GOCSPX-" + of(28, letters+"-_")},
		{"stripe-key", "sk_live_" + of(24, letters)},
		{"stripe-key", "rk_live_" + of(24, letters)},
		{"stripe-key", "sk_test_" + of(24, letters)},
		{"stripe-key", "whsec_" + of(32, letters)},
		{"npm-token", "npm_" + of(36, letters)},
		{"pypi-token", "pypi-AgEIcHlwaS5vcmc" + of(120, letters+"-_")},
		{"huggingface-token", "hf_" + of(34, letters)},
		{"sendgrid-key", "SG." + of(22, letters+"-_") + "." + of(43, letters+"-_")},
		{"twilio-key", "SK" + of(32, hexes)},
		{"digitalocean-token", "dop_v1_" + of(64, hexes)},
		{"jwt", jwtPart(30) + "." + jwtPart(60) + "." + of(43, letters+"-_")},
		{"telegram-token", of(10, "123456789") + ":AA" + of(33, letters+"-_")},
		{"discord-token", "M" + of(25, letters) + "." + of(6, letters) + "." + of(38, letters+"-_")},
		{"azure-key", of(3, letters) + "8Q~" + of(34, letters+"_.-")},
		{"groq-key", "gsk_" + of(52, letters)},
		{"databricks-token", "dapi" + of(32, hexes)},
		{"shopify-token", "shpat_" + of(32, hexes)},
		{"vault-token", "hvs." + of(90, letters+"-_")},
		{"alibaba-key", "LTAI" + of(20, letters)},
		{"tencent-key", "AKID" + of(32, letters)},
		{"private-key", "-----BEGIN PRIVATE KEY-----\n" + of(64, b64) + "\n" + of(64, b64) + "\n" + of(20, b64) + "==\n-----END PRIVATE KEY-----"},
		{"private-key", "-----BEGIN OPENSSH PRIVATE KEY-----\n" + of(70, b64) + "\n" + of(33, b64) + "\n-----END OPENSSH PRIVATE KEY-----"},
		{"private-key", `-----BEGIN RSA PRIVATE KEY-----\nMII` + of(61, b64) + `\n` + of(64, b64) + `\n-----END RSA PRIVATE KEY-----\n`},
	}
}

// named are secrets that only their surroundings tell; %s is where they stand.
func named(r *rand.Rand) []struct{ kind, form, value string } {
	of := func(n int, set string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[r.IntN(len(set))]
		}
		// A machine's value has a digit; a drawn one of this length nearly always does.
		return string(b) + "7"
	}
	return []struct{ kind, form, value string }{
		{"aws-secret-key", "aws_secret_access_key = %s", of(39, b64)},
		{"aws-secret-key", `AWS_SECRET_ACCESS_KEY="%s"`, of(39, b64)},
		{"aws-secret-key", `{"SecretAccessKey": "%s"}`, of(39, b64)},
		{"azure-key", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=%s;EndpointSuffix=core.windows.net", of(85, b64) + "=="},
		{"azure-key", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s", of(42, b64) + "="},
		{"connection-string", "postgres://app:%s@db.internal:5432/main", of(9, letters)},
		{"connection-string", "mongodb+srv://root:%s@cluster0.example.net/?retryWrites=true", of(14, letters)},
		{"connection-string", "redis://:%s@cache:6379/0", of(12, letters)},
		{"connection-string", "https://bot:%s@git.example.com/x.git", of(20, letters)},
		{"connection-string", "amqp://guest:%s@mq", "g!" + of(6, letters)},
		{"connection-string", "app:%s@tcp(127.0.0.1:3306)/db", of(10, letters)},
		{"url-credentials", "https://%s@git.example.com/x.git", of(40, letters)},
		{"password", "Server=db;User Id=sa;Password=%s;Encrypt=true", of(9, letters)},
		{"password", `"password": "%s"`, of(7, letters)},
		{"password", `{\"password\": \"%s\"}`, of(7, letters)},
		{"password", "DB_PASSWORD=%s", "swordfish"},
		{"password", "PGPASSWORD=%s psql", "correcthorse"},
		{"password", "password: '%s'", "swordfish"},
		{"password", "mysqldump --password=%s", of(7, letters)},
		{"password", "tool --password %s", of(7, letters)},
		{"password", "sshpass -p '%s' ssh host", of(7, letters)},
		{"password", "パスワード password=%s です", of(8, letters)},
		{"password", "mysql -h db -u root -p%s shop", of(8, letters)},
		{"password", "docker login -u me -p %s registry.example.com", of(8, letters)},
		{"password", "redis-cli -h cache -a %s ping", of(8, letters)},
		{"password", "machine api.example.com login me password %s", of(8, letters)},
		{"secret", `{"auths": {"registry.example.com": {"auth": "%s"}}}`, of(31, letters)},
		{"secret", "//registry.example.com/:_authToken=%s", of(35, letters)},
		{"basic-auth", "curl -u admin:%s https://x", of(8, letters)},
		{"authorization", "Authorization: Bearer %s", of(30, letters)},
		{"authorization", `-H "Authorization: Basic %s"`, of(19, letters)},
		{"authorization", "the header was Bearer %s, so", of(30, letters)},
		{"secret", "X-Api-Key: %s", of(31, letters)},
		{"secret", "api_key=%s&x=1", of(31, letters)},
		{"secret", `client_secret: "%s"`, of(31, letters)},
		{"secret", "export MY_SERVICE_TOKEN=%s", of(31, letters)},
		{"secret", "ENCRYPTION_KEY=%s", of(31, hexes)},
		{"secret", "apiKey: '%s',", of(31, letters)},
		{"secret", "https://oapi.dingtalk.com/robot/send?access_token=%s", of(63, hexes)},
		{"secret", "gh auth login --with-token %s", of(39, letters)},
		{"secret", "Cookie: sid=%s; theme=dark", of(31, letters)},
	}
}

// places are where a secret may stand; %s is the secret.
var places = []string{
	"%s", "the key %s is in the log", "KEY=%s\n", `{"a": "%s", "b": 1}`, "`%s`", "'%s',", "(%s)", "key:%s.", "> %s\n> more", "値は%sです。", "密钥是%s，已设置",
	"curl -H 'X: %s' https://example.com", "https://example.com/?k=%s&z=1", "<%s>", "[%s](link)", "a|%s|b", "\t%s\r\n", "=%s=", "\x00%s\x00", "x=\\\"%s\\\"",
}

func TestNoSeedSurvives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		for _, s := range seeds(r) {
			for _, p := range places {
				in := fmt.Sprintf(p, s.text)
				if strings.HasPrefix(p, "https") && s.kind == "private-key" {
					continue
				}
				out, counts := redact.Text(in)
				if strings.Contains(out, core(s.text)) {
					t.Fatalf("%s survives in %q: %q", s.kind, in, out)
				}
				if counts[s.kind] != 1 || counts.Total() != 1 {
					t.Errorf("%q: counts %v, want one %s", in, counts, s.kind)
				}
				if again, n := redact.Text(out); again != out || n != nil {
					t.Errorf("not idempotent: %q, then %q", out, again)
				}
			}
		}
	}
}

func TestNoNamedSecretSurvives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		for _, n := range named(r) {
			in := fmt.Sprintf(n.form, n.value)
			out, counts := redact.Text(in)
			if strings.Contains(out, n.value) {
				t.Errorf("%s survives: %q", n.kind, out)
			}
			if counts[redact.Kind(n.kind)] != 1 || counts.Total() != 1 {
				t.Errorf("%q: counts %v, want one %s", in, counts, n.kind)
			}
			if again, c := redact.Text(out); again != out || c != nil {
				t.Errorf("not idempotent: %q, then %q", out, again)
			}
		}
	}
}

// TestEncodedSeeds hides each secret in base64 with something before it, so that
// all three phases occur, and in URL encoding once and twice.
func TestEncodedSeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		for _, s := range seeds(r) {
			forms := map[string]string{
				"percent":       url.QueryEscape(" " + s.text + " "),
				"percent path":  url.PathEscape("/" + s.text + "/"),
				"percent all":   percentAll(s.text),
				"percent twice": url.QueryEscape(url.QueryEscape(" " + s.text + " ")),
			}
			for n := range 4 {
				text := strings.Repeat(" ", n) + s.text + "\n"
				forms[fmt.Sprint("base64 ", n)] = base64.StdEncoding.EncodeToString([]byte(text))
				forms[fmt.Sprint("base64 url ", n)] = base64.RawURLEncoding.EncodeToString([]byte(text))
				forms[fmt.Sprint("base64 glued ", n)] = "/" + strings.Repeat("x", n) + "/" + base64.StdEncoding.EncodeToString([]byte(text))
				forms[fmt.Sprint("base64 wrapped ", n)] = wrapped(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("header line\n", 9)+text+"tail")), 76)
			}
			for name, form := range forms {
				if form == s.text {
					continue
				}
				in := "found " + form + " in it"
				out, _ := redact.Text(in)
				if strings.Contains(out, form) || out == in {
					t.Errorf("%s of %s survives: %q", name, s.kind, in)
				}
				if again, n := redact.Text(out); again != out || n != nil {
					t.Errorf("not idempotent: %q, then %q", out, again)
				}
			}
		}
	}
}

// TestAWSPair takes the secret that stands beside its id without a name.
func TestAWSPair(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 50 {
		id := seeds(r)[0].text
		secret := named(r)[0].value
		for _, form := range []string{"%s,%s\n", "%s %s", "key %s / secret %s.", "| %s | %s |"} {
			out, counts := redact.Text(fmt.Sprintf(form, id, secret))
			if strings.Contains(out, secret) || counts["aws-secret-key"] != 1 || counts["aws-access-key"] != 1 {
				t.Errorf("%q, %v", out, counts)
			}
		}
	}
}

// core is a part of a secret that must not be left: a key's first line.
func core(s string) string {
	if rest, ok := strings.CutPrefix(s, "-----"); ok {
		_, rest, _ = strings.Cut(rest, "-----")
		return strings.TrimLeft(rest, `\n`)[:40]
	}
	return s
}

func percentAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02x", s[i])
	}
	return b.String()
}

func wrapped(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return b.String() + s
}
