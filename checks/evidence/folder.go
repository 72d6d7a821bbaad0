package evidence

import (
	"path"
	"path/filepath"
	"strings"
)

// A folder of a shell text is a clean path: relative to where the text starts,
// absolute, or one of these.
const (
	here       = "."
	homeDir    = "~"
	topDir     = ":" // of the repository
	unknownDir = "?"
)

// chdir follows cd and pushd.
func (p *flowParser) chdir(args []string) {
	target := homeDir
	for _, a := range args {
		if a == "-" || !strings.HasPrefix(a, "-") {
			target = a
			break
		}
	}
	to := joinFolder(p.shell.dir, target)
	if target == "-" {
		to = first(p.shell.previous, unknownDir)
	}
	if p.shell.world && isAbsolute(to) {
		to = p.shell.home // where the project is in there, nobody knows
	}
	p.shell.previous, p.shell.dir = p.shell.dir, to
}

// joinFolder is the folder that to names in dir.
func joinFolder(dir, to string) string {
	to = strings.ReplaceAll(to, `\`, "/")
	for _, v := range [...]struct{ text, means string }{
		{"$PWD", here},
		{"${PWD}", here},
		{"$(pwd)", here},
		{"$HOME", homeDir},
		{"${HOME}", homeDir},
		{"$(git rev-parse --show-toplevel)", topDir},
		{"$CLAUDE_PROJECT_DIR", topDir},
		{"${CLAUDE_PROJECT_DIR}", topDir},
	} {
		if rest, ok := strings.CutPrefix(to, v.text); ok && (rest == "" || rest[0] == '/') {
			to = v.means + rest
		}
	}
	switch {
	case to == "" || to == here:
		return dir
	case strings.ContainsAny(to, "$`*?"):
		return unknownDir
	case isAbsolute(to):
		return path.Clean(to)
	case dir == unknownDir:
		return dir
	}
	return path.Join(dir, to)
}

// isAbsolute tells a folder that does not depend on where one is.
func isAbsolute(dir string) bool {
	return strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, homeDir) || strings.HasPrefix(dir, topDir) || len(dir) > 1 && dir[1] == ':'
}

// spot is where a folder lies, seen from the project.
type spot struct {
	start          bool   // where the text starts
	rel            string // relative to the top; unknownDir where that cannot be told
	below, outside bool
}

// place tells where a folder of a text lies. Without Root a text is taken to start
// at the top.
func (v Verify) place(dir string) spot {
	switch dir {
	case here:
		return spot{start: true, rel: here}
	case unknownDir:
		return spot{rel: unknownDir}
	}
	at := here
	switch {
	case strings.HasPrefix(dir, topDir):
		at = path.Clean("./" + strings.TrimPrefix(strings.TrimPrefix(dir, topDir), "/"))
	case strings.HasPrefix(dir, homeDir):
		if at = v.belowHome(dir); at == unknownDir {
			return spot{rel: at}
		}
	case isAbsolute(dir):
		if v.Root == "" {
			return spot{rel: unknownDir}
		}
		if v.Dir != "" && unified(dir) == unified(v.Dir) {
			return spot{start: true, rel: here}
		}
		at = v.relative(dir)
	case v.Root != "" && v.Dir != "":
		at = v.relative(path.Join(unified(v.Dir), dir))
	default:
		at = path.Join(at, dir)
	}
	if at == ".." || strings.HasPrefix(at, "../") {
		// Where the start is not known, the way up may lead to the top.
		if v.Dir == "" && !isAbsolute(dir) {
			return spot{rel: unknownDir}
		}
		return spot{rel: at, outside: true}
	}
	return spot{rel: at, below: at != here && !isBuildFolder(at)}
}

// belowHome is a folder written with ~ as seen from the top, where the top's own
// path ends like it: whose home that is, is not known here.
func (v Verify) belowHome(dir string) string {
	root := unified(v.Root)
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, homeDir), "/")
	for head := rest; head != "." && head != ""; head = path.Dir(head) {
		if v.Root != "" && strings.HasSuffix(root, "/"+head) {
			return path.Join(here, strings.TrimPrefix(rest, head))
		}
	}
	return unknownDir
}

// isBuildFolder tells a folder in which a whole project is built and tested.
func isBuildFolder(dir string) bool {
	name, _, _ := strings.Cut(dir, "/")
	return hasWord("build builddir _build out bin target", name) || strings.HasPrefix(name, "build-") || strings.HasPrefix(name, "cmake-build")
}

// relative is a folder as seen from the top, links resolved only where it seems to
// lie outside.
func (v Verify) relative(dir string) string {
	at := relative(v.Root, dir)
	if !strings.HasPrefix(at, "..") {
		return at
	}
	root, err := filepath.EvalSymlinks(v.Root)
	real, rerr := filepath.EvalSymlinks(dir)
	if err != nil || rerr != nil {
		return at
	}
	return relative(root, real)
}

// relative is dir as seen from root; both are absolute. Something outside begins
// with "..".
func relative(root, dir string) string {
	root, dir = unified(root), unified(dir)
	if dir == root {
		return here
	}
	if rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(root, "/")+"/"); ok {
		return rest
	}
	return "../" + path.Base(dir)
}

// unified spells a folder in one way: macOS has /tmp below /private, Git's shell on
// Windows writes C:\ as /c/.
func unified(dir string) string {
	dir = path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	dir = strings.TrimPrefix(dir, "/private")
	if len(dir) > 2 && dir[1] == ':' {
		dir = "/" + strings.ToLower(dir[:1]) + dir[2:]
	}
	return dir
}

// owns tells whether a file that a text names belongs to the project.
func (v Verify) owns(file string) bool {
	if v.Root == "" || !isAbsolute(file) || strings.HasPrefix(file, homeDir) {
		return false
	}
	return !strings.HasPrefix(v.relative(file), "..")
}

// isTemporary tells a file in a folder for what is soon thrown away.
func isTemporary(file string) bool {
	file = unified(file)
	for _, p := range [...]string{"/tmp/", "/var/tmp/", "/var/folders/", "/dev/shm/", "$TMPDIR/", "${TMPDIR}/", "$TMP/", "${TMP}/", "$TEMP/", "$(mktemp"} {
		if strings.HasPrefix(file, p) {
			return true
		}
	}
	return false
}

// parentName is the name of the folder that holds a file.
func parentName(file string) string { return path.Base(path.Dir(strings.ReplaceAll(file, `\`, "/"))) }

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
