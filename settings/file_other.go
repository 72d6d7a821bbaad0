//go:build !unix

package settings

import "os"

func keepOwner(*os.File, string) error { return nil }

func syncDir(string) {}

// openReplaced does nothing: an open file cannot be replaced here, and for the
// same reason no other program can write into a replaced one.
func openReplaced(Snapshot) *os.File { return nil }
