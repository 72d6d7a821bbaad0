package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/regular"
	"agentguard/judge/redact"
)

// A run that goes on in the background is recorded when it was put there, with
// the tree that it began on, and settled by what first shows how it ended: a look
// into its output, or the client's notice. So that most calls cost no look at
// the ledger, a session's runs that are not settled stand in a file of their own.

// startedPath is where the unsettled calls of the session are kept, one a line.
func (in *Input) startedPath() string {
	sum := sha256.Sum256([]byte("started\x00" + in.Event.SessionID))
	return filepath.Join(in.World.State, "agentguard", "pending", hex.EncodeToString(sum[:12])+".jsonl")
}

// keepStarted adds a call whose runs are not settled.
func (in *Input) keepStarted(s evidence.Started) error {
	s.Source, _ = redact.Text(s.Source)
	line, err := json.Marshal(s)
	if err != nil || len(line) > maxStarted {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(in.startedPath()), 0o700); err != nil {
		return err
	}
	f, err := regular.Append(in.startedPath())
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size()+int64(len(line)) > maxStartedFile {
		err = f.Truncate(0) // what stands in it is old
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if regular.TornEnd(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

const (
	maxStarted     = 64 << 10 // bytes of one line
	maxStartedFile = 1 << 20
)

// started lists the unsettled calls of the session, oldest first.
func (in *Input) started() []evidence.Started {
	f, err := regular.OpenOwn(in.startedPath())
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // opened for reading
	all, err := io.ReadAll(io.LimitReader(f, maxStartedFile))
	if err != nil {
		return nil
	}
	var list []evidence.Started
	for line := range strings.Lines(string(all)) {
		var s evidence.Started
		if json.Unmarshal([]byte(line), &s) == nil && s.ID != "" {
			list = append(list, s)
		}
	}
	return list
}

// settleRuns records how runs of the session ended, where this event shows it.
// Checks that ask for the runs wait for it.
func (in *Input) settleRuns(ctx context.Context) {
	_, _ = in.settled.get(func() (struct{}, error) { //nolint:errcheck // what is not settled is not known, which is an answer
		return struct{}{}, in.settleShown(ctx)
	})
}

func (in *Input) settleShown(ctx context.Context) error {
	if in.World.DryRun || in.World.Past || in.Event.SessionID == "" {
		return nil
	}
	open := in.started()
	if len(open) == 0 {
		return nil
	}
	look, ok := in.look()
	if !ok {
		return nil
	}
	for _, s := range slices.Backward(open) {
		runs := s.Settled(look, in.verify())
		if len(runs) == 0 {
			continue
		}
		if file := look.File(); file != "" {
			if text, err := readEnds(file); err == nil {
				runs = s.Settled(look.Showing(text), in.verify())
			}
		}
		return in.settleCall(ctx, s, runs)
	}
	return nil
}

// look is what the event shows of work that was started before.
func (in *Input) look() (evidence.Look, bool) {
	switch in.Event.Name {
	case hook.UserPromptSubmit:
		return evidence.LookOfNotice(in.Event.Prompt)
	case hook.PostToolUse:
		if in.Event.Tool != nil {
			return evidence.LookOf(in.call())
		}
	default: // shows no output
	}
	return evidence.Look{}, false
}

// settleCall gives the records of a call their ends. What the run was on is the
// tree that it began on, if that is still the tree now.
func (in *Input) settleCall(ctx context.Context, s evidence.Started, ends []evidence.Run) error {
	repo, err := evidence.Open(ctx, first(s.Dir, in.Event.CWD), in.gitOptions())
	if err != nil {
		return nil //nolint:nilerr // the folder is gone, and its runs with it
	}
	ledger := evidence.OpenLedger(filepath.Join(in.World.State, "agentguard", "ledger"), repo)
	records, _, err := ledger.Runs(maxRuns)
	if err != nil {
		return err
	}
	var settled []evidence.Run
	for _, end := range ends {
		for _, record := range slices.Backward(records) {
			if record.ID != end.ID || record.Command != end.Command || record.Session != in.Event.SessionID {
				continue
			}
			if record.Outcome != end.Outcome || record.Line != end.Line {
				settled = append(settled, record.Ended(ctx, repo, end, in.World.Now.UTC(), in.reader().Docs))
			}
			break
		}
	}
	return ledger.Append(settled...)
}

// readEnds reads a file's head and its end, where a run sums up.
func readEnds(name string) (string, error) {
	const headBytes, tailBytes = 16 << 10, 48 << 10
	f, err := regular.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() <= headBytes+tailBytes {
		all, err := io.ReadAll(io.LimitReader(f, headBytes+tailBytes))
		return string(all), err
	}
	both := make([]byte, headBytes+tailBytes)
	if _, err := io.ReadFull(f, both[:headBytes]); err != nil {
		return "", err
	}
	n, err := f.ReadAt(both[headBytes:], info.Size()-tailBytes)
	if err != nil && n < tailBytes {
		return "", err
	}
	return string(both[:headBytes]) + "\n…\n" + string(both[headBytes:]), nil
}
