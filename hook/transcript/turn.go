// Package transcript reads a huge JSONL conversation backwards, in bounded
// memory; it knows lines, turns and calls, and no client's line format.
package transcript

import "time"

// Turn is what happened from one message of the user to the next.
type Turn struct {
	User  string // the user's text; hook feedback and tool results are not the user's
	Calls []Call // in the order in which the model made them
	Texts []Text // the assistant's own text blocks
	// Notices are what the client itself said in between, in its order.
	Notices []Notice
}

// Notice is the client's word that something which ran in the background ended.
// It is no message of the user.
type Notice struct {
	Text string // as the client wrote it
	// AfterCalls is how many calls of the turn stood before it.
	AfterCalls int
	Time       time.Time
}

// Text is one text block of the assistant.
type Text struct {
	MessageID string
	Text      string
	// AfterCalls is how many calls of the turn stood before this text.
	AfterCalls int
}

// Call is one tool call with its result.
type Call struct {
	ID     string
	Tool   string // as the client names it: Bash, Edit, Write …
	Input  []byte // the JSON of the input
	Output string // the result as the model saw it
	// Failed tells an error result. A shell's exit status stands at the start of
	// Output then ("Exit code N").
	Failed bool
	// Pending tells a call without a result yet.
	Pending bool
	// Background tells a call that was only started; its result says nothing of
	// how it ended.
	Background bool
	// NoStatus tells a client that does not say how a command ended.
	NoStatus bool
	// Task is the client's id of the background task that the call became; empty
	// where it has none.
	Task string
	// Agent is the client's id of the subagent that the call started.
	Agent string
	Dir   string // the session's folder when the call was made; empty where it is not said
	Time  time.Time
}
