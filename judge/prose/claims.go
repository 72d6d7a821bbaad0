package prose

import "strings"

// ClaimKind is what a claim is about.
type ClaimKind string

// The kinds of claims that a repository or a run can bear out or contradict.
const (
	ClaimTests    ClaimKind = "tests-pass"
	ClaimBuild    ClaimKind = "build-passes"
	ClaimLint     ClaimKind = "lint-clean"
	ClaimCI       ClaimKind = "ci-green"
	ClaimVerified ClaimKind = "verified"  // said without naming a run
	ClaimRun      ClaimKind = "run"       // the id of a run, a status, a comparison
	ClaimCommit   ClaimKind = "committed" // Detail is the commit id, if one is named
	ClaimPushed   ClaimKind = "pushed"    // Detail is where to, if it is named
	ClaimMerged   ClaimKind = "merged"
	ClaimClean    ClaimKind = "clean-tree"
	// These two are given by Assertions only.
	ClaimTypes ClaimKind = "types-check"
	ClaimAllIn ClaimKind = "all-committed"
	// ClaimReproduced is given by the reading of bugfix-without-reproduction only.
	ClaimReproduced ClaimKind = "reproduced"
)

// Claim is one statement of fact about the work. Start and End are byte offsets
// of the clause; Detail is what was counted or named in it: "57", "abc1234",
// "main", a command.
type Claim struct {
	Kind       ClaimKind
	Text       string
	Detail     string
	Start, End int
	// Scope is what an assertion is limited to: "the worker suite" to "worker",
	// "tests of `store`" to "store", a command to that command. Empty is all of it.
	Scope string
	// Whole tells that an assertion says "all" or "every".
	Whole bool
}

// Claims gives what the message states as done or true now. Negations, plans,
// conditions, questions, quotations and reports of another state are no claims.
func (d *Document) Claims() []Claim {
	var out []Claim
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Steering || s.Mood == Question && len(s.Clauses) == 1 {
			continue
		}
		for j := range s.Clauses {
			out = append(out, s.claims(j)...)
		}
	}
	for _, p := range d.Parts {
		if p.Kind == Code && !p.Announced || p.Kind == Log || p.Kind == Table {
			if detail, ok := outputPasses(d.Text[p.Start:p.End]); ok {
				out = append(out, Claim{Kind: ClaimTests, Text: strings.TrimSpace(d.Text[p.Start:p.End]), Detail: detail, Start: p.Start, End: p.End})
			}
		}
	}
	return out
}

func (s *Sentence) claims(j int) []Claim {
	c := &s.Clauses[j]
	toks := c.tokens
	var out []Claim
	add := func(k ClaimKind, detail string) {
		out = append(out, Claim{Kind: k, Text: c.Text, Detail: detail, Start: c.Start, End: c.End})
	}
	if _, ok := s.reports(j); ok {
		kind, detail := ClaimVerified, ""
		switch {
		case has(toks, "num") && has(toks, "pass"):
			kind = ClaimTests
		case hasWord(toks, "ci", "pipeline", "workflow", "checks", "流水线", "パイプライン", "ワークフロー"):
			kind = ClaimCI
		case has(toks, "tests"), strings.Contains(c.Text, "全テスト"):
			kind = ClaimTests
		case hasWord(toks, "build", "builds", "compilation", "ビルド", "构建", "编译", "コンパイル"):
			kind = ClaimBuild
		case hasWord(toks, "lint", "linter", "eslint", "ruff", "clippy", "typecheck", "tsc", "リント"):
			kind = ClaimLint
		case has(toks, "testcmd"):
			kind = ClaimTests
		}
		for _, t := range toks {
			if t.is("num") && !t.is("id") && detail == "" {
				detail = t.word
			}
			if t.is("testcmd", "codespan") {
				detail = t.inner
				break
			}
		}
		add(kind, detail)
	}
	if k := s.idAfterLabel(j); k >= 0 {
		add(ClaimCommit, shaOf(toks[k]))
		return out
	}
	if c.Negated || c.Link == "if" || c.Link == "before" || c.Tense == Conditional || has(toks, "fut", "modal", "np", "oldstate", "maybe") && !has(toks, "done", "pt", "le") {
		return append(out, ids(c)...)
	}
	for _, t := range toks {
		if t.is("sha") && (has(toks, "actP", "act", "depN", "merely") || hasWord(toks, "head", "revision", "sha", "commit", "提交号")) && (c.Lang == English || has(toks, "done", "pt", "le", "do", "te", "merely", "dopt") || len(toks) <= 6) {
			add(ClaimCommit, shaOf(t))
			return out
		}
	}
	for k, t := range toks {
		switch {
		case t.is("actP") && strings.HasPrefix(t.word, "commit") && reported(toks, k):
			add(ClaimCommit, "")
		case t.is("actP") && strings.Contains(t.word, "push") && reported(toks, k):
			add(ClaimPushed, place(toks[k:]))
		case t.is("mrgP") && strings.Contains(t.word, "merge") && reported(toks, k):
			add(ClaimMerged, place(toks[k:]))
		case t.is("tree") && hasWord(toks[k:], "clean", "干净", "クリーン"):
			add(ClaimClean, "")
		case t.is("act", "mrg") && isDone(c.Lang, toks, k):
			switch {
			case strings.Contains(t.word, "コミット") || strings.Contains(t.word, "提交") || strings.Contains(t.word, "commit"):
				add(ClaimCommit, "")
			case strings.Contains(t.word, "プッシュ") || strings.Contains(t.word, "推") || strings.Contains(t.word, "push"):
				add(ClaimPushed, place(toks))
			case strings.Contains(t.word, "マージ") || strings.Contains(t.word, "合") || strings.Contains(t.word, "merge"):
				add(ClaimMerged, place(toks))
			}
		}
		if len(out) > 2 {
			break
		}
	}
	return append(out, ids(c)...)
}

