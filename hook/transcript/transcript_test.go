package transcript_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentguard/hook/transcript"
)

func backwards(in string, l transcript.Limits) []string {
	b := transcript.NewBackwards(strings.NewReader(in), int64(len(in)), l)
	var got []string
	for {
		line, ok := b.Next()
		if !ok {
			return got
		}
		got = append(got, string(line))
	}
}

func TestBackwards(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	cases := []struct {
		name, in string
		limits   transcript.Limits
		want     []string
	}{
		{name: "empty"},
		{name: "one line", in: "a", want: []string{"a"}},
		{name: "line ends", in: "a\r\nb\n\n\nc\n", want: []string{"c", "b", "a"}},
		{name: "over chunks", in: "a\n" + long + "\nb\n", want: []string{"b", long, "a"}},
		{name: "too long is passed over", in: "a\n" + long + "\nb\n", limits: transcript.Limits{Line: 1000}, want: []string{"b", "a"}},
		{name: "first line too long", in: long + "\nb\n", limits: transcript.Limits{Line: 1000}, want: []string{"b"}},
		{name: "byte limit drops the torn line", in: strings.Repeat("y", 70_000) + "\nb\n", limits: transcript.Limits{Bytes: 1000}, want: []string{"b"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, backwards(c.in, c.limits)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBackwardsIsForwardsReversed compares with a plain split on random lines
// around the chunk size.
func TestBackwardsIsForwardsReversed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var want []string
		var b bytes.Buffer
		for range rnd.IntN(20) {
			line := strings.Repeat(string(rune('a'+rnd.IntN(26))), 1+rnd.IntN(50_000))
			want = append([]string{line}, want...)
			b.WriteString(line + "\n")
		}
		if diff := cmp.Diff(want, backwards(b.String(), transcript.Limits{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

// countingReader tells how much of a file was read.
type countingReader struct {
	r    *strings.Reader
	read int64
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.read += int64(n)
	return n, err
}

func TestCostFollowsWhatIsRead(t *testing.T) {
	in := strings.Repeat(strings.Repeat("z", 999)+"\n", 50_000)
	r := &countingReader{r: strings.NewReader(in)}
	b := transcript.NewBackwards(r, int64(len(in)), transcript.Limits{})
	for range 10 {
		b.Next()
	}
	if r.read > 128<<10 {
		t.Errorf("ten lines of a 50 MB file cost %d bytes", r.read)
	}
}

func TestRead(t *testing.T) {
	// Lines: P = prompt, T = text, C id = call, R id = result, N = notice.
	parse := func(line []byte) (transcript.Entry, bool) {
		kind, rest, _ := strings.Cut(string(line), " ")
		switch kind {
		case "P":
			return transcript.Entry{Prompt: true, User: rest}, true
		case "T":
			return transcript.Entry{Texts: []transcript.Text{{MessageID: rest[:1], Text: rest}}}, true
		case "C":
			return transcript.Entry{Calls: []transcript.Call{{ID: rest}}}, true
		case "R":
			return transcript.Entry{Results: []transcript.Call{{ID: rest, Output: "out " + rest, Task: "task " + rest, Agent: "agent " + rest}}}, true
		case "N":
			return transcript.Entry{Notices: []transcript.Notice{{Text: rest}}}, true
		}
		return transcript.Entry{}, false
	}
	path := filepath.Join(t.TempDir(), "t.jsonl")
	write := func(lines ...string) {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("P one", "C 1", "R 1", "T a", "P two", "noise", "T b", "C 2", "N x", "C 3", "R 3", "N y", "T c1", "T c2")
	h, err := transcript.Read(path, transcript.Limits{Turns: 2}, parse)
	if err != nil || len(h.Turns) != 2 {
		t.Fatalf("%d turns, %v", len(h.Turns), err)
	}
	if h.Turns[0].User != "one" || h.Turns[0].Calls[0].Output != "out 1" {
		t.Errorf("first turn %+v", h.Turns[0])
	}
	turn := h.Current()
	if got := turn.LastMessage(); got != "c1\n\nc2" {
		t.Errorf("last message %q", got)
	}
	if !turn.Calls[0].Pending || turn.Calls[1].Pending {
		t.Errorf("calls %+v", turn.Calls)
	}
	if turn.Texts[0].AfterCalls != 0 || turn.Texts[1].AfterCalls != 2 {
		t.Errorf("texts %+v", turn.Texts)
	}
	if got := turn.Notices; len(got) != 2 || got[0].Text != "x" || got[0].AfterCalls != 1 || got[1].Text != "y" || got[1].AfterCalls != 2 {
		t.Errorf("notices %+v", got)
	}
	if c := turn.Calls[1]; c.Task != "task 3" || c.Agent != "agent 3" {
		t.Errorf("call %+v", c)
	}
	if !h.HasCall["1"] || !h.HasCall["3"] || h.HasCall["9"] {
		t.Error("HasCall is wrong")
	}

	h, err = transcript.Read(path, transcript.Limits{Message: true}, parse)
	if err != nil || h.Current().LastMessage() != "c1\n\nc2" || len(h.Current().Texts) != 2 || h.Complete {
		t.Errorf("the last message alone: %+v %v", h, err)
	}
	h, err = transcript.Read(path, transcript.Limits{Turns: 1}, parse)
	if err != nil || len(h.Turns) != 1 || h.Complete {
		t.Errorf("limited to one turn: %d, complete %v, %v", len(h.Turns), h.Complete, err)
	}
	write("T orphan")
	if h, err = transcript.Read(path, transcript.Limits{}, parse); err != nil || h.Current().LastMessage() != "orphan" || !h.Complete {
		t.Errorf("a file that begins in mid-turn: %+v %v", h, err)
	}
	if h, err = transcript.Read(path+".none", transcript.Limits{}, parse); err != nil || len(h.Turns) != 0 {
		t.Errorf("a missing file: %+v %v", h, err)
	}
	if _, err = transcript.Read(t.TempDir(), transcript.Limits{}, parse); err == nil {
		t.Error("a folder gave no error")
	}
}

// TestForwardAgreesWithBackwards reads the same random conversations both ways.
func TestForwardAgreesWithBackwards(t *testing.T) {
	parse := func(line []byte) (transcript.Entry, bool) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch kind {
		case "P":
			return transcript.Entry{Prompt: true, User: rest}, true
		case "T":
			return transcript.Entry{Texts: []transcript.Text{{MessageID: rest, Text: rest}}}, true
		case "C":
			return transcript.Entry{Calls: []transcript.Call{{ID: rest}}}, true
		case "R":
			return transcript.Entry{Results: []transcript.Call{{ID: rest, Output: "out " + rest, Task: "task " + rest, Agent: "agent " + rest}}}, true
		case "N":
			return transcript.Entry{Notices: []transcript.Notice{{Text: rest}}}, true
		}
		return transcript.Entry{}, false
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var b strings.Builder
		calls := 0
		for range rnd.IntN(30) {
			switch rnd.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "P %d\n", rnd.IntN(100))
				calls = 0
			case 1:
				fmt.Fprintf(&b, "T %d\n", rnd.IntN(100))
			case 2:
				calls++
				fmt.Fprintf(&b, "C %d-%d\n", b.Len(), calls)
			case 3:
				lines := strings.Split(b.String(), "\n")
				for _, l := range lines {
					if id, ok := strings.CutPrefix(l, "C "); ok && !strings.Contains(b.String(), "R "+id) && !strings.Contains(b.String()[strings.LastIndex(b.String(), l):], "P ") {
						b.WriteString("R " + id + "\n")
						break
					}
				}
			case 4:
				fmt.Fprintf(&b, "N %d\n", rnd.IntN(100))
			default:
				b.WriteString("noise\n\n")
			}
		}
		path := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		want, err := transcript.Read(path, transcript.Limits{Turns: 1000}, parse)
		if err != nil {
			t.Fatal(err)
		}
		var got []transcript.Turn
		if err := transcript.Turns(strings.NewReader(b.String()), transcript.Limits{}, parse, func(turn transcript.Turn, _ int64) bool {
			got = append(got, turn)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want.Turns) {
			t.Fatalf("%s\nforward  %v\nbackward %v", b.String(), got, want.Turns)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short := file("short", `{"id": "t1","text":"so \"t2\" is quoted","more":["t3"]}`)
	// An id at each place around the end of the first chunk that is read.
	const chunk = 1 << 20
	for at := chunk - 8; at < chunk+8; at++ {
		path := file("cut", strings.Repeat("x", 100)+`"t1"`+strings.Repeat("y", at-2))
		f := transcript.Finder{Left: 4 * chunk}
		if found, sure, err := f.Find(path, "t1"); !found || !sure || err != nil {
			t.Fatalf("%d bytes from the end: %v %v %v", at, found, sure, err)
		}
	}
	long := file("long", `"t1"`+strings.Repeat("y", 3*chunk))
	for _, c := range []struct {
		name, path, id string
		left           int64
		found, sure    bool
	}{
		{"there", short, "t1", chunk, true, true},
		{"quoted inside another string", short, "t2", chunk, false, true},
		{"in a list", short, "t3", chunk, true, true},
		{"a part of one", short, "t", chunk, false, true},
		{"empty file", file("empty", ""), "t1", chunk, false, true},
		{"far from the end", long, "t1", 4 * chunk, true, true},
		{"further than may be read", long, "t1", 2 * chunk, false, false},
		{"nothing may be read", short, "t1", 0, false, false},
	} {
		f := transcript.Finder{Left: c.left}
		found, sure, err := f.Find(c.path, c.id)
		if found != c.found || sure != c.sure || err != nil || f.Left < 0 {
			t.Errorf("%s: found %v, sure %v, left %d, %v", c.name, found, sure, f.Left, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing")} {
		f := transcript.Finder{Left: chunk}
		if _, _, err := f.Find(path, "t1"); err == nil {
			t.Errorf("%s gave no error", path)
		}
	}
}

func FuzzBackwards(f *testing.F) {
	f.Add("a\nb\r\n\nc", 3)
	f.Fuzz(func(t *testing.T, in string, line int) {
		var want []string
		for l := range strings.SplitSeq(in, "\n") {
			if l = strings.TrimSuffix(l, "\r"); l != "" {
				want = append([]string{l}, want...)
			}
		}
		if got := backwards(in, transcript.Limits{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
