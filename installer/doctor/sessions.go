package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of reading past sessions.
const (
	maxSessions   = 8       // the newest of this folder
	maxTail       = 4 << 20 // bytes from the end of each
	floodSize     = 5       // failures of one command that are a flood
	slowMedian    = 3000    // milliseconds
	stopCap       = 8       // refused stops in a row after which the client overrides
	sameBeginning = 10      // sessions with one first prompt that are a judge's
)

// sessions reads the hook records that past sessions left in their transcripts.
func sessions() Probe {
	return Probe{
		ID: "sessions", Title: "hooks worked in the last sessions here",
		Kinds:    []string{"error-flood", "stdout-mixed", "slow-start", "stop-latch-only", "timeout-short", "judge-history"},
		Deadline: 15e9,
		Run: func(ctx context.Context, p *Patient) []Finding {
			seen := p.records(ctx)
			var out []Finding
			for _, s := range seen {
				out = append(out, s.findings(p)...)
			}
			return append(out, p.judgeHistory(ctx)...)
		},
	}
}

// hookStats is what transcripts say about one command.
type hookStats struct {
	command            string
	event              string
	runs, failed       int
	lastFailure        string
	polluted, timedOut int
	pollution          string
	durations          []int
	refusedStops       int
}

// projectDir is the folder of this project's transcripts: its path with every
// character that is no letter or digit as a dash.
func (p *Patient) transcripts() string {
	slug := []byte(p.ProjectDir)
	for i, c := range slug {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			slug[i] = '-'
		}
	}
	return filepath.Join(p.ConfigDir, "projects", string(slug))
}

// newest lists the latest transcripts of a folder.
func newest(dir string, n int) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	type aged struct {
		path string
		info fs.FileInfo
	}
	var files []aged
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".jsonl") && info.Mode().IsRegular() {
			files = append(files, aged{filepath.Join(dir, e.Name()), info})
		}
	}
	slices.SortFunc(files, func(a, b aged) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	var out []string
	for _, f := range files[:min(n, len(files))] {
		out = append(out, f.path)
	}
	return out
}

func (p *Patient) records(ctx context.Context) []*hookStats {
	var list []*hookStats
	at := map[string]*hookStats{}
	of := func(command, event string) *hookStats {
		s := at[command]
		if s == nil {
			s = &hookStats{command: command, event: event}
			at[command] = s
			list = append(list, s)
		}
		return s
	}
	for _, path := range newest(p.transcripts(), maxSessions) {
		if ctx.Err() != nil {
			return list
		}
		refused := map[string]int{}
		eachRecord(path, func(line []byte) {
			var rec struct {
				Attachment struct {
					Type       string `json:"type"`
					HookEvent  string `json:"hookEvent"`
					Command    string `json:"command"`
					ExitCode   int    `json:"exitCode"`
					Stdout     string `json:"stdout"`
					Stderr     string `json:"stderr"`
					DurationMs int    `json:"durationMs"`
				} `json:"attachment"`
			}
			if json.Unmarshal(line, &rec) != nil || rec.Attachment.Command == "" {
				return
			}
			a := rec.Attachment
			s := of(a.Command, a.HookEvent)
			s.runs++
			if a.DurationMs > 0 {
				s.durations = append(s.durations, a.DurationMs)
			}
			switch a.Type {
			case "hook_non_blocking_error":
				s.failed++
				s.lastFailure = fmt.Sprintf("status %d%s", a.ExitCode, said(a.Stderr))
			case "hook_cancelled":
				s.timedOut++
			case "hook_success":
				if polluted(a.Stdout) {
					s.polluted++
					s.pollution = a.Stdout
				}
			case "hook_blocking_error":
				if a.HookEvent == "Stop" || a.HookEvent == "SubagentStop" {
					refused[a.Command]++
				}
			}
		})
		for command, n := range refused {
			s := of(command, "Stop")
			s.refusedStops = max(s.refusedStops, n)
		}
	}
	return list
}

