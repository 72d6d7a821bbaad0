//go:build !unix

package door

// userHome is not known here: the environment always names it.
func userHome() string { return "" }
