package checks

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/settings/policy"
)

func unverifiedCommit() Check {
	return Check{
		ID: "unverified-commit", Title: "what is committed, pushed, released or deployed must have passed its tests",
		Events: []hook.EventName{hook.PreToolUse}, Guard: true, Standard: policy.Enforce,
		Run: func(ctx context.Context, in *Input) (Finding, error) {
			// Without a word on how this project is verified, every commit would be
			// refused for ever.
			if in.Policy.Verify.Empty() && !in.World.Then.AnyRun {
				return Finding{}, nil
			}
			return in.unverified(ctx), nil
		},
	}
}

// unverified looks at each command that hands work on and asks whether what it
// ships was verified. The first one that was not decides.
func (in *Input) unverified(ctx context.Context) Finding {
	list := ships(in.Script())
	if len(list) == 0 {
		return Finding{}
	}
	if in.World.Past {
		return in.unverifiedThen(ctx, list)
	}
	if in.guarded() {
		return Finding{}
	}
	for _, s := range list {
		there, ok := in.shipsFrom(ctx, s)
		if !ok {
			continue
		}
		if f, decides := there.unverifiedShip(ctx, s); decides {
			return f
		}
	}
	return Finding{}
}

// guarded tells a text that is its own gate: "make test && git push".
func (in *Input) guarded() bool {
	text, ok := in.ShellCommand()
	return ok && evidence.Guards(text, in.verify())
}

// unverifiedShip asks about one command in the repository of in; decides is false
// where it may go on.
func (in *Input) unverifiedShip(ctx context.Context, s ship) (f Finding, decides bool) {
	repo, err := in.Repo(ctx)
	if err != nil {
		if t, trouble := in.Trouble(); trouble {
			return askAboutShip(s, t), true
		}
		return Finding{}, false // no repository here: nothing is ours to judge
	}
	if s.kind == shipMerge && !in.mergesIntoShared(ctx, repo) {
		return Finding{}, false
	}
	standing := in.shipStanding(ctx, repo, s)
	shaky := in.shaky(standing.Standing)
	if s.kind == shipCommit && !shaky {
		in.expectCommit(ctx, repo, standing)
	}
	if !shaky && (standing.Standing == evidence.Supported || standing.Standing == nothingShipped) {
		return Finding{}, false
	}
	if in.waived(ctx, repo) {
		return Finding{Notices: []string{"agentguard: this " + string(s.kind) + " passed unverified on your waiver"}, Rule: "waived"}, true
	}
	if t, trouble := in.Trouble(); shaky && trouble {
		return askAboutShip(s, t), true
	}
	return in.refuseShip(s, standing), true
}

// nothingShipped stands for a commit or push that brings nothing to verify.
const nothingShipped evidence.Standing = "nothing_to_verify"

// askAboutShip asks where it cannot be told how what a command ships stands.
func askAboutShip(s ship, t evidence.Trouble) Finding {
	out := askAbout("Whether what this "+string(s.kind)+" ships was tested cannot be told", t)
	out.Subject = oneLine(commandText(s.command))
	return out
}

// refuseShip denies what the facts speak against and asks where they are silent.
func (in *Input) refuseShip(s ship, f evidence.Finding) Finding {
	out := Finding{Decision: hook.Ask, Rule: string(f.Standing), Standing: string(f.Standing), Subject: oneLine(commandText(s.command))}
	if f.Standing.Contradicts() {
		out.Decision = hook.Deny
	}
	out.Reason = fmt.Sprintf("This %s ships what is not verified (%s: %s). Run %s, then repeat it.", s.kind, f.Standing, f.Why, in.settle())
	return out
}

