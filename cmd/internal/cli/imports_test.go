package cli_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of our packages each package may import; what is not
// listed is forbidden, and a package that is not listed fails. The lists in
// CONTRIBUTING.md's linter configuration say the same with a reason each.
var mayImport = map[string][]string{
	"hook":                 {},
	"hook/regular":         {},
	"hook/throwaway":       {},
	"hook/transcript":      {"hook/regular"},
	"hook/claude":          {"hook", "hook/transcript", "settings"},
	"hook/clients":         {"hook", "hook/transcript", "hook/claude"},
	"hook/hooktest":        {"hook"},
	"settings":             {"hook/regular"},
	"settings/policy":      {"hook", "hook/regular", "settings"},
	"settings/frontmatter": {"hook/regular", "settings"},
	"templates":            {},
	"judge/redact":         {},
	"judge/prose":          {},
	"judge/signals":        {"judge/prose"},
	// judge reads its guides from the templates, so that prompts are edited in one place.
	"judge":                     {"judge/redact", "templates"},
	"judge/backend":             {"hook/regular", "hook/throwaway", "judge", "judge/prose", "judge/redact"},
	"judge/backend/http":        {"judge", "judge/backend", "judge/redact"},
	"judge/backend/backendtest": {"judge", "judge/backend", "judge/redact"},
	"checks/shell":              {},
	"checks/shell/outline":      {},
	// an outline reads scripts for what they could answer; only the doctor needs it.
	"checks/mcp":              {},
	"checks/rules":            {"hook", "checks/shell", "checks/mcp"},
	"checks/evidence":         {"checks/shell", "hook/regular", "hook/throwaway", "hook/transcript"},
	"checks/evidence/history": {},
	// the kinds that redaction knows are the built-in kinds of the scan.
	"checks/secrets": {"judge/redact"},
	// checks read the policy's own types: a second set of them and a conversion
	// would say the same twice.
	"checks":        {"hook", "hook/regular", "hook/transcript", "judge", "judge/backend", "judge/prose", "judge/redact", "judge/signals", "checks/shell", "checks/mcp", "checks/rules", "checks/secrets", "checks/evidence", "settings", "settings/policy"},
	"checks/audit":  {"hook", "hook/regular", "judge", "judge/redact"},
	"checks/engine": {"checks", "checks/audit", "hook", "settings/policy"},
	"installer":     {"settings", "settings/frontmatter", "templates"},
	// the doctor reports secrets in settings files with the words of the redaction.
	"installer/doctor":        {"installer", "settings", "settings/frontmatter", "checks/shell", "checks/shell/outline", "checks/evidence", "judge/redact"},
	"e2e/model":               {},
	"e2e/client":              {},
	"cmd/agentguard":          {"*"},
	"cmd/internal/cli":        {"*"},
	"cmd/internal/door":       {"*"},
	"cmd/internal/replay":     {"*"},
	"cmd/internal/secretscan": {"checks/secrets"},
	"cmd/agentguard-hook":     {"cmd/internal/door"},
}

// behindOneDoor says which of our packages may import a third party's module.
var behindOneDoor = map[string][]string{
	"github.com/tailscale/hujson": {"settings"},
	"github.com/go-git/":          {"checks/evidence/history"},
	"mvdan.cc/sh/":                {"checks/shell", "checks/shell/outline"},
	"github.com/urfave/cli/":      {"cmd/internal/cli"},
	"github.com/fatih/color":      {"cmd/internal/cli"},
	"github.com/goccy/go-yaml":    {"settings/frontmatter"},
	"github.com/zricethezav/":     {"cmd/internal/secretscan"},
	"github.com/rs/zerolog":       {"cmd/internal/secretscan"},
}

// TestImportDirection reads the source files themselves: a test that asked the
// go command would be answered from the test cache.
func TestImportDirection(t *testing.T) {
	root := os.DirFS("../../..")
	seen := map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (name == ".git" || d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(name, ".ci")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "deps.go" {
			return nil
		}
		pkg := path.Dir(name)
		allowed, listed := mayImport[pkg]
		if !listed && !seen[pkg] {
			t.Errorf("package %s is not in the table of import directions: add a line that says what it may import", pkg)
		}
		seen[pkg] = true
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			ours, isOurs := strings.CutPrefix(imp, "agentguard/")
			if isOurs && !slices.Contains(allowed, ours) && !slices.Contains(allowed, "*") {
				t.Errorf("%s imports %s; %s may import %v", name, ours, pkg, allowed)
			}
			if isOurs && (strings.HasSuffix(ours, "test") && ours != "hook/hooktest" || ours == "hook/hooktest") {
				t.Errorf("%s imports the test suite %s", name, ours)
			}
			for module, doors := range behindOneDoor {
				if strings.HasPrefix(imp, module) && !slices.Contains(doors, pkg) {
					t.Errorf("%s imports %s, which belongs behind %v", name, imp, doors)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range mayImport {
		if !seen[pkg] {
			t.Errorf("the table lists %s, which does not exist", pkg)
		}
	}
}

// TestHookProgramStaysLean lists what the hook program links. It runs on every
// tool call, and each of these costs it start-up time.
func TestHookProgramStaysLean(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "agentguard/cmd/agentguard-hook").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "agentguard/checks/engine") {
		t.Fatal("the list is not that of the hook program")
	}
	for _, dep := range deps {
		for _, heavy := range []string{
			"net/http", "crypto/tls", "github.com/go-git/go-git/v5", "text/template", "html/template",
		} {
			if dep == heavy {
				t.Errorf("the hook program links %s", dep)
			}
		}
		for _, heavy := range []string{
			"github.com/urfave/cli", "github.com/fatih/color", "gitleaks", "jsonschema", "opentelemetry", "openai-go", "anthropic-sdk",
			"goccy/go-yaml", "agentguard/installer", "agentguard/cmd/internal/cli", "github.com/rogpeppe",
		} {
			if strings.Contains(dep, heavy) {
				t.Errorf("the hook program links %s", dep)
			}
		}
	}
}
