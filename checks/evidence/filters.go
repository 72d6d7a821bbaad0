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

// note takes one key of the repository's own scope.
func (f *repoFilters) note(key string, failed *error) {
	name, ok := strings.CutPrefix(key, "filter.")
	dot := strings.LastIndexByte(name, '.')
	if !ok || dot < 0 || f.drivers[name[:dot]] {
		return
	}
	name = name[:dot]
	if strings.ContainsAny(name, "=\n\x00") {
		*failed = fmt.Errorf("filter %q of the repository: %w", name, ErrUnknown)
		return
	}
	if f.drivers == nil {
		f.drivers = map[string]bool{}
	}
	f.drivers[name] = true
	for _, v := range []string{"clean=", "smudge=", "process=", "required=false"} {
		f.override = append(f.override, "-c", "filter."+name+"."+v)
	}
}

// guarded calls a git command that may filter files. paths are those it will
// hash; ErrUnknown when one of them needs a filter of the repository.
func (r *Repo) guarded(ctx context.Context, env []string, stdin []byte, paths []string, args ...string) ([]byte, error) {
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	if s.err != nil {
		return nil, s.err
	}
	f := s.filters
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
