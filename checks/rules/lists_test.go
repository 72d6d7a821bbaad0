package rules

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentguard/checks/shell"
	"agentguard/hook"
)

func readList(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if l := lines.Text(); l != "" && !strings.HasPrefix(l, "# ") {
			out = append(out, l)
		}
	}
	return out
}

// breaks turns the \n of a list's line into line breaks where it writes a
// heredoc or a program, and leaves those of printf alone.
func breaks(line string) string {
	if strings.Contains(line, "<<") {
		return strings.ReplaceAll(line, `\n`, "\n")
	}
	return line
}

func TestEverydayWorkPasses(t *testing.T) {
	for _, tree := range []Tree{Dirty, Clean, Feature} {
		f := fixtureOf(t, tree)
		for _, l := range readList(t, "everyday.txt") {
			if hits := everything(contextOf(f, breaks(l), "")); len(hits) > 0 {
				t.Errorf("%s (%s): stopped%s", l, tree, describe(hits))
			}
		}
	}
}

// TestPowerShellTool: the client's PowerShell tool is judged as the shell is.
func TestPowerShellTool(t *testing.T) {
	f := fixtureOf(t, Dirty)
	for _, l := range readList(t, "powershell.txt") {
		word, text, _ := strings.Cut(l, " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		ctx := contextOf(f, "", "")
		ctx.Tool, ctx.Text = "PowerShell", text
		ctx.Script = shell.AnalyzePowerShell(text, shell.Env{Dir: f.repo, Home: f.home, ReadFile: f.state.ReadFile})
		hits := everything(ctx)
		var want hook.Decision
		if err := want.UnmarshalText([]byte(word)); err != nil {
			t.Fatal(l, err)
		}
		if got := strictest(hits); got < want || want == hook.Pass && got != want {
			t.Errorf("%s: got %v, want %v%s", text, got, want, describe(hits))
		}
	}
}

func TestNastyCommandsStop(t *testing.T) {
	f := fixtureOf(t, Dirty)
	for _, l := range readList(t, "nasty.txt") {
		word, command, _ := strings.Cut(l, " ")
		want := hook.Ask
		if word == "deny" {
			want = hook.Deny
		}
		hits := everything(contextOf(f, breaks(command), ""))
		if got := strictest(hits); got < want {
			t.Errorf("%s: got %v, want %v%s", command, got, want, describe(hits))
		}
	}
}
