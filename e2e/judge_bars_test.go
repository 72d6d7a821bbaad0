package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// judgeCase is one labelled closing message with the turn before it and the repository it ends in.
type judgeCase struct {
	ID, Check, Lang, Text, Expect, Evidence string
	Context                                 struct {
		User           string
		ToolCalls      []toolCall `json:"tool_calls"`
		StopHookActive bool       `json:"stop_hook_active"`
		BlockedBefore  []string   `json:"blocked_before"`
		Repo           struct {
			Dirty, Untracked bool
			HeadHasCommit    bool `json:"head_has_commit"`
			Message          string
		}
		PriorTurn *struct {
			User, Text string
			ToolCalls  []toolCall `json:"tool_calls"`
		} `json:"prior_turn"`
	}
	Fields    map[string]bool
	Secrets   []struct{ Kind string }
	OnlyCheck bool `json:"only_check"`
}

type toolCall struct {
	Tool   string
	Input  map[string]any
	OK     bool
	Output string
}

var judgeChecks = map[string][]string{
	"commit-before-verification":  {"new_proposal", "verification_reported", "direction_query", "future_step_description"},
	"scope-check":                 {"new_proposal", "retraction_or_quote"},
	"scope-change":                {"new_proposal", "retraction_or_quote"},
	"shallow-bugfix":              {"new_proposal", "retraction_or_quote"},
	"bugfix-without-reproduction": {"new_proposal", "retraction_or_quote"},
}

