//go:build !unix

package door

// NoCoreFile does nothing here: the system writes no core files.
func NoCoreFile() {}