func commandText(c shell.Command) string {
	words := []string{c.Name}
	for _, w := range c.Args {
		words = append(words, first(w.Raw, w.Text))
	}
	return strings.Join(words, " ")
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// shipStanding tells how what a command ships stands.
func (in *Input) shipStanding(ctx context.Context, repo *evidence.Repo, s ship) evidence.Finding {
	a := in.Assessment(ctx)
	switch s.kind {
	case shipCommit:
		return in.commitStanding(ctx, repo, s, a)
	case shipPush, shipPR, shipTag, shipMerge:
		return in.tipStanding(ctx, repo, a, s.kind == shipPush)
	default:
		if dirty, err := repo.Dirty(ctx); err == nil && !dirty {
			return in.tipStanding(ctx, repo, a, false)
		}
		return a.Finding
	}
}

// commitStanding looks at what the commit will record, which is the index and
// what the script and the commit itself add to it.
func (in *Input) commitStanding(ctx context.Context, repo *evidence.Repo, s ship, a evidence.Assessment) evidence.Finding {
	whole, added := in.addedBefore(s)
	return a.Covers(ctx, repo, evidence.Commit{All: whole == allFiles, Tracked: whole == trackedFiles, Paths: added}, in.reader().Docs)
}

// tipStanding looks at the commit that is handed on: HEAD.
func (in *Input) tipStanding(ctx context.Context, repo *evidence.Repo, a evidence.Assessment, outgoing bool) evidence.Finding {
	head, err := repo.Head(ctx)
	if err != nil || head.Unborn {
		return evidence.Finding{Standing: evidence.StandingUnknown, Why: "HEAD cannot be read"}
	}
	ids, _, err := repo.Outgoing(ctx, "", "HEAD", 50)
	if err == nil && len(ids) == 0 && outgoing {
		return evidence.Finding{Standing: nothingShipped}
	}
	if err == nil && len(ids) > 0 && in.onlyDocs(ctx, repo, ids) {
		return evidence.Finding{Standing: nothingShipped, Why: "only documentation"}
	}
	known := err == nil // which commits go out
	ledger, _, err := in.ledger(ctx)
	if err == nil {
		runs, err := ledger.Recent(maxRuns)
		in.missing.failed(err)
		stands := in.Stands(runs, repo)
		if in.Policy.Verify.Push == "each" && outgoing {
			if err != nil || !known {
				return evidence.Finding{Standing: evidence.StandingUnknown, Why: "which commits go out, or how they stand, cannot be read"}
			}
			return eachStanding(ctx, repo, runs, ids, stands)
		}
		if f, ok := evidence.CommitStanding(ctx, repo, runs, head.ID, stands); ok {
			return f
		}
	}
	if dirty, err := repo.Dirty(ctx); err == nil && !dirty {
		return a.Finding
	}
	if a.Standing == evidence.Supported {
		return evidence.Finding{Standing: evidence.StandingUnknown, Why: "the last run was on a tree with changes that are not in this commit"}
	}
	return a.Finding
}

// eachStanding asks every commit that a push brings, the oldest first; the first
// one that was not verified decides.
func eachStanding(ctx context.Context, repo *evidence.Repo, runs []evidence.Run, ids []string, stands func(evidence.Run) bool) evidence.Finding {
	for _, id := range slices.Backward(ids) {
		f, _ := evidence.CommitStanding(ctx, repo, runs, id, stands)
		if f.Standing != evidence.Supported {
			f.Why = "commit " + id[:min(len(id), 10)] + ": " + f.Why
			return f
		}
	}
	return evidence.Finding{Standing: evidence.Supported, Why: "each outgoing commit was verified"}
}

// onlyDocs tells that the commits change nothing but documentation.
func (in *Input) onlyDocs(ctx context.Context, repo *evidence.Repo, ids []string) bool {
	docs := in.reader().Docs
	for _, id := range ids {
		blobs, err := repo.CommitBlobs(ctx, id)
		if err != nil || slices.ContainsFunc(blobs, func(p evidence.PathBlob) bool { return !docs.Match(p.Path) }) {
			return false
		}
	}
	return true
}

// extent is how much of the working tree a commit takes beside the index.
type extent int

const (
	noFiles extent = iota
	trackedFiles
	allFiles
)

// addedBefore tells what the same script adds before the commit, and what the
// commit itself takes: -a, or paths.
func (in *Input) addedBefore(s ship) (whole extent, paths []string) {
	root := in.Event.CWD
	note := func(w shell.Word, dir shell.Word) {
		p := w.Text
		if !path.IsAbs(p) {
			p = path.Join(first(dir.Text, root), p)
		}
		paths = append(paths, p)
	}
	for _, c := range in.Script().Commands {
		if c.Line == s.command.Line && commandText(c) == commandText(s.command) {
			break
		}
		g, ok := shell.ParseGit(c)
		if !ok || (g.Sub != "add" && g.Sub != "stage") {
			continue
		}
		for _, w := range g.Args {
			switch w.Text {
			case "-A", "--all", ".", ":/", "*":
				whole = allFiles
			case "-u", "--update":
				whole = max(whole, trackedFiles)
			default:
				if !strings.HasPrefix(w.Text, "-") {
					note(w, g.Dir)
				}
			}
		}
	}
	message := false
	for _, w := range s.git.Args {
		t := w.Text
		switch {
		case message:
			message = false
		case t == "-a" || t == "--all" || isShortFlags(t) && strings.Contains(t, "a"):
			whole = max(whole, trackedFiles)
			message = isShortFlags(t) && strings.HasSuffix(t, "m")
		case t == "-m" || t == "-F" || t == "-C" || t == "-c" || t == "--message" || t == "--file" || t == "--author" || t == "--date" || isShortFlags(t) && strings.HasSuffix(t, "m"):
			message = true
		case !strings.HasPrefix(t, "-"):
			note(w, s.git.Dir)
		}
	}
	return whole, in.relative(paths)
}

// isShortFlags tells combined one-letter options: -am.
func isShortFlags(t string) bool {
	return len(t) > 1 && t[0] == '-' && t[1] != '-'
}

// relative writes absolute paths relative to the repository's root.
func (in *Input) relative(list []string) []string {
	root := in.World.Then.Root
	if !in.World.Past {
		repo, err := in.Repo(context.Background())
		if err != nil {
			return nil
		}
		root = repo.Root()
	}
	var out []string
	for _, p := range list {
		if rel, ok := strings.CutPrefix(p, root+"/"); ok {
			out = append(out, rel)
		} else if p == root {
			out = append(out, ".")
		}
	}
	return out
}

// mergesIntoShared tells that the checked-out branch, which a merge changes, is
// a shared one, or may be.
func (in *Input) mergesIntoShared(ctx context.Context, repo *evidence.Repo) bool {
	head, err := repo.Head(ctx)
	return err != nil || head.Branch != "" && in.Policy.ProtectedBranch(head.Branch)
}