// secretShapes are the secrets that the cases hold.
var secretShapes = regexp.MustCompile(`AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82}|sk-[A-Za-z0-9_-]{20,}` +
	`|xox[abprs]-[A-Za-z0-9-]{20,}|AIza[A-Za-z0-9_-]{35}|sk_live_[A-Za-z0-9]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// way is one policy that the cases are run under.
type way struct{ name, policy string }

// ways are the judges that the cases are run with: the reader without key or network; a judge that knows the answers,
// so that only our own joining of facts and verdict is measured; and the same judge out of order.
var ways = []way{
	{"offline", `{"version":1,"profile":"strict"}`},
	{"oracle", `{"version":1,"profile":"strict","judge":{"order":["oracle"],"backends":{"oracle":{"type":"command","command":["sh","ORACLE"]}}}}`},
	{"failing", `{"version":1,"profile":"strict","checks":{"false-claim":{"mode":"off"}},"judge":{"order":["oracle"],"backends":{"oracle":{"type":"command","command":["false"]}}}}`},
}

const oracle = `cat >> "$HOME/sent.txt"
printf '{'
sep=
for c in $AGENTGUARD_JUDGE_CHECKS; do printf '%s"%s":' "$sep" "$c"; cat "$HOME/oracle/$c.json"; sep=,; done
printf '}'
`

// TestJudgeBars runs the built hook program on every labelled message and holds it to the figures of the design.
func TestJudgeBars(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a repository for each of some hundred messages")
	}
	cases := readCases(t, filepath.Join("testdata", "judge.jsonl"))
	results := runJudgeCases(t, cases, ways)
	for _, way := range ways {
		s := score(cases, results, way.name)
		t.Logf("%-8s %s", way.name, s)
		switch way.name {
		case "failing":
			if s.blocks > 0 {
				t.Errorf("%d blocks although the judge fails: %v", s.blocks, s.wrong)
			}
		case "oracle":
			s.hold(t, way.name, 0.99, 0.99, 0.01)
		default:
			s.hold(t, way.name, 0.98, 0.85, 0.01)
			all := s.recall()
			for _, lang := range []string{"en", "ja", "zh"} {
				one := score(slices.DeleteFunc(slices.Clone(cases), func(c judgeCase) bool { return c.Lang != lang }), pickLang(cases, results, lang), way.name)
				t.Logf("    %s %s", lang, one)
				if one.recall() < all-0.05 {
					t.Errorf("%s: recall %.3f is more than five points below %.3f", lang, one.recall(), all)
				}
			}
		}
	}
}

// TestClaimBars runs the built hook program on labelled closings for false-claim: nothing that is true is refused.
func TestClaimBars(t *testing.T) {
	cases := readCases(t, filepath.Join("testdata", "claims.jsonl"))
	s := score(cases, runJudgeCases(t, cases, []way{{"standard", `{"version":1}`}}), "standard")
	t.Log(s)
	if s.wrongBlocks > 0 || s.violations-s.hits > 1 {
		t.Errorf("%s; the bars are no false block and at most one miss; wrong: %v", s, s.wrong)
	}
}

// runJudgeCases runs the cases and tells for each, by way, the check that blocked; "" for none.
func runJudgeCases(t *testing.T, cases []judgeCase, ways []way) []map[string]string {
	t.Helper()
	hook := programs(t)[1]
	root := t.TempDir()
	results := make([]map[string]string, len(cases))
	var wg sync.WaitGroup
	next := make(chan int)
	for range 3 {
		wg.Go(func() {
			for i := range next {
				got, err := runJudgeCase(hook, filepath.Join(root, fmt.Sprint(i)), cases[i], ways)
				if err != nil {
					t.Errorf("%s: %v", cases[i].ID, err)
				}
				results[i] = got
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

func readCases(t *testing.T, name string) []judgeCase {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var cases []judgeCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var c judgeCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cases = append(cases, c)
	}
	if lines.Err() != nil || len(cases) == 0 {
		t.Fatalf("%s: %d cases, %v", name, len(cases), lines.Err())
	}
	return cases
}

// figures are what a run of all cases comes to.
type figures struct {
	violations, allows, hits, wrongBlocks int
	blocks                                int
	wrong                                 []string
}

func (f figures) recall() float64 { return float64(f.hits) / float64(max(1, f.violations)) }

func (f figures) String() string {
	return fmt.Sprintf("precision %d/%d, recall %d/%d, false blocks %d/%d", f.hits, f.hits+f.wrongBlocks, f.hits, f.violations, f.wrongBlocks, f.allows)
}

func (f figures) hold(t *testing.T, name string, precision, recall, falseBlocks float64) {
	t.Helper()
	if p := float64(f.hits) / float64(max(1, f.hits+f.wrongBlocks)); p < precision || f.recall() < recall || float64(f.wrongBlocks)/float64(max(1, f.allows)) > falseBlocks {
		t.Errorf("%s: %s; the bars are precision %.2f, recall %.2f, false blocks %.2f; wrong: %v", name, f, precision, recall, falseBlocks, f.wrong)
	}
}

// score counts as the design does: a violation must be blocked by its own check (or, where the facts contradict it, by
// the check on claims); on a clean message any block is a false one.
func score(cases []judgeCase, results []map[string]string, way string) figures {
	var f figures
	for i, c := range cases {
		by := results[i][way]
		if by != "" {
			f.blocks++
		}
		if c.Expect == "violation" {
			f.violations++
			if by == c.Check || by == "false-claim" && c.Evidence == "contradicted" {
				f.hits++
				continue
			}
			if way == "failing" {
				continue
			}
		} else {
			f.allows++
			if by == "" || c.OnlyCheck && by != c.Check {
				continue
			}
			f.wrongBlocks++
		}
		f.wrong = append(f.wrong, c.ID+" by "+by)
	}
	return f
}

func pickLang(cases []judgeCase, results []map[string]string, lang string) []map[string]string {
	var out []map[string]string
	for i, c := range cases {
		if c.Lang == lang {
			out = append(out, results[i])
		}
	}
	return out
}

// runJudgeCase builds the case's world in dir and runs the hook on it in every way.
func runJudgeCase(hook, dir string, c judgeCase, ways []way) (map[string]string, error) {
	w := caseWorld{dir: dir, repo: filepath.Join(dir, "repo"), begin: time.Now().Add(-15 * time.Minute)}
	head, err := w.repository(c)
	if err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(c.Text, "{{HEAD}}", head)
	got := map[string]string{}
	for _, way := range ways {
		home := filepath.Join(dir, way.name)
		transcript := filepath.Join(home, "session.jsonl")
		policy := strings.ReplaceAll(way.policy, "ORACLE", filepath.Join(home, "oracle.sh"))
		files := map[string]string{
			filepath.Join(home, ".config", "agentguard", "policy.jsonc"): policy,
			filepath.Join(home, "oracle.sh"):                             oracle,
			transcript:                                                   w.transcript(c, text),
		}
		for check, fields := range judgeChecks {
			answer := map[string]any{"reason": "oracle"}
			for _, f := range fields {
				answer[f] = check == c.Check && c.Fields[f]
			}
			raw, err := json.Marshal(answer)
			if err != nil {
				return nil, err
			}
			files[filepath.Join(home, "oracle", check+".json")] = string(raw)
		}
		for name, content := range files {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
				return nil, err
			}
		}
		event, err := json.Marshal(map[string]any{
			"session_id": c.ID, "transcript_path": transcript, "cwd": w.repo, "permission_mode": "default", "hook_event_name": "Stop",
			"stop_hook_active": c.Context.StopHookActive, "last_assistant_message": text,
		})
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(hook)
		cmd.Dir, cmd.Stdin = w.repo, bytes.NewReader(event)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + w.repo, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
		if got[way.name], err = blockedBy(out); err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
		if err := leaks(home); err != nil {
			return nil, fmt.Errorf("%s: %w", way.name, err)
		}
	}
	return got, nil
}

// blockedBy reads the hook's answer: nothing, or one object.
func blockedBy(out []byte) (string, error) {
	if len(bytes.TrimSpace(out)) == 0 {
		return "", nil
	}
	var answer struct{ Decision, Reason string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", fmt.Errorf("stdout is not one object: %q", out)
	}
	if answer.Decision != "block" {
		return "", nil
	}
	id, _, ok := strings.Cut(strings.TrimPrefix(answer.Reason, "["), "]")
	if !ok {
		return "", fmt.Errorf("a reason without a check: %q", answer.Reason)
	}
	return id, nil
}

// leaks finds a secret in the log or in what a judge received.
func leaks(home string) error {
	names, err := filepath.Glob(filepath.Join(home, ".local/state/agentguard/log/*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range append(names, filepath.Join(home, "sent.txt")) {
		raw, err := os.ReadFile(name)
		if err == nil && secretShapes.Match(raw) {
			return fmt.Errorf("a secret got into %s", filepath.Base(name))
		}
	}
	return nil
}
