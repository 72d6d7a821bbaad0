package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// File is one layer as found on disk.
type File struct {
	Layer  Layer
	Path   string
	Source []byte // nil when there is no such file
	Policy Policy
}

// Effective is what holds in one folder after all layers were merged.
type Effective struct {
	Modes   map[string]Mode
	Origins map[string]string // by check: where its mode was decided
	Profile Profile           // of the base layer
	Verify  Verify
	Protect Protect
	// Commands are the own rules that refuse; Exceptions those that let go, as far
	// as their layer has the say.
	Commands   []OwnRule
	Exceptions []OwnRule
	Secrets    Secrets
	Rewrite    Rewrite
	Branches   []string
	Judge      Judge
	Stop       Stop
	// Reviewed are the digests of committed hook entries that are not ours.
	Reviewed []string
	// RunTests tells that test-gate runs the test command itself.
	RunTests bool
	// OffForbidden tells that no switch turns the guards off.
	OffForbidden bool
	LogText      bool
	LogDays      int
	Files        []File    // the layers that count, strongest first
	Problems     []Problem // of layers that do not
	// Untrusted is set when a policy of the repository is weaker than the
	// standard profile, or would choose the judge, and nobody trusted it.
	Untrusted bool
	Trusted   bool
}

// defaultOrder holds where no layer that counts names a judge.
var defaultOrder = []string{"offline"}

// Mode returns the mode of a check; Off for one that is not known.
func (e *Effective) Mode(check string) Mode { return e.Modes[check] }

// Merge joins the layers. The team's layer, or without one the person's, sets
// the base; every other layer only tightens. A repository's layers that nobody
// trusted can only tighten the standard profile, and run or choose nothing.
func Merge(files []File, known []Check, trusted bool, problems []Problem) *Effective {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Layer, b.Layer) })
	e := &Effective{
		Modes: make(map[string]Mode, len(known)), Origins: make(map[string]string, len(known)), Files: files, Problems: problems,
		Trusted: trusted, LogText: true, LogDays: defaultDays, Branches: slices.Clone(defaultProtected),
	}
	base := baseOf(files)
	broken := slices.ContainsFunc(problems, func(p Problem) bool { return p.Layer == Team || base == nil })
	e.setBase(base, known)
	fromRepo := base != nil && base.Layer == Team
	if (fromRepo && !trusted) || broken {
		e.tighten(ProfileStandard.Modes(known), func(string) string { return "standard (built in)" }, func() { e.Untrusted = fromRepo && !trusted })
	}
	for i := range files {
		f := &files[i]
		if f == base {
			continue
		}
		e.tighten(f.modes(known), f.origin, func() {})
	}
	e.mergeRest(files, base, trusted)
	return e
}

// baseOf returns the layer that sets the base: the team's, else the person's.
func baseOf(files []File) *File {
	for _, want := range []Layer{Team, User} {
		for i := range files {
			if files[i].Layer == want {
				return &files[i]
			}
		}
	}
	return nil
}

func (e *Effective) setBase(base *File, known []Check) {
	e.Profile = ProfileStandard
	if base != nil {
		e.Profile = cmp.Or(base.Policy.Profile, ProfileStandard)
	}
	for id, mode := range e.Profile.Modes(known) {
		e.Modes[id] = mode
		e.Origins[id] = string(e.Profile) + " (built in)"
		if base != nil && base.Policy.Profile != "" {
			e.Origins[id] = base.Path + ": profile " + string(e.Profile)
		}
	}
	if base == nil {
		return
	}
	for id, rule := range base.Policy.Checks {
		if rule.Mode != nil {
			e.Modes[id], e.Origins[id] = *rule.Mode, rule.Where
		}
	}
}

// tighten raises modes, never lowers them. changed is called when it raised one.
func (e *Effective) tighten(modes map[string]Mode, origin func(id string) string, changed func()) {
	for id, mode := range modes {
		if mode > e.Modes[id] {
			e.Modes[id], e.Origins[id] = mode, origin(id)
			changed()
		}
	}
}

// modes returns what one layer itself asks for.
func (f *File) modes(known []Check) map[string]Mode {
	modes := map[string]Mode{}
	if f.Policy.Profile != "" {
		for _, c := range known {
			if c.Guard {
				modes[c.ID] = f.Policy.Profile.Modes(known)[c.ID]
			}
		}
	}
	for id, rule := range f.Policy.Checks {
		if rule.Mode != nil {
			modes[id] = *rule.Mode
		}
	}
	return modes
}

func (f *File) origin(id string) string {
	if rule, ok := f.Policy.Checks[id]; ok && rule.Mode != nil {
		return rule.Where
	}
	return f.Path + ": profile " + string(f.Policy.Profile)
}

