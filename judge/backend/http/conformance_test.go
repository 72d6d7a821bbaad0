package http_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"agentguard/judge"
	"agentguard/judge/backend"
	"agentguard/judge/backend/backendtest"
	judgehttp "agentguard/judge/backend/http"
)

// TestMain lets the test binary be the sibling program "agentguard judge ask".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "judge" && os.Args[2] == "ask" {
		c := judgehttp.Caller{Getenv: os.Getenv}
		if err := c.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const key = "test-key-0001"

// services are the two ways to speak, with what the real one wraps its words in.
var services = map[string]func(answer string) any{
	"anthropic": func(a string) any {
		input := json.RawMessage(a)
		if !json.Valid(input) {
			return map[string]any{"content": []any{map[string]any{"type": "text", "text": a}}}
		}
		return map[string]any{"content": []any{map[string]any{"type": "tool_use", "name": "answer", "input": input}}, "stop_reason": "tool_use"}
	},
	"openai": func(a string) any {
		return map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": a}}}}
	},
}

// service starts a server on loopback that behaves as told.
func service(t *testing.T, b backendtest.Behaviour, around func(string) any) string {
	t.Helper()
	stop := make(chan struct{})
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		wait := b.Delay
		if b.Hangs {
			wait = time.Hour
		}
		select {
		case <-time.After(wait):
		case <-stop:
			return
		case <-r.Context().Done():
			return
		}
		if b.Fails {
			w.WriteHeader(nethttp.StatusInternalServerError)
		}
		switch {
		case b.Raw != nil:
			_, _ = io.WriteString(w, *b.Raw)
		case b.Says != "":
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": b.Says}})
		default:
			_ = json.NewEncoder(w).Encode(around(b.Answer))
		}
	}))
	t.Cleanup(func() { close(stop); s.Close() })
	if b.Absent {
		s.Close()
	}
	return s.URL
}

func built(t *testing.T, kind, url string) judge.Backend {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.New(
		backend.Config{Type: kind, Model: "m", BaseURL: url, KeyEnv: "JUDGE_KEY"},
		backend.Host{Environ: append(os.Environ(), "JUDGE_KEY="+key), TempDir: t.TempDir(), Rand: rand.Reader, Program: self},
	)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	for kind, around := range services {
		t.Run(kind, func(t *testing.T) {
			backendtest.Run(t, func(t *testing.T, b backendtest.Behaviour) judge.Backend {
				t.Helper()
				return built(t, kind, service(t, b, around))
			})
		})
	}
}

type seen struct {
	path   string
	header nethttp.Header
	body   map[string]any
}

// recorder answers each request by reply and keeps what was asked.
func recorder(t *testing.T, reply func(n int) (int, string)) (string, *[]seen) {
	t.Helper()
	var all []seen
	s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		one := seen{path: r.URL.Path, header: r.Header}
		_ = json.NewDecoder(r.Body).Decode(&one.body)
		all = append(all, one)
		status, text := reply(len(all))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL, &all
}

