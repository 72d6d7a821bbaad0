package checks

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agentguard/checks/evidence"
	"agentguard/checks/rules"
	"agentguard/checks/secrets"
	"agentguard/checks/shell"
	"agentguard/hook"
	"agentguard/hook/regular"
)

// maxOutgoing bounds the commits of a push that are read.
const maxOutgoing = 200

// commitMessage stands for a file where the text is the commit's own.
const commitMessage = "the commit message"

// addWritten looks at what a tool or a command writes into a file that git would
// take. Protected files are protected-path's matter, ignored ones may hold secrets.
func (l *leak) addWritten(w rules.Written) {
	if w.Text == "" || w.Path == "" || strings.ContainsRune(w.Path, shell.Unknown) || len(l.in.Policy.Secrets.Rules) == 0 && !secrets.Worth(w.Text) {
		return
	}
	if d, _ := rules.KeyFile(l.rc, w.Path); d > hook.Pass || !l.goesToGit(w.Path) {
		return
	}
	old, err := l.in.readFile(w.Path, maxText)
	f := secrets.File{Path: l.relative(w.Path), Text: w.Text}
	switch {
	case w.After != "" && err == nil:
		if at := strings.Index(string(old), w.After); at >= 0 {
			f.First = strings.Count(string(old[:at]), "\n") + 1
		}
		f.Text = without(w.Text, w.After)
	case w.After != "":
		f.Text = without(w.Text, w.After)
	case err == nil:
		f.Text = without(w.Text, string(old))
	}
	l.add(f)
}

// goesToGit tells a file that lies in a repository and is not ignored there, or
// in a project without a repository.
func (l *leak) goesToGit(p string) bool {
	repo, ok := l.rc.State.Repo(path.Dir(p))
	if !ok {
		return l.rc.ProjectDir != "" && strings.HasPrefix(p, l.rc.ProjectDir+"/")
	}
	state, ok := repo.Path(p)
	return !ok || state.Tracked || !state.Ignored
}

