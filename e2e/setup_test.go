// Package e2e runs agentguard's programs under the real client, with a scripted model behind it. What the client does
// with a hook's answer is decided by the client alone, so only such a run proves that a refusal refuses.
package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"agentguard/e2e/client"
)

// mustRun names the variable that CI sets: with it a missing client fails instead of skipping.
const mustRun = "AGENTGUARD_E2E"

var buildDir string // holds the programs; made by TestMain

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agentguard-e2e-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	buildDir = dir
	return m.Run()
}

// realClient returns the client, or skips: a person who runs all tests need not have it.
func realClient(t *testing.T) client.Client {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stories need a POSIX shell")
	}
	if testing.Short() {
		t.Skip("sessions of the real client are left out under -short")
	}
	cache, err := os.UserCacheDir()
	if err != nil && os.Getenv(client.PathVariable) == "" {
		t.Skip("no cache folder to look for the client in")
	}
	c, err := client.Find(os.Getenv, cache)
	switch {
	case err == nil:
		return c
	case errors.Is(err, client.ErrNotFound) && os.Getenv(mustRun) == "":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
	return c
}

var build = sync.OnceValues(func() ([]string, error) {
	var out []string
	for _, name := range []string{"agentguard", "agentguard-hook"} {
		path := filepath.Join(buildDir, name)
		cmd := exec.Command("go", "build", "-o", path, "../cmd/"+name)
		if raw, err := cmd.CombinedOutput(); err != nil {
			return nil, errors.New("building " + name + ": " + string(raw))
		}
		out = append(out, path)
	}
	return out, nil
})

// programs builds agentguard and agentguard-hook, once for all tests, and returns their paths.
func programs(t *testing.T) []string {
	t.Helper()
	paths, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// link makes a file appear at another place, by a hard link where the file system allows it.
func link(tb testing.TB, from, to string) {
	tb.Helper()
	if os.Link(from, to) == nil {
		return
	}
	in, err := os.Open(from)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		tb.Fatal(err)
	}
	if err := out.Close(); err != nil {
		tb.Fatal(err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// toolPath is the PATH of a session: the system's folders and the one that holds go, but not the whole PATH of the
// person who runs the tests, who may have agentguard or a client on it.
func toolPath(t *testing.T) string {
	t.Helper()
	return strings.Join([]string{filepath.Join(goEnv(t, "GOROOT"), "bin"), "/usr/local/bin", "/usr/bin", "/bin"}, string(os.PathListSeparator))
}

// oneObject reports whether text is exactly one JSON object.
func oneObject(text string) bool {
	var v map[string]any
	return json.Unmarshal([]byte(text), &v) == nil
}
