// Package outline reads a script as far as its flow matters: what it prints,
// which programs it starts, how it ends, and on which conditions. Shell, Python
// and JavaScript become the same tree, and Follow walks all ways through it.
//
// Nothing is run, and nothing is read but the text. What the text does not tell
// is unknown, and then every way is followed.
package outline

import "strings"

// Unknown stands in a value for a part that the text does not tell.
const Unknown = "\uFFFC"

// Known reports whether a value is told whole by the text.
func Known(value string) bool { return !strings.Contains(value, Unknown) }

// Lookup returns the value of a variable at one point of a way: "" when it is
// not set, Unknown when it cannot be told.
type Lookup func(name string) string

// Expr is a value that depends on variables.
type Expr func(Lookup) string

// Tri is the truth of a condition.
type Tri int

// The truths.
const (
	Maybe Tri = iota
	True
	False
)

// Not turns a truth around.
func (t Tri) Not() Tri {
	switch t {
	case True:
		return False
	case False:
		return True
	default:
		return Maybe
	}
}

// Kind says what a node does.
type Kind int

// The kinds of nodes.
const (
	Say     Kind = iota // writes Text to Stream
	Start               // starts the program of Words
	Quit                // ends the program with Status
	Leave               // leaves the function with Status
	Break               // leaves the loop
	Choice              // runs one of Arms, the first whose condition holds
	Loop                // runs Body no time or once: more adds nothing here
	Group               // runs Body
	Apart               // runs Body in a process of its own: its end is only a status
	Pipe                // runs the nodes of Body, each an Apart, with pipes between them
	And                 // runs Body, and Else when it succeeded
	Or                  // runs Body, and Else when it failed
	Not                 // runs Body and turns its status around
	Call                // runs the function Name
	Set                 // assigns Value to Name
	Test                // sets the status by Cond
	Divert              // changes where the rest of the program writes
	Include             // runs another file's text in place: Words[0] is its name
)

// Stream is where output goes.
type Stream int

// The streams. Same keeps what was; Other is a file, a capture or nowhere.
const (
	Same Stream = iota
	Stdout
	Stderr
	Other
)

// Node is one step.
type Node struct {
	Kind Kind
	Line int
	// Words are a Start's program and arguments.
	Words []Expr
	// Env are the assignments that only a Start sees. FullEnv says that the
	// program sees these alone.
	Env     []Assign
	FullEnv bool
	// Text is what a Say writes; Feed what a Start is given on its stdin, where known.
	Text, Feed Expr
	// FeedLine is the line that Feed begins on when it stands apart.
	FeedLine int
	To       Stream
	Status   Expr // of Quit and Leave; nil means the last one
	Cond     func(Lookup) Tri
	// Vars are the variables that Cond reads.
	Vars     []string
	Name     string
	Value    Expr
	Exported bool
	Body     []*Node
	Else     []*Node
	Arms     []Arm
	// Out and Err say where the node's output goes, Captured that a value takes it.
	Out, Err   Stream
	Captured   bool
	Background bool
	// Detached is a Start that is not waited for, in languages without &.
	Detached bool
	// Dir is the folder a Start is given.
	Dir Expr
	// Opaque marks a Start whose output goes to our stdout in a way that the text
	// does not tell.
	Opaque bool
}

// Assign is one variable for one program.
type Assign struct {
	Name  string
	Value Expr
}

// Arm is one way of a Choice.
type Arm struct {
	// If runs first; its status decides when Cond is nil.
	If   []*Node
	Cond func(Lookup) Tri
	Vars []string
	Line int
	Body []*Node
}

// Program is a script as a tree.
type Program struct {
	Body  []*Node
	Funcs map[string][]*Node
	// Broken is set when the text could not be read whole.
	Broken bool
	// PipeFail is set when a pipeline fails with its first part.
	PipeFail bool
	// ErrExit is set when a failing command ends the script.
	ErrExit bool
}

// Text makes a value that depends on nothing.
func Text(s string) Expr { return func(Lookup) string { return s } }

// Walk visits every node of the program, functions included, whether it can be
// reached or not.
func (p *Program) Walk(visit func(n *Node)) {
	var walk func(list []*Node)
	walk = func(list []*Node) {
		for _, n := range list {
			if n == nil {
				continue
			}
			visit(n)
			walk(n.Body)
			walk(n.Else)
			for _, arm := range n.Arms {
				walk(arm.If)
				walk(arm.Body)
			}
		}
	}
	walk(p.Body)
	for _, body := range p.Funcs {
		walk(body)
	}
}
