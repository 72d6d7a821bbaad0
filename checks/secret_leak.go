package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/rules"
	"agentguard/checks/secrets"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func secretLeak() Check {
	return Check{
		ID: "secret-leak", Title: "keeps credentials out of commits, pushes and files that git would take",
		Events: []hook.EventName{hook.PreToolUse, hook.PreSkillShellCommand}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			if in.Event.Tool == nil {
				return Finding{}, nil
			}
			l := leak{ctx: ctx, in: in, rc: in.plainContext(ctx)}
			switch err := l.collect(); {
			case evidence.IsTrouble(err):
				return askAbout("What this call hands on cannot be searched for secrets", evidence.Explain(err, in.Event.CWD)), nil
			case err != nil:
				return Finding{}, err
			}
			return l.finding(), nil
		},
	}
}

// leak is one look at what a call would hand on.
type leak struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one check's run
	in    *Input
	rc    rules.Context
	files []secrets.File
	size  int
	names []leaked
	notes []string // what could not be done
	// unseen says what was not looked at. It may hold anything, so the call does not
	// pass.
	unseen []string
	ships  bool // a commit or a push: the person hears what could not be done
}

// leaked is one find with what is done about it.
type leaked struct {
	secrets.Finding
	decision hook.Decision
	fact     string // instead of the kind's own words
	act      string
}

// collect gathers the text that the call writes, commits or pushes.
func (l *leak) collect() error {
	for _, w := range rules.Writes(l.rc) {
		l.addWritten(w)
	}
	for _, f := range l.in.mcpCall().Sent {
		l.add(secrets.File{Path: f.Path, Text: f.Text})
	}
	for _, s := range ships(l.in.Script()) {
		var err error
		switch s.kind {
		case shipCommit:
			err = l.addCommit(s)
		case shipPush, shipPR:
			err = l.addPush(s)
		default: // what it hands on was committed and pushed before
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxText bounds the text that the built-in kinds are looked for in, in bytes. It
// is what one answer of git may have.
const maxText = 64 << 20

// add keeps a file for the scan while there is room.
func (l *leak) add(f secrets.File) {
	if room := maxText - l.size; len(f.Text) > room {
		l.skip(fmt.Sprintf("it has more than %d MB", maxText>>20))
		f.Text = f.Text[:room]
	}
	if f.Text == "" {
		return
	}
	l.size += len(f.Text)
	f.Text, f.Binary = secrets.Plain(f.Text)
	l.files = append(l.files, f)
}

func (l *leak) note(text string) {
	if !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

// skip notes what is not looked at.
func (l *leak) skip(why string) {
	l.note(why)
	if !slices.Contains(l.unseen, why) {
		l.unseen = append(l.unseen, why)
	}
}

// finding scans what was collected and says what it means.
func (l *leak) finding() Finding {
	found := slices.Concat(l.names, l.scan())
	var worst leaked
	var kept []leaked
	for _, f := range found {
		if l.allowed(f) {
			continue
		}
		kept = append(kept, f)
		if f.decision > worst.decision {
			worst = f
		}
	}
	out := Finding{Note: strings.Join(l.notes, "; ")}
	if l.ships && out.Note != "" {
		out.Notices = []string{"agentguard: secret-leak: " + out.Note}
	}
	switch {
	case len(kept) > 0:
		out.Decision, out.Rule, out.Subject = worst.decision, worst.Kind, fmt.Sprintf("%s:%d", worst.Path, worst.Line)
		out.Reason = l.reason(kept, worst)
	case len(l.unseen) > 0:
		out.Decision, out.Rule = hook.Ask, "not-searched"
		out.Reason = fmt.Sprintf("What this call hands on could not be searched whole for secrets: %s. Ask the user to look at it, or hand it on in smaller pieces.", strings.Join(l.unseen, "; "))
	}
	return out
}

// maxNamed bounds how many finds one reason names.
const maxNamed = 4

// reason names the finds, the strictest first, and one way on.
func (l *leak) reason(kept []leaked, worst leaked) string {
	var facts []string
	more := 0
	for _, pass := range []bool{true, false} {
		for _, f := range kept {
			if (f.decision == worst.decision) != pass {
				continue
			}
			if len(facts) == maxNamed {
				more++
				continue
			}
			facts = append(facts, f.words())
		}
	}
	text := strings.Join(facts, "; ")
	if more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text + ". " + worst.act
}

func (f leaked) words() string {
	if f.fact != "" {
		return f.fact
	}
	at := f.Path
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", f.Path, f.Line)
	}
	verb := "holds what looks like a secret"
	if f.Level == secrets.Certain {
		verb = "holds a secret"
	}
	text := fmt.Sprintf("%s %s (%s)", at, verb, f.Kind)
	if f.Commit != "" {
		text = fmt.Sprintf("outgoing commit %s: %s", short(f.Commit), text)
	}
	return text
}

func short(commit string) string { return commit[:min(len(commit), 8)] }

// allowed tells a find that the policy lets go.
func (l *leak) allowed(f leaked) bool {
	for _, a := range l.in.Policy.Secrets.Allow {
		if a.Kind != "" && !anyGlob(a.Kind, f.Kind) {
			continue
		}
		if a.Path != "" && !rules.Matches(l.rc, l.absolute(f.Path), a.Path) {
			continue
		}
		l.in.excepted.add("secrets.allow (" + a.Where + ")")
		return true
	}
	return false
}
