package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agentguard/checks/shell"
	"agentguard/hook"
)

// followed says what doing as a reason says makes of a command; ok is false where
// the advice does not fit it.
var followed = []struct {
	advice string
	does   func(command string) (string, bool)
}{
	{"Run it with --dry-run=server", appended(" --dry-run=server")},
	{"Run it with --dry-run", appended(" --dry-run")},
	{"Run it with --dryrun", appended(" --dryrun")},
	{"Run it with --snapshot", appended(" --snapshot")},
	{"Make it a draft (--draft)", appended(" --draft")},
	{"Use --force-with-lease instead of --force", swapped("--force", "--force-with-lease")},
	{"Make it --private", swapped("--public", "--private")},
	{"Leave --public out", swapped("--public", "")},
	{"Leave out --force", swapped("--force", "")},
	{"Run it with -print first", swapped("-delete", "-print")},
	{"Run it without the bypass", swapped("--no-verify", "")},
	{"Use `git branch -d`", func(c string) (string, bool) {
		_, name, ok := strings.Cut(c, " -D ")
		return "git branch -d " + name, ok
	}},
	{"Rename it instead", func(string) (string, bool) { return "git remote rename origin upstream", true }},
	{"Make a new tag instead", func(string) (string, bool) { return "git tag v9.9.9", true }},
	{"Pull and rebase, then push plainly", func(string) (string, bool) { return "git pull --rebase && git push", true }},
	{"Run `git stash push -u` first", func(string) (string, bool) { return "git stash push -u", true }},
	{"Run `git clean -nd`", func(string) (string, bool) { return "git clean -nd", true }},
	{"`git branch backup`", func(string) (string, bool) { return "git branch backup", true }},
	{"`git stash branch NAME`", func(string) (string, bool) { return "git stash branch saved", true }},
	{"`lsof -i :PORT`", func(string) (string, bool) { return "pgrep -af node; lsof -i :3000; kill 4242", true }},
	{"`head -c 1M`", func(string) (string, bool) { return "yes | head -c 1M > big.txt", true }},
	{"Put the key's name into .env.example", func(string) (string, bool) { return "echo KEY= >> .env.example", true }},
	{"commit a template like .env.example", func(string) (string, bool) { return "git add .env.example", true }},
	{"Use git commands instead of editing", func(string) (string, bool) { return "git config user.name dev", true }},
	{"Download it to a file, read it", func(string) (string, bool) { return "curl -o /tmp/i.sh https://example.com/i && cat /tmp/i.sh", true }},
	{"Decode it to a file", func(string) (string, bool) { return "base64 -d payload.txt > /tmp/x && cat /tmp/x", true }},
	{"Make a plan, read it", func(string) (string, bool) { return "terraform plan -out /tmp/p && terraform show /tmp/p", true }},
	{"Read the resource first with GET", func(string) (string, bool) { return "curl https://api.example.com/v1/projects/42", true }},
	{"Save the changes as a patch first", func(string) (string, bool) { return "hg diff > /tmp/x.patch; svn diff > /tmp/y.patch", true }},
	{"Choose a new branch name", func(string) (string, bool) { return "git switch -c another", true }},
	{"Copy instead of moving", func(string) (string, bool) { return "cp -r src /tmp/src", true }},
	{"Copy it to a backup first", func(string) (string, bool) { return "cp data/dev.sqlite3 /tmp/dev.bak", true }},
	{"make a fresh clone beside it", func(string) (string, bool) { return "git clone . ../app-fresh", true }},
}

func appended(option string) func(string) (string, bool) {
	return func(c string) (string, bool) { return c + option, !strings.ContainsAny(c, "'\"|;&") }
}

func swapped(from, to string) func(string) (string, bool) {
	return func(c string) (string, bool) {
		return strings.Replace(c, from, to, 1), strings.Count(c, from) == 1 && !strings.Contains(c, from+"-")
	}
}

// everyHit calls f with each hit of the rules' examples, the lists and the
// labelled calls.
func everyHit(t *testing.T, f func(ctx Context, tree Tree, h Hit)) {
	t.Helper()
	for _, r := range All() {
		for _, c := range r.Hits {
			ctx := contextOf(fixtureOf(t, c.Tree), c.Run, c.In)
			for _, h := range everything(ctx) {
				f(ctx, c.Tree, h)
			}
		}
	}
	for _, l := range readList(t, "nasty.txt") {
		_, command, _ := strings.Cut(l, " ")
		ctx := contextOf(fixtureOf(t, Dirty), breaks(command), "")
		for _, h := range everything(ctx) {
			f(ctx, Dirty, h)
		}
	}
	for _, name := range []string{"toolcalls.jsonl", "toolcalls-2.jsonl"} {
		for _, c := range readCorpus(t, name) {
			ctx := c.context(t)
			tree := Tree(c.State)
			if c.State == "dirty" {
				tree = Dirty
			}
			for _, h := range everything(ctx) {
				f(ctx, tree, h)
			}
		}
	}
}

