package outline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPythonWays(t *testing.T) {
	tests := []struct {
		name, src string
		vars      map[string]string
		want      []string
	}{
		{name: "prints and ends", src: "import sys\nprint('a')\nprint('b', file=sys.stderr)\nsys.exit(2)\n", want: []string{"out:a ; err:b ; =2"}},
		{name: "a text as the status", src: "import sys\nsys.exit('no')\n", want: []string{"err:no ; =1"}},
		{name: "branches by indentation", src: "if a():\n    print('x')\n    exit(3)\nelif b():\n\tprint('y')\nelse:\n    pass\nprint('z')\n", want: []string{"out:x ; =3", "out:y ; out:z ; =0", "out:z ; =0"}},
		{name: "main returns the status", src: "def main():\n    if bad():\n        return 2\n    return 0\n\nif __name__ == '__main__':\n    sys.exit(main())\n", want: []string{"=0", "=2"}},
		{name: "a variable of the environment", src: "import os\nif os.environ.get('MINE') == '1':\n    exit(0)\nprint('x')\n", vars: map[string]string{"MINE": "1"}, want: []string{"=0"}},
		{name: "in the environment", src: "if 'MINE' in os.environ: exit(0)\nprint('x')\n", vars: map[string]string{"MINE": ""}, want: []string{"out:x ; =0"}},
		{name: "a child with arguments", src: "subprocess.run(['claude', '-p', q], capture_output=True)\n", want: []string{"-!claude -p ? ; =of 0"}},
		{name: "a child by a shell", src: "os.system('claude -p hi')\n", want: []string{"out!claude -p hi ; =of 0"}},
		{name: "a comment and a string", src: "# print('x')\ns = \"\"\"\nprint('y')\n\"\"\"\nprint('z')\n", want: []string{"out:z ; =0"}},
		{name: "a dict over lines", src: "print(json.dumps({\n  'a': 1,\n}))\n", want: []string{"out:{\n  'a': 1,\n} ; =0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ways(Python(tt.src), tt.vars)); diff != "" {
				t.Errorf("ways (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJavaScriptWays(t *testing.T) {
	tests := []struct {
		name, src string
		vars      map[string]string
		want      []string
	}{
		{name: "prints and ends", src: "console.log('a');\nconsole.error('b')\nprocess.exit(2);\n", want: []string{"out:a ; err:b ; =2"}},
		{name: "branches", src: "if (a()) { console.log('x'); process.exit(3); } else if (b()) console.log('y')\nconsole.log('z')\n", want: []string{"out:x ; =3", "out:y ; out:z ; =0", "out:z ; =0"}},
		{name: "a callback", src: "process.stdin.on('end', () => {\n  if (bad()) {\n    return;\n  }\n  console.log('x');\n});\n", want: []string{"=0", "out:x ; =0"}},
		{name: "functions", src: "const no = (m) => {\n  console.error('no');\n  process.exit(2);\n};\nfunction main() { no('x'); }\nmain();\n", want: []string{"err:no ; =2"}},
		{name: "a variable of the environment", src: "if (process.env.MINE) process.exit(0);\nconsole.log('x');\n", vars: map[string]string{"MINE": "1"}, want: []string{"=0"}},
		{name: "a child", src: "spawnSync('claude', ['-p', q]);\n", want: []string{"-!claude -p ? ; =of 0"}},
		{name: "comments, strings, expressions", src: "// console.log('a')\n/* console.log('b') */\nconst s = 'console.log(1)';\nconst r = /console.log\\('c'\\)/;\nconsole.log(`d`);\n", want: []string{"out:d ; =0"}},
		{name: "try", src: "try {\n  console.log('a');\n} catch (e) {\n  console.log('b');\n}\n", want: []string{"out:a ; =0", "out:b ; =0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ways(JavaScript(tt.src), tt.vars)); diff != "" {
				t.Errorf("ways (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCodeKeepsLines(t *testing.T) {
	for lang, src := range map[string]string{
		"sh":     "# a\necho '# b' # c\n",
		"python": "# a\ns = '# b' # c\n",
		"node":   "#!/usr/bin/env node\n// a\nconst s = '// b'; /* c\n */ f();\n",
	} {
		got := Code(lang, src)
		if len(got) != len(src) {
			t.Errorf("%s: %d bytes became %d", lang, len(src), len(got))
		}
		if lang != "node" && !cmp.Equal(got[len(got)-1], byte('\n')) {
			t.Errorf("%s: the last line is gone", lang)
		}
	}
}
