package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentguard/e2e/model"
)

const withTools = `{"model":"m","system":"be good","tools":[{"name":"Bash"}],"messages":[{"role":"user","content":"hello"}]}`

func start(t *testing.T, s model.Script) *model.Server {
	t.Helper()
	srv, err := model.Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

func send(t *testing.T, srv *model.Server, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, srv.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func TestPlainAnswer(t *testing.T) {
	srv := start(t, model.Script{Lanes: []model.Lane{{Name: "main", Turns: []model.Turn{
		model.Bash("ls").Saying("Let me look."),
	}}}})
	status, body := send(t, srv, http.MethodPost, "/v1/messages", withTools)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
	var got struct {
		Content    []map[string]any `json:"content"`
		StopReason string           `json:"stop_reason"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"type": "text", "text": "Let me look."},
		{"type": "tool_use", "id": "toolu_scripted_0001_1", "name": "Bash", "input": map[string]any{"command": "ls"}},
	}
	if diff := cmp.Diff(want, got.Content); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if got.StopReason != "tool_use" {
		t.Errorf("stop_reason = %q", got.StopReason)
	}
}

// The stream must carry what the plain answer carries.
func TestStreamedAnswer(t *testing.T) {
	srv := start(t, model.Script{Lanes: []model.Lane{{Name: "main", Turns: []model.Turn{
		model.Write("a.txt", "x\ny").Saying("Writing."),
	}}}})
	_, body := send(t, srv, http.MethodPost, "/v1/messages?beta=true", strings.Replace(withTools, "{", `{"stream":true,`, 1))
	var names []string
	var text, input string
	for part := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		name, data, ok := strings.Cut(part, "\n")
		if !ok {
			t.Fatalf("no data line in %q", part)
		}
		var e struct {
			Type  string
			Delta struct {
				Text        string
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			}
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(data, "data: ")), &e); err != nil {
			t.Fatal(err)
		}
		if name != "event: "+e.Type {
			t.Errorf("event line %q carries data of type %q", name, e.Type)
		}
		names = append(names, e.Type)
		text += e.Delta.Text
		input += e.Delta.PartialJSON
		if e.Type == "message_delta" && e.Delta.StopReason != "tool_use" {
			t.Errorf("stop_reason = %q", e.Delta.StopReason)
		}
	}
	block := []string{"content_block_start", "content_block_delta", "content_block_stop"}
	want := append(append(append([]string{"message_start"}, block...), block...), "message_delta", "message_stop")
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if text != "Writing." || input != `{"content":"x\ny","file_path":"a.txt"}` {
		t.Errorf("text %q, input %q", text, input)
	}
}

func TestLanes(t *testing.T) {
	srv := start(t, model.Script{Fallback: "nothing more", Lanes: []model.Lane{
		{Name: "judge", When: model.Match{Offers: model.StructuredTool}, Turns: []model.Turn{
			model.Structured(map[string]any{"new_proposal": true}),
		}, Loop: true},
		{Name: "side", When: model.Match{NoTools: true, System: "title"}, Turns: []model.Turn{model.Say("a title")}},
		{Name: "named", When: model.Match{LastUser: "^special", Lacks: "Write"}, Turns: []model.Turn{model.Say("for you")}},
		{Name: "main", Turns: []model.Turn{model.Say("first"), model.Say("second")}},
	}})
	judge := `{"tools":[{"name":"StructuredOutput"}],"messages":[]}`
	side := `{"system":[{"type":"text","text":"write a title"}],"messages":[{"role":"user","content":"x"}]}`
	special := `{"tools":[{"name":"Bash"}],"messages":[{"role":"user","content":[{"type":"text","text":"special"}]}]}`
	for _, step := range []struct{ name, body, lane, answer string }{
		{"an offered tool picks the judge", judge, "judge", `"new_proposal":true`},
		{"a loop answers again", judge, "judge", `"new_proposal":true`},
		{"no tools and a pattern", side, "side", "a title"},
		{"a used-up lane falls back", side, "side", "nothing more"},
		{"last user message", special, "named", "for you"},
		{"the default lane", withTools, "main", "first"},
		{"turns go on in order", withTools, "main", "second"},
		{"no lane takes it", `{"messages":[]}`, "", "nothing more"},
		{"not JSON", `{`, "", "nothing more"},
	} {
		_, body := send(t, srv, http.MethodPost, "/v1/messages", step.body)
		if !strings.Contains(body, step.answer) {
			t.Errorf("%s: answer %s lacks %q", step.name, body, step.answer)
		}
		all := srv.Requests()
		if got := all[len(all)-1].Lane; got != step.lane {
			t.Errorf("%s: lane %q, want %q", step.name, got, step.lane)
		}
	}
	if got := len(srv.Lane("judge")); got != 2 {
		t.Errorf("judge lane kept %d requests, want 2", got)
	}
}

func TestWhatReachedTheModel(t *testing.T) {
	srv := start(t, model.Script{})
	send(t, srv, http.MethodPost, "/v1/messages", `{"model":"big","tools":[{"name":"Bash"},{"name":"Write"}],"messages":[
		{"role":"user","content":"do it"},
		{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":"x"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"[dangerous-command] no"}]}]},
		{"role":"system","content":"hook says more"}]}`)
	got := srv.Requests()[0]
	want := model.Request{
		Method: "POST", Path: "/v1/messages", Turn: -1, Model: "big", Tools: []string{"Bash", "Write"}, FirstUser: "do it",
		LastUser: "[tool_result is_error t1] [dangerous-command] no",
		New:      "[tool_result is_error t1] [dangerous-command] no\nhook says more",
	}
	got.Body = nil
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(model.Request{})); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestOtherPaths(t *testing.T) {
	srv := start(t, model.Script{})
	for _, tt := range []struct{ method, path, body, want string }{
		{http.MethodPost, "/v1/messages/count_tokens", strings.Repeat("x", 400), `{"input_tokens":100}`},
		{http.MethodGet, "/v1/models", "", `{"data":[],"has_more":false}`},
		{http.MethodGet, "/api/hello", "", `{}`},
	} {
		status, got := send(t, srv, tt.method, tt.path, tt.body)
		if status != http.StatusOK || got != tt.want {
			t.Errorf("%s %s = %d %s, want %s", tt.method, tt.path, status, got, tt.want)
		}
	}
	if status, _ := send(t, srv, http.MethodHead, "/", ""); status != http.StatusOK {
		t.Errorf("HEAD / = %d", status)
	}
}

func TestErrorTurn(t *testing.T) {
	srv := start(t, model.Script{Lanes: []model.Lane{{Name: "main", Turns: []model.Turn{
		{Error: "overloaded_error", Status: 529}, {Error: "invalid_request_error"},
	}}}})
	for _, want := range []int{529, 400} {
		status, body := send(t, srv, http.MethodPost, "/v1/messages", withTools)
		if status != want || !strings.Contains(body, `"type":"error"`) {
			t.Errorf("got %d %s, want %d", status, body, want)
		}
	}
}

// A test that gives up must not wait for a slow turn.
func TestCloseCutsADelayShort(t *testing.T) {
	began := make(chan struct{})
	slow := model.Say("late").After(time.Hour)
	slow.Before = func() { close(began) }
	srv := start(t, model.Script{Lanes: []model.Lane{{Name: "main", Turns: []model.Turn{slow}}}})
	done := make(chan struct{})
	go func() {
		defer close(done)
		resp, err := http.Post(srv.URL()+"/v1/messages", "application/json", strings.NewReader(withTools)) //nolint:noctx // ended by Close
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-began
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the request is still open")
	}
}

func TestBadPattern(t *testing.T) {
	if srv, err := model.Start(t.Context(), model.Script{Lanes: []model.Lane{{When: model.Match{Any: "("}}}}); err == nil {
		_ = srv.Close()
		t.Fatal("a pattern that does not compile was taken")
	}
}
