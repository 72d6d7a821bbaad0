package checks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agentguard/checks/evidence"
	"agentguard/hook"
)

// gitTime is how long git may be waited for at one event, all its calls together.
// It leaves the checks time to say so before their own deadline is over.
const gitTime = 6 * time.Second

// missing remembers why facts could not be had that checks asked for.
type missing struct {
	sync.Mutex
	err  error
	repo *evidence.Repo
}

// failed keeps the first reason. That there is no repository is none: nothing is
// to be known then.
func (m *missing) failed(err error) {
	if err == nil || errors.Is(err, evidence.ErrNoRepo) || errors.Is(err, evidence.ErrUnknown) || errors.Is(err, context.Canceled) {
		return
	}
	m.Lock()
	defer m.Unlock()
	if m.err == nil {
		m.err = err
	}
}

func (m *missing) opened(repo *evidence.Repo) {
	m.Lock()
	defer m.Unlock()
	m.repo = repo
}

// Trouble tells why facts could not be had that the checks have asked for so far;
// ok is false where each was told, or none was asked for.
func (in *Input) Trouble() (t evidence.Trouble, ok bool) {
	in.missing.Lock()
	err, repo := in.missing.err, in.missing.repo
	in.missing.Unlock()
	dir := in.Event.CWD
	if repo != nil {
		dir = repo.Root()
		if trouble := repo.Trouble(); trouble != nil {
			err = trouble
		}
	}
	if err == nil {
		return t, false
	}
	return evidence.Explain(err, dir), true
}

// blind tells that git gives no facts at all. Then no stop is refused, and every
// call that hands work on is asked about.
func (in *Input) blind() bool {
	in.missing.Lock()
	repo, err := in.missing.repo, in.missing.err
	in.missing.Unlock()
	return repo == nil && err != nil || repo != nil && repo.Unasked()
}

// shaky tells that a standing rests on facts that could not be had. How a run
// ended holds where only others are missing.
func (in *Input) shaky(s evidence.Standing) bool {
	if in.blind() {
		return true
	}
	switch s {
	case evidence.Supported, evidence.StandingFailed, evidence.SupersededByFailure, evidence.EmptyRun, nothingShipped:
		return false
	default:
		_, trouble := in.Trouble()
		return trouble
	}
}

// askAbout leaves a call to the person where what the check has to know cannot be
// had; unknown says what that is.
func askAbout(unknown string, t evidence.Trouble) Finding {
	return Finding{
		Decision: hook.Ask, Rule: t.Kind, Standing: string(evidence.StandingUnknown),
		Reason: fmt.Sprintf("%s: %s. Ask the user to decide, and tell them what mends it: %s.", unknown, t.What, t.Mend),
	}
}
