//go:build !unix

package throwaway

// alive is not asked here: what is left goes when it is old.
func alive(int) bool { return true }
