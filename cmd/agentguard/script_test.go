package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"agentguard/cmd/internal/cli"
	"agentguard/cmd/internal/door"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"agentguard": func() { os.Exit(cli.Main(os.Args, cli.OSStreams(), door.OSEnv())) },
	})
}

// TestScripts runs the real programs. HOME is an empty folder, git has a name to
// commit with, and the hook program stands beside agentguard as an installation
// has it.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	build(t, bin, "agentguard-hook")
	build(t, bin, "agentguard")
	faulty := t.TempDir()
	build(t, faulty, "agentguard-hook", "-tags", "faults")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			gitconfig := "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n"
			if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(gitconfig), 0o600); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("BIN", bin)
			env.Setenv("FAULTY", filepath.Join(faulty, "agentguard-hook"))
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// build compiles one of the programs into dir.
func build(t *testing.T, dir, program string, flags ...string) {
	t.Helper()
	args := append(append([]string{"build"}, flags...), "-o", dir, "agentguard/cmd/"+program)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", program, err, out)
	}
}

// exits runs a program with a file as standard input and checks its exit status:
// exits STATUS STDIN PROGRAM [ARG…]. A leading ! means any other status. Its
// output goes to the files out and err.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: exits STATUS STDIN PROGRAM [ARG…]")
	}
	in, err := os.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer in.Close()
	var out, stderr strings.Builder
	cmd := exec.Command(lookPath(ts, args[2]), args[3:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), in, &out, &stderr
	cmd.Env = environ(ts)
	runErr := cmd.Run()
	if cmd.ProcessState == nil {
		ts.Fatalf("%v", runErr)
	}
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "out"), []byte(out.String()), 0o600))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "err"), []byte(stderr.String()), 0o600))
	status := cmd.ProcessState.ExitCode()
	if got := strings.TrimSpace(cmd.ProcessState.String()); neg == (args[0] == got || args[0] == itoa(status)) {
		ts.Fatalf("status %d (%s), stderr %s", status, got, stderr.String())
	}
}

// lookPath finds a program on the script's own PATH.
func lookPath(ts *testscript.TestScript, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	ts.Fatalf("no program %s on PATH", name)
	return ""
}

func environ(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{
		"HOME", "PATH", "AGENTGUARD_FAULT", "AGENTGUARD_OFF", "AGENTGUARD_JUDGE_ACTIVE", "STOP_HOOK_LLM_JUDGE_ACTIVE",
		"AGENTGUARD_DEBUG", "CLAUDE_PROJECT_DIR", "TMPDIR", "GIT_CONFIG_NOSYSTEM",
	} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}