// mergeRest merges what is no mode. Lists that refuse add up over all layers;
// lists that let something through count from the base and the managed layer
// alone; what chooses or runs programs counts from the repository only when
// trusted.
func (e *Effective) mergeRest(files []File, base *File, trusted bool) {
	// Personal layers name their own judge before the team does.
	for _, layer := range []Layer{Team, User, Local, Managed} {
		for i := range files {
			f := &files[i]
			if f.Layer != layer {
				continue
			}
			p := f.Policy
			ours := trusted || f.Layer == User || f.Layer == Managed
			e.Protect.Paths = append(e.Protect.Paths, p.Protect.Paths...)
			e.Reviewed = append(e.Reviewed, p.Hooks.Reviewed...)
			e.Branches = append(e.Branches, p.Branches.Protected...)
			e.Stop.MaxBlocks = max(e.Stop.MaxBlocks, p.Stop.MaxBlocks)
			if (f == base && ours) || f.Layer == Managed {
				e.Protect.Exempt = append(e.Protect.Exempt, p.Protect.Exempt...)
			}
			if p.AllowOff != nil && !*p.AllowOff {
				e.OffForbidden = true
			}
			if run := p.Checks["test-gate"].Run; run != nil && *run {
				e.RunTests = e.RunTests || ours
				e.Untrusted = e.Untrusted || !ours
			}
			e.mergeOwn(f, (f == base && ours) || f.Layer == Managed)
			if p.Log.Text != nil && !*p.Log.Text {
				e.LogText = false
			}
			if p.Log.Days > 0 {
				e.LogDays = p.Log.Days
			}
			mergeVerify(&e.Verify, p.Verify, ours)
			if ours {
				mergeJudge(&e.Judge, p.Judge)
			} else if len(p.Judge.Backends) > 0 || len(p.Judge.Order) > 0 && !slices.Equal(p.Judge.Order, defaultOrder) {
				e.Untrusted = true // the order that holds anyway asks for nothing
			}
		}
	}
	e.settleExceptions(base, trusted)
	e.Stop.MaxBlocks = max(e.Stop.MaxBlocks, 1)
	e.Verify.Timeout = cmp.Or(e.Verify.Timeout, defaultRunTime)
	e.Judge.Timeout = cmp.Or(e.Judge.Timeout, defaultTimeout)
	e.Judge.Text = cmp.Or(e.Judge.Text, "message")
	if len(e.Judge.Order) == 0 {
		e.Judge.Order = slices.Clone(defaultOrder)
	}
}

// mergeVerify replaces the kinds that the layer names. A repository that nobody
// trusted may say how it is verified, since that only asks for more, but not
// which changes need no test.
func mergeVerify(to *Verify, from Verify, trusted bool) {
	for _, pair := range []struct{ to, from *[]string }{
		{&to.Test, &from.Test},
		{&to.Build, &from.Build},
		{&to.Lint, &from.Lint},
		{&to.Types, &from.Types},
	} {
		if len(*pair.from) > 0 {
			*pair.to = *pair.from
		}
	}
	if len(from.Docs) > 0 && trusted {
		to.Docs = from.Docs
	}
	to.Timeout = cmp.Or(from.Timeout, to.Timeout)
	to.Push = cmp.Or(from.Push, to.Push)
}

func mergeJudge(to *Judge, from Judge) {
	if len(from.Order) > 0 {
		to.Order = from.Order
	}
	if len(from.Backends) > 0 {
		merged := maps.Clone(to.Backends)
		if merged == nil {
			merged = map[string]Backend{}
		}
		maps.Copy(merged, from.Backends)
		to.Backends = merged
	}
	to.Timeout = cmp.Or(from.Timeout, to.Timeout)
	to.Text = cmp.Or(from.Text, to.Text)
}

// ProtectedBranch tells whether name is a shared branch.
func (e *Effective) ProtectedBranch(name string) bool {
	return slices.ContainsFunc(e.Branches, func(glob string) bool { return matchBranch(glob, name) })
}

// matchBranch matches a glob in which * stands for any text, slashes included.
func matchBranch(glob, name string) bool {
	parts := strings.Split(glob, "*")
	if len(parts) == 1 {
		return glob == name
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// Stricter joins the policies of two folders that a call touches: of each mode
// the stronger, of each refusing list both. What is chosen or run (verify, judge)
// stays the first one's, and only what both exempt is exempt.
func Stricter(a, b *Effective) *Effective {
	joined := *a
	joined.Modes, joined.Origins = maps.Clone(a.Modes), maps.Clone(a.Origins)
	joined.tighten(b.Modes, func(id string) string { return b.Origins[id] }, func() {})
	joined.Protect.Paths = slices.Concat(a.Protect.Paths, b.Protect.Paths)
	joined.Protect.Exempt = slices.DeleteFunc(slices.Clone(a.Protect.Exempt), func(glob string) bool {
		return !slices.Contains(b.Protect.Exempt, glob)
	})
	joined.stricterOwn(a, b)
	joined.Branches = slices.Concat(a.Branches, b.Branches)
	joined.LogText = a.LogText && b.LogText
	joined.OffForbidden = a.OffForbidden || b.OffForbidden
	joined.Problems = slices.Concat(a.Problems, b.Problems)
	joined.Untrusted = a.Untrusted || b.Untrusted
	joined.Files = slices.Concat(a.Files, b.Files)
	return &joined
}
