//go:build !unix

package doctor

import "io/fs"

// errNotDir is what a path below a file gives.
var errNotDir = fs.ErrNotExist
