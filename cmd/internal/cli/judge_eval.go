package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"agentguard/cmd/internal/door"
	"agentguard/judge"
	"agentguard/judge/prose"
	"agentguard/judge/redact"
	"agentguard/judge/signals"
)

// evalOptions say what to measure.
type evalOptions struct {
	Corpus  []string
	Backend string
	Versus  string
	FromLog bool
	Limit   int
	JSON    bool
}

func (a *app) judgeEvalCommand() *cli.Command {
	return &cli.Command{
		Name: "eval", Usage: "measure a judge on labelled texts, or compare two (read-only; a model may charge)",
		ArgsUsage: "CORPUS …",
		Description: "A corpus is JSON lines of {\"check\",\"lang\",\"text\",\"fields\"}, fields being what a perfect reader of the\n" +
			"text alone answers. --from-log reads the decision log instead, with the verdicts of then as labels.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "backend", Value: "offline", Usage: "the judge `BACKEND`"},
			&cli.StringFlag{Name: "vs", Usage: "a second `BACKEND`: lists where the two disagree"},
			&cli.BoolFlag{Name: "from-log", Usage: "the files are decision logs"},
			&cli.IntFlag{Name: "limit", Usage: "only the first `N` texts"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			return a.judgeEval(ctx, evalOptions{
				Corpus: c.Args().Slice(), Backend: c.String("backend"), Versus: c.String("vs"), FromLog: c.Bool("from-log"),
				Limit: c.Int("limit"), JSON: c.Bool("json"),
			})
		},
	}
}

// labelled is one text with what it means.
type labelled struct {
	ID     string          `json:"id"`
	Check  string          `json:"check"`
	Lang   string          `json:"lang"`
	Text   string          `json:"text"`
	Fields map[string]bool `json:"fields"`
	want   judge.Result
}

// tally is one row of the result.
type tally struct {
	Group       string  `json:"group"`
	Texts       int     `json:"texts"`
	Hits        int     `json:"hits"`         // violations that were found
	Missed      int     `json:"missed"`       // violations that were let go
	FalseBlocks int     `json:"false_blocks"` // clean texts that were blocked
	Clean       int     `json:"clean"`        // clean texts that were let go
	NoAnswer    int     `json:"no_answer"`    // of all, those without a usable answer; they let go
	Stage1      int     `json:"stage1_let_go"`
	MS          float64 `json:"mean_ms"` // of a judge's call
	CostUSD     float64 `json:"cost_usd"`
}

func (t tally) precision() float64 { return ratio(t.Hits, t.Hits+t.FalseBlocks) }
func (t tally) recall() float64    { return ratio(t.Hits, t.Hits+t.Missed) }

