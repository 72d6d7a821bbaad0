package installer_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentguard/installer"
	"agentguard/settings"
)

func TestApplyBuildsOnWhatTheClientWroteMeanwhile(t *testing.T) {
	p := newPlace(t)
	path := p.req.SettingsPath()
	p.write(path, "{\n  \"model\": \"opus\"\n}\n")
	plan := p.make()
	clients := "{\n  \"model\": \"sonnet\",\n  \"permissions\": {\n    \"allow\": [\"Read\"]\n  }\n}\n"
	p.write(path, clients)
	p.apply(plan)
	got := p.read(path)
	if !strings.Contains(got, "sonnet") || !strings.Contains(got, "\"Read\"") || len(p.handlers(path)) != 3 {
		t.Errorf("got\n%s", got)
	}
	if again := p.make(); !again.Empty() {
		t.Errorf("second install:\n%s", again.Diff())
	}
	p.uninstall()
	if got := p.read(path); got != clients {
		t.Errorf("after undo\n%s", got)
	}
}

func TestApplyStopsWhenTheFileBrokeMeanwhile(t *testing.T) {
	p := newPlace(t)
	path := p.req.SettingsPath()
	p.write(path, "{}\n")
	before := p.tree()
	plan := p.make()
	p.write(path, "{,")
	err := plan.Apply(t.Context(), noon)
	var refusal *installer.Refusal
	if !errors.As(err, &refusal) || refusal.Line != 1 {
		t.Errorf("err = %v", err)
	}
	p.write(path, "{}\n")
	p.same(before, "what had been written before must be put back")
	if entries, _ := os.ReadDir(filepath.Join(p.req.StateDir, "installs")); len(entries) != 0 {
		t.Errorf("a record of an install that did not happen: %v", entries)
	}
}

func TestApplyPutsBackWhenALaterFileFails(t *testing.T) {
	p := newPlace(t)
	p.write(p.req.SettingsPath(), "{}\n")
	p.install()
	p.req.Events = p.req.Events[:1]
	p.req.Policy = []byte("{}\n")
	if err := os.RemoveAll(p.path(".agentguard")); err != nil {
		t.Fatal(err)
	}
	before := p.tree()
	plan := p.make()
	if err := os.Chmod(p.req.SettingsPath(), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context(), noon); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("err = %v", err)
	}
	if err := os.Chmod(p.req.SettingsPath(), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(p.path(".agentguard"))
	p.same(before, "after a failure half-way")
	p.uninstall() // the record of the first install must still be there
	if got := p.read(p.req.SettingsPath()); got != "{}\n" {
		t.Errorf("after undo: %q", got)
	}
}

func TestUndoWithoutARecord(t *testing.T) {
	p := newPlace(t)
	p.write(p.req.SettingsPath(), "{\n  \"model\": \"opus\"\n}\n")
	p.write(p.path(".gitignore"), "node_modules\n")
	p.req.Templates = []string{"verifier"}
	p.install()
	p.write(p.path(".agentguard/policy.jsonc"), "{\"profile\": \"strict\"}\n")
	if err := os.RemoveAll(p.req.StateDir); err != nil { // somebody else's machine
		t.Fatal(err)
	}
	plan, err := installer.Undo(p.req)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(plan.Notes, "\n"); !strings.Contains(notes, ".agentguard/policy.jsonc stays") {
		t.Errorf("notes: %q", notes)
	}
	p.apply(plan)
	if got, want := p.read(p.req.SettingsPath()), "{\n  \"model\": \"opus\"\n}\n"; got != want {
		t.Errorf("settings: %q", got)
	}
	if got := p.read(p.path(".gitignore")); got != "node_modules\n" {
		t.Errorf("ignore file: %q", got)
	}
	if got := p.read(p.path(".agentguard/policy.jsonc")); !strings.Contains(got, "strict") {
		t.Errorf("the person's policy is %q", got)
	}
	if got := p.agentHandlers(p.path(".claude/agents/verifier.md")); len(got) != 0 {
		t.Errorf("agent keeps %q", got)
	}
	if _, err := os.Stat(p.path(".agentguard/README.md")); err == nil {
		t.Error("our README stayed")
	}
}

