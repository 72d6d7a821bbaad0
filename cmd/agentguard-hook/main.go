// Command agentguard-hook is what a coding agent's settings run at each hook
// event: it reads the event from standard input, prints exactly one JSON object
// or nothing, and exits with status 0.
//
// Usage: agentguard-hook [--client NAME]
package main

import (
	"context"
	"os"
	"runtime/debug"

	"agentguard/cmd/internal/door"
)

// maxStack lowers Go's limit of 1 GB, so that runaway recursion ends soon. What
// parses hostile input has limits of its own.
const maxStack = 128 << 20

// softLimit is the memory up to which little is collected, in bytes.
const softLimit = 64 << 20

func main() {
	// A Go program that dies exits with status 2, which clients take for a block
	// on purpose. This makes it die by SIGABRT instead, an ordinary hook failure.
	debug.SetTraceback("crash")
	debug.SetMaxStack(maxStack)
	// The program lives for milliseconds: a garbage collection at the usual 4 MB took
	// a sixth of a Stop. Above the limit it collects as ever.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(softLimit)
	door.NoCoreFile()
	call := door.Call{
		Env: door.OSEnv(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Client: door.ClientFlag(os.Args[1:]), Checks: door.Checks(),
	}
	call.Run(context.Background())
}
