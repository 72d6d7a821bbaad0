package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"agentguard/checks/evidence"
	"agentguard/hook"
	"agentguard/hook/regular"
	"agentguard/judge/redact"
)

// A commit gets the standing of the tree that it was made from. The gate knows
// that standing before the commit exists, so it is kept until the call is done.

// pendingPath is where the standing of a commit that is being made is kept.
func (in *Input) pendingPath() string {
	id := ""
	if in.Event.Tool != nil {
		id = in.Event.Tool.UseID
	}
	sum := sha256.Sum256([]byte(in.Event.SessionID + "\x00" + id))
	return filepath.Join(in.World.State, "agentguard", "pending", hex.EncodeToString(sum[:12])+".json")
}

// pending is the standing of a commit to be, and the HEAD that it will follow.
type pending struct {
	Head     string            `json:"head"`
	Standing evidence.Standing `json:"standing"`
	Why      string            `json:"why"`
}

// expectCommit keeps the standing that a commit of this call will have.
func (in *Input) expectCommit(ctx context.Context, repo *evidence.Repo, f evidence.Finding) {
	if in.World.DryRun || in.Event.Tool == nil || in.Event.Tool.UseID == "" {
		return
	}
	if f.Standing == nothingShipped {
		f.Standing = evidence.Supported
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return
	}
	why, _ := redact.Text(f.Why)
	b, err := json.Marshal(pending{head.ID, f.Standing, why})
	if err != nil || os.MkdirAll(filepath.Dir(in.pendingPath()), 0o700) != nil {
		return
	}
	_ = regular.Replace(in.pendingPath(), b) //nolint:errcheck // without it the commit's tree is asked
}

// recordCommit gives the commit that a call made the standing that was kept.
func (in *Input) recordCommit(ctx context.Context) error {
	if in.World.DryRun || in.Event.Name != hook.PostToolUse {
		return nil
	}
	b, err := regular.ReadOwn(in.pendingPath(), maxRecord)
	if err != nil {
		return nil //nolint:nilerr // nothing was kept: this call made no commit
	}
	_ = os.Remove(in.pendingPath()) //nolint:errcheck // it is pruned with the old ones
	var p pending
	if json.Unmarshal(b, &p) != nil {
		return nil //nolint:nilerr // torn: the commit's tree is asked
	}
	ledger, repo, err := in.ledger(ctx)
	if err != nil {
		return err
	}
	head, err := repo.Head(ctx)
	if err != nil || head.Unborn || head.ID == p.Head {
		return err // no commit came of it
	}
	f := evidence.Finding{Standing: p.Standing, Why: p.Why}
	return ledger.Append(evidence.CommitRecord(head.ID, in.Event.SessionID, in.World.Now.UTC(), f))
}

// Waiver is a person's leave for one unverified action on one tree.
type Waiver struct {
	Tree   string    `json:"tree"`
	Reason string    `json:"reason"`
	Time   time.Time `json:"time"`
}

// waiverLife is how long a waiver waits to be used.
const waiverLife = time.Hour

// WaiverPath is where the waiver of a repository lies in a state folder.
func WaiverPath(state string, repo *evidence.Repo) string {
	sum := sha256.Sum256([]byte(repo.Root()))
	return filepath.Join(state, "agentguard", "waivers", hex.EncodeToString(sum[:12])+".json")
}

// waived uses up the repository's waiver, if there is one for this very tree.
func (in *Input) waived(ctx context.Context, repo *evidence.Repo) bool {
	name := WaiverPath(in.World.State, repo)
	b, err := regular.ReadOwn(name, maxRecord)
	if err != nil {
		return false
	}
	var w Waiver
	if json.Unmarshal(b, &w) != nil || in.World.Now.Sub(w.Time) > waiverLife {
		return false
	}
	print, err := repo.Fingerprint(ctx)
	if err != nil || print.Tree != w.Tree {
		return false
	}
	if in.World.DryRun {
		return true
	}
	return os.Remove(name) == nil
}
