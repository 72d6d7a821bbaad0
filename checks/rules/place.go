package rules

import (
	"path"
	"slices"
	"strings"

	"agentguard/checks/shell"
)

// place says whose a path is.
type place int

// The places, from what nobody misses to what nobody can lose.
const (
	elsewherePlace place = iota // outside the project, of no special kind
	tempPlace                   // below a temp folder
	tempTop                     // a temp folder itself
	cachePlace                  // a cache in the home folder
	projectPlace                // inside the project
	homeDeep                    // inside the home folder, some levels down
	homeEntry                   // a folder or file that people know by name in their home
	keyPlace                    // keys and logins in the home folder
	otherProject                // a neighbour of the project or another repository
	gitInner                    // inside a repository's .git
	gitPlace                    // a whole .git
	projectTop                  // the project itself or a folder above it
	homeTop                     // the home folder or above it
	systemSoft                  // a system's data: /var, /opt, /srv
	systemPlace                 // what the system needs
	rootPlace
)

var systemFolders = []string{
	"/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot", "/dev", "/proc", "/sys", "/root", "/run",
	"/System", "/Library", "/Applications", "/private/etc", "/cores", "/var/lib", "/var/db", "/var/run", "/var/spool", "/snap",
	"/nix", "/gnu", "/Users", "/home", "/Volumes", "/efi", "/initrd",
}

var softFolders = []string{"/var", "/opt", "/srv", "/mnt", "/media", "/usr/local", "/data", "/private"}

var keyFolders = []string{".ssh", ".gnupg", ".aws", ".kube", ".azure", ".config/gcloud", ".docker", ".password-store", ".local/share/keyrings", "Library/Keychains", ".claude", ".codex", ".config/gh"}

var homeCaches = []string{
	".cache", ".npm", ".pnpm-store", ".yarn/cache", ".bun/install/cache", ".gradle/caches", ".gradle/daemon", ".m2/repository", ".ivy2/cache",
	".cargo/registry", ".cargo/git", "go/pkg", ".nuget/packages", ".local/share/Trash", ".local/share/pnpm/store", "Library/Caches",
	"Library/Developer/Xcode/DerivedData", ".electron-gyp", ".node-gyp", ".expo/cache", ".composer/cache", ".pub-cache", ".hex/cache",
	".terraform.d/plugin-cache", ".conda/pkgs", ".local/share/virtualenvs",
}

// within tells that p is dir or below it.
func within(p, dir string) bool {
	if dir == "" {
		return false
	}
	return p == dir || dir == "/" || strings.HasPrefix(p, dir+"/")
}

func withinAny(p string, dirs []string) bool {
	for _, d := range dirs {
		if within(p, d) {
			return true
		}
	}
	return false
}

func (s *scan) isTemp(p string) bool { return s.tempOf(p) != "" }

// tempOf is the temp folder that p lies below, or "".
func (s *scan) tempOf(p string) string {
	for _, t := range s.temp {
		if within(p, t) && p != t {
			return t
		}
	}
	return ""
}

// placeOf tells the place of an absolute clean path, by its name and, where it
// leads through symbolic links, by what it really is.
func (s *scan) placeOf(p string) place {
	at := s.placeByName(p)
	if to := s.resolve(p, false); to != p {
		at = max(at, s.placeByName(to))
	}
	return at
}

func (s *scan) placeByName(p string) place {
	project, home := s.ctx.ProjectDir, s.ctx.Home
	if s.isTemp(p) && !s.isTemp(project) && !s.isTemp(home) {
		return tempPlace // the common case, answered without opening a repository
	}
	if at, ok := windowsPlace(p, home); ok {
		return at
	}
	top := project
	if r, ok := s.repo(project); ok && within(project, r.Root()) {
		top = r.Root()
	}
	switch {
	case p == "/":
		return rootPlace
	case home != "" && within(home, p):
		return homeTop
	case project != "" && (within(project, p) || p == top):
		return projectTop
	}
	if t := s.tempOf(p); t != "" && !within(p, top) && (within(t, home) || !within(p, home)) {
		return tempPlace
	}
	switch rest, inside := s.insideGit(p); {
	case inside && rest == "":
		return gitPlace
	case inside:
		return gitInner
	case within(p, top) && !s.homeIs(top):
		return projectPlace
	}
	if contains(s.temp, p) {
		return tempTop
	}
	if within(p, home) {
		return s.placeInHome(p)
	}
	if r, ok := s.repo(path.Dir(p)); ok && within(p, r.Root()) && p != r.Root() && path.Dir(r.Root()) != "/" {
		return projectPlace
	}
	if withinAny(p, []string{"/var/lib/apt/lists", "/var/cache"}) {
		return cachePlace
	}
	if withinAny(p, systemFolders) && !strings.HasPrefix(p, "/usr/local/") && !withinAny(p, []string{"/home", "/Users"}) {
		return systemPlace
	}
	for _, d := range append(softFolders, "/home", "/Users") {
		if p == d {
			return systemPlace
		}
		if within(p, d) {
			return systemSoft
		}
	}
	if path.Dir(p) == "/" {
		return systemSoft
	}
	return s.neighbour(p, elsewherePlace)
}

