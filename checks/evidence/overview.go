package evidence

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Overview is what "git status" shows at its top and below it.
type Overview struct {
	Head       Head
	Upstream   string // short name of the remote branch, origin/main; empty without one
	Gone       bool   // the upstream was never fetched, or is deleted
	Ahead      int
	Behind     int
	InProgress []string
	Status     Status
}

// Overview reads branch, upstream and status in one call of git.
func (r *Repo) Overview(ctx context.Context) (Overview, error) {
	o := Overview{InProgress: r.InProgress()}
	if r.root == "" {
		return o, ErrNoWorktree
	}
	out, err := r.statusOutput(ctx, "--branch")
	if err != nil {
		return o, err
	}
	var files []string
	counted := false
	for _, rec := range records(out) {
		field, ok := strings.CutPrefix(rec, "# ")
		if !ok {
			files = append(files, rec)
			continue
		}
		name, value, _ := strings.Cut(field, " ")
		switch name {
		case "branch.oid":
			o.Head.Unborn = value == "(initial)"
			if !o.Head.Unborn {
				o.Head.ID = value
			}
		case "branch.head":
			o.Head.Detached = value == "(detached)"
			if !o.Head.Detached {
				o.Head.Branch = value
			}
		case "branch.upstream":
			o.Upstream = value
		case "branch.ab":
			plus, minus, _ := strings.Cut(value, " ")
			a, err1 := strconv.Atoi(plus)
			b, err2 := strconv.Atoi(minus)
			if err1 != nil || err2 != nil {
				return o, fmt.Errorf("reading git status: %w", ErrUnknown)
			}
			o.Ahead, o.Behind, counted = a, -b, true
		}
	}
	o.Gone = o.Upstream != "" && !counted && !o.Head.Unborn
	o.Status, err = parseStatus(files)
	return o, err
}