func TestUndoKeepsAChangedPolicyAndSaysSo(t *testing.T) {
	p := newPlace(t)
	p.install()
	p.write(p.path(".agentguard/policy.jsonc"), "{\"profile\": \"strict\"}\n")
	plan, err := installer.Undo(p.req)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Notes) != 1 || !strings.Contains(plan.Notes[0], "policy.jsonc") {
		t.Errorf("notes: %q", plan.Notes)
	}
	p.apply(plan)
	if got := p.read(p.path(".agentguard/policy.jsonc")); !strings.Contains(got, "strict") {
		t.Errorf("policy is %q", got)
	}
	again, err := installer.Undo(p.req)
	if err != nil || !again.Empty() {
		t.Errorf("a second undo: %v\n%s", err, again.Diff())
	}
}

// The client drops this file; an uninstall must still work on it, since the
// entries would act again as soon as somebody mends it.
func TestUndoInAFileThatIsDropped(t *testing.T) {
	p := newPlace(t)
	path := p.req.SettingsPath()
	p.write(path, "{}\n")
	p.install()
	p.write(path, strings.Replace(p.read(path), "{\n", "{\n  // why\n  \"model\": \"opus\",\n", 1))
	p.uninstall()
	if got := p.read(path); got != "{\n  // why\n  \"model\": \"opus\"\n}\n" {
		t.Errorf("got %q", got)
	}
}

func TestProfileChangesOneWord(t *testing.T) {
	p := newPlace(t)
	p.install()
	p.req.Profile = "strict"
	p.install()
	if got, want := p.read(p.path(".agentguard/policy.jsonc")), "{\n  // ours\n  \"profile\": \"strict\"\n}\n"; got != want {
		t.Errorf("got %q", got)
	}
	p.req.Profile = ""
	if plan := p.make(); !plan.Empty() {
		t.Errorf("an init without --profile changes it back:\n%s", plan.Diff())
	}
}

