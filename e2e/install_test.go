package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeGo answers as Go does to what install.sh asks, and "builds" two programs that say what they were asked.
const fakeGo = `#!/bin/sh
case "$1 $2" in
"env GOVERSION") echo "$FAKE_VERSION" ;;
"env GOTOOLCHAIN") echo "$FAKE_TOOLCHAIN" ;;
build\ *)
  [ -z "$FAKE_BROKEN" ] || { echo "no required module" >&2; exit 1; }
  out=; stamp=
  while [ $# -gt 0 ]; do
    case $1 in -o) out=$2 ;; -ldflags) stamp=$2 ;; esac
    shift
  done
  for p in agentguard agentguard-hook; do
    printf '#!/bin/sh\necho "%s [$*] in $(pwd)"\n# %s\n' "$p" "$stamp" > "$out$p"
    chmod 755 "$out$p"
  done ;;
*) exit 9 ;;
esac
`

// setting is one run of install.sh from a checkout in a folder with a space in its name.
type setting struct {
	shell    string
	version  string // what the fake Go says; no Go at all when empty
	chain    string // its GOTOOLCHAIN
	broken   string
	present  map[string]string
	args     []string
	pathHas  bool // the target is on PATH
	status   int
	out, err []string // must stand in stdout and stderr
	never    []string // must stand in neither
	leaves   []string // files below the home folder afterwards
}

var shells = []string{"dash", "bash"}

func TestInstallScript(t *testing.T) {
	both := []string{".local/bin/agentguard", ".local/bin/agentguard-hook"}
	for _, tt := range []struct {
		name string
		setting
	}{
		{"installs both programs", setting{
			version: "go1.26.8", pathHas: true, leaves: both,
			out: []string{"installed {home}/.local/bin/agentguard", "next: 'agentguard init'"}, never: []string{"not on your PATH"},
		}},
		{"says that the folder is not on PATH", setting{
			version: "go1.27rc1", leaves: both, out: []string{"{home}/.local/bin is not on your PATH", `export PATH="{home}/.local/bin:$PATH"`},
		}},
		{"another folder", setting{
			version: "go1.26.8", args: []string{"--prefix", "{home}/my tools"},
			leaves: []string{"my tools/bin/agentguard", "my tools/bin/agentguard-hook"},
		}},
		{"replaces what is there", setting{
			version: "go1.26.8", present: map[string]string{".local/bin/agentguard": "old", ".local/bin/agentguard-hook": "old"}, leaves: both,
		}},
		{"no Go", setting{status: 1, err: []string{"Go is not installed", "needs Go 1.26.8 or later"}}},
		{"Go too old to fetch another", setting{version: "go1.20.14", chain: "auto", status: 1, err: []string{"Go 1.20.14 is too old"}}},
		{"Go too old and not allowed to fetch", setting{
			version: "go1.25.9", chain: "local", status: 1, err: []string{"Go 1.25.9 is too old", "GOTOOLCHAIN=auto"},
		}},
		{"a patch version too old", setting{version: "go1.26.7", chain: "local", status: 1, err: []string{"Go 1.26.7 is too old"}}},
		{"a two-digit patch is newer", setting{version: "go1.26.10", chain: "local", leaves: both}},
		{"Go fetches a newer one itself", setting{version: "go1.25.9", chain: "auto", leaves: both, out: []string{"Go 1.25.9 is older"}}},
		{"a Go that does not answer", setting{version: " ", status: 1, err: []string{"does not answer"}}},
		{"a build that fails keeps the old programs", setting{
			version: "go1.26.8", broken: "1", status: 1, err: []string{"no required module", "nothing was installed"},
			present: map[string]string{".local/bin/agentguard": "old"}, leaves: both[:1],
		}},
		{"a folder in the way", setting{
			version: "go1.26.8", status: 1, err: []string{"is a folder"},
			present: map[string]string{".local/bin/agentguard/x": ""}, leaves: []string{".local/bin/agentguard/x"},
		}},
		{"dry run", setting{
			version: "go1.26.8", args: []string{"--dry-run", "--init", "{repo}"},
			out: []string{"would install {home}/.local/bin/agentguard", "would run 'agentguard init' in {repo}"},
		}},
		{"sets a repository up", setting{
			version: "go1.26.8", args: []string{"--init={repo}"}, leaves: both,
			out: []string{"agentguard [init --yes] in {repo}"}, never: []string{"--dry-run"},
		}},
		{"no such repository", setting{
			version: "go1.26.8", args: []string{"--init", "{repo}/gone"}, status: 1, err: []string{"there is no folder"},
		}},
		{"uninstall", setting{
			args: []string{"--uninstall"}, present: map[string]string{both[0]: "", both[1]: "", ".local/bin/other": ""},
			leaves: []string{".local/bin/other"}, out: []string{"removed {home}/.local/bin/agentguard-hook"},
		}},
		{"uninstall dry run", setting{
			args: []string{"--uninstall", "--dry-run"}, present: map[string]string{both[0]: ""}, leaves: both[:1], out: []string{"would remove"},
		}},
		{"uninstall with nothing there", setting{args: []string{"--uninstall"}, out: []string{"nothing to remove"}}},
		{"uninstall while the person's settings use it", setting{
			args: []string{"--uninstall"}, status: 1, err: []string{"agentguard uninstall --scope user"},
			present: map[string]string{both[1]: "", ".claude/settings.json": "agentguard-hook"}, leaves: []string{".claude/settings.json", both[1]},
		}},
		{"the same by force", setting{
			args:    []string{"--uninstall", "--force"},
			present: map[string]string{both[1]: "", ".claude/settings.json": "agentguard-hook"}, leaves: []string{".claude/settings.json"},
		}},
		{"an unknown option", setting{args: []string{"--nope"}, status: 2, err: []string{"unknown option --nope", "Usage:"}}},
		{"an option without its folder", setting{args: []string{"--prefix"}, status: 2, err: []string{"--prefix needs a folder"}}},
		{"init and uninstall", setting{args: []string{"--uninstall", "--init", "{repo}"}, status: 2, err: []string{"exclude each other"}}},
		{"help", setting{args: []string{"--help"}, out: []string{"Usage: ./install.sh"}}},
	} {
		for _, shell := range shells {
			t.Run(tt.name+"/"+shell, func(t *testing.T) {
				t.Parallel()
				tt.shell = shell
				tt.check(t)
			})
		}
	}
}

