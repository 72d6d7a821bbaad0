//go:build !unix

package client

import "os/exec"

// ownGroup has no counterpart here: a timeout ends the client only.
func ownGroup(*exec.Cmd) {}