// fromRoot is an absolute path as seen from the project, the repository or the
// home folder that it lies in: the names above tell nothing about it.
func (s *scan) fromRoot(p string) string {
	base := s.ctx.ProjectDir
	if !within(p, base) {
		base = s.ctx.Home
		if r, ok := s.repo(path.Dir(p)); ok && within(p, r.Root()) && within(r.Root(), base) {
			base = r.Root()
		}
	}
	if within(p, base) && base != "/" {
		p = p[len(base):]
	}
	return strings.Trim(p, "/")
}

// insideGit tells a path that is or lies in a .git folder, and what follows that
// folder's name. Some tools keep worktrees below .git: those are working trees.
func (s *scan) insideGit(p string) (rest string, inside bool) {
	if !strings.Contains(p+"/", "/.git/") {
		return "", false
	}
	p = p[len(s.treeInGit(p)):]
	_, rest, inside = strings.Cut(p+"/", "/.git/")
	return strings.TrimSuffix(rest, "/"), inside
}

// treeInGit is the root of the working tree below a .git folder that p lies in,
// or "": one that is there, or one that the same script makes.
func (s *scan) treeInGit(p string) string {
	if r, ok := s.repo(path.Dir(p)); ok && within(p, r.Root()) && strings.Contains(r.Root(), "/.git/") {
		return r.Root()
	}
	for i := range s.cmds {
		g := s.git(i)
		if g == nil || g.sub != "worktree" || len(g.args) < 2 || g.args[0].Text != "add" {
			continue
		}
		o := shell.Options(g.args[1:], worktreeSpec)
		if len(o.Rest) == 0 {
			continue
		}
		if root := s.abs(i, o.Rest[0].Text); strings.Contains(root, "/.git/") && within(p, root) {
			return root
		}
	}
	return ""
}

var worktreeSpec = shell.OptSpec{Short: "fb:B:dq", Long: "force detach checkout no-checkout lock reason= orphan quiet track guess-remote"}

// gitOwn tells a path below .git, without that name, that git itself keeps.
// Other tools put folders of their own beside it.
func gitOwn(rest string) bool {
	first, below, deep := strings.Cut(rest, "/")
	if !deep || below == "" {
		return true
	}
	return oneOf(first, "objects", "refs", "logs", "hooks", "info", "worktrees", "modules", "branches", "lfs", "rebase-merge", "rebase-apply", "sequencer", "svn", "annex", "rr-cache", "remotes", "reftable", "NOTES_MERGE_WORKTREE", "fsmonitor--daemon")
}

func (s *scan) homeIs(dir string) bool { return s.ctx.Home != "" && dir == s.ctx.Home }

func (s *scan) placeInHome(p string) place {
	rel := strings.TrimPrefix(p, s.ctx.Home+"/")
	for _, c := range homeCaches {
		if strings.HasPrefix(rel, c+"/") || rel == c && c != ".cache" {
			return cachePlace
		}
	}
	if inMemory(rel) {
		return cachePlace
	}
	for _, k := range keyFolders {
		if rel == k || strings.HasPrefix(rel, k+"/") {
			return keyPlace
		}
	}
	if r, ok := s.repo(path.Dir(p)); ok && within(p, r.Root()) && p != r.Root() && !s.homeIs(r.Root()) {
		if regenerable(s.fromRoot(p)) {
			return cachePlace
		}
		return projectPlace // of another project: its own repository says what is lost
	}
	if regenerable(rel) {
		return cachePlace
	}
	if depth := strings.Count(rel, "/"); depth == 0 || depth == 1 && rel[0] != '.' {
		return s.neighbour(p, homeEntry)
	}
	return s.neighbour(p, homeDeep)
}

