package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"agentguard/checks/secrets"
	"agentguard/hook"
)

// Bounds of the scan beside the hook program. The time leaves the program enough to
// say what it found until its own is over.
const (
	scanTime   = secrets.ScanTime + time.Second/2
	maxScanOut = 4 << 20
)

// enoughFinds is how many finds of the wide set in one file are enough to ask.
const enoughFinds = 50

// What to do about a find, by where it stands.
const (
	actWrite = "Write the name of an environment variable instead and read the value from there, or keep it in an ignored file such as .env."
	actStage = "Take the value out and read it from the environment or an ignored file such as .env; then commit."
	actPush  = "A value that was pushed counts as known. Take it out of the commit (git commit --amend, or a rebase) before you push; if it was ever pushed, it must be replaced where it was issued."
	actAsk   = " If it is no secret, the user can say so."
)

// scan reads the collected files with the built-in kinds, the wide set of rules
// of the program agentguard, and the policy's own kinds.
func (l *leak) scan() []leaked {
	var worth []secrets.File
	for _, f := range l.files {
		if secrets.Worth(f.Text) {
			worth = append(worth, f)
		}
	}
	var found []secrets.Finding
	if wide := l.forTheWideSet(worth); len(wide) > 0 {
		finds, err := l.in.scanBeside(l.ctx, wide)
		switch {
		case errors.Is(err, errSlow):
			l.skip("only the built-in kinds of secrets were looked for in all of it: " + err.Error())
		case err != nil:
			l.note("only the built-in kinds of secrets were looked for: " + err.Error())
		}
		found = append(found, finds...)
	}
	for _, f := range worth {
		found = append(found, secrets.Builtin(f)...)
	}
	out := l.ownKinds()
	for _, f := range secrets.Merge(found) {
		x := leaked{Finding: f, decision: hook.Ask, act: l.act(f)}
		if f.Level == secrets.Certain {
			x.decision = hook.Deny
		} else {
			x.act += actAsk
		}
		out = append(out, x)
	}
	return out
}

// forTheWideSet picks the texts that the wide set of rules is run over.
func (l *leak) forTheWideSet(files []secrets.File) []secrets.File {
	var out []secrets.File
	size := 0
	for _, f := range files {
		if f.Binary {
			continue
		}
		if size += len(f.Text); size > secrets.MaxTotal {
			l.skip(fmt.Sprintf("only the built-in kinds of secrets were looked for behind the first %d MB", secrets.MaxTotal>>20))
			break
		}
		if len(l.in.Policy.Secrets.Allow) == 0 {
			f.Enough = enoughFinds
		}
		out = append(out, f)
	}
	return out
}

func (l *leak) act(f secrets.Finding) string {
	switch {
	case f.Commit != "":
		return actPush
	case l.ships:
		return actStage
	default:
		return actWrite
	}
}

// ownKinds are the finds of the policy's own rules.
func (l *leak) ownKinds() []leaked {
	var out []leaked
	for _, r := range l.in.Policy.Secrets.Rules {
		re, err := regexp.Compile(r.Pattern)
		if err != nil {
			continue // decoding the policy has named it
		}
		d := hook.Deny
		if r.Decision == hook.Ask.String() {
			d = hook.Ask
		}
		for _, f := range l.files {
			n := max(f.First, 1)
			for line := range strings.Lines(f.Text) {
				if re.MatchString(strings.TrimRight(line, "\r\n")) && !secrets.Allowed(line) {
					out = append(out, leaked{
						Finding:  secrets.Finding{Path: f.Path, Line: n, Commit: f.Commit, Kind: r.ID, Level: secrets.Certain},
						decision: d, act: r.Reason,
					})
				}
				n++
			}
		}
	}
	return out
}

// Errors of the wide set: its program is not there, or not done in time.
var (
	errNoTool = errors.New("the program agentguard is not installed beside agentguard-hook")
	errSlow   = fmt.Errorf("agentguard scan did not end within %v", secrets.ScanTime)
)

// scanBeside asks "agentguard scan". Its error says why the wide rules were not
// applied; it never has a value in it.
func (in *Input) scanBeside(ctx context.Context, files []secrets.File) ([]secrets.Finding, error) {
	if in.World.Scan != nil {
		found, err := in.World.Scan(ctx, files)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errSlow
		}
		return found, err
	}
	if in.World.Tool == "" {
		return nil, errNoTool
	}
	request, err := json.Marshal(secrets.Request{Files: files})
	if err != nil {
		return nil, errors.New("the request could not be written")
	}
	ctx, cancel := context.WithTimeout(ctx, scanTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, in.World.Tool, "scan")
	var out limited
	cmd.Stdin, cmd.Stdout = bytes.NewReader(request), &out
	ownGroup(cmd)
	err = cmd.Run()
	var response secrets.Response
	switch {
	case ctx.Err() != nil:
		return nil, errSlow
	case errors.Is(err, exec.ErrNotFound) || cmd.Process == nil:
		return nil, errNoTool
	case err != nil:
		return nil, errors.New("agentguard scan failed")
	case json.Unmarshal(out.buf.Bytes(), &response) != nil:
		return nil, errors.New("agentguard scan gave no answer that can be read")
	case response.Error != "":
		return nil, errors.New(response.Error)
	case response.Findings == nil:
		return nil, errors.New("agentguard scan gave no answer that can be read")
	case response.Cut:
		return response.Findings, errSlow
	}
	return response.Findings, nil
}

// limited keeps the first bytes that were written to it and swallows the rest.
type limited struct{ buf bytes.Buffer }

// Write keeps what still fits.
func (w *limited) Write(p []byte) (int, error) {
	w.buf.Write(p[:min(len(p), max(0, maxScanOut-w.buf.Len()))])
	return len(p), nil
}
