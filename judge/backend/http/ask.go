// Package http asks models behind HTTP: the Anthropic Messages API and what
// speaks the chat completions of OpenAI. Only agentguard links it; the hook
// program runs "agentguard judge ask", which is Serve.
//
// A key is read from the variable that the policy names, sent to the policy's
// host alone, and stands in no error.
package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"net/url"
	"strings"
	"time"

	"agentguard/judge"
	"agentguard/judge/backend"
)

// Caller asks with what it is given.
type Caller struct {
	Getenv    func(string) string
	Transport nethttp.RoundTripper // nil means the default one, with the proxies of the environment
}

// maxRequest bounds a request on stdin, in bytes: a prompt is some 20 kB.
const maxRequest = 1 << 20

// maxAttempts bounds the requests that one question may cost.
const maxAttempts = 2

// Serve reads one backend.Request from stdin, asks, and prints one
// backend.Response. What goes wrong stands in the response; the error is only
// about stdout.
func (c Caller) Serve(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	response := c.serve(ctx, stdin)
	raw, err := json.Marshal(response)
	if err == nil {
		_, err = stdout.Write(append(raw, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the judge's response: %w", err)
	}
	return nil
}

func (c Caller) serve(ctx context.Context, stdin io.Reader) backend.Response {
	raw, err := io.ReadAll(io.LimitReader(stdin, maxRequest+1))
	if err != nil || len(raw) > maxRequest {
		return backend.Response{Error: "the request cannot be read or is too long"}
	}
	var r backend.Request
	if err := json.Unmarshal(raw, &r); err != nil {
		return backend.Response{Error: "the request is not the JSON of agentguard-hook; are the two programs of one version?"}
	}
	if r.TimeoutMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.TimeoutMS)*time.Millisecond)
		defer cancel()
	}
	response, err := c.Ask(ctx, r.Backend, r.Prompt)
	if err != nil {
		return backend.Response{Error: err.Error()}
	}
	return response
}

// Ask asks the service of one policy entry. It ends with ctx.
func (c Caller) Ask(ctx context.Context, b backend.Config, p judge.Prompt) (backend.Response, error) {
	kind := b.Type
	if kind == "" {
		kind = b.Name
	}
	var api api
	switch kind {
	case "anthropic":
		api = anthropic
	case "openai":
		api = openAI
	default:
		return backend.Response{}, fmt.Errorf("judge backend %q: type %q does not speak HTTP", b.Name, kind)
	}
	key, err := c.key(b, api)
	if err != nil {
		return backend.Response{}, err
	}
	got, err := c.ask(ctx, b, api, p, key)
	if err != nil {
		return backend.Response{}, errors.New(hide(err.Error(), key))
	}
	return got, nil
}

func (c Caller) key(b backend.Config, a api) (string, error) {
	name := b.KeyEnv
	if name == "" {
		name = a.keyEnv
	}
	if name == "" {
		return "", nil
	}
	key := strings.TrimSpace(c.Getenv(name))
	switch {
	case key == "":
		return "", fmt.Errorf("judge backend %q: the variable %s, which should hold the key, is not set", b.Name, name)
	case strings.ContainsAny(key, "\r\n\x00"):
		return "", fmt.Errorf("judge backend %q: the variable %s holds a line break and is no key", b.Name, name)
	}
	return key, nil
}

// ask sends the request, once more in a plainer form where the service does not
// know how to keep to a schema.
func (c Caller) ask(ctx context.Context, b backend.Config, a api, p judge.Prompt, key string) (backend.Response, error) {
	target, err := endpoint(b, a)
	if err != nil {
		return backend.Response{}, err
	}
	for attempt := range maxAttempts {
		body, err := json.Marshal(a.body(b.Model, p, attempt == 0))
		if err != nil {
			return backend.Response{}, fmt.Errorf("writing the request: %w", err)
		}
		status, answer, err := c.post(ctx, target, body, func(h nethttp.Header) { a.headers(h, key) })
		if err != nil {
			return backend.Response{}, err
		}
		if status == nethttp.StatusOK {
			return a.read(answer)
		}
		unknown := status == nethttp.StatusBadRequest || status == nethttp.StatusUnprocessableEntity
		if !unknown || !a.plainer || attempt+1 == maxAttempts {
			return backend.Response{}, refusal(target, status, answer)
		}
	}
	return backend.Response{}, errors.New("no answer")
}

func endpoint(b backend.Config, a api) (*url.URL, error) {
	base := b.BaseURL
	if base == "" {
		base = a.base
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("judge backend %q: base_url is not an http or https address", b.Name)
	}
	if u.User != nil {
		return nil, fmt.Errorf("judge backend %q: base_url holds a user or password; name a variable in key_env instead", b.Name)
	}
	return u.JoinPath(a.path), nil
}

// post sends one request. Redirects are not followed: the headers carry a key
// that is meant for this host.
func (c Caller) post(ctx context.Context, target *url.URL, body []byte, headers func(nethttp.Header)) (int, []byte, error) {
	req, err := nethttp.NewRequestWithContext(ctx, nethttp.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("making the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	headers(req.Header)
	client := nethttp.Client{
		Transport:     c.Transport,
		CheckRedirect: func(*nethttp.Request, []*nethttp.Request) error { return nethttp.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return 0, nil, fmt.Errorf("%s gave no answer in time", target.Host)
		}
		return 0, nil, fmt.Errorf("reaching %s: %w", target.Host, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, judge.MaxReply+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, nil, fmt.Errorf("%s gave no whole answer in time", target.Host)
	case err != nil:
		return 0, nil, fmt.Errorf("reading the answer of %s: %w", target.Host, err)
	case len(answer) > judge.MaxReply:
		return 0, nil, fmt.Errorf("%s answered with more than %d bytes", target.Host, judge.MaxReply)
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return 0, nil, fmt.Errorf("%s redirects elsewhere, which is not followed; set base_url to the final address", target.Host)
	}
	return resp.StatusCode, answer, nil
}

// refusal says what a service answered instead of a message.
func refusal(target *url.URL, status int, body []byte) error {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	said := ""
	if json.Unmarshal(body, &e) == nil {
		var detail struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(e.Error, &detail) == nil {
			said = detail.Message
		} else {
			_ = json.Unmarshal(e.Error, &said) // some servers send a bare string
		}
	}
	if said == "" {
		return fmt.Errorf("%s answered with status %d", target.Host, status)
	}
	return fmt.Errorf("%s answered with status %d: %s", target.Host, status, judge.Safe(said, 200))
}

// hide takes the key out of a text, whole or as some services quote it back,
// with its ends only.
func hide(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, "<key>")
	}
	return judge.Safe(text, 500)
}