func TestManyInstallsAtOnce(t *testing.T) {
	p := newPlace(t)
	path := p.req.SettingsPath()
	p.write(path, "{\n  \"model\": \"opus\"\n}\n")
	before := p.tree()
	var wg sync.WaitGroup
	for range 8 {
		plan := p.make()
		wg.Go(func() {
			if err := plan.Apply(t.Context(), noon); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := p.handlers(path); len(got) != 3 {
		t.Errorf("entries: %q", got)
	}
	p.uninstall()
	p.same(before, "after one undo")
}

// A client that keeps rewriting the file, as careless as the real one: truncate,
// write. Nothing of its values may be lost, and no half file may stay.
func TestInstallWhileTheClientWrites(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	path := p.req.SettingsPath()
	p.write(path, "{\n  \"n\": 0\n}\n")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 15 {
			select {
			case <-stop:
				return
			default:
			}
			src, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			doc, err := settings.Parse(src)
			if err != nil {
				continue
			}
			n, ok := doc.Root.Get("n")
			if !ok {
				t.Errorf("the client's key is gone:\n%s", src)
				return
			}
			if doc, err = doc.Apply(doc.Replace(n, settings.IntOf(i+1))); err == nil {
				_ = os.WriteFile(path, doc.Source, 0o644)
			}
		}
	})
	for range 5 {
		plan, err := installer.Make(p.req)
		if err == nil {
			err = plan.Apply(t.Context(), noon)
		}
		var refusal *installer.Refusal
		if err != nil && !errors.Is(err, settings.ErrBusy) && !errors.As(err, &refusal) {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	p.install()
	if got := p.handlers(path); len(got) != 3 {
		t.Errorf("entries: %q", got)
	}
	doc, err := settings.Parse([]byte(p.read(path)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := doc.Root.Get("n"); !ok {
		t.Error("the client's key is lost")
	}
}

func TestLocalScopeInAWorktreeAndASubFolder(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	p := newPlace(t)
	git := func(dir string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	main := filepath.Join(p.home, "main")
	p.mkdir(main)
	git(main, "init", "-q")
	git(main, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "first")
	linked := filepath.Join(p.home, "linked")
	git(main, "worktree", "add", "-q", linked)
	// The person's own ignore file hides the local settings: that does not count.
	p.write(filepath.Join(p.home, ".config/git/ignore"), "**/.claude/settings.local.json\n")
	p.req.Scope = installer.Local
	for _, dir := range []string{linked, filepath.Join(main, "pkg", "a b")} {
		p.mkdir(dir)
		p.req.ProjectDir = dir
		p.install()
		if out := git(dir, "status", "--porcelain"); out != "" {
			t.Errorf("%s: git sees %q", dir, out)
		}
		if out := git(dir, "check-ignore", "-v", ".claude/settings.local.json"); !strings.Contains(out, "exclude:") {
			t.Errorf("%s: hidden by %q", dir, out)
		}
		p.uninstall()
		if text := p.read(filepath.Join(main, ".git/info/exclude")); strings.Contains(text, "agentguard") {
			t.Errorf("exclude file after undo: %q", text)
		}
	}
}

func TestCodexForm(t *testing.T) {
	for _, scope := range []installer.Scope{installer.Project, installer.User} {
		p := newPlace(t)
		p.req.Client = installer.Codex(filepath.Join(p.home, ".codex"))
		p.req.Scope = scope
		before := p.tree()
		if notes := strings.Join(p.make().Notes, " "); !strings.Contains(notes, "/hooks") {
			t.Errorf("%s: the person is not told about trust: %q", scope, notes)
		}
		p.install()
		src := p.read(p.req.SettingsPath())
		for _, no := range []string{"\"args\"", "\"onFailure\"", "\"agentguard\":"} {
			if strings.Contains(src, no) {
				t.Errorf("%s: Codex refuses %s:\n%s", scope, no, src)
			}
		}
		if again := p.make(); !again.Empty() {
			t.Errorf("%s: second install:\n%s", scope, again.Diff())
		}
		p.uninstall()
		p.same(before, "after undo")
	}
	p := newPlace(t)
	p.req.Client = installer.Codex(filepath.Join(p.home, ".codex"))
	p.req.Scope = installer.Local
	if _, err := installer.Make(p.req); err == nil {
		t.Error("Codex has no local settings")
	}
	p.req.Scope, p.req.Templates = installer.Project, []string{"verifier"}
	if _, err := installer.Make(p.req); err == nil {
		t.Error("Codex reads no agent files")
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	for name, change := range map[string]func(*installer.Request){
		"relative project": func(r *installer.Request) { r.ProjectDir = "x" },
		"no home":          func(r *installer.Request) { r.Home = "" },
		"no state":         func(r *installer.Request) { r.StateDir = "" },
		"no program":       func(r *installer.Request) { r.Scope, r.HookPath = installer.User, "agentguard-hook" },
	} {
		p := newPlace(t)
		change(&p.req)
		if _, err := installer.Make(p.req); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := installer.ParseScope("global"); err == nil || !strings.Contains(err.Error(), "user") {
		t.Errorf("err = %v", err)
	}
}

func TestNotes(t *testing.T) {
	notes := func(p *place) string {
		plan := p.make()
		return strings.Join(plan.Notes, "\n")
	}
	p := newPlace(t)
	if got := notes(p); !strings.Contains(got, "commit these files") || strings.Contains(got, "\n") {
		t.Errorf("plain: %q", got)
	}
	p.write(p.path(".gitignore"), ".claude/\n")
	if got := notes(p); !strings.Contains(got, "git ignores .claude/settings.json:") {
		t.Errorf("ignored: %q", got)
	}
	p = newPlace(t)
	p.req.HookPath = "/opt/tools/agentguard-hook"
	if got := notes(p); !strings.Contains(got, "/opt/tools only through PATH") {
		t.Errorf("odd place: %q", got)
	}
	p = newPlace(t)
	p.req.Scope = installer.User
	p.install()
	p.req.Scope = installer.Project
	if got := notes(p); !strings.Contains(got, "~/.claude/settings.json has entries") || !strings.Contains(got, "uninstall --scope user") {
		t.Errorf("twice: %q", got)
	}
	p = newPlace(t)
	p.req.ProjectDir = p.path("pkg/a")
	p.mkdir(p.req.ProjectDir)
	if got := notes(p); !strings.Contains(got, "started in this folder") {
		t.Errorf("sub-folder: %q", got)
	}
}

func TestInventory(t *testing.T) {
	p := newPlace(t)
	p.install()
	p.req.Scope = installer.User
	p.install()
	path := p.req.SettingsPath()
	p.write(path, strings.Replace(p.read(path), p.req.HookPath+"\",\n            \"args\": []", "AGENTGUARD_DEBUG=1 x\"", 1))
	var got []string
	for _, o := range installer.Inventory(p.req) {
		if text := strings.Split(p.read(o.Path), "\n")[o.Line-1]; strings.TrimSpace(text) != "{" {
			t.Errorf("%s:%d is %q", o.Path, o.Line, text)
		}
		got = append(got, o.Scope.String()+" "+o.Event+" "+string(o.State))
	}
	want := "project PreToolUse written, project SessionStart written, project Stop written, user PreToolUse edited, user SessionStart written, user Stop written"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q", got)
	}
}

func TestMakeWaitsForAClientThatIsWriting(t *testing.T) {
	p := newPlace(t)
	path := p.req.SettingsPath()
	var err error
	for range 20 { // on a busy machine the other writer may come too late
		p.write(path, "{\"model\":")
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(2 * time.Millisecond)
			p.write(path, "{\"model\": \"opus\"}\n")
		})
		_, err = installer.Make(p.req)
		wg.Wait()
		if err == nil {
			return
		}
	}
	t.Error(err)
}

func TestTheHomeFolderIsNoProject(t *testing.T) {
	p := newPlace(t)
	p.req.ProjectDir = p.home
	_, err := installer.Make(p.req)
	var refusal *installer.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Ways[0], "--scope user") {
		t.Errorf("err = %v", err)
	}
}

func TestUndoWithoutTheProgram(t *testing.T) {
	p := newPlace(t)
	p.req.Scope = installer.User
	before := p.tree()
	p.install()
	p.req.HookPath = ""
	p.uninstall()
	p.same(before, "after undo")
}

func TestUndoRemovesAFileOfOursThatIsEmptyThen(t *testing.T) {
	p := newPlace(t)
	before := p.tree()
	p.install()
	path := p.req.SettingsPath()
	p.write(path, p.read(path)+"\n\n") // an editor added lines
	p.uninstall()
	p.same(before, "after undo")
}

func TestProfileOfABrokenPolicy(t *testing.T) {
	for name, src := range map[string]string{"syntax": "{\n  \"profile\": strict\n}\n", "list": "[]\n"} {
		p := newPlace(t)
		p.write(p.path(".agentguard/policy.jsonc"), src)
		p.req.Profile = "strict"
		_, err := installer.Make(p.req)
		refusal, ok := errors.AsType[*installer.Refusal](err)
		if !ok || refusal.Line == 0 || len(refusal.Ways) < 2 {
			t.Errorf("%s: %v", name, err)
		}
		p.req.Profile = ""
		p.install()
		if got := p.read(p.path(".agentguard/policy.jsonc")); got != src {
			t.Errorf("%s: the policy became %q", name, got)
		}
	}
}

func TestProfileIsAddedWhereThereIsNone(t *testing.T) {
	p := newPlace(t)
	p.write(p.path(".agentguard/policy.jsonc"), "{\n  // nothing yet\n}\n")
	p.req.Profile = "observe"
	p.install()
	if got, want := p.read(p.path(".agentguard/policy.jsonc")), "{\n  // nothing yet\n  \"profile\": \"observe\"\n}\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestRefusalSaysWhatWhyAndWhatNext(t *testing.T) {
	p := newPlace(t)
	p.write(p.req.SettingsPath(), "{\n  \"model\": \"opus\",\n}\n")
	_, err := installer.Make(p.req)
	want := p.req.SettingsPath() + ":2:18: comma after the last entry: JSON has none there, so the client drops the whole file\n" +
		"  why it matters: the client drops the whole file because of it: hooks, permissions and env in it do not count\n" +
		"  way out: mend that place (agentguard doctor --fix shows how), then run this again\n" +
		"  way out: leave the file alone and choose another one: --scope user"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
