package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testLedger(t *testing.T) Ledger {
	t.Helper()
	return OpenLedger(filepath.Join(t.TempDir(), "ledger"), &Repo{commonDir: "/r/.git"})
}

func someRun(id string) Run {
	return Run{
		ID: id, Session: "s", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Kind: Test, Runner: "pytest", Command: "pytest -q",
		Outcome: Passed, Counts: Counts{24, 0, -1}, After: &Snapshot{Fingerprint: Fingerprint{"t", "u"}, Head: "h", Changed: []PathBlob{{Path: "a\xffb", Mode: "100644", Blob: "b"}}},
	}
}

func TestLedgerRoundTrip(t *testing.T) {
	l := testLedger(t)
	if runs, torn, err := l.Runs(10); len(runs) != 0 || torn != 0 || err != nil {
		t.Fatalf("missing ledger: %v %v %v", runs, torn, err)
	}
	want := someRun("a")
	want.After.Changed[0].Path = "ä b.go"
	if err := l.Append(want, someRun("b")); err != nil {
		t.Fatal(err)
	}
	runs, torn, err := l.Runs(10)
	if err != nil || torn != 0 || len(runs) != 2 {
		t.Fatalf("%d runs, %d torn, %v", len(runs), torn, err)
	}
	if diff := cmp.Diff(want, runs[0]); diff != "" {
		t.Error(diff)
	}
	if runs, _, _ := l.Runs(1); len(runs) != 1 || runs[0].ID != "b" {
		t.Errorf("the newest one: %v", runs)
	}
	if st, err := os.Stat(l.Path()); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", st.Mode(), err)
	}
}

func TestLedgerTornLines(t *testing.T) {
	l := testLedger(t)
	if err := l.Append(someRun("a")); err != nil {
		t.Fatal(err)
	}
	for _, junk := range []string{"{\"id\":\"half", "not json\n", "{}\n", "\n\n", strings.Repeat("x", maxRecord*2)} {
		f, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString(junk)
		_ = f.Close()
		if err := l.Append(someRun("after")); err != nil {
			t.Fatal(err)
		}
	}
	runs, torn, err := l.Runs(100)
	if err != nil || len(runs) != 6 || torn != 4 {
		t.Errorf("%d runs, %d torn, %v; want 6, 4", len(runs), torn, err)
	}
}

func TestLedgerSharedByManyWriters(t *testing.T) {
	l := testLedger(t)
	var wg sync.WaitGroup
	const writers, each = 20, 40
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				run := someRun(fmt.Sprint(w, "-", i))
				run.After.Changed = make([]PathBlob, 200)
				for k := range run.After.Changed {
					run.After.Changed[k] = PathBlob{Path: strings.Repeat("p", 100), Mode: "100644", Blob: strings.Repeat("b", 40)}
				}
				if err := l.Append(run); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	runs, torn, err := l.Runs(10000)
	if err != nil || torn != 0 {
		t.Fatalf("torn %d, %v", torn, err)
	}
	// 800 runs of 30 kB are more than the two files keep.
	if len(runs) < 2*maxLedger/40000/2 {
		t.Errorf("%d runs left", len(runs))
	}
	for _, p := range []string{l.Path(), l.Path() + ".1"} {
		if st, err := os.Stat(p); err != nil || st.Size() > maxLedger+writers*maxRecord {
			t.Errorf("%s: %v %v", p, st, err)
		}
	}
}

func TestLedgerRecordIsBounded(t *testing.T) {
	run := someRun("a")
	run.Command, run.Line = strings.Repeat("c", 1<<20), strings.Repeat("ü", 1<<20)
	run.After.Changed = make([]PathBlob, 5000)
	for k := range run.After.Changed {
		run.After.Changed[k].Path = strings.Repeat("p", 200)
	}
	run.Before = run.After
	line, err := encodeRun(run)
	if err != nil || len(line) > maxRecord {
		t.Fatalf("%d bytes, %v", len(line), err)
	}
	if !strings.Contains(string(line), `"cut":true`) {
		t.Error("a cut list must say so")
	}
	if len(run.After.Changed) != 5000 || run.After.Cut {
		t.Error("the caller's record was changed")
	}
}
