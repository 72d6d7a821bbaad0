package rules

import (
	"path"
	"strings"
)

func (s *scan) exempt(p string) bool { return len(s.ctx.Exempt) > 0 && s.matchesAny(p, s.ctx.Exempt) }

// matchesAny tells that a path fits one of the policy's patterns: a name
// ("*.tfstate"), a folder ("infra/"), a path from the project root with * inside
// one part and ** over parts, or an absolute one.
func (s *scan) matchesAny(p string, patterns []string) bool {
	rel, inside := strings.CutPrefix(p, s.ctx.ProjectDir+"/")
	for _, pattern := range patterns {
		full := pattern
		if strings.HasPrefix(full, "~/") {
			full = s.ctx.Home + full[1:]
		}
		name := p
		if !path.IsAbs(full) {
			if !inside {
				if !strings.Contains(full, "/") && globMatch(full, path.Base(p)) {
					return true
				}
				continue
			}
			name = rel
		}
		if s.ctx.FoldsCase {
			name, full = strings.ToLower(name), strings.ToLower(full)
		}
		switch {
		case strings.HasSuffix(full, "/"):
			dir := strings.TrimSuffix(full, "/")
			if strings.HasPrefix(name+"/", strings.TrimPrefix(dir, "./")+"/") || !strings.Contains(dir, "/") && strings.Contains("/"+name, "/"+dir+"/") {
				return true
			}
		case !strings.Contains(full, "/"):
			if globMatch(full, path.Base(name)) {
				return true
			}
		case globMatch(strings.TrimPrefix(full, "./"), name):
			return true
		}
	}
	return false
}

// globMatch is path.Match with ** for any number of parts.
func globMatch(pattern, name string) bool {
	before, after, deep := strings.Cut(pattern, "**")
	if !deep {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	}
	parts := strings.Split(name, "/")
	for i := 0; i <= len(parts); i++ {
		head := strings.Join(parts[:i], "/")
		if i > 0 {
			head += "/"
		}
		if ok, err := path.Match(before, head); err != nil || !ok && before != head {
			continue
		}
		for j := i; j <= len(parts); j++ {
			tail := strings.Join(parts[j:], "/")
			if strings.HasPrefix(after, "/") && tail != "" {
				tail = "/" + tail
			}
			if after == "" || globMatch(after, tail) {
				return true
			}
		}
	}
	return false
}
