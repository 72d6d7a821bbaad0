package rules

import (
	"path"
	"strings"

	"agentguard/checks/shell"
)

var interpreterRules = []Rule{
	{
		ID: "program-deletes", Family: "interpreters",
		Title: "a one-line program that deletes what it computes",
		Safe:  "Print the paths first, or use rm with the path written out.",
		Hits: []Case{
			{Run: `node -e 'for (const f of files) fs.unlinkSync(f)'`},
			{Run: `python3 -c 'import os,sys; os.remove(sys.argv[1])' "$FILE"`},
			{Run: `ruby -e 'File.delete(ARGV[0])' "$FILE"`},
			{Run: `node -e 'require("fs").unlinkSync(process.argv[1])' "$FILE"`},
		},
		Misses: []Case{
			{Run: `python3 -c "import shutil; shutil.rmtree('build', ignore_errors=True)"`},
			{Run: `python3 -c 'print("rm -rf / is dangerous")'`},
			{Run: `node -e 'console.log(1)'`},
			{Run: `ruby -e 'puts 1 + 1'`},
			{Run: `node -p 'process.env.NODE_ENV || "dev"'`},
			{Run: `python3 -c "import os; os.remove('/tmp/x')"`},
			{Run: `python3 -c "help='git reset --hard'; print(help)"`},
			{Run: `python3 -c "import os,tempfile; t=tempfile.mkstemp()[1]; os.remove(t)"`},
			{Run: "python3 - <<'E'\nd = {'a': 1}\ndel d['a']\nx = [1]; x.remove(1)\nE"},
			{Run: "node -e 'new Map().delete(1)'"},
		},
		effect: func(s *scan, e shell.Effect) verdict {
			if e.Op != shell.Delete || known(e.Path) || e.Recursive || e.Command < 0 || e.Command >= len(s.cmds) {
				return verdict{}
			}
			program, ok := inlineProgram(&s.cmds[e.Command])
			if !ok || containsAny(program, "tempfile", "mkstemp", "mkdtemp", "tmpdir", "Tempfile", "tmpnam", "gettempdir") {
				return verdict{}
			}
			for _, p := range e.Path.Parts {
				if name := strings.ToLower(p.Name); containsAny(name, "tmp", "temp", "cache") || oneOf(name, "t", "tf") {
					return verdict{}
				}
			}
			return ask("deletes files, and which ones only the running program knows.")
		},
	},
}

const (
	published  = "publishes to everybody; a version cannot be taken back."
	dryPublish = "Run it with --dry-run, and let the person publish."
)

