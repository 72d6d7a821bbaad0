//go:build unix

package door

import "syscall"

// NoCoreFile keeps a crash from leaving a core file in the user's folder.
func NoCoreFile() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) //nolint:errcheck // the worst is a file
}
