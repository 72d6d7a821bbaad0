package e2e

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

// projectFiles lists the files of the project below its root: those that git knows, or all where there is no git.
func projectFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-z")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil && len(out) > 0 {
		names := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
		return slices.DeleteFunc(names, func(n string) bool { // deleted, but not yet committed
			info, err := os.Lstat(filepath.Join(root, n))
			return err != nil || !info.Mode().IsRegular()
		})
	}
	return filesBelow(t, root)
}

// Nothing in the project may depend on, or tell of, the machine that it was written on.
func TestNoTraceOfOneMachine(t *testing.T) {
	// Put together here, or this file would find itself.
	traces := regexp.MustCompile(strings.Join([]string{
		`\.\./` + `shared/(cases|hooks|reference|tools|design|style|README)`, `(^|[^\w.])/work/` + `(main|shared|\.)`, `/tmp/` + `(briefs|bash_jobs)`,
		`proxy\.golang` + `\.org`, `sum\.golang` + `\.org`, `registry\.npmjs` + `\.org`, `deb\.debian` + `\.org`, `pypi` + `\.org`,
	}, "|"))
	for _, name := range projectFiles(t) {
		raw := readFile(t, name)
		if bytes.IndexByte(raw, 0) >= 0 || strings.HasSuffix(name, "go.sum") {
			continue
		}
		for i, line := range strings.Split(string(raw), "\n") {
			if found := traces.FindString(line); found != "" {
				t.Errorf("%s:%d: %q", name, i+1, found)
			}
		}
	}
}

// What is left to do stands in an issue, not in a comment that nobody reads.
func TestNoLeftOvers(t *testing.T) {
	marks := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)
	eachGoFile(t, func(name string, files *token.FileSet, f *ast.File) {
		for _, group := range f.Comments {
			for _, c := range group.List {
				// A quoted word is one that the code looks for in other people's texts.
				if found := marks.FindString(quoted.ReplaceAllString(c.Text, "")); found != "" {
					t.Errorf("%s: comment says %s", files.Position(c.Pos()), found)
				}
			}
		}
	})
	for _, name := range projectFiles(t) {
		if !strings.HasSuffix(name, ".sh") && !strings.HasPrefix(name, ".ci/") || strings.Contains(name, "testdata/") {
			continue
		}
		for i, line := range strings.Split(string(readFile(t, name)), "\n") {
			if _, comment, ok := strings.Cut(line, "#"); ok && marks.MatchString(comment) {
				t.Errorf("%s:%d: comment says %s", name, i+1, marks.FindString(comment))
			}
		}
	}
}

var quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")

// The hook program runs before every tool call: a table of expressions compiled at its start would be paid each time.
func TestNothingCompiledAtStart(t *testing.T) {
	eachGoFile(t, func(name string, files *token.FileSet, f *ast.File) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "e2e/") {
			return
		}
		for _, d := range f.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				if call, ok := n.(*ast.CallExpr); ok {
					if sel, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "MustCompile") {
						t.Errorf("%s: compiled when the program starts; use sync.OnceValue", files.Position(call.Pos()))
					}
				}
				return true
			})
		}
	})
}

// A page that points nowhere sends its reader away with nothing.
func TestLinksInPagesLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range projectFiles(t) {
		if !strings.HasSuffix(name, ".md") || strings.Contains(name, "testdata/") || strings.HasPrefix(name, "templates/") {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(readFile(t, name)), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, target)
			}
		}
	}
}

// Text files end with a line break and keep Unix line ends; what must differ lies in a testdata folder.
func TestTextFilesAreTidy(t *testing.T) {
	for _, name := range projectFiles(t) {
		raw := readFile(t, name)
		if strings.Contains(name, "testdata/") || bytes.IndexByte(raw, 0) >= 0 || len(raw) == 0 {
			continue
		}
		if raw[len(raw)-1] != '\n' {
			t.Errorf("%s does not end with a line break", name)
		}
		if bytes.Contains(raw, []byte("\r\n")) {
			t.Errorf("%s has Windows line ends", name)
		}
	}
}

func TestScriptsCanBeRun(t *testing.T) {
	for _, name := range []string{"install.sh", ".ci/run", ".ci/client"} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm()&fs.FileMode(0o111) == 0 && os.PathSeparator == '/' {
			t.Errorf("%s is not executable", name)
		}
	}
}

func eachGoFile(t *testing.T, visit func(name string, files *token.FileSet, f *ast.File)) {
	t.Helper()
	seen := 0
	for _, name := range projectFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, readFile(t, name), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		visit(name, files, f)
		seen++
	}
	if seen == 0 {
		t.Fatal("no Go file was looked at")
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
