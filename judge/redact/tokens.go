package redact

import (
	"strings"
	"sync"
)

// alphabet is the set of bytes that a token may hold behind its prefix.
type alphabet uint8

const (
	alnum    alphabet = iota // A-Z a-z 0-9
	upper                    // A-Z 0-9
	hex                      // 0-9 a-f A-F
	word                     // alnum _
	dash                     // alnum _ -
	dotted                   // alnum _ - .
	base64ch                 // alnum + / = _ -
	path                     // dash and / .
)

func (a alphabet) has(c byte) bool {
	switch {
	case c >= '0' && c <= '9':
		return true
	case c >= 'a' && c <= 'z':
		return a != upper && (a != hex || c <= 'f')
	case c >= 'A' && c <= 'Z':
		return a != hex || c <= 'F'
	}
	switch c {
	case '_':
		return a >= word
	case '-':
		return a >= dash
	case '.':
		return a == dotted || a == path
	case '/':
		return a == base64ch || a == path
	case '+', '=':
		return a == base64ch
	}
	return false
}

// maxToken is how far a token is followed, in bytes. Longer runs are no keys.
const maxToken = 4096

// token is a secret that is known by how it begins.
type token struct {
	prefix string
	kind   Kind
	set    alphabet
	min    int  // bytes behind the prefix
	border bool // the prefix must not continue a word: short prefixes occur inside words
}

