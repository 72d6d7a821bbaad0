package rules

import (
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// endings are the words by which the command lines of services delete.
const endings = "delete|destroy|remove|rm|purge|wipe|terminate|deactivate|revoke|*:delete|*:destroy|*:remove|*-delete|*-remove|delete-*|permanent-delete|drop|expire|prune"

// destroysElsewhere finds the command line of a service that no table knows, by
// its verb. A program of the project, one that is called by its path, is not meant.
func destroysElsewhere(s *scan, i int) verdict {
	c := &s.cmds[i]
	if c.Carrier || !slices.ContainsFunc(c.Args, saysDestroy) || strings.Contains(c.Program.Text, "/") || localTool(c.Name) || interpreterName(c.Name) || runner(c.Name) {
		return verdict{}
	}
	ops := s.operands(i)
	const destroys = "destroy|purge|nuke|wipe|terminate|delete-all|destroy-all|drop-all|*:destroy"
	hard := ops.match(destroys) || ops.match("* "+destroys) || ops.match("* * "+destroys)
	if !hard {
		const deletes = "delete|*:delete"
		hard = (ops.match(deletes) || ops.match("* "+deletes) || ops.match("* * "+deletes)) &&
			optsHave(ops.opts, "-y --yes --force --confirm --no-confirm --no-prompt --no-prompts --auto-approve --non-interactive --skip-confirmation --assume-yes")
	}
	if !hard || ops.harmless() || ops.matchAny("… cache;show|get|list|describe|help|explain|docs|man|search *") || s.inTables(c.Name) {
		return verdict{}
	}
	return ask("destroys something that " + clip(c.Name, 40) + " keeps, and the guard cannot tell what.")
}

// saysDestroy tells words worth a closer look; most commands have none.
func saysDestroy(w shell.Word) bool {
	return containsAny(w.Text, "destroy", "purge", "nuke", "wipe", "terminate", "delete", "drop-all")
}

// inTables tells a program that a table of verbs knows.
func (s *scan) inTables(name string) bool {
	for _, fam := range s.sets {
		for i := range fam {
			for j := range fam[i].verbs {
				if inBars(name, fam[i].verbs[j].prog) || inBars(sameAs(name), fam[i].verbs[j].prog) {
					return true
				}
			}
		}
	}
	return false
}

// localTool tells programs whose verbs concern files and packages of this
// machine, or text.
func localTool(name string) bool {
	return notFramework(name) || oneOf(
		name,
		"", ":", "rails", "ember", "ng", "nest", "hygen", "nx", "npm", "pnpm", "yarn", "bun", "npx", "bunx", "pip", "pip3", "pipx", "uv", "poetry", "pdm", "conda", "mamba", "brew", "cargo", "rustup", "go", "gem", "bundle", "composer", "mix", "dotnet",
		"task", "just", "make", "mise", "asdf", "nvm", "nix", "nix-env", "snap", "flatpak", "code", "cursor", "tmux", "screen", "jj", "hg", "svn", "tar", "zip", "sqlite3", "psql", "mysql", "redis-cli", "claude", "codex", "gemini", "agentguard",
	)
}