// inMemory tells a file of the notes that the client has its agent keep between
// sessions; rel is below the home folder.
func inMemory(rel string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(rel), ".claude/projects/")
	if !ok {
		return false
	}
	_, file, ok := strings.Cut(rest, "/memory/")
	return ok && file != "" && strings.Count(rest, "/") >= 2 && !strings.Contains(strings.TrimSuffix(rest, "/memory/"+file), "/")
}

// neighbour makes otherwise of a path that is not another project.
func (s *scan) neighbour(p string, otherwise place) place {
	if path.Dir(p) == path.Dir(s.ctx.ProjectDir) && s.kind(p) != File {
		return otherProject
	}
	if r, ok := s.repo(p); ok && r.Root() == p {
		return otherProject
	}
	return otherwise
}

// builtNames are folders and files that a tool makes again.
var builtNames = []string{
	"node_modules", "bower_components", "dist", "build", "out", "target", ".next", ".nuxt", ".output", ".svelte-kit", ".astro", ".angular", ".vite", ".parcel-cache",
	".turbo", ".cache", ".eslintcache", ".stylelintcache", ".rollup.cache", ".webpack", "coverage", ".coverage", ".nyc_output", "htmlcov", "__pycache__", ".pytest_cache", ".mypy_cache",
	".ruff_cache", ".tox", ".nox", ".hypothesis", ".venv", "venv", ".eggs", "site-packages", ".ipynb_checkpoints", ".gradle", "obj", "bin", ".vs", "TestResults",
	"DerivedData", "Pods", ".dart_tool", ".expo", "storybook-static", "_build", ".elixir_ls", "elm-stuff", "zig-cache", ".zig-cache", "zig-out", ".stack-work",
	"dist-newstyle", ".bundle", ".sass-cache", ".jekyll-cache", "_site", ".docusaurus", "public/build", ".terraform", ".serverless", ".aws-sam", "cdk.out",
	".DS_Store", "Thumbs.db", "tmp", "temp", ".tmp", "test-results", "playwright-report", ".scannerwork", ".metals", ".bloop", "cmake-build-debug",
	"cmake-build-release", "CMakeFiles", "CMakeCache.txt", "bazel-bin", "bazel-out", "bazel-testlogs", "release", "debug", "wheels", "artifacts", ".wrangler", ".vercel", ".netlify",
	"lib-cov", ".phpunit.cache", ".phpunit.result.cache", ".rspec_status", "generated", ".generated", "logs", "log", ".pnpm-store", ".yarn", "vendor", "deps", ".build", ".swiftpm",
}

// builtSuffixes are endings of files that a tool makes again.
var builtSuffixes = []string{
	".pyc", ".pyo", ".o", ".obj", ".class", ".log", ".tmp", ".temp", ".bak", ".orig", ".rej", ".swp", ".swo", ".egg-info", ".tsbuildinfo", ".pid", ".cover", ".coverprofile",
	".gcda", ".gcno", ".profraw", ".prof", ".map", ".whl", "~", ".snap.new", ".d",
}

// builtOnlyIgnored are names that some projects keep sources under: they count
// as made by a tool only where the repository ignores them.
var builtOnlyIgnored = []string{"bin", "out", "release", "debug", "artifacts", "generated", ".generated", "logs", "log", "vendor", "deps", "tmp", "temp", ".yarn", ".d", ".map", "wheels"}

// regenerable tells that a path lies in, or is, something that a tool makes
// again. Only the names count here; the repository has the last word.
func regenerable(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if isBuilt(name) && !contains(builtOnlyIgnored, name) {
			return true
		}
	}
	return false
}

func isBuilt(name string) bool {
	return contains(builtNames, name) || hasSuffixAny(name, builtSuffixes...) || strings.HasPrefix(name, "bazel-") || strings.HasPrefix(name, "cmake-build-")
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// dataSuffixes are endings of local databases and dumps: one file, no second
// copy.
var dataSuffixes = []string{".sqlite", ".sqlite3", ".db", ".db3", ".mdb", ".accdb", ".rdb", ".aof", ".dump", ".sql.gz", ".sqlitedb", ".duckdb", ".ldb", ".realm", ".parquet", ".h5", ".ckpt", ".safetensors", ".tfstate"}

var dataNames = []string{"data", "database", "databases", "db", "db-data", "pgdata", "postgres-data", "mysql-data", "mongo-data", "redis-data", "uploads", "backups", "backup", "storage", "volumes", "media"}
