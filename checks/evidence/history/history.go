// Package history reads the commits of a branch with go-git, for people and
// scripts: which of them were tested. The hook program does not link it: go-git's
// storage alone costs half an empty program's start-up time.
package history

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Commit is one commit with the tree that it records.
type Commit struct {
	ID      string
	Tree    string
	Subject string
	Time    time.Time
}

// Last returns the last n commits that HEAD reaches, newest first; none on a
// branch without a commit. It reads objects and refs alone and runs nothing. What
// go-git cannot read (SHA-256 objects, reftable) is an error.
func Last(dir string, n int) ([]Commit, error) {
	repo, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if err != nil {
		return nil, fmt.Errorf("opening the repository of %s: %w", dir, err)
	}
	head, err := repo.Head()
	if err != nil {
		if _, unborn := repo.Reference("HEAD", false); unborn == nil {
			return nil, nil
		}
		return nil, fmt.Errorf("reading HEAD: %w", err)
	}
	commits, err := repo.Log(&git.LogOptions{From: head.Hash(), Order: git.LogOrderCommitterTime})
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	defer commits.Close()
	var out []Commit
	err = commits.ForEach(func(c *object.Commit) error {
		if len(out) == n {
			return storer.ErrStop
		}
		subject, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
		out = append(out, Commit{ID: c.Hash.String(), Tree: c.TreeHash.String(), Subject: subject, Time: c.Committer.When})
		return nil
	})
	if err != nil && !errors.Is(err, storer.ErrStop) {
		return out, fmt.Errorf("reading the history: %w", err)
	}
	return out, nil
}