// idAfterLabel gives the commit id that stands behind a "commit:" of its own.
func (s *Sentence) idAfterLabel(j int) int {
	if j == 0 || len(s.Clauses[j].tokens) > 4 {
		return -1
	}
	label := trimmed(s.Clauses[j-1].tokens)
	if len(label) == 0 || len(label) > 4 || !has(label[len(label)-1:], "depN", "act", "merely") {
		return -1
	}
	return index(s.Clauses[j].tokens, "sha")
}

// isDone tells that the Japanese or Chinese act at k is told as done.
func isDone(l Lang, toks []token, k int) bool {
	next, after := token{}, token{}
	if k+1 < len(toks) {
		next = toks[k+1]
	}
	if k+2 < len(toks) {
		after = toks[k+2]
	}
	switch l {
	case Japanese:
		return next.is("done", "dopt") || next.is("do") && after.is("pt") || next.is("te") && after.is("pt")
	case Chinese:
		return next.is("le") || k > 0 && toks[k-1].is("done")
	case English:
	}
	return false
}

// ids gives the ids of runs that a clause names beside a word of checking.
func ids(c *Clause) []Claim {
	if !has(c.tokens, "id") || !has(c.tokens, "testN", "tests", "testcmd") || has(c.tokens, "fail", "fut") {
		return nil
	}
	return []Claim{{Kind: ClaimRun, Text: c.Text, Detail: c.tokens[index(c.tokens, "id")].word, Start: c.Start, End: c.End}}
}

func shaOf(t token) string {
	if t.inner != "" {
		return tail(t.inner)
	}
	return t.word
}

// reported tells that the participle at k is what the writer or the change did:
// "I've pushed", "is committed", "Pushed to main." at the head.
func reported(toks []token, k int) bool {
	for i := k - 1; i >= 0 && i >= k-5; i-- {
		switch {
		case toks[i].is("have", "self") || toks[i].is("be") && toks[i].word != "be":
			return !has(toks[:k], "user", "other")
		case toks[i].is("adv", "intro", "comma", "repoN", "prN", "pron", "det", "codespan", "actP", "mrgP") || toks[i].word == "and":
		default:
			return false
		}
	}
	return true
}

// place gives the branch or environment that the tokens name.
func place(toks []token) string {
	for _, t := range toks {
		if t.is("target") {
			if t.inner != "" {
				return t.inner
			}
			return t.word
		}
	}
	return ""
}

// outputPasses reads program output: a summary that says passed, and none that
// says failed.
func outputPasses(out string) (detail string, ok bool) {
	t := strings.ToLower(out)
	for _, w := range [...]string{"0 failed", "0 failures", "0 errors", "failed: 0", "failures: 0", "errors: 0", "fail=0", "failed=0", "failed 0", "no failures"} {
		if strings.Contains(t, w) {
			ok = true
			t = strings.ReplaceAll(t, w, "")
		}
	}
	for _, w := range [...]string{"failed", "failure", "traceback", "not ok", "--- fail", "error:", "✗", "❌", "panicked"} {
		if strings.Contains(t, w) {
			return "", false
		}
	}
	for _, w := range [...]string{"passed", "passing", "build successful", "build success", "ok  \t", "ok \t", "all checks", "✅", "✓", "tests pass", "exit 0", "rc=0", "exit code 0", "pass=", "\npass", "\nok", "test result: ok", "成功", "通过"} {
		if i := strings.Index(t, w); i >= 0 {
			j := i
			for j > 0 && t[j-1] == ' ' {
				j--
			}
			k := j
			for k > 0 && t[k-1] >= '0' && t[k-1] <= '9' {
				k--
			}
			return t[k:j], true
		}
	}
	return "", ok
}