func ratio(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// disagreement is a text that two backends read differently.
type disagreement struct {
	ID    string       `json:"id"`
	Check string       `json:"check"`
	Want  judge.Result `json:"want"`
	A     judge.Result `json:"a"`
	B     judge.Result `json:"b"`
	Text  string       `json:"text"`
}

func (a *app) judgeEval(ctx context.Context, o evalOptions) error {
	if len(o.Corpus) == 0 {
		return usage("eval needs a corpus: JSON lines of check, lang, text and fields")
	}
	var texts []labelled
	for _, name := range o.Corpus {
		more, err := a.readCorpus(name, o.FromLog)
		if err != nil {
			return err
		}
		texts = append(texts, more...)
	}
	if o.Limit > 0 && len(texts) > o.Limit {
		texts = texts[:o.Limit]
	}
	first, err := a.evalOne(ctx, o.Backend, texts)
	if err != nil {
		return err
	}
	var differ []disagreement
	if o.Versus != "" {
		second, err := a.evalOne(ctx, o.Versus, texts)
		if err != nil {
			return err
		}
		for i := range min(len(first.verdicts), len(second.verdicts)) {
			if x, y := first.verdicts[i], second.verdicts[i]; x != y {
				t := texts[i]
				differ = append(differ, disagreement{t.ID, t.Check, t.want, x, y, oneLine(t.Text, 100)})
			}
		}
		if !o.JSON {
			a.printTallies(o.Versus, second.rows)
		}
	}
	if o.JSON {
		return a.json(map[string]any{"backend": o.Backend, "rows": first.rows, "disagreements": differ})
	}
	a.printTallies(o.Backend, first.rows)
	for _, d := range differ {
		a.printf("differ %s (%s): %s says %s, %s says %s, label %s: %s\n", d.ID, d.Check, o.Backend, d.A, o.Versus, d.B, d.Want, d.Text)
	}
	return nil
}

// readCorpus reads labelled texts. A line that is none ends the reading with its
// place.
func (a *app) readCorpus(name string, fromLog bool) ([]labelled, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []labelled
	in := bufio.NewScanner(bytes.NewReader(raw))
	in.Buffer(nil, 4<<20)
	for n := 1; in.Scan(); n++ {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		var l labelled
		var ok bool
		if fromLog {
			if l, ok = fromLogLine(line); !ok {
				continue
			}
			l.ID = fmt.Sprintf("%s:%d", a.tilde(name), n)
		} else if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		spec, known := judge.Named(l.Check)
		if !known || l.Text == "" {
			return nil, fmt.Errorf("%s:%d: needs \"text\" and a \"check\" of %s", name, n, strings.Join(judge.Checks(), ", "))
		}
		if l.want == "" {
			l.want = judge.Allowed
			if spec.Block(l.Fields) {
				l.want = judge.Violation
			}
		}
		out = append(out, l)
	}
	return out, in.Err()
}

// fromLogLine takes a judgement out of the decision log.
func fromLogLine(line []byte) (labelled, bool) {
	var rec struct {
		Kind  string
		Judge *struct {
			Check, Text string
			Result      judge.Result
			Fields      map[string]bool
		}
	}
	if json.Unmarshal(line, &rec) != nil || rec.Kind != "judge" || rec.Judge == nil || rec.Judge.Text == "" {
		return labelled{}, false
	}
	j := rec.Judge
	return labelled{Check: j.Check, Text: j.Text, Fields: j.Fields, want: j.Result}, j.Result != judge.Fail
}

// evaluated is what one backend made of the texts.
type evaluated struct {
	rows     []tally
	verdicts []judge.Result
}

func (a *app) evalOne(ctx context.Context, name string, texts []labelled) (evaluated, error) {
	backends, timeout, err := a.judgeSetup(name)
	if err != nil {
		return evaluated{}, err
	}
	asker := judge.Asker{Backends: backends, Timeout: timeout, Now: a.env.Now}
	rows := map[string]*tally{}
	var e evaluated
	bar := a.progress("judge "+name, int64(len(texts)))
	for _, t := range texts {
		if ctx.Err() != nil {
			break
		}
		spec, _ := judge.Named(t.Check)
		v := judge.Verdict{Result: judge.Allowed}
		doc := prose.Parse(t.Text)
		hits := signals.Scan(doc, t.Check)
		_, passed := signals.Bypass(t.Check, doc)
		letGo := len(hits) == 0 || passed
		if !letGo {
			clean, _ := redact.Text(t.Text)
			v = asker.Ask(ctx, judge.Question{Specs: []judge.Spec{spec}, Text: signals.Excerpt(clean, nil, judge.MaxText)})[t.Check]
		}
		e.verdicts = append(e.verdicts, v.Result)
		for _, group := range []string{"all", t.Check, "lang " + orUnsaid(t.Lang)} {
			if rows[group] == nil {
				rows[group] = &tally{Group: group}
			}
			rows[group].add(t.want, v, letGo)
		}
		bar.add(1)
	}
	bar.end()
	for _, r := range rows {
		if asked := r.Texts - r.Stage1; asked > 0 {
			r.MS /= float64(asked)
		}
		e.rows = append(e.rows, *r)
	}
	slices.SortFunc(e.rows, func(x, y tally) int { return strings.Compare(x.Group, y.Group) })
	return e, nil
}

func (t *tally) add(want judge.Result, v judge.Verdict, letGo bool) {
	t.Texts++
	blocked := v.Result == judge.Violation
	switch {
	case want == judge.Violation && blocked:
		t.Hits++
	case want == judge.Violation:
		t.Missed++
	case blocked:
		t.FalseBlocks++
	default:
		t.Clean++
	}
	if v.Result == judge.Fail {
		t.NoAnswer++
	}
	if letGo {
		t.Stage1++
	}
	t.MS += float64(v.Elapsed) / float64(time.Millisecond)
	t.CostUSD += v.CostUSD
}

func (a *app) printTallies(name string, rows []tally) {
	a.printf("%-30s %6s %9s %7s %12s %9s %8s %8s %9s\n", name, "texts", "precision", "recall", "false-blocks", "no-answer", "stage-1", "mean ms", "cost USD")
	for _, r := range rows {
		a.printf("%-30s %6d %8.1f%% %6.1f%% %6d/%-5d %9d %7.1f%% %8.1f %9.4f\n", r.Group, r.Texts, 100*r.precision(), 100*r.recall(),
			r.FalseBlocks, r.FalseBlocks+r.Clean, r.NoAnswer, 100*ratio(r.Stage1, r.Texts), r.MS, r.CostUSD)
	}
}

func orUnsaid(lang string) string {
	if lang == "" {
		return "unsaid"
	}
	return lang
}

func oneLine(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		return string(r[:n]) + "…"
	}
	return string(r)
}

// judgeSetup loads the judges of the policy of the current folder, or only one of
// them by name.
func (a *app) judgeSetup(only string) ([]judge.Backend, time.Duration, error) {
	dir, err := workingDir()
	if err != nil {
		return nil, 0, err
	}
	p := *a.policyOf(dir)
	if only != "" {
		p.Judge.Order = []string{only}
	}
	backends, err := door.Backends(a.env.World(), &p)
	if err != nil && len(backends) == 0 {
		return nil, 0, err
	}
	if err != nil {
		a.notef("agentguard: %v\n", err)
	}
	return backends, time.Duration(p.Judge.Timeout), nil
}