// eachRecord visits the hook records of a transcript's last part.
func eachRecord(path string, visit func(line []byte)) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxTail {
		if _, err := file.Seek(-maxTail, io.SeekEnd); err != nil {
			return
		}
	}
	scan := bufio.NewScanner(file)
	scan.Buffer(make([]byte, 64<<10), maxTail)
	for scan.Scan() {
		if bytes.Contains(scan.Bytes(), []byte(`"hook_`)) {
			visit(scan.Bytes())
		}
	}
}

// polluted tells an output that has an answer in it and is not one.
func polluted(stdout string) bool {
	if a, ok := readAnswer(stdout); ok {
		_ = a
		return false
	}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(strings.TrimSpace(line), "{") && answerText(line) {
			return true
		}
	}
	return false
}

// entryOf finds the entry that a recorded command still belongs to.
func (c *chart) entryOf(command string) *entry {
	for _, e := range c.entries {
		if e.Command == command {
			return e
		}
	}
	return nil
}

func (s *hookStats) findings(p *Patient) []Finding {
	e := p.read().entryOf(s.command)
	if e == nil {
		return nil // no longer there
	}
	var out []Finding
	if s.failed >= floodSize {
		out = append(out, e.finding("error-flood", Warning,
			fmt.Sprintf("This hook failed %d of %d times in the last sessions here (%s); each failure lets the call pass and fills the view.", s.failed, s.runs, s.lastFailure),
			"Mend it or remove it."))
	}
	if s.polluted > 0 {
		out = append(out, e.finding("stdout-mixed", Error,
			fmt.Sprintf("In the last sessions here %d answers of this hook were lost, because text stood beside them (it begins with %s).", s.polluted, snippet(s.pollution)),
			"Send everything but the answer to stderr."))
	}
	if s.timedOut > 0 {
		out = append(out, e.finding("timeout-short", Warning,
			fmt.Sprintf("This hook was cut off %d times in the last sessions here; what it should have refused passed.", s.timedOut),
			"Give it more time, or make it faster."))
	}
	if len(s.durations) >= 5 {
		slices.Sort(s.durations)
		if median := s.durations[len(s.durations)/2]; median >= slowMedian {
			out = append(out, e.finding("slow-start", Warning,
				fmt.Sprintf("This hook takes %.1f s at the median; the session waits each time.", float64(median)/1000),
				"Start the tool by its own path, and do less in it."))
		}
	}
	if s.refusedStops > stopCap {
		out = append(out, e.finding("stop-latch-only", Warning,
			fmt.Sprintf("This hook refused %d stops in one session: more than the client's own cap, which starts again whenever the agent uses a tool.", s.refusedStops),
			"Count refusals by session and prompt, and let go after a few."))
	}
	return out
}

// judgeHistory finds many sessions that begin with one prompt.
func (p *Patient) judgeHistory(ctx context.Context) []Finding {
	first := map[string]int{}
	for _, path := range newest(p.transcripts(), 200) {
		if ctx.Err() != nil {
			return nil
		}
		if prompt := firstPrompt(path); prompt != "" {
			first[prompt]++
		}
	}
	for prompt, n := range first {
		if n >= sameBeginning {
			return []Finding{{
				Kind: "judge-history", Severity: Warning, File: p.transcripts(),
				Message: fmt.Sprintf("%d sessions of this folder begin with the same prompt (%s): probably a hook's own runs, which fill the list of sessions.", n, snippet(prompt)),
				Fix:     "Add --no-session-persistence where the hook starts the client.",
			}}
		}
	}
	return nil
}

// firstPrompt returns the beginning of a transcript's first prompt.
func firstPrompt(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	scan := bufio.NewScanner(io.LimitReader(file, 256<<10))
	scan.Buffer(make([]byte, 16<<10), 256<<10)
	for scan.Scan() {
		var rec struct {
			Type    string `json:"type"`
			Meta    bool   `json:"isMeta"`
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(scan.Bytes(), &rec) != nil || rec.Type != "user" || rec.Meta {
			continue
		}
		text := string(rec.Message.Content)
		if len(text) < 40 {
			return ""
		}
		return text[:40]
	}
	return ""
}