// tokens are sorted by their first byte, and the longer prefix stands first. The
// minimum is a little below the issued length, so that a cut one goes as well.
var tokens = [...]token{
	{"AGE-SECRET-KEY-1", "age-key", alnum, 40, false},
	{"APA91b", "firebase-key", dash, 60, false},
	{"ATATT3", "atlassian-token", base64ch, 50, false},
	{"ATCTT3", "atlassian-token", base64ch, 50, false},
	{"ABIA", "aws-access-key", upper, 16, true},
	{"ACCA", "aws-access-key", upper, 16, true},
	{"AIza", "google-key", dash, 30, false},
	{"AKCp", "artifactory-token", alnum, 60, true},
	{"AKIA", "aws-access-key", upper, 16, false},
	{"AKID", "tencent-key", alnum, 32, true},
	{"ASIA", "aws-access-key", upper, 16, true},
	{"ATBB", "bitbucket-token", alnum, 24, true},
	{"CLOJARS_", "clojars-token", alnum, 50, true},
	{"EAAA", "square-token", dash, 56, true},
	{"FlyV1 fm", "fly-token", base64ch, 30, false},
	{"GOCSPX-", "google-key", dash, 20, false},
	{"HRKU-", "heroku-key", dash, 30, true},
	{"LTAI", "alibaba-key", alnum, 12, true},
	{"MIIEogIBAAKCAQ", "private-key", base64ch, 40, true},
	{"MIIEowIBAAKCAQ", "private-key", base64ch, 40, true},
	{"MIIEpAIBAAKCAQ", "private-key", base64ch, 40, true},
	{"MIIEpQIBAAKCAQ", "private-key", base64ch, 40, true},
	{"MIIEvQIBADANBg", "private-key", base64ch, 40, true},
	{"MIIEvgIBADANBg", "private-key", base64ch, 40, true},
	{"MIIEvwIBADANBg", "private-key", base64ch, 40, true},
	{"MIIJKAIBAAKCAg", "private-key", base64ch, 40, true},
	{"MIIJKQIBAAKCAg", "private-key", base64ch, 40, true},
	{"MIIJQgIBADANBg", "private-key", base64ch, 40, true},
	{"MIIJQwIBADANBg", "private-key", base64ch, 40, true},
	{"MHcCAQEE", "private-key", base64ch, 40, true},
	{"NRAK-", "newrelic-key", alnum, 20, true},
	{"PMAK-", "postman-key", dash, 40, true},
	{"api_org_", "huggingface-token", alnum, 30, true},
	{"b3BlbnNzaC1rZXkt", "private-key", base64ch, 20, false},
	{"csk-", "cerebras-key", alnum, 30, true},
	{"dckr_oat_", "docker-token", dash, 20, false},
	{"dckr_pat_", "docker-token", dash, 20, false},
	{"doo_v1_", "digitalocean-token", hex, 40, false},
	{"dop_v1_", "digitalocean-token", hex, 40, false},
	{"dor_v1_", "digitalocean-token", hex, 40, false},
	{"dt0c01.", "dynatrace-token", dotted, 30, true},
	{"dp.pt.", "doppler-token", alnum, 30, true},
	{"dp.st.", "doppler-token", dotted, 30, true},
	{"dapi", "databricks-token", hex, 32, true},
	{"figd_", "figma-token", dash, 30, true},
	{"github_pat_", "github-token", word, 30, false},
	{"glagent-", "gitlab-token", dotted, 18, true},
	{"glsoat-", "gitlab-token", dotted, 18, true},
	{"glcbt-", "gitlab-token", dotted, 18, true},
	{"glimt-", "gitlab-token", dotted, 18, true},
	{"gloas-", "gitlab-token", dotted, 18, true},
	{"glpat-", "gitlab-token", dotted, 18, false},
	{"glptt-", "gitlab-token", dotted, 18, true},
	{"gldt-", "gitlab-token", dotted, 18, true},
	{"glft-", "gitlab-token", dotted, 18, true},
	{"glrt-", "gitlab-token", dotted, 18, true},
	{"glsa_", "grafana-token", word, 30, true},
	{"gho_", "github-token", alnum, 30, false},
	{"ghp_", "github-token", alnum, 30, false},
	{"ghr_", "github-token", alnum, 30, false},
	{"ghs_", "github-token", dotted, 30, false},
	{"ghu_", "github-token", alnum, 30, false},
	{"glc_", "grafana-token", base64ch, 30, true},
	{"gsk_", "groq-key", alnum, 30, true},
	{"https://open.larksuite.com/open-apis/bot/", "chat-webhook", path, 20, false},
	{"https://open.feishu.cn/open-apis/bot/", "chat-webhook", path, 20, false},
	{"https://discordapp.com/api/webhooks/", "discord-webhook", path, 20, false},
	{"https://outlook.office.com/webhook/", "chat-webhook", base64ch, 20, false},
	{"https://discord.com/api/webhooks/", "discord-webhook", path, 20, false},
	{"https://hooks.slack.com/", "slack-webhook", path, 20, false},
	{"hooks.slack.com/", "slack-webhook", path, 20, false},
	{"hvb.", "vault-token", dash, 24, true},
	{"hvs.", "vault-token", dash, 24, true},
	{"hf_", "huggingface-token", alnum, 30, true},
	{"key-", "mailgun-key", hex, 32, true},
	{"lin_api_", "linear-key", alnum, 30, true},
	{"nfp_", "netlify-token", alnum, 30, true},
	{"npm_", "npm-token", alnum, 30, true},
	{"ntn_", "notion-token", alnum, 40, true},
	{"ops_eyJ", "onepassword-token", base64ch, 40, true},
	{"oy2", "nuget-key", alnum, 43, true},
	{"pscale_tkn_", "planetscale-token", dotted, 30, false},
	{"pscale_pw_", "planetscale-token", dotted, 30, false},
	{"pat-eu1-", "hubspot-token", dash, 30, true},
	{"pat-na1-", "hubspot-token", dash, 30, true},
	{"pypi-AgE", "pypi-token", dash, 16, false},
	{"pplx-", "perplexity-key", alnum, 30, true},
	{"phx_", "posthog-key", alnum, 30, true},
	{"qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "chat-webhook", dash, 20, false},
	{"rubygems_", "rubygems-key", hex, 40, true},
	{"rk_live_", "stripe-key", alnum, 10, false},
	{"rk_test_", "stripe-key", alnum, 10, false},
	{"r8_", "replicate-token", alnum, 30, true},
	{"sk-svcacct-", "openai-key", dash, 16, false},
	{"sb_secret_", "supabase-key", dash, 20, true},
	{"sk-admin-", "openai-key", dash, 16, false},
	{"sk-proj-", "openai-key", dash, 16, false},
	{"sk_live_", "stripe-key", alnum, 10, false},
	{"sk_test_", "stripe-key", alnum, 10, false},
	{"secret_", "notion-token", alnum, 40, true},
	{"sk-ant-", "anthropic-key", dash, 16, false},
	{"sntrys_", "sentry-token", base64ch, 30, true},
	{"sntryu_", "sentry-token", hex, 40, true},
	{"sq0atp-", "square-token", dash, 20, true},
	{"sq0csp-", "square-token", dash, 20, true},
	{"shpat_", "shopify-token", hex, 30, true},
	{"shpca_", "shopify-token", hex, 30, true},
	{"shppa_", "shopify-token", hex, 30, true},
	{"shpss_", "shopify-token", hex, 30, true},
	{"sbp_", "supabase-key", hex, 36, true},
	{"sk-", "openai-key", dash, 20, true},
	{"sl.", "dropbox-token", dash, 60, true},
	{"tskey-", "tailscale-key", dash, 16, true},
	{"webhook.office.com/webhookb2/", "chat-webhook", base64ch, 20, false},
	{"whsec_", "stripe-key", base64ch, 20, true},
	{"xkeysib-", "brevo-key", dash, 40, true},
	{"xapp-", "slack-token", dash, 20, true},
	{"xoxa-", "slack-token", dash, 10, false},
	{"xoxb-", "slack-token", dash, 10, false},
	{"xoxc-", "slack-token", dash, 10, false},
	{"xoxd-", "slack-token", base64ch, 10, false},
	{"xoxe-", "slack-token", dash, 10, false},
	{"xoxo-", "slack-token", dash, 10, false},
	{"xoxp-", "slack-token", dash, 10, false},
	{"xoxr-", "slack-token", dash, 10, false},
	{"xoxs-", "slack-token", dash, 10, false},
	{"xai-", "xai-key", alnum, 40, true},
	{"ya29.", "google-key", dash, 20, true},
}

// byFirst tells where the tokens of each first byte stand, and which pairs of
// bytes can begin or betray a secret at all: nearly none of a usual text can.
type byFirst struct {
	tokens [256]struct{ from, to uint8 }
	pairs  pairs
}

// pairs is a set of pairs of bytes. A bit each: the hook program makes it anew at
// each call, and memory that is touched for the first time takes its time.
type pairs [1 << 16 / 64]uint64

func (p *pairs) add(a, b byte)      { p[int(a)<<2|int(b>>6)] |= 1 << (b & 63) }
func (p *pairs) has(a, b byte) bool { return p[int(a)<<2|int(b>>6)]>>(b&63)&1 != 0 }

var index = sync.OnceValue(func() *byFirst {
	var x byFirst
	for i := range tokens {
		p := tokens[i].prefix
		f := &x.tokens[p[0]]
		if f.to == 0 {
			f.from = uint8(i)
		}
		f.to = uint8(i + 1)
		x.pairs.add(p[0], p[1])
	}
	for _, p := range [...]string{"ey", "SG", "SK", "AC", "--", placeholderStart, "Q~", ":A"} {
		x.pairs.add(p[0], p[1])
	}
	for c := range 256 {
		if dash.has(byte(c)) {
			x.pairs.add('.', byte(c)) // of a Discord token
		}
	}
	return &x
})

// at returns a secret that begins at i, or is betrayed by what stands there. from
// is where the scan of this stretch began: nothing before it belongs to a word.
func (x *byFirst) at(s string, i, from int) (start, end int, kind Kind) {
	begins := i == from || !isWord(s[i-1])
	f := x.tokens[s[i]]
	for k := f.from; k < f.to; k++ {
		t := &tokens[k]
		if t.prefix[1] != s[i+1] || t.border && !begins || !strings.HasPrefix(s[i:], t.prefix) {
			continue
		}
		end := run(s, i+len(t.prefix), t.set)
		if end-i-len(t.prefix) < t.min {
			continue
		}
		if t.kind == privateKeyKind {
			end = max(end, keyLines(s, i))
		}
		return i, end, t.kind
	}
	switch s[i] {
	case 'e':
		return i, jwt(s, i), "jwt"
	case 'S', 'A':
		if s[i+1] == 'G' {
			return i, dottedPair(s, i), "sendgrid-key"
		}
		twilio := s[i+1] == 'K' || s[i+1] == 'C'
		if end := run(s, i+2, hex); begins && twilio && end == i+34 && (end == len(s) || !isWord(s[end])) {
			return i, end, "twilio-key"
		}
	case '-':
		if end := privateKey(s, i); end > 0 {
			return i, end, privateKeyKind
		}
		if start, end := keyTail(s, i); end > 0 {
			return max(start, from), end, privateKeyKind
		}
	case 'Q':
		return i - 4, entra(s, i, from), "azure-key"
	case ':':
		return telegram(s, i, from)
	case '.':
		return discord(s, i, from)
	}
	return 0, 0, ""
}

// run returns where the bytes of a end, at most maxToken behind i.
func run(s string, i int, a alphabet) int {
	limit := min(len(s), i+maxToken)
	for i < limit && a.has(s[i]) {
		i++
	}
	return i
}

func isWord(c byte) bool { return word.has(c) }

// jwt is header.payload.signature, the first two JSON objects in base64; the
// signature may be cut off or empty.
func jwt(s string, i int) int {
	if !strings.HasPrefix(s[i:], "eyJ") {
		return 0
	}
	head := run(s, i, dash)
	if head-i < 12 || head >= len(s) || s[head] != '.' || !strings.HasPrefix(s[head+1:], "eyJ") {
		return 0
	}
	body := run(s, head+1, dash)
	if body < len(s) && s[body] == '.' {
		return run(s, body+1, dash)
	}
	return body
}

// dottedPair is SG.a.b with at least 16 bytes each.
func dottedPair(s string, i int) int {
	if !strings.HasPrefix(s[i:], "SG.") {
		return 0
	}
	mid := run(s, i+3, dash)
	if mid-i-3 < 16 || mid >= len(s) || s[mid] != '.' {
		return 0
	}
	if end := run(s, mid+1, dash); end-mid-1 >= 16 {
		return end
	}
	return 0
}

// back returns where the bytes of a that end at i begin, at most n before it.
func back(s string, i, from, n int, a alphabet) int {
	limit := max(from, i-n)
	for i > limit && a.has(s[i-1]) {
		i--
	}
	return i
}

// telegram is digits:AA and 31 more, where i is the colon.
func telegram(s string, i, from int) (start, end int, kind Kind) {
	start = i
	for start > from && i-start < 12 && s[start-1] >= '0' && s[start-1] <= '9' {
		start--
	}
	end = run(s, i+1, dash)
	if i-start < 8 || end-i-1 < 33 || !strings.HasPrefix(s[i:], ":AA") {
		return 0, 0, ""
	}
	return start, end, "telegram-token"
}

// discord is an id of 23 to 28, a time of 6 and a signature of 27 or more, where
// i is the first dot.
func discord(s string, i, from int) (start, end int, kind Kind) {
	if i+7 >= len(s) || s[i+7] != '.' || run(s, i+1, dash) != i+7 {
		return 0, 0, ""
	}
	start, end = back(s, i, from, 29, alnum), run(s, i+8, dash)
	if n := i - start; n < 23 || n > 28 || end-i-8 < 27 || s[start] < 'M' || s[start] > 'O' {
		return 0, 0, ""
	}
	return start, end, "discord-token"
}

// entra is the end of a client secret of Microsoft Entra, abc8Q~ and 28 or more,
// where i is the Q; 0 for none.
func entra(s string, i, from int) int {
	if i-4 < from || s[i-1] < '0' || s[i-1] > '9' {
		return 0
	}
	end := i + 2
	for end < len(s) && end-i < 64 && (dotted.has(s[end]) || s[end] == '~') {
		end++
	}
	if end-i < 30 {
		return 0
	}
	return end
}