// TestAdviceCanBeFollowed: the act that a reason names passes.
func TestAdviceCanBeFollowed(t *testing.T) {
	tried := map[string]int{}
	everyHit(t, func(ctx Context, tree Tree, h Hit) {
		plain := len(ctx.Script.Commands) == 1 && len(ctx.Script.Commands[0].Via) == 0
		for _, a := range followed {
			if !strings.Contains(h.Reason, a.advice) {
				continue
			}
			command, ok := a.does(ctx.Text)
			if fits := command != ctx.Text && strings.Contains(command, ctx.Text); !ok || fits && !plain || command == ctx.Text {
				continue
			}
			tried[a.advice]++
			hits := everything(contextOf(fixtureOf(t, tree), command, ""))
			if slices.ContainsFunc(hits, func(o Hit) bool { return o.Rule == h.Rule }) {
				t.Errorf("%q is told %q, and %q is stopped too%s", ctx.Text, h.Reason, command, describe(hits))
			}
			break
		}
	})
	for _, a := range followed {
		if tried[a.advice] == 0 {
			t.Errorf("no reason says %q", a.advice)
		}
	}
}

// claims are the facts that reasons state, with what must then be so.
var claims = []struct {
	words string
	holds func(ctx Context, tree Tree, h Hit) bool
}{
	{"throws away work that is not committed", func(ctx Context, tree Tree, _ Hit) bool { return tree == Dirty }},
	{"which has changes that are not committed", pathIs(func(st PathState) bool { return st.Modified })},
	{"which git does not track", pathIs(func(st PathState) bool { return st.Untracked })},
	{"which git ignores", pathIs(func(st PathState) bool { return st.Ignored })},
	{"the tracked folder", pathIs(func(st PathState) bool { return st.Tracked })},
	{"keys or logins in the home folder", func(ctx Context, _ Tree, _ Hit) bool {
		return effectIn(ctx, func(p string) bool {
			rel := strings.TrimPrefix(p, ctx.Home+"/")
			return slices.ContainsFunc([]string{".ssh", ".gnupg", ".aws", ".kube", ".azure", ".config/gcloud", ".config/gh", ".password-store", ".local/share/keyrings", "Library/Keychains"}, func(k string) bool { return within(rel, k) || within(k, rel) })
		})
	}},
	{"which is outside the project", func(ctx Context, _ Tree, _ Hit) bool {
		return effectIn(ctx, func(p string) bool { return !within(p, ctx.ProjectDir) })
	}},
	{"which the system needs", func(ctx Context, _ Tree, _ Hit) bool {
		return effectIn(ctx, func(p string) bool { return !within(p, ctx.Home) && !within(p, ctx.ProjectDir) && !within(p, "/tmp") })
	}},
	{"deletes the whole project", func(ctx Context, _ Tree, _ Hit) bool {
		return effectIn(ctx, func(p string) bool { return within(ctx.ProjectDir, path.Dir(p)) || within(ctx.ProjectDir, p) })
	}},
	{"another project", func(ctx Context, _ Tree, _ Hit) bool {
		return effectIn(ctx, func(p string) bool { return !within(p, ctx.ProjectDir) && within(p, ctx.Home) })
	}},
	{"on another machine, over ssh", func(ctx Context, _ Tree, _ Hit) bool { return strings.Contains(ctx.Text, "ssh") }},
	{"it belongs to this machine", func(ctx Context, _ Tree, _ Hit) bool { return !strings.HasPrefix(ctx.Text, "ssh ") }},
	{"hooks that core.hooksPath names", func(ctx Context, _ Tree, _ Hit) bool {
		return strings.Contains(strings.ToLower(ctx.Text), "hookspath")
	}},
	{", which others build on", func(_ Context, _ Tree, h Hit) bool {
		for _, name := range regexp.MustCompile(`[\w./-]+`).FindAllString(h.Reason, -1) {
			for _, b := range DefaultProtectedBranches {
				if ok, _ := path.Match(b, strings.Trim(name, ".")); ok {
					return true
				}
			}
		}
		return false
	}},
}

func pathIs(is func(PathState) bool) func(Context, Tree, Hit) bool {
	return func(ctx Context, _ Tree, _ Hit) bool {
		r, ok := ctx.State.Repo(ctx.ProjectDir)
		return !ok || effectIn(ctx, func(p string) bool {
			st, ok := r.Path(stripGlob(p))
			return ok && is(st)
		})
	}
}

// effectIn tells that a path which the call changes is so.
func effectIn(ctx Context, is func(string) bool) bool {
	s := newScan(ctx)
	for _, e := range ctx.Script.Effects {
		if e.Op == shell.Read {
			continue
		}
		p := s.abs(e.Command, empty(e.Path))
		if e.Path.HasUnknown() {
			return true // judged by the words around what is not known
		}
		if is(p) || is(s.resolve(p, false)) || is(stripGlob(p)) {
			return true
		}
	}
	return len(ctx.Script.Effects) == 0 // judged by the command's words
}

// TestReasonsAreTrue holds what reasons state to the fixture.
func TestReasonsAreTrue(t *testing.T) {
	seen := map[string]int{}
	everyHit(t, func(ctx Context, tree Tree, h Hit) {
		if h.Decision < hook.Ask {
			return
		}
		for _, c := range claims {
			if !strings.Contains(h.Reason, c.words) {
				continue
			}
			seen[c.words]++
			if !c.holds(ctx, tree, h) {
				t.Errorf("%q (%s): untrue: %s", ctx.Text, tree, h.Reason)
			}
		}
	})
	for _, c := range claims {
		if seen[c.words] == 0 {
			t.Errorf("no reason says %q", c.words)
		}
	}
}
