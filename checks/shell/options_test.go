package shell

import (
	"fmt"
	"strings"
	"testing"
)

func words(s string) []Word {
	var out []Word
	for f := range strings.FieldsSeq(s) {
		out = append(out, Lit(f))
	}
	return out
}

func TestOptions(t *testing.T) {
	spec := OptSpec{Short: "ab:c::fr", Long: "force force-with-lease=? recursive user= color=?"}
	stop := spec
	stop.Stop = true
	for _, tt := range []struct {
		name, args string
		spec       OptSpec
		want       string
	}{
		{"apart", "-a -b x y", spec, "a b=x | y"},
		{"combined", "-afb x", spec, "a f b=x |"},
		{"attached", "-bx -cy -c z", spec, "b=x c=y c | z"},
		{"long", "--user=x --user y --force", spec, "user=x user=y force |"},
		{"optional long", "--color z --color=always", spec, "color color=always | z"},
		{"abbreviated", "--rec --us x", spec, "recursive user=x |"},
		{"exact beats prefix", "--force", spec, "force |"},
		{"ambiguous", "--forc", spec, "forc? |"},
		{"after operands", "x -a y --force", spec, "a force | x y"},
		{"stop", "-a x -f", stop, "a | x -f"},
		{"dashes", "-a -- -f x", spec, "a | -f x"},
		{"lone dash", "- -a", spec, "a | -"},
		{"unknown", "-az --zzz", spec, "a z? zzz? |"},
		{"value missing", "-b", spec, "b |"},
		{"single dash", "-recursive x", OptSpec{Single: true, Long: "recursive"}, "recursive | x"},
		{"plus", "+f x", OptSpec{Plus: true, Short: "f"}, "f | x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options(words(tt.args), tt.spec)
			var out []string
			for _, opt := range o.List {
				s := opt.Name
				if !opt.Known {
					s += "?"
				}
				if !opt.Value.Zero() {
					s += "=" + opt.Value.Text
				}
				out = append(out, s)
			}
			out = append(out, "|")
			for i, w := range o.Rest {
				out = append(out, w.Text)
				if strings.Fields(tt.args)[o.At[i]] != w.Text {
					t.Errorf("operand %q is said to stand at %d", w.Text, o.At[i])
				}
			}
			if got := strings.Join(out, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOptionsWithUnknownParts(t *testing.T) {
	s := Analyze(`rm "$X" -rf --user="$Y/z" -b"$Z"`, testEnv())
	o := Options(s.Commands[0].Args, OptSpec{Short: "rfb:", Long: "user="})
	if len(o.Rest) != 1 || !o.Rest[0].HasUnknown() {
		t.Errorf("operands %v", o.Rest)
	}
	if w, _ := o.Value("user"); show(w) != "«$Y»/z" {
		t.Errorf("user %s", show(w))
	}
	if w, _ := o.Value("b"); show(w) != "«$Z»" {
		t.Errorf("b %s", show(w))
	}
}

func TestParseGit(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"git status", "status [] /r"},
		{"git -C sub -C ../x reset --hard", "reset [--hard] /r/x"},
		{"git -C /a -c Core.HooksPath=/x -c alias.Foo=b commit", "commit [] /a core.hookspath=/x alias.foo=b"},
		{"git -ccore.pager=cat log", "log [] /r core.pager=cat"},
		{"git -c url.Foo/Bar.InsteadOf=x fetch", "fetch [] /r url.Foo/Bar.insteadof=x"},
		{"git -c core.bare x", "x [] /r core.bare=true"},
		{"git --git-dir=a --work-tree b --no-pager -p show", "show [] /r git-dir=a work-tree=b no-pager p"},
		{"git --config-env=a.b=C x", "x [] /r a.b=«$C»"},
		{"GIT_DIR=a GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=A.B GIT_CONFIG_VALUE_0=c git x", "x [] /r a.b=c git-dir=a"},
		{"git-reset --hard", "reset [--hard] /r"},
		{"git stage .", "add [.] /r"},
		{"git $X --hard", " [--hard] /r"},
		{"git", " [] /r"},
		{"cd a && git -C \"$X\" push", "push [] «$X»"},
		{"cd a && git -C \"b/$X\" push", "push [] /r/a/b/«$X»"},
		{"git --exec-path=/x push", "push [] /r exec-path"},
	} {
		t.Run(tt.src, func(t *testing.T) {
			s := Analyze(tt.src, testEnv())
			var g Git
			for _, c := range s.Commands {
				if one, ok := ParseGit(c); ok {
					g = one
				}
			}
			got := fmt.Sprintf("%s %v %s", g.Sub, texts(g.Args), show(g.Dir))
			for _, c := range g.Configs {
				got += " " + c.Name + "=" + show(c.Value)
			}
			if !g.GitDir.Zero() {
				got += " git-dir=" + show(g.GitDir)
			}
			if !g.WorkTree.Zero() {
				got += " work-tree=" + show(g.WorkTree)
			}
			for _, f := range g.Flags {
				name, _, _ := strings.Cut(f, "=")
				got += " " + name
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	for _, src := range []string{"gitk", "git-foo x", "echo git", "github"} {
		if _, ok := ParseGit(Analyze(src, testEnv()).Commands[0]); ok {
			t.Errorf("%s is no git", src)
		}
	}
}