func (s setting) check(t *testing.T) {
	t.Helper()
	shell, err := exec.LookPath(s.shell)
	if err != nil {
		t.Skip("no " + s.shell)
	}
	dir := t.TempDir()
	home, repo, src, tools := filepath.Join(dir, "home"), filepath.Join(dir, "a repo"), filepath.Join(dir, "check out"), filepath.Join(dir, "tools")
	fill := strings.NewReplacer("{home}", home, "{repo}", repo)
	for _, d := range []string{home, repo, filepath.Join(src, "cmd", "agentguard-hook"), tools} {
		mkdir(t, d)
	}
	script, err := os.ReadFile("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(src, "install.sh"), string(script))
	put(t, filepath.Join(src, "go.mod"), "module agentguard\n\ngo 1.26.8\n")
	for name, content := range s.present {
		put(t, filepath.Join(home, name), content)
	}
	for _, name := range []string{"sh", "uname", "awk", "sed", "grep", "dirname", "git", "mktemp", "mkdir", "mv", "rm", "cat", "chmod"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	if s.version != "" {
		put(t, filepath.Join(tools, "go"), fakeGo)
	}
	path := tools
	if s.pathHas {
		path += ":" + filepath.Join(home, ".local", "bin")
	}
	args := []string{filepath.Join(src, "install.sh")}
	for _, a := range s.args {
		args = append(args, fill.Replace(a))
	}
	cmd := exec.CommandContext(t.Context(), shell, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + path, "FAKE_VERSION=" + strings.TrimSpace(s.version), "FAKE_TOOLCHAIN=" + s.chain,
		"FAKE_BROKEN=" + s.broken, "GIT_CEILING_DIRECTORIES=" + dir,
	}
	_ = cmd.Run() // the status is compared below
	if got := cmd.ProcessState.ExitCode(); got != s.status {
		t.Errorf("status %d, want %d\n%s%s", got, s.status, out.String(), errs.String())
	}
	contains(t, "stdout", out.String(), s.out, fill)
	contains(t, "stderr", errs.String(), s.err, fill)
	for _, n := range s.never {
		if strings.Contains(out.String()+errs.String(), fill.Replace(n)) {
			t.Errorf("it says %q", n)
		}
	}
	if s.status == 0 && errs.Len() > 0 {
		t.Errorf("stderr: %s", errs.String())
	}
	if diff := cmp.Diff(s.leaves, filesBelow(t, home)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if s.status == 0 && s.version != "" {
		for _, f := range filesBelow(t, home) {
			if raw, _ := os.ReadFile(filepath.Join(home, f)); !strings.Contains(string(raw), "door.version=dev") {
				t.Errorf("%s holds no version stamp: %q", f, raw)
			}
		}
	}
}

// The real build: both programs run, say the same version, and need nothing around them.
func TestInstallForReal(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the programs")
	}
	prefix := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "../install.sh", "--prefix", prefix)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff([]string{"bin/agentguard", "bin/agentguard-hook"}, filesBelow(t, prefix)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	describe, err := exec.CommandContext(t.Context(), "git", "describe", "--tags", "--always", "--dirty").Output()
	if err != nil {
		t.Skip("not a git checkout: the stamp is 'dev'")
	}
	version, err := exec.CommandContext(t.Context(), filepath.Join(prefix, "bin", "agentguard"), "version").CombinedOutput()
	if err != nil || !strings.Contains(string(version), strings.TrimSuffix(strings.TrimSpace(string(describe)), "-dirty")) {
		t.Errorf("agentguard version: %v, %q does not name %s", err, version, describe)
	}
}

func contains(t *testing.T, where, got string, want []string, fill *strings.Replacer) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, fill.Replace(w)) {
			t.Errorf("%s lacks %q:\n%s", where, fill.Replace(w), got)
		}
	}
}
