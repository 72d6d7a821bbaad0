package evidence

import (
	"context"
	"fmt"
	"strings"
)

// repoFilters are the filter drivers that the repository's own configuration
// touches. They are never run.
type repoFilters struct {
	drivers  map[string]bool
	override []string // -c arguments that disarm them
}

// readFilters lists them by the scope that git itself reports.
func (r *Repo) readFilters(ctx context.Context) (repoFilters, error) {
	out, err := r.run(ctx, "config", "--list", "--show-scope", "-z")
	if err != nil {
		return repoFilters{}, err
	}
	f := repoFilters{drivers: map[string]bool{}}
	fields := records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		key, _, _ := strings.Cut(fields[i+1], "\n")
		if (fields[i] != "local" && fields[i] != "worktree") || !strings.HasPrefix(key, "filter.") {
			continue
		}
		name := strings.TrimPrefix(key, "filter.")
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 || f.drivers[name[:dot]] {
			continue
		}
		name = name[:dot]
		if strings.ContainsAny(name, "=\n\x00") {
			return f, fmt.Errorf("filter %q of the repository: %w", name, ErrUnknown)
		}
		f.drivers[name] = true
		for _, v := range []string{"clean=", "smudge=", "process=", "required=false"} {
			f.override = append(f.override, "-c", "filter."+name+"."+v)
		}
	}
	return f, nil
}

// guarded calls a git command that may filter files. paths are those it will
// hash; ErrUnknown when one of them needs a filter of the repository.
func (r *Repo) guarded(ctx context.Context, env []string, stdin []byte, paths []string, args ...string) ([]byte, error) {
	f, err := r.filters()
	if err != nil {
		return nil, err
	}
	if len(f.drivers) > 0 && len(paths) > 0 {
		in := []byte(strings.Join(paths, "\x00") + "\x00")
		out, err := r.runWith(ctx, env, in, "check-attr", "-z", "--stdin", "filter")
		if err != nil {
			return nil, err
		}
		fields := records(out)
		for i := 0; i+2 < len(fields); i += 3 {
			if f.drivers[fields[i+2]] {
				return nil, fmt.Errorf("%s needs the repository's filter %s: %w", fields[i], fields[i+2], ErrUnknown)
			}
		}
	}
	return r.runWith(ctx, env, stdin, append(append([]string{}, f.override...), args...)...)
}
