package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"agentguard/hook/regular"
)

// Paths says where the layers of one repository lie. An empty path is a layer
// that does not exist.
type Paths struct {
	Managed string
	Team    string
	User    string
	Local   string
	// Trust is the folder of the trust records, LastGood that of the copies used
	// in place of a layer that broke.
	Trust    string
	LastGood string
}

// PathsFor returns the layers' places for a project folder, a configuration
// folder (XDG_CONFIG_HOME or its equivalent) and a state folder. goos names the
// operating system as runtime.GOOS does.
func PathsFor(project, config, state, goos string) Paths {
	p := Paths{
		User:     filepath.Join(config, "agentguard", "policy.jsonc"),
		Trust:    filepath.Join(state, "agentguard", "trust"),
		LastGood: filepath.Join(state, "agentguard", "policy"),
	}
	switch goos {
	case "windows":
		p.Managed = `C:\ProgramData\agentguard\policy.jsonc`
	case "darwin":
		p.Managed = "/Library/Application Support/agentguard/policy.jsonc"
	default:
		p.Managed = "/etc/agentguard/policy.jsonc"
	}
	if project != "" {
		p.Team = filepath.Join(project, ".agentguard", "policy.jsonc")
		p.Local = filepath.Join(project, ".agentguard", "policy.local.jsonc")
	}
	return p
}

// Load reads and merges the layers at paths. It never fails: a layer that cannot
// be read or is wrong is replaced by its last good copy where there is one, and
// in any case named in Problems.
func Load(paths Paths, known []Check) *Effective {
	var files []File
	var problems []Problem
	var repo [][]byte
	for _, at := range []struct {
		layer Layer
		path  string
	}{{Managed, paths.Managed}, {Team, paths.Team}, {User, paths.User}, {Local, paths.Local}} {
		if at.path == "" {
			continue
		}
		src, err := read(at.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if at.layer == Team || at.layer == Local {
			repo = append(repo, src)
		}
		file := File{Layer: at.layer, Path: at.path, Source: src}
		var found []Problem
		if err != nil {
			found = []Problem{{Layer: at.layer, Path: at.path, Message: "cannot be read: " + err.Error()}}
		} else {
			file.Policy, found = Decode(src, at.layer, at.path, known)
		}
		if len(found) > 0 {
			problems = append(problems, found...)
			good, ok := lastGood(paths.LastGood, at.layer, at.path, known)
			if !ok {
				continue
			}
			file = good
		}
		files = append(files, file)
	}
	trusted := len(repo) == 0 || Trusted(paths.Trust, paths.Team, Digest(repo...))
	return Merge(files, known, trusted, problems)
}

// RepositoryDigest returns the digest that trust in a repository's policy is
// bound to: it changes with every byte of the team's and the local file.
func RepositoryDigest(paths Paths) string {
	var repo [][]byte
	for _, path := range []string{paths.Team, paths.Local} {
		src, err := read(path)
		if !errors.Is(err, fs.ErrNotExist) {
			repo = append(repo, src)
		}
	}
	return Digest(repo...)
}

// Digest returns one id for the contents of some files.
func Digest(files ...[]byte) string {
	h := sha256.New()
	for _, f := range files {
		one := sha256.Sum256(f)
		h.Write(one[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Trusted tells whether a person trusted exactly this content for the repository
// whose team policy lies at path.
func Trusted(dir, path, digest string) bool {
	b, err := regular.ReadOwn(recordPath(dir, path), 2*sha256.Size)
	return err == nil && string(b) == digest
}

// Trust records trust in a repository's policy of that digest.
func Trust(dir, path, digest string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return regular.Replace(recordPath(dir, path), []byte(digest))
}

// Distrust forgets it.
func Distrust(dir, path string) error {
	err := os.Remove(recordPath(dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// KeepGood saves a copy of each layer that counts, to stand in for it when it
// breaks. It is called once a session, not on every tool call.
func KeepGood(dir string, e *Effective) error {
	if len(e.Problems) > 0 || len(e.Files) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, f := range e.Files {
		path := recordPath(dir, f.Path)
		if old, err := regular.ReadOwn(path, MaxSize); err == nil && string(old) == string(f.Source) {
			continue
		}
		if err := regular.Replace(path, f.Source); err != nil {
			return err
		}
	}
	return nil
}

func lastGood(dir string, layer Layer, path string, known []Check) (File, bool) {
	if dir == "" {
		return File{}, false
	}
	src, err := regular.ReadOwn(recordPath(dir, path), MaxSize)
	if err != nil {
		return File{}, false
	}
	p, problems := Decode(src, layer, path, known)
	return File{Layer: layer, Path: path, Source: src, Policy: p}, len(problems) == 0
}

// recordPath names the record of one policy file in a state folder.
func recordPath(dir, path string) string {
	if runtime.GOOS == "windows" {
		path = filepath.ToSlash(path)
	}
	sum := sha256.Sum256([]byte(filepath.Clean(path)))
	return filepath.Join(dir, hex.EncodeToString(sum[:12]))
}

// read reads a policy file of at most MaxSize bytes.
func read(path string) ([]byte, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	src, err := regular.Read(path, MaxSize)
	switch {
	case errors.Is(err, syscall.ENOTDIR): // something on the way is no folder
		return nil, fs.ErrNotExist
	case errors.Is(err, regular.ErrSize):
		err = fmt.Errorf("a policy has at most %d bytes", MaxSize)
	}
	return src, err
}

// HasPolicy tells whether a folder has a team or local policy.
func HasPolicy(dir string) bool {
	p := PathsFor(dir, "", "", runtime.GOOS)
	for _, path := range []string{p.Team, p.Local} {
		if _, err := os.Lstat(path); err == nil {
			return true
		}
	}
	return false
}

// Root returns the folder whose policy holds in dir: the nearest one upwards
// that has a policy, up to the top of the repository; dir itself when none has.
func Root(dir string) string {
	if dir == "" {
		return ""
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if HasPolicy(at) {
			return at
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			return dir
		}
	}
}
