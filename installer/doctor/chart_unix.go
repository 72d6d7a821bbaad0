//go:build unix

package doctor

import "syscall"

// errNotDir is what a path below a file gives.
const errNotDir = syscall.ENOTDIR
