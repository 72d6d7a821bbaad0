package evidence

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
	"agentguard/hook/transcript"
)

// Edited lists the paths that calls changed, as far as they show it. What lies
// outside the tree and documentation are set apart.
func (rd Reader) Edited(calls []transcript.Call) []string {
	var paths []string
	for _, m := range rd.moments([]transcript.Turn{{Calls: calls}}) {
		paths = append(paths, m.edit...)
	}
	return paths
}

// shellEdits tells which paths of the tree a shell text changed, as far as its
// words show it, and whether it changed the tree in a way they do not show.
// Output of a run into a log is no change.
func (rd Reader) shellEdits(src string, steps []step, verifies bool) (paths []string, all bool) {
	for _, st := range steps {
		if movesTree(st.words) {
			all = true
		}
	}
	if rd.Parse == nil || src == "" {
		return nil, all
	}
	dir := rd.Dir
	if dir == "" {
		dir = rd.Root
	}
	script := rd.Parse(src, dir)
	for _, e := range script.Effects {
		switch e.Op {
		case shell.Write, shell.Append, shell.Modify, shell.Truncate, shell.Delete, shell.Move, shell.Link:
		default:
			continue
		}
		p := e.Path.Text
		if strings.ContainsRune(p, shell.Unknown) || p == "" {
			continue
		}
		rel, inside := rd.relative(p)
		if !inside || rd.Docs.Match(rel) || scratch(rel) {
			continue
		}
		if verifies && (e.Op == shell.Write || e.Op == shell.Append) && !sourceLike(rel) {
			continue
		}
		if !slices.Contains(paths, rel) && len(paths) < 200 {
			paths = append(paths, rel)
		}
	}
	return paths, all
}

// scratch tells names that hold what a run left behind.
func scratch(rel string) bool {
	switch path.Ext(rel) {
	case ".log", ".tmp", ".out", ".pid", ".bak", ".orig", ".pyc", ".o", ".lock":
		return path.Ext(rel) != ".lock" || !strings.Contains(rel, "/") && strings.HasPrefix(rel, ".")
	}
	for dir := range strings.SplitSeq(path.Dir(rel), "/") {
		switch dir {
		case "node_modules", "target", "dist", "build", "coverage", ".next", "__pycache__", ".venv", "venv", ".cache", "tmp", "logs", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".gradle", ".tox", "htmlcov", ".build", ".swiftpm", "DerivedData", ".dart_tool", ".terraform", "zig-cache", ".zig-cache", "zig-out", "_build", ".turbo", ".nuxt", ".svelte-kit", ".parcel-cache", "Pods":
			return true
		}
	}
	switch path.Base(rel) {
	case "node_modules", "target", "dist", "build", "coverage", "htmlcov", ".pytest_cache", "__pycache__", ".coverage", ".next", ".build", ".swiftpm", "DerivedData", ".dart_tool", "_build":
		return true
	}
	return false
}

func sourceLike(rel string) bool {
	switch path.Ext(rel) {
	case "", ".txt", ".json", ".xml", ".html", ".csv", ".prof", ".lcov", ".info":
		return false
	}
	return true
}

// movesTree tells the git commands that change files of the working tree.
func movesTree(words []string) bool {
	if len(words) < 2 || baseName(words[0]) != "git" {
		return false
	}
	args := words[1:]
	for len(args) > 1 && (args[0] == "-C" || args[0] == "-c") {
		args = args[2:]
	}
	sub, rest := subcommand(args)
	has := func(list string) bool { return hasAny(rest, list) }
	switch sub {
	case "checkout":
		return !has("-b -B --orphan") || has("--")
	case "switch":
		return !has("-c -C --create --orphan")
	case "restore":
		return !has("--staged -S") || has("--worktree -W")
	case "reset":
		return has("--hard --merge --keep")
	case "stash":
		verb, _ := subcommand(rest)
		return verb != "list" && verb != "show" && verb != "drop" && verb != "create" && verb != "clear"
	case "merge", "pull", "rebase", "cherry-pick", "revert", "am":
		return !has("--abort --quit --show-current-patch")
	case "apply":
		return !has("--check --stat --numstat --summary --cached")
	}
	return false
}
