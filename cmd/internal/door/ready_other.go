//go:build !unix

package door

import "io"

// ready is not known here, so that every read is waited for.
func ready(io.Reader) bool { return false }
