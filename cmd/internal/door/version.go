package door

import (
	"runtime"
	"runtime/debug"
)

// version is stamped by install.sh: -ldflags "-X agentguard/cmd/internal/door.version=…".
var version string

// Build tells which build this is.
type Build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Version returns this program's build: the stamp, else the module's version or
// the commit that Go recorded, else "devel".
func Version() Build {
	b := Build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if b.Version != "" {
		return b
	}
	b.Version = "devel"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	return b
}
