package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ownProgram looks at the programs that our entries start.
func ownProgram() Probe {
	return Probe{
		ID: "own-program", Title: "our entries start the program that belongs to this one",
		Kinds: []string{"program-foreign", "program-stale"},
		Run: func(_ context.Context, p *Patient) []Finding {
			var out []Finding
			seen := map[string]bool{}
			for _, e := range p.read().ours() {
				path := p.ourProgram(e)
				if path == "" || seen[path] {
					continue // a missing program is found with the other targets
				}
				seen[path] = true
				if f, bad := p.compare(e, path); bad {
					out = append(out, f)
				}
			}
			return append(out, p.otherTool()...)
		},
	}
}

// otherTool tells that a person's shell would start another agentguard than this
// one, whose answers may differ.
func (p *Patient) otherTool() []Finding {
	path := lookPath("agentguard", p.Environ, p.ProjectDir)
	if path == "" || p.ToolPath == "" || !exists(p.ToolPath) || sameFile(path, p.ToolPath) || sameBytes(path, p.ToolPath) {
		return nil
	}
	return []Finding{{
		Kind: "program-stale", Severity: Info, File: path,
		Message: fmt.Sprintf("The agentguard first on PATH is %s, another build than this doctor (%s).", p.show(path), p.show(p.ToolPath)),
		Fix:     "Run the installer again if that is not meant.",
	}}
}

// ourProgram finds the file that an entry of ours would start, or "".
func (p *Patient) ourProgram(e *entry) string {
	if e.target != nil && e.target.path != "" && isOurName(e.target.path) {
		return e.target.path
	}
	if path := lookPath("agentguard-hook", p.Environ, p.ProjectDir); path != "" {
		return path
	}
	for _, dir := range usualFolders(p.Home) {
		if path := filepath.Join(dir, "agentguard-hook"); executable(path) {
			return path
		}
	}
	return ""
}

func isOurName(path string) bool {
	base := filepath.Base(path)
	return base == "agentguard-hook" || base == "agentguard-hook.exe"
}

// usualFolders are where programs of a person lie although PATH may not say so.
func usualFolders(home string) []string {
	return []string{
		filepath.Join(home, ".local", "bin"), filepath.Join(home, "bin"), filepath.Join(home, "go", "bin"),
		"/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin",
	}
}

// compare tells a program that is not ours, or not of this build.
func (p *Patient) compare(e *entry, path string) (Finding, bool) {
	f := Finding{File: e.file, Line: e.line}
	info, err := buildinfo.ReadFile(path)
	switch {
	case err != nil && !e.marked:
		f.Kind, f.Severity = "program-foreign", Info
		f.Message = fmt.Sprintf("This entry starts %s, which is not our program; what it does was not proven.", p.show(path))
		f.Fix = "If it is a wrapper of yours, nothing has to be done."
		return f, true
	case err != nil || info.Path != "agentguard/cmd/agentguard-hook" && info.Main.Path != "agentguard":
		f.Kind, f.Severity = "program-foreign", Error
		f.Message = fmt.Sprintf("This entry is ours, but %s is another program: nothing is checked, or not what you think.", p.show(path))
		f.Fix = "Run the installer again (install.sh), or remove that file."
		return f, true
	}
	if p.HookPath == "" || !exists(p.HookPath) || sameFile(path, p.HookPath) || sameBytes(path, p.HookPath) {
		return Finding{}, false
	}
	f.Kind, f.Severity = "program-stale", Warning
	f.Message = fmt.Sprintf("This entry starts %s, which is another build than %s beside this doctor: one of the two is stale.",
		p.show(path), p.show(p.HookPath))
	f.Fix = "Run the installer again, so that both programs are of one build."
	return f, true
}

func sameBytes(a, b string) bool {
	x, okX := sum(a)
	y, okY := sum(b)
	return okX && okY && bytes.Equal(x, y)
}

func sum(path string) ([]byte, bool) {
	file, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(file, 256<<20)); err != nil {
		return nil, false
	}
	return h.Sum(nil), true
}