func prompt(t *testing.T) judge.Prompt {
	t.Helper()
	p, err := judge.Wrap(backendtest.Question("Let's commit this."), strings.NewReader("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func getenv(name string) string {
	return map[string]string{"JUDGE_KEY": key, "ANTHROPIC_API_KEY": key, "BROKEN": "a\r\nX-Evil: 1"}[name]
}

func TestAnthropicRequest(t *testing.T) {
	url, asked := recorder(t, func(int) (int, string) {
		return 200, `{"content":[{"type":"tool_use","name":"answer","input":{"x":1}}]}`
	})
	got, err := judgehttp.Caller{Getenv: getenv}.Ask(t.Context(), backend.Config{Type: "anthropic", Model: "small", BaseURL: url}, prompt(t))
	if err != nil || got.Text != `{"x":1}` {
		t.Fatalf("%+v, %v", got, err)
	}
	a := (*asked)[0]
	if a.path != "/v1/messages" || a.header.Get("X-Api-Key") != key || a.header.Get("Anthropic-Version") == "" || a.body["model"] != "small" {
		t.Errorf("request %+v", a)
	}
	if c, _ := a.body["tool_choice"].(map[string]any); c["name"] != "answer" {
		t.Errorf("the schema's tool is not forced: %v", a.body["tool_choice"])
	}
}

func TestOpenAIFallsBackWithoutSchema(t *testing.T) {
	url, asked := recorder(t, func(n int) (int, string) {
		if n == 1 {
			return 400, `{"error":{"message":"response_format is not supported"}}`
		}
		return 200, `{"choices":[{"message":{"content":"<think>hm {}</think>\n{\"x\":1}"}}],"usage":{"cost":0.25}}`
	})
	got, err := judgehttp.Caller{Getenv: getenv}.Ask(t.Context(), backend.Config{Type: "openai", Model: "m", BaseURL: url + "/v1/"}, prompt(t))
	if err != nil || strings.TrimSpace(got.Text) != `{"x":1}` || got.CostUSD != 0.25 {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(*asked) != 2 || (*asked)[0].path != "/v1/chat/completions" {
		t.Fatalf("requests %+v", *asked)
	}
	first, second := (*asked)[0].body["response_format"], (*asked)[1].body["response_format"]
	if first == nil || second != nil {
		t.Errorf("response_format was %v, then %v", first, second)
	}
	if h := (*asked)[0].header.Get("Authorization"); h != "" {
		t.Errorf("a key was sent that the policy does not name: %q", h)
	}
}

// TestKeyStaysPrivate holds every failure to not quoting the key, also where the
// service quotes it back.
func TestKeyStaysPrivate(t *testing.T) {
	elsewhere, other := recorder(t, func(int) (int, string) { return 200, "{}" })
	for _, tc := range []struct {
		name   string
		config func(url string) backend.Config
		status int
		body   string
		want   string
	}{
		{"quoted back", nil, 401, `{"error":{"message":"Incorrect API key provided: ` + key + `"}}`, "status 401: Incorrect API key provided: <key>"},
		{"bare error", nil, 500, `{"error":"no ` + key + `"}`, "<key>"},
		{"plain text", nil, 502, "upstream " + key, "status 502"},
		{"not set", func(u string) backend.Config {
			return backend.Config{Name: "mine", Type: "openai", Model: "m", BaseURL: u, KeyEnv: "NOPE"}
		}, 200, "", "variable NOPE"},
		{"line break", func(u string) backend.Config {
			return backend.Config{Type: "openai", Model: "m", BaseURL: u, KeyEnv: "BROKEN"}
		}, 200, "", "line break"},
		{"key in the address", func(u string) backend.Config {
			return backend.Config{Type: "openai", Model: "m", BaseURL: strings.Replace(u, "//", "//u:"+key+"@", 1)}
		}, 200, "", "key_env"},
		{"no address", func(string) backend.Config {
			return backend.Config{Type: "openai", Model: "m", BaseURL: "file:///etc/passwd"}
		}, 200, "", "base_url"},
		{"redirect", nil, 307, "", "redirects"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Location", elsewhere)
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			}))
			defer s.Close()
			c := backend.Config{Type: "openai", Model: "m", BaseURL: s.URL, KeyEnv: "JUDGE_KEY"}
			if tc.config != nil {
				c = tc.config(s.URL)
			}
			_, err := judgehttp.Caller{Getenv: getenv}.Ask(t.Context(), c, prompt(t))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want %q", err, tc.want)
			}
			if strings.Contains(fmt.Sprint(err), key) || strings.Contains(fmt.Sprint(err), "Evil") {
				t.Errorf("the error holds the key: %v", err)
			}
		})
	}
	if len(*other) > 0 {
		t.Errorf("a redirect was followed: %+v", *other)
	}
}

func TestServeGarbage(t *testing.T) {
	for _, in := range []string{"", "{", "[]", strings.Repeat(" ", 2<<20), `{"backend":{"type":"claude"}}`} {
		var out strings.Builder
		if err := (judgehttp.Caller{Getenv: getenv}).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		var r backend.Response
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil || r.Error == "" {
			t.Errorf("response %q to %.20q", out.String(), in)
		}
	}
}
