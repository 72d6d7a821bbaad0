// Command agentguard sets guards up for coding agents, tells what they would
// decide and why, and proves that they work.
//
// It prints data on standard output and everything else on standard error. Exit
// statuses: 0 done, 1 failed, 2 findings, 4 refused, 5 cancelled, 64 usage.
package main

import (
	"os"

	"agentguard/cmd/internal/cli"
	"agentguard/cmd/internal/door"
)

func main() {
	os.Exit(cli.Main(os.Args, cli.OSStreams(), door.OSEnv()))
}
