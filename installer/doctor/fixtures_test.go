package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestFixtures reads testdata/fixtures/*.txtar. The lines above the first file
// say what is expected and how the world is made:
//
//	want KIND FILE[:LINE] error|warn [fixable]
//	info KIND                     (must be told as information)
//	os NAME, cwd FOLDER, env K=V, tools NAME…, mode FILE OCTAL, link FILE TARGET
//	git init, git add FILE…, git commit, git ignore LINE, git worktree FOLDER
//
// A fixture without a "want" is a healthy look-alike. Files that begin with #!
// are executable.
func TestFixtures(t *testing.T) {
	names, err := filepath.Glob("testdata/fixtures/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no fixtures")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			head, files := sections(string(data))
			w := newWorld(t)
			w.tools = strings.Fields("sh bash git jq python3 node make tee claude codex")
			w.links, w.modes = map[string]string{}, map[string]string{}
			var want []caseFinding
			var infos []string
			for line := range strings.Lines(head) {
				want, infos = w.directive(strings.TrimSpace(line), want, infos)
			}
			first, _, _ := strings.Cut(w.cwd, "/")
			if first != "home" && w.git.Worktree == nil {
				w.project = w.path(first)
			}
			for _, f := range files {
				mode := fs.FileMode(0o644)
				if strings.HasPrefix(f[1], "#!") {
					mode = 0o755
				}
				text := f[1]
				switch w.modes[f[0]] {
				case "crlf":
					text = strings.ReplaceAll(text, "\n", "\r\n")
					delete(w.modes, f[0])
				case "bom":
					text = "\ufeff" + text
					delete(w.modes, f[0])
				case "utf16":
					text = utf16Text(text)
					delete(w.modes, f[0])
				case "cut":
					text = strings.TrimSuffix(text, "\n")
					delete(w.modes, f[0])
				}
				w.put(f[0], []byte(text), mode)
			}
			w.finish()
			p := w.patient()
			report := Run(t.Context(), p, Options{})
			check(t, w, report, want)
			for _, kind := range infos {
				found := false
				for _, f := range report.Findings() {
					found = found || f.Kind == kind && f.Severity == Info
				}
				if !found {
					t.Errorf("%s is not told as information", kind)
				}
			}
			if t.Failed() {
				for _, f := range report.Findings() {
					t.Logf("%s %s %s:%d %s", f.Severity, f.Kind, w.rel(f.File), f.Line, f.Message)
				}
			}
			mended(t, p, report)
		})
	}
}

// sections cuts a fixture into what stands above the first file, and the files.
func sections(text string) (head string, files [][2]string) {
	for line := range strings.Lines(text) {
		name := strings.TrimPrefix(strings.TrimRight(line, "\n"), "-- ")
		if name, isFile := strings.CutSuffix(name, " --"); isFile && strings.HasPrefix(line, "-- ") {
			files = append(files, [2]string{name, ""})
			continue
		}
		if len(files) == 0 {
			head += line
			continue
		}
		files[len(files)-1][1] += line
	}
	return head, files
}

func utf16Text(s string) string {
	out := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func (w *world) directive(line string, want []caseFinding, infos []string) ([]caseFinding, []string) {
	word, rest, _ := strings.Cut(line, " ")
	fields := strings.Fields(rest)
	switch word {
	case "", "#":
	case "want":
		// A file name may hold blanks: the severity ends it.
		f := caseFinding{Kind: fields[0]}
		rest = strings.TrimSpace(strings.TrimPrefix(rest, fields[0]))
		rest, f.Fixable = strings.CutSuffix(rest, " fixable")
		i := strings.LastIndexByte(rest, ' ')
		f.Severity = rest[i+1:]
		f.File = strings.TrimSpace(rest[:max(i, 0)])
		if name, number, ok := strings.Cut(f.File, ":"); ok {
			f.File = name
			f.Line, _ = strconv.Atoi(number)
		}
		want = append(want, f)
	case "info":
		infos = append(infos, rest)
	case "os":
		w.os = rest
	case "cwd":
		w.cwd = rest
	case "env":
		w.env = append(w.env, rest)
	case "tools":
		w.tools = fields
	case "mode":
		w.modes[fields[0]] = fields[1]
	case "link":
		w.links[fields[0]] = fields[1]
	case "git":
		w.git.Init = true
		switch fields[0] {
		case "add":
			w.git.Add = fields[1:]
		case "commit":
			w.git.Commit = true
		case "ignore":
			w.git.Ignore = append(w.git.Ignore, strings.Join(fields[1:], " "))
		case "worktree":
			w.git.Worktree = fields[1]
		}
	default:
		w.t.Fatalf("fixture: %q is no directive", line)
	}
	return want, infos
}
