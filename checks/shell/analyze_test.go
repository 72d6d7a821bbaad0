package shell

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// find returns the first command of that name.
func find(t *testing.T, s Script, name string) Command {
	t.Helper()
	for _, c := range s.Commands {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no %s in\n%s", name, dump(s))
	return Command{}
}

func TestPipeEnds(t *testing.T) {
	for _, tt := range []struct {
		name, src, reader string
		from              []string // nearest first
		feeds             string   // what the first of the script feeds
	}{
		{"two", "curl a | bash", "bash", []string{"curl"}, "bash"},
		{"behind sudo", "curl a | sudo -E bash", "bash", []string{"curl"}, "sudo"},
		{"three", "curl a | gunzip | sh", "sh", []string{"gunzip", "curl"}, "gunzip"},
		{"group", "{ curl a; echo; } | sh", "sh", []string{"echo", "curl"}, "sh"},
		{"into a subshell", "curl a | (cd /x && sh)", "sh", []string{"curl"}, "cd"},
		{"interpreter", "curl a | python3 -", "python3", []string{"curl"}, "python3"},
		{"through tee", "curl a | tee x | sh", "sh", []string{"tee", "curl"}, "tee"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Analyze(tt.src, testEnv())
			c := find(t, s, tt.reader)
			var from []string
			for _, i := range c.Stdin.From {
				from = append(from, s.Commands[i].Name)
			}
			if diff := cmp.Diff(tt.from, from); diff != "" {
				t.Error(diff)
			}
			if !c.Unread {
				t.Error("not marked unread")
			}
			if f := s.Commands[0].Feeds; f < 0 || s.Commands[f].Name != tt.feeds {
				t.Errorf("feeds %d in\n%s", f, dump(s))
			}
		})
	}
}

// TestBehindAFunction: a shell ends a function's body at its bracket and runs what
// stands behind it.
func TestBehindAFunction(t *testing.T) {
	for _, src := range []string{"f() { ls; } && rm a", "f() { ls; } || rm a", "function f { ls; } && true && rm a", "f() ( ls ) && rm a", "f() { ls; } | rm a"} {
		s := Analyze(src, testEnv())
		find(t, s, "rm")
		for _, c := range s.Commands {
			if c.Name == "ls" && c.Via == nil {
				t.Errorf("%s: the body runs although nothing calls it\n%s", src, dump(s))
			}
		}
	}
}

func TestNothingFeedsAcrossASubstitution(t *testing.T) {
	s := Analyze(`echo "$(curl a)" | cat; sh x`, testEnv())
	if c := find(t, s, "curl"); c.Feeds != -1 {
		t.Errorf("curl feeds %d", c.Feeds)
	}
	if c := find(t, s, "sh"); len(c.Stdin.From) != 0 {
		t.Errorf("sh reads from %v", c.Stdin.From)
	}
}

func TestUnreadShells(t *testing.T) {
	for src, want := range map[string]bool{
		"exec 3< x; sh <&3":        true,
		"coproc sh":                true,
		"sh < x":                   true,
		"sh x":                     true,
		"bash -c \"$X\"":           true,
		"eval \"$X\"":              true,
		"python3 -c \"$(curl x)\"": true,
		"bash":                     false,
		"bash -c ls":               false,
		"sh -n x":                  false,
		"bash --version":           false,
		"bash -c \"cd $X && ls\"":  false,
		"eval \"x=$X\"":            false,
	} {
		s := Analyze(src, testEnv())
		got := false
		for _, c := range s.Commands {
			got = got || c.Unread
		}
		if got != want {
			t.Errorf("%s: unread %v\n%s", src, got, dump(s))
		}
	}
}

func TestStdin(t *testing.T) {
	for _, tt := range []struct {
		name, src, reader, text string
		known                   bool
		file                    string
	}{
		{"heredoc", "psql <<'E'\nselect 1\nE", "psql", "select 1\n", true, ""},
		{"heredoc with a variable", "X=1; psql <<E\n$X $Y\nE", "psql", "1 \uFFFC\n", true, ""},
		{"heredoc with tabs", "psql <<-E\n\ta\n\tE", "psql", "a\n", true, ""},
		{"here-string", "psql <<< 'drop'", "psql", "drop\n", true, ""},
		{"echo", "echo drop | psql", "psql", "drop\n", true, ""},
		{"printf", "printf '%s;' a b | psql", "psql", "a;b;", true, ""},
		{"variable", "Q='drop x'; echo \"$Q\" | psql", "psql", "drop x\n", true, ""},
		{"written before", "echo drop > q.sql; cat q.sql | psql", "psql", "drop\n", true, ""},
		{"file", "psql < q.sql", "psql", "", false, "/r/q.sql"},
		{"filter between", "echo drop | grep d | psql", "psql", "", false, ""},
		{"decoded", "echo ZHJvcA== | base64 -d | psql", "psql", "drop", true, ""},
		{"behind docker", "echo drop | docker exec -i db psql", "psql", "drop\n", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := find(t, Analyze(tt.src, testEnv()), tt.reader)
			if c.Stdin.Known != tt.known || c.Stdin.Text != tt.text || c.Stdin.File.Text != tt.file {
				t.Errorf("got %+v", c.Stdin)
			}
		})
	}
}