var publishRules = []Rule{
	{
		ID: "publish", Family: "publish",
		Title: "publishing a package or image",
		Safe:  "Build and check it, and let the person publish.",
		Hits: []Case{
			{Run: "npm publish"},
			{Run: "pnpm publish --access public"},
			{Run: "yarn npm publish"},
			{Run: "cargo publish"},
			{Run: "twine upload dist/*"},
			{Run: "python -m twine upload dist/*"},
			{Run: "gem push x.gem"},
			{Run: "docker push org/app:latest"},
			{Run: "poetry publish --build"},
			{Run: "uv publish"},
			{Run: "npm unpublish x --force"},
			{Run: "npm deprecate x 'gone'"},
			{Run: "mvn deploy"},
			{Run: "dotnet nuget push x.nupkg"},
			{Run: "cargo yank --vers 1.0.0"},
			{Run: "gh release create v1.2.0"},
			{Run: "npx semantic-release"},
			{Run: "goreleaser release"},
			{Run: "vsce publish"},
			{Run: "lerna publish"},
			{Run: "gh repo create x --public --source ."},
			{Run: "npm owner add mallory @acme/app"},
			{Run: "cargo owner --add mallory acme"},
			{Run: "gem owner acme -a mallory@example.com"},
			{Run: "cargo yank --version 1.0.0 acme"},
		},
		Misses: []Case{
			{Run: "npm publish --dry-run"},
			{Run: "npm pack"},
			{Run: "cargo publish --dry-run"},
			{Run: "cargo package"},
			{Run: "twine check dist/*"},
			{Run: "docker build -t app ."},
			{Run: "npm run publish-docs"},
			{Run: "goreleaser release --snapshot --clean"},
			{Run: "poetry build"},
			{Run: "gh release view v1"},
			{Run: "gem build x.gemspec"},
			{Run: "npm owner ls @acme/app"},
			{Run: "cargo owner --list acme"},
			{Run: "gem owner acme"},
			{Run: "npm access list packages"},
			{Run: "npm dist-tag ls @acme/app"},
			{Run: "gh release create v1.2.0 --draft"},
		},
		call: func(s *scan, i int) verdict {
			c := &s.cmds[i]
			args := texts(c.Args)
			prog := c.Name
			if oneOf(prog, "npx", "bunx") || hasAllWords(args, "-m twine") {
				for len(args) > 0 && (strings.HasPrefix(args[0], "-") || args[0] == "twine") {
					if args[0] == "twine" {
						break
					}
					args = args[1:]
				}
				if len(args) > 0 {
					prog, args = path.Base(args[0]), args[1:]
				}
				prog, _, _ = strings.Cut(prog, "@")
			}
			switch {
			case hasAllWords(args, "--dry-run") || hasAllWords(args, "--help") || hasAllWords(args, "--snapshot") || hasAllWords(args, "-n"):
			case prog == "twine" && hasAllWords(args, "upload"), prog == "semantic-release", prog == "release-it":
				v := ask(published)
				if prog != "twine" {
					v.safe = dryPublish
				}
				return v
			}
			return verdict{}
		},
		verbs: []verb{
			{prog: "npm|pnpm|bun|cargo|poetry|jsr|deno|changeset", words: "publish|unpublish", fact: published, safe: dryPublish},
			{prog: "uv|flit|hatch|pdm|vsce|ovsx|lerna|wasm-pack|clasp", words: "publish|unpublish", fact: published},
			{prog: "npm|pnpm|cargo", words: "deprecate|yank", fact: "takes a version away from everybody who uses it."},
			{prog: "npm|pnpm", words: "dist-tag|dist-tags|access|owner|author|token|team|org|hook add|rm|set|grant|revoke|create|destroy|delete|remove|public|restricted", fact: "changes who may publish or what people install."},
			{prog: "cargo|gem", words: "owner", with: "-a --add -r --remove", fact: "changes who may publish."},
			{prog: "yarn", words: "publish", fact: published},
			{prog: "yarn", words: "npm publish", fact: published, safe: dryPublish},
			{prog: "yarn", words: "npm tag add|remove", fact: "changes what people install."},
			{prog: "yarn", words: "owner|tag|team add|remove", fact: "changes who may publish or what people install."},
			{prog: "gem", words: "push|yank", fact: published},
			{prog: "docker", words: "push", fact: "publishes an image for everybody who uses that tag."},
			{prog: "docker", words: "image push", fact: "publishes an image for everybody who uses that tag."},
			{prog: "mvn|mvnw|gradle|gradlew|sbt", words: "deploy|publish|release:perform|publishSigned", fact: published},
			{prog: "dotnet", words: "nuget push|delete", fact: published},
			{prog: "gh", words: "release create|edit", not: "-d --draft", fact: "publishes a release.", safe: "Make it a draft (--draft), and let the person publish it."},
			{prog: "gh", words: "release upload", fact: "changes the files of a release.", safe: "Let the person upload them."},
			{prog: "gh", words: "repo create", with: "--public", fact: "makes a repository that everybody can read.", safe: "Make it --private, or ask the person."},
			{prog: "gh", words: "gist create", with: "-p --public", fact: "publishes a text for everybody.", safe: "Leave --public out, or ask the person."},
			{prog: "goreleaser", words: "release|publish", not: "--snapshot --skip=publish", fact: "publishes a release.", safe: "Run it with --snapshot, and let the person publish."},
			{prog: "helm", words: "push", fact: "publishes a chart."},
			{prog: "pod", words: "trunk push", fact: published},
			{prog: "mix", words: "hex.publish|hex.retire", fact: published, safe: dryPublish},
			{prog: "dart|flutter", words: "pub publish", fact: published, safe: dryPublish},
			{prog: "publish-module|publish-script|publish-psresource", fact: published},
			{prog: "nx", words: "release", fact: published, safe: dryPublish},
		},
	},
}

// quotedWords lists the string literals of a program, roughly; a literal in the
// other kind of quotes inside one is listed too.
func quotedWords(program string) []string {
	var out []string
	for i := 0; i < len(program) && len(out) < 200; i++ {
		q := program[i]
		if q != '\'' && q != '"' && q != '`' {
			continue
		}
		j := strings.IndexByte(program[i+1:], q)
		if j < 0 {
			break
		}
		out = append(out, program[i+1:i+1+j])
		i += j + 1
	}
	return out
}