// without blanks the lines that stood there before, so that only what is new is
// looked at and lines keep their numbers.
func without(text, old string) string {
	if old == "" {
		return text
	}
	known := map[string]bool{}
	for line := range strings.SplitSeq(old, "\n") {
		known[strings.TrimSpace(line)] = true
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if known[strings.TrimSpace(line)] {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// repoOf returns the repository that a git command works in.
func (l *leak) repoOf(s ship) (*evidence.Repo, error) {
	dir := first(s.git.Dir.Text, s.command.Dir.Text)
	if repo, err := l.in.Repo(l.ctx); err == nil && (dir == "" || dir == repo.Root() || strings.HasPrefix(dir, repo.Root()+"/")) {
		return repo, nil
	}
	if dir == "" || strings.ContainsRune(dir, shell.Unknown) {
		return l.in.Repo(l.ctx)
	}
	return l.in.openRepo(l.ctx, dir)
}

// addCommit looks at what a commit would record: what is staged, and what the
// script adds before it.
func (l *leak) addCommit(s ship) error {
	repo, err := l.repoOf(s)
	if err != nil || repo.Bare() {
		return unlessNone(err)
	}
	l.ships = true
	added, err := repo.StagedAdded(l.ctx)
	if err != nil {
		return err
	}
	l.addPieces(repo, added)
	for _, text := range messagesOf(s.git.Args) {
		l.add(secrets.File{Path: commitMessage, Text: text})
	}
	return l.addWorking(repo, s)
}

// unlessNone lets an error go that says there is no repository: git will neither
// commit nor push there.
func unlessNone(err error) error {
	if errors.Is(err, evidence.ErrNoRepo) || errors.Is(err, evidence.ErrUnknown) {
		return nil
	}
	return err
}

// addPieces keeps the added lines of a change, and the names of files that hold
// keys by what they are called.
func (l *leak) addPieces(repo *evidence.Repo, list []evidence.Added) {
	for _, a := range list {
		var text strings.Builder
		for _, p := range a.Pieces {
			l.add(secrets.File{Path: a.Path, First: p.Line, Commit: a.Commit, Text: p.Text})
			text.WriteString(p.Text)
		}
		if a.Unseen {
			l.skip(a.Path + " is too large a change to be read")
		}
		if a.New {
			l.addName(repo, a.Path, a.Commit, text.String())
		}
	}
}

// addWorking looks at working files that the commit takes beside the index.
func (l *leak) addWorking(repo *evidence.Repo, s ship) error {
	whole, paths := l.in.addedBefore(s)
	if whole == noFiles && len(paths) == 0 {
		return nil
	}
	snap, err := repo.Snapshot(l.ctx)
	if err != nil {
		return err
	}
	if snap.Cut {
		l.skip("there are too many changed files to look at all of them")
	}
	var take []string
	for _, p := range snap.Changed {
		if p.Blob != "" && (whole == allFiles || whole == trackedFiles && !p.Untracked || covers(paths, p.Path)) {
			take = append(take, p.Path)
		}
	}
	// A file that is named is taken although it is ignored, where the add is forced.
	for _, p := range paths {
		if !slices.Contains(take, p) && l.forcedAdd() {
			take = append(take, p)
		}
	}
	old, err := repo.HeadTexts(l.ctx, take, maxText)
	if err != nil {
		return err
	}
	for _, p := range take {
		text, err := l.readText(filepath.Join(repo.Root(), filepath.FromSlash(p)))
		if errors.Is(err, fs.ErrPermission) {
			l.skip(p + " cannot be read")
		}
		if err != nil {
			continue // a folder, a link, or gone: git reads it no better
		}
		before, tracked := old[p]
		l.add(secrets.File{Path: p, Text: without(text, before)})
		if !tracked {
			l.addName(repo, p, "", text)
		}
	}
	return nil
}

// readText reads a regular file, a byte more than there is room for at most.
func (l *leak) readText(name string) (string, error) {
	f, err := regular.OpenOwn(name)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		text.Grow(int(min(info.Size(), int64(maxText-l.size)) + 1))
	}
	_, err = io.Copy(&text, io.LimitReader(f, int64(maxText-l.size+1)))
	return text.String(), err
}

// forcedAdd tells that the script adds ignored files on purpose.
func (l *leak) forcedAdd() bool {
	for _, c := range l.in.Script().Commands {
		if g, ok := shell.ParseGit(c); ok && g.Sub == "add" && slices.ContainsFunc(g.Args, func(w shell.Word) bool {
			return hasFlag(w.Text, "--force", true) || hasFlag(w.Text, "-f", true)
		}) {
			return true
		}
	}
	return false
}

// addName notes a new file that holds keys or settings by its name. Templates
// pass, as they do for writing; so does a certificate without a private key.
func (l *leak) addName(repo *evidence.Repo, p, commit, text string) {
	d, what := rules.KeyFile(l.rc, filepath.Join(repo.Root(), filepath.FromSlash(p)))
	if d == hook.Pass || strings.Contains(text, "-----BEGIN ") && !strings.Contains(text, "PRIVATE KEY") {
		return
	}
	if secrets.Sample(p) {
		d = min(d, hook.Ask)
	}
	l.names = append(l.names, leaked{
		Finding:  secrets.Finding{Path: p, Commit: commit, Kind: "protected-file"},
		decision: d, fact: nameFact(p, what, commit),
		act: "Take it out (`git rm --cached`), add it to .gitignore, and commit a template without values instead.",
	})
}

func nameFact(p, what, commit string) string {
	if commit != "" {
		return "outgoing commit " + short(commit) + ": adds " + p + ", " + what
	}
	return p + " would be committed: " + what
}

// messagesOf are the texts that a commit is given as its message.
func messagesOf(words []shell.Word) []string {
	var out []string
	for i, w := range words {
		t := w.Text
		switch {
		case (t == "--message" || isShortFlags(t) && strings.HasSuffix(t, "m")) && i+1 < len(words):
			out = append(out, words[i+1].Text)
		case strings.HasPrefix(t, "--message="):
			out = append(out, strings.TrimPrefix(t, "--message="))
		}
	}
	return out
}

// addPush looks at the commits that a push, or the push of a pull request, takes
// along.
func (l *leak) addPush(s ship) error {
	repo, err := l.repoOf(s)
	if err != nil {
		return unlessNone(err)
	}
	if head, err := repo.Head(l.ctx); err != nil || head.Unborn {
		return err // nothing to push
	}
	l.ships = true
	remote, refs := pushed(l.ctx, repo, s)
	added, more, err := repo.OutgoingAdded(l.ctx, remote, refs, maxOutgoing)
	if err != nil {
		added, more, err = repo.OutgoingAdded(l.ctx, remote, []string{"HEAD"}, maxOutgoing)
	}
	if err != nil {
		return err
	}
	if more {
		l.skip("the push has more commits than could be looked at; the newest ones were")
	}
	l.addPieces(repo, added)
	return nil
}

// pushed reads a push: the remote, where it is one that the repository knows, and
// the refs that leave.
func pushed(ctx context.Context, repo *evidence.Repo, s ship) (remote string, refs []string) {
	if s.kind != shipPush {
		return "", []string{"HEAD"}
	}
	words := operands(s.git.Args)
	if len(words) > 0 {
		if _, ok, err := repo.Config(ctx, "remote."+words[0]+".url"); err == nil && ok {
			remote = words[0]
		}
		words = words[1:]
	}
	for _, w := range s.git.Args {
		switch w.Text {
		case "--all", "--branches":
			refs = append(refs, "--branches")
		case "--mirror":
			refs = append(refs, "--branches", "--tags")
		case "--tags":
			refs = append(refs, "--tags", "HEAD")
		}
	}
	for _, w := range words {
		src, _, _ := strings.Cut(strings.TrimPrefix(w, "+"), ":")
		if src != "" && !strings.HasPrefix(src, "-") && !strings.ContainsAny(src, "*\uFFFC") {
			refs = append(refs, src)
		}
	}
	if len(refs) == 0 {
		refs = []string{"HEAD"}
	}
	return remote, refs
}

// relative writes a path as messages show it: from the repository's top.
func (l *leak) relative(p string) string {
	if repo, ok := l.rc.State.Repo(path.Dir(p)); ok {
		if rel, inside := strings.CutPrefix(p, repo.Root()+"/"); inside {
			return rel
		}
	}
	if rel, inside := strings.CutPrefix(p, l.rc.ProjectDir+"/"); inside && l.rc.ProjectDir != "" {
		return rel
	}
	return p
}

// absolute is the reverse of relative, for the policy's globs, which count from
// the project.
func (l *leak) absolute(p string) string {
	if path.IsAbs(p) {
		return p
	}
	if repo, ok := l.rc.State.Repo(l.rc.CWD); ok {
		return path.Join(repo.Root(), p)
	}
	return path.Join(l.rc.ProjectDir, p)
}
