package evidence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"agentguard/hook/regular"
)

// Trouble says for a person why facts cannot be had.
type Trouble struct {
	Kind string `json:"kind"` // stable: the name of the doctor's finding
	What string `json:"what"` // one plain sentence without the sentence's stop
	Mend string `json:"mend"` // the one act that mends it, in the same form
}

// unasked tells an error for which git gave no answer at all.
func unasked(err error) bool {
	for _, why := range [...]error{ErrNoGit, ErrRefused, ErrKilled, ErrSlow} {
		if errors.Is(err, why) {
			return true
		}
	}
	return false
}

// IsTrouble tells an error that says something is broken or missing, not that a
// fact is none or cannot be told of a healthy repository.
func IsTrouble(err error) bool {
	_, failed := errors.AsType[*gitError](err)
	return failed || unasked(err) || errors.Is(err, ErrBroken) || errors.Is(err, ErrRecord)
}

// note keeps the first trouble.
func (r *Repo) note(err error) {
	if !errors.Is(err, context.Canceled) {
		r.trouble.CompareAndSwap(nil, &err)
	}
}

// Trouble is why facts of the repository could not be had that were asked for so
// far; nil where each of them was told. What git cannot know of a healthy
// repository is no trouble.
func (r *Repo) Trouble() error {
	if err := r.trouble.Load(); err != nil {
		return *err
	}
	return nil
}

// Unasked tells that git cannot be asked about the repository: it is missing,
// refuses, was killed or is too slow.
func (r *Repo) Unasked() bool { return unasked(r.Trouble()) }

// Explain says what an error of a fact means and what mends it. dir is the folder
// that was asked about.
func Explain(err error, dir string) Trouble {
	path, closed := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, ErrNoGit) && closed:
		return Trouble{"git-missing", fmt.Sprintf("git cannot be started (%s: %v)", path.Path, path.Err), "put a git that runs on the PATH that the client is started with"}
	case errors.Is(err, ErrNoGit):
		return Trouble{"git-missing", "git is not on the PATH of the hooks", "put the folder of git on the PATH that the client is started with"}
	case errors.Is(err, ErrRefused):
		place := refusedPlace(err, dir)
		return Trouble{
			"repository-refused", fmt.Sprintf("git refuses the repository %s, which belongs to another user (dubious ownership)", place),
			fmt.Sprintf("run `git config --global --add safe.directory %s`, if you trust it", shellQuote(place)),
		}
	case errors.Is(err, regular.ErrKind), errors.Is(err, regular.ErrSize):
		return Trouble{"repository-broken", fmt.Sprintf("%s is %v, and git would wait for it", path.Path, path.Err), fmt.Sprintf("remove %s, or restore .git from a clone or a backup", path.Path)}
	case errors.Is(err, ErrKilled):
		return Trouble{"git-fails", "git was killed while it was asked", "run `git status` here and see what ends it"}
	case errors.Is(err, ErrSlow), errors.Is(err, context.DeadlineExceeded):
		return Trouble{"git-fails", "git did not answer in time", "run `git status` here and see what holds it up"}
	case errors.Is(err, ErrRecord):
		return recordTrouble(err)
	}
	words := lastWords(err)
	switch {
	case closed:
		return Trouble{"repository-broken", fmt.Sprintf("%s cannot be read (%v)", path.Path, path.Err), fmt.Sprintf("make %s readable for the user who runs the client", path.Path)}
	case strings.Contains(words, "index file"), strings.HasPrefix(words, "bad index"), strings.HasPrefix(words, "bad signature"):
		return Trouble{"repository-broken", "git cannot read the index (" + words + ")", "run `rm \"$(git rev-parse --git-path index)\" && git reset`, which makes a new one"}
	case words == "":
		return Trouble{"repository-broken", "git does not take the .git of " + dir + " for a repository", "run `git status` there, and restore .git from a clone or a backup"}
	default:
		return Trouble{"repository-broken", "git cannot read this repository (" + words + ")", "run `git fsck` here, and restore what it misses from a clone or a backup"}
	}
}

// refusedPlace is the folder that git names when it refuses.
func refusedPlace(err error, dir string) string {
	if g, ok := errors.AsType[*gitError](err); ok {
		if _, rest, ok := strings.Cut(g.stderr, "repository at '"); ok {
			if place, _, ok := strings.Cut(rest, "'"); ok {
				return place
			}
		}
	}
	return dir
}

func shellQuote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:@~") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// lastWords is an error without the command line of git: what git said last. It
// is empty where git took the place for no repository; "git diff" shows its usage
// then.
func lastWords(err error) string {
	g, ok := errors.AsType[*gitError](err)
	if !ok && errors.Is(err, ErrBroken) {
		return ""
	}
	if !ok {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(g.stderr), "\n")
	words := strings.TrimPrefix(strings.TrimPrefix(lines[len(lines)-1], "fatal: "), "error: ")
	if strings.HasPrefix(words, "not a git repository") || strings.Contains(g.stderr, "usage: git diff --no-index") {
		return ""
	}
	return words
}

// recordTrouble names the file or folder that is in the way.
func recordTrouble(err error) Trouble {
	path, ok := errors.AsType[*fs.PathError](err)
	switch {
	case !ok:
		return Trouble{"record-broken", err.Error(), "run `agentguard doctor`"}
	case path.Op == "write":
		return Trouble{
			"record-broken", fmt.Sprintf("runs cannot be recorded: %s cannot be written (%v)", path.Path, path.Err),
			fmt.Sprintf("make %s writable for you, or move it away", path.Path),
		}
	default:
		return Trouble{
			"record-broken", fmt.Sprintf("the record of runs, %s, cannot be read (%v)", path.Path, path.Err),
			fmt.Sprintf("move %s away; a new record is begun", path.Path),
		}
	}
}

// Doubt takes back what a standing says of facts that could not be had: that
// there was no run, and that the tree changed since. That a run failed stays.
func (a *Assessment) Doubt(why Trouble) {
	a.Finding = a.Finding.doubt(why)
	for kind, f := range a.ByKind {
		a.ByKind[kind] = f.doubt(why)
	}
	if len(a.Facts) > 0 {
		a.Facts[0] = a.standingFact()
	}
}

func (f Finding) doubt(why Trouble) Finding {
	switch f.Standing {
	case NoRun, Stale, StandingUnknown:
		return Finding{Standing: StandingUnknown, Why: why.What, Run: f.Run}
	default:
		return f
	}
}
