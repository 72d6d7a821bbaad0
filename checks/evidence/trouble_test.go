package evidence

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fake is a git of its own for a scratch repository: a shell script that may
// note its calls in the file that $CALLS names.
func (s *scratchRepo) fake(script string) (opt Options, calls func() int) {
	s.t.Helper()
	bin, log := s.beside("fake"), s.beside("calls")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho call >> '"+log+"'\n"+script+"\n"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	opt = s.options()
	opt.Git = filepath.Join(bin, "git")
	return opt, func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "call")
	}
}

// TestOpenWithoutGit: where git gives no answer, the files of a plain repository
// tell the branch, and every other fact is the trouble itself.
func TestOpenWithoutGit(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name, script, config string
		want                 error
		opens                bool
	}{
		{"missing", "", "", ErrNoGit, true},
		{"refuses", "echo \"fatal: detected dubious ownership in repository at '/w'\" >&2; exit 128", "", ErrRefused, true},
		{"killed", "kill -9 $$", "", ErrKilled, true},
		{"slow", "sleep 5", "", ErrSlow, true},
		{"its configuration leads elsewhere", "kill -9 $$", "[include]\n\tpath = other\n", ErrKilled, false},
		{"its refs are kept otherwise", "kill -9 $$", "[extensions]\n\trefstorage = reftable\n", ErrKilled, false},
		{"takes it for none", "echo 'fatal: not a git repository' >&2; exit 128", "", ErrBroken, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.write("a.txt", "a\n")
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "one")
			head := s.git("rev-parse", "HEAD")
			if c.config != "" {
				s.write(".git/config", "[core]\n\trepositoryformatversion = 1\n"+c.config)
			}
			opt, calls := s.fake(c.script)
			if c.script == "" {
				opt = Options{Home: s.home, Env: func(string) (string, bool) { return "", false }}
			}
			opt.Patience = NewPatience(300 * time.Millisecond)
			began := time.Now()
			r, err := Open(ctx, s.dir, opt)
			if !c.opens {
				if !errors.Is(err, c.want) {
					t.Fatalf("opened: %v, want %v", err, c.want)
				}
				return
			}
			if err != nil || !errors.Is(r.Trouble(), c.want) || !r.Unasked() {
				t.Fatalf("opened: %v, trouble %v, want %v", err, r.Trouble(), c.want)
			}
			if h, err := r.Head(ctx); err != nil || h.ID != head || h.Branch != "main" {
				t.Errorf("head %+v %v", h, err)
			}
			before := calls()
			for fact, err := range map[string]error{
				"tree":     second(r.Fingerprint(ctx)),
				"status":   second(r.Status(ctx)),
				"overview": second(r.Overview(ctx)),
				"staged":   second(r.StagedBlobs(ctx)),
				"unpushed": second(r.Unpushed(ctx)),
			} {
				if !errors.Is(err, c.want) {
					t.Errorf("%s: %v, want %v", fact, err, c.want)
				}
			}
			if errors.Is(c.want, ErrRefused) && calls() != before {
				t.Errorf("git was asked %d times about a repository that it refuses", calls()-before)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("waited %v", took)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

// TestRefusedTree: our own reader tells the tree of a repository that git refuses.
// An equal id proves an equal tree; a different one proves nothing more.
func TestRefusedTree(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	if _, err := os.Stat("/usr/bin/git"); err != nil {
		t.Skip("our own reading is only used with /usr/bin/git")
	}
	ctx := context.Background()
	s := newScratch(t)
	s.write("../home/.gitconfig", "[user]\n\tname = A\n")
	s.write("a.go", "1\n")
	s.git("add", "-A")
	s.git("-c", "user.email=a@example.invalid", "commit", "-q", "-m", "one")
	s.write("a.go", "2\n")
	s.write("new.go", "n\n")
	opt := s.options()
	opt.Git = "/usr/bin/git"
	snapshot := func() Snapshot {
		t.Helper()
		r, err := Open(ctx, s.dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		snap, err := r.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	trusted := snapshot()
	if err := os.Lchown(filepath.Join(s.dir, ".git"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	refused := snapshot()
	if refused.Fingerprint != trusted.Fingerprint || !refused.Cut || refused.Head != "" {
		t.Errorf("snapshot %+v, want the ids of %+v alone", refused, trusted)
	}
	r, err := Open(ctx, s.dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := r.Differs(ctx, trusted, refused); err != nil || len(d) > 0 {
		t.Errorf("the same tree differs: %v %v", d, err)
	}
	s.write("a.go", "3\n")
	if _, err := r.Differs(ctx, trusted, snapshot()); !errors.Is(err, ErrUnknown) {
		t.Errorf("another tree: %v, want %v", err, ErrUnknown)
	}
}

// TestPatience: the time is for all calls together, and calls side by side count
// once.
func TestPatience(t *testing.T) {
	p := NewPatience(200 * time.Millisecond)
	left := func(ctx context.Context) time.Duration {
		at, ok := ctx.Deadline()
		if !ok {
			t.Fatal("no deadline")
		}
		return time.Until(at)
	}
	one, endOne := p.begin(context.Background())
	_, endTwo := p.begin(context.Background())
	time.Sleep(60 * time.Millisecond)
	endOne()
	endTwo()
	three, endThree := p.begin(context.Background())
	if got := left(three); got > 145*time.Millisecond || got < 20*time.Millisecond {
		t.Errorf("%v left after 60 ms of two calls", got)
	}
	if one.Err() == nil {
		t.Error("a call that ended still runs")
	}
	<-three.Done()
	endThree()
	four, endFour := p.begin(context.Background())
	defer endFour()
	if four.Err() == nil {
		t.Error("there is time left after all of it is over")
	}
	var none *Patience
	ctx, end := none.begin(context.Background())
	defer end()
	if _, bounded := ctx.Deadline(); bounded {
		t.Error("no patience given, and yet an end")
	}
}

func TestExplain(t *testing.T) {
	git := func(code int, stderr string) error {
		return &gitError{args: []string{"status", "-z"}, code: code, stderr: stderr}
	}
	for _, c := range []struct {
		err        error
		kind       string
		what, mend string // parts of the words
	}{
		{ErrNoGit, "git-missing", "not on the PATH", "PATH"},
		{git(128, "fatal: detected dubious ownership in repository at '/w/my repo'\nTo add an exception"), "repository-refused", "/w/my repo", "safe.directory '/w/my repo'"},
		{git(128, "fatal: unsafe repository ('/w' is owned by someone else)"), "repository-refused", "/here", "safe.directory /here"},
		{git(-1, ""), "git-fails", "killed", "git status"},
		{ErrSlow, "git-fails", "in time", "git status"},
		{git(128, "error: bad index version 9\nfatal: index file corrupt\n"), "repository-broken", "the index (index file corrupt)", "git reset"},
		{git(128, "fatal: Unable to process path index.html"), "repository-broken", "process path index.html", "git fsck"},
		{git(128, "fatal: bad object HEAD"), "repository-broken", "bad object HEAD", "git fsck"},
		{git(128, "fatal: not a git repository: '/w/.git'"), "repository-broken", "the .git of /here", "git status"},
		{git(129, "error: unknown option `cached'\nusage: git diff --no-index [<options>] <path> <path>\n    -b"), "repository-broken", "the .git of /here", "git status"},
		{&os.PathError{Op: "open", Path: "/w/.git/index", Err: os.ErrPermission}, "repository-broken", "/w/.git/index cannot be read", "/w/.git/index readable"},
	} {
		got := Explain(c.err, "/here")
		if got.Kind != c.kind || !strings.Contains(got.What, c.what) || !strings.Contains(got.Mend, c.mend) || strings.Contains(got.What, "-z") {
			t.Errorf("%v is explained as %+v, want %s with %q and %q", c.err, got, c.kind, c.what, c.mend)
		}
	}
}

// TestRecordTrouble: a record that cannot be read or written is no empty one.
func TestRecordTrouble(t *testing.T) {
	run := Run{ID: "t", Kind: Test, Runner: "go test", Command: "go test", Outcome: Passed}
	for _, c := range []struct {
		name     string
		do       func(l Ledger, state string) error
		runs     int
		readable bool
		writable bool
		closed   bool // by permissions, which root does not feel
	}{
		{"missing", func(Ledger, string) error { return nil }, 0, true, true, false},
		{"a run", func(l Ledger, _ string) error { return l.Append(run) }, 1, true, true, false},
		{"a torn line behind a run", func(l Ledger, _ string) error {
			if err := l.Append(run); err != nil {
				return err
			}
			f, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString(`{"id":"half`)
			return errors.Join(err, f.Close())
		}, 1, true, true, false},
		{"garbage", func(l Ledger, _ string) error { return garbage(l) }, 0, false, true, false},
		{"a run behind garbage", func(l Ledger, _ string) error { return errors.Join(garbage(l), l.Append(run)) }, 1, true, true, false},
		{"a folder in its place", func(l Ledger, _ string) error { return os.MkdirAll(l.Path(), 0o700) }, 0, false, false, false},
		{"a file in the folder's place", func(_ Ledger, state string) error { return os.WriteFile(state, nil, 0o600) }, 0, false, false, false},
		{"closed to us", func(l Ledger, _ string) error { return errors.Join(l.Append(run), os.Chmod(l.Path(), 0)) }, 0, false, false, true},
		{"a folder that takes nothing", func(_ Ledger, state string) error { return os.MkdirAll(state, 0o500) }, 0, true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.closed && os.Geteuid() == 0 {
				t.Skip("nothing is closed to root")
			}
			state := filepath.Join(t.TempDir(), "state")
			l := Ledger{path: filepath.Join(state, "ledger", "x.jsonl")}
			if err := c.do(l, state); err != nil {
				t.Fatal(err)
			}
			runs, err := l.Recent(10)
			if len(runs) != c.runs || (err == nil) != c.readable || err != nil && !errors.Is(err, ErrRecord) {
				t.Errorf("%d runs, %v", len(runs), err)
			}
			if err := l.Writable(); (err == nil) != c.writable || err != nil && !errors.Is(err, ErrRecord) {
				t.Errorf("writable: %v", err)
			}
		})
	}
}

func garbage(l Ledger) error {
	return errors.Join(os.MkdirAll(filepath.Dir(l.Path()), 0o700), os.WriteFile(l.Path(), []byte("nothing of ours\n"), 0o600))
}

// TestDoubt: what a run said stays; that there was none, or none since, does not.
func TestDoubt(t *testing.T) {
	why := Trouble{What: "git is away"}
	for was, want := range map[Standing]Standing{
		NoRun: StandingUnknown, Stale: StandingUnknown, StandingUnknown: StandingUnknown,
		Supported: Supported, StandingFailed: StandingFailed, SupersededByFailure: SupersededByFailure, EmptyRun: EmptyRun,
		StandingMasked: StandingMasked, StandingPartial: StandingPartial, BackgroundOnly: BackgroundOnly,
	} {
		a := Assessment{Finding: Finding{Standing: was, Why: "w"}, ByKind: map[Kind]Finding{Lint: {Standing: was, Why: "w"}}}
		a.facts()
		a.Doubt(why)
		if a.Standing != want || a.ByKind[Lint].Standing != want || (want == StandingUnknown) != (a.Why == why.What) {
			t.Errorf("%s became %+v, want %s", was, a.Finding, want)
		}
		if !strings.Contains(a.Facts[0], string(want)+": "+a.Why) {
			t.Errorf("the facts say %q", a.Facts[0])
		}
	}
}