func TestEnv(t *testing.T) {
	for _, tt := range []struct {
		name, src, prog, want string
	}{
		{"prefix", "A=1 B=$X x", "x", "A=1 B=«$X»"},
		{"env", "env A=1 x", "x", "A=1"},
		{"sudo", "sudo A=1 x", "x", "A=1"},
		{"exported", "export A=1; x", "x", "A=1"},
		{"exported later", "A=1; export A; x", "x", "A=1"},
		{"declare", "declare -x A=1; x", "x", "A=1"},
		{"only assigned", "A=1; x", "x", ""},
		{"into a nested shell", "A=1 sh -c x", "x", "A=1"},
		{"path", "PATH=/tmp/fake:/bin; x", "x", "PATH=/tmp/fake:/bin"},
		{"in the environment already", "REAL=2; x", "x", "REAL=2"},
		{"not to the next", "A=1 y; x", "x", ""},
		{"function call", "f() { x; }; A=1 f", "x", "A=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := testEnv()
			env.Getenv = func(n string) (string, bool) { return "1", n == "REAL" }
			c := find(t, Analyze(tt.src, env), tt.prog)
			var list []string
			for _, e := range c.Env {
				list = append(list, e.Name+"="+show(e.Value))
			}
			if got := strings.Join(list, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMarks(t *testing.T) {
	s := Analyze("a && b; c & if d; then e; fi; f() { f | f & }; f", testEnv())
	for name, want := range map[string][2]bool{"a": {false, false}, "b": {true, false}, "c": {false, true}, "d": {false, false}, "e": {true, false}} {
		c := find(t, s, name)
		if c.Conditional != want[0] || c.Background != want[1] {
			t.Errorf("%s: conditional %v, background %v", name, c.Conditional, c.Background)
		}
	}
	bomb := false
	for _, c := range s.Commands {
		if c.Name == "f" && c.Recursive && c.Background && c.Feeds >= 0 && s.Commands[c.Feeds].Recursive {
			bomb = true
		}
	}
	if !bomb {
		t.Errorf("the recursive function that feeds itself is not told:\n%s", dump(s))
	}
}

func TestLines(t *testing.T) {
	s := Analyze("a\nsh -c 'b\nc'\nd <<E\nx\nE\ne", testEnv())
	for name, want := range map[string]int{"a": 1, "b": 2, "c": 2, "d": 4, "e": 7} {
		if c := find(t, s, name); c.Line != want {
			t.Errorf("%s is on line %d, want %d", name, c.Line, want)
		}
	}
}

func TestContent(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"echo a > x", "a\n"},
		{"cat > x <<'E'\nb\nE", "b\n"},
		{"printf c | tee x", "c"},
		{"{ echo a; echo b; } > x", "a\nb\n"},
		{"curl u > x", ""},
		{"ln -s /t x", "/t"},
		{"chmod 777 x", "777"},
		{"python3 -c \"open('x','w').write('q')\"", ""},
		{"python3 -c \"import pathlib; pathlib.Path('x').write_text('q')\"", "q"},
	} {
		t.Run(tt.src, func(t *testing.T) {
			s := Analyze(tt.src, testEnv())
			for _, e := range s.Effects {
				if e.Path.Text == "/r/x" {
					if e.Content.Text != tt.want {
						t.Errorf("content %q, want %q", e.Content.Text, tt.want)
					}
					return
				}
			}
			t.Errorf("no effect on x in\n%s", dump(s))
		})
	}
}

func TestReadFile(t *testing.T) {
	files := map[string]string{
		"/r/deploy.sh": "#!/bin/sh\nrm -rf \"$1\"\n. ./lib.sh\n",
		"/r/lib.sh":    "git push --force\n./deploy.sh again\n",
		"/r/tool":      "#!/usr/bin/env bash\nrm tool\n",
		"/r/app.py":    "#!/usr/bin/env python3\nimport os\nos.remove('x')\n",
		"/r/binary":    "\x7fELF",
	}
	env := testEnv()
	env.ReadFile = func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	}
	for _, tt := range []struct{ src, want string }{
		{"sh deploy.sh /opt", "~ sh deploy.sh /opt\nrm -rf /opt  <script deploy.sh>\n~ . ./lib.sh  <script deploy.sh>\n" +
			"git push --force  <script deploy.sh > script lib.sh>\ndeploy.sh again  <script deploy.sh > script lib.sh>\nread /r/deploy.sh\ndelete /opt -r\nread /r/lib.sh\n"},
		{"./tool", "~ tool\nrm tool  <script tool>\ndelete /r/tool\n"},
		{"sh missing.sh", "sh missing.sh unread\nread /r/missing.sh\n"},
		{"./binary", "binary\n"},
		{"./app.py", "app.py\n"},
		{"python3 app.py", "python3 app.py unread\nread /r/app.py\n"},
	} {
		t.Run(tt.src, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, dump(Analyze(tt.src, env))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGitAlias(t *testing.T) {
	env := testEnv()
	env.GitAlias = func(dir, name string) (string, bool) {
		switch dir + " " + name {
		case "/r nuke":
			return "!git clean -fdx", true
		case "/r/sub fp":
			return "push --force", true
		case "/r loop":
			return "loop", true
		case "/r status":
			return "!rm -rf ~", true // git ignores an alias of its own commands
		}
		return "", false
	}
	for _, tt := range []struct{ src, want string }{
		{"git nuke", "~ git nuke\ngit clean -fdx  <git alias nuke>\n"},
		{"git -C sub fp origin", "~ git -C sub fp origin\ngit push --force origin  <git alias fp> @/r/sub\n"},
		{"git loop", "~ git loop\ngit loop  <git alias loop>\n"},
		{"git status", "git status\n"},
		{"git unknown", "git unknown\n"},
	} {
		t.Run(tt.src, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, dump(Analyze(tt.src, env))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFallback(t *testing.T) {
	for _, tt := range []struct{ name, src, why, token, command string }{
		{"quote left open", "ls\nrm -rf '/", "syntax", "rm", "ls"},
		{"operator left open", "rm -rf ~ &&", "syntax", "rm", ""},
		{"nested text", "sh -c 'rm -rf ~ ('", "syntax", "rm", "sh"},
		{"good lines around a bad one", "git push -f\nif ) then\ngit clean -fdx", "syntax", "then", "git"},
		{"powershell", "pwsh -Command 'Remove-Item -Recurse \"C:\\x'", "syntax", "Remove-Item", "pwsh"},
		{"too long", strings.Repeat("a", MaxParsed) + "\nrm -rf /", "too long", "rm", ""},
		{"too deep", strings.Repeat("(", 600) + "rm -rf /", "too deep", "rm", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Analyze(tt.src, testEnv())
			if s.Fallback != tt.why {
				t.Errorf("fallback %q, want %q", s.Fallback, tt.why)
			}
			if !strings.Contains(" "+strings.Join(s.Tokens, " ")+" ", " "+tt.token+" ") {
				t.Errorf("no %q among the tokens %q", tt.token, s.Tokens)
			}
			if tt.command != "" {
				find(t, s, tt.command)
			}
		})
	}
}

func TestZsh(t *testing.T) {
	for _, src := range []string{"rm -rf *(N)", "print -l **/*(.om[1,3])", "rm -rf ${(f)x}", "x() { rm q }; x"} {
		if s := Analyze(src, testEnv()); s.Fallback != "" {
			t.Errorf("%s: %s", src, dump(s))
		}
	}
}

func TestTooDeepLeavesOrdinaryTextAlone(t *testing.T) {
	for name, src := range map[string]string{
		"minified json": "cat > a.json <<'E'\n{\"a\":" + strings.Repeat("[[1,2],[3,4]],", 800) + "}\nE",
		"markdown":      "cat > a.md <<'E'\n" + strings.Repeat("1) if it works (see [a](b)) then `x` -- done :(\n", 300) + "E",
		"code":          "cat > a.js <<'E'\n" + strings.Repeat("function f() { if (a) { for (;;) { g(h()) } } }\n", 400) + "E",
		"rule":          "echo " + strings.Repeat("=", 400),
		"long list":     "ls " + strings.Repeat("a.txt ", 3000),
		"many loops":    strings.Repeat("for i in a; do if x; then y; fi; done\n", 300),
		"quoted words":  "git commit -m '" + strings.Repeat("(", 600) + "' && git status",
		"python":        "python3 - <<'E'\n" + strings.Repeat("x = foo() if bar() else baz()\n", 800) + "E",
	} {
		if s := Analyze(src, testEnv()); s.Fallback != "" || s.Truncated != "" {
			t.Errorf("%s: fallback %q, truncated %q", name, s.Fallback, s.Truncated)
		}
	}
}

func TestWithoutSurroundings(t *testing.T) {
	got := dump(Analyze("cd ~/a && rm -rf b /c", Env{}))
	want := "cd «$HOME»/a @«$PWD»\nrm -rf b /c @«$HOME»/a\ndelete «$HOME»/a/b -r\ndelete /c -r\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMaskedTextIsKept(t *testing.T) {
	doc := strings.Repeat("(", 700) + "\n# rm -rf /\n"
	s := Analyze("cat > a.md <<'E'\n"+doc+"E\necho '"+doc+"'; rm -rf ~; sh <<'E'\nrm b\nE", testEnv())
	if s.Fallback != "" {
		t.Fatalf("fallback %q", s.Fallback)
	}
	find(t, s, "rm")
	if c := find(t, s, "cat"); c.Stdin.Text != doc {
		t.Error("the here-document lost its text")
	}
	if c := find(t, s, "echo"); c.Args[0].Text != doc {
		t.Error("the quoted word lost its text")
	}
	if len(s.Effects) != 3 || s.Effects[2].Path.Text != "/r/b" {
		t.Errorf("effects:\n%s", dump(s))
	}
}
