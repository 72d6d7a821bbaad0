// Package clients is the table of the coding agents whose hooks we speak.
package clients

import (
	"agentguard/hook"
	"agentguard/hook/claude"
	"agentguard/hook/transcript"
)

// Client is a hook contract together with the client's own transcript format.
type Client interface {
	hook.Client
	// History reads the end of a transcript; sidechain tells a subagent's file.
	History(path string, sidechain bool, l transcript.Limits) (transcript.History, error)
	// Subagent names the file of a subagent's conversation, by the session's file;
	// empty where there is none.
	Subagent(session, id string) string
	// Line translates one line of a transcript.
	Line(line []byte, sidechain bool) (transcript.Entry, bool)
}

// All lists the clients, the default one first.
func All() []Client { return []Client{claude.Client{}} }

// Named returns the client of that name.
func Named(name string) (Client, bool) {
	for _, c := range All() {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}
