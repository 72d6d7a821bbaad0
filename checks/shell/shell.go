// Package shell tells what a shell script would run and write, without running
// it: every simple command with its words resolved as far as they are known,
// wrappers peeled, nested scripts entered, and the file effects of all of it.
//
// It holds no rule and no opinion: nothing here is dangerous or harmless.
package shell

// Limits of the work one script can cause. A script beyond them is not parsed:
// its text is split into tokens instead and Script.Fallback says why.
const (
	MaxParsed  = 64 << 10 // bytes; longer text is token-searched
	MaxNesting = 500      // open brackets, substitutions and nested scripts, counted before the parser sees them
)

// Env is what a script would find around it. Analyze reads nothing else: no
// disk, clock or environment of its own.
type Env struct {
	Dir  string // absolute folder the script starts in
	Home string // absolute home folder; what ~ and $HOME mean

	// Getenv answers for variables that the script did not assign itself. Nil or
	// not ok means unknown.
	Getenv func(name string) (value string, ok bool)
	// ReadFile returns a script that a command names (sh deploy.sh, ./run), so
	// that it can be entered. Nil: such scripts stay unread.
	ReadFile func(path string) ([]byte, error)
	// GitAlias returns the value of alias.NAME for the repository at dir. Nil or
	// not ok means that there is none.
	GitAlias func(dir, name string) (value string, ok bool)
}

// Script is everything a piece of shell text would do.
type Script struct {
	// Commands in the order of the source; a nested one follows the one that
	// runs it. A loop over known words yields one command for each word.
	Commands []Command
	Effects  []Effect
	// Fallback is empty when the whole text was parsed, else the reason why not:
	// "syntax", "too long", "too deep". Commands then holds only what could
	// still be read, nothing in the worst case.
	Fallback string
	// Tokens are the words of each text that was not parsed, a nested one included.
	Tokens []string
	// Truncated is empty when all of the script was followed, else the limit that
	// was met: "commands", "steps", "nesting", "bytes". What was found until then is kept.
	Truncated string
}

// Command is one simple command, wrappers peeled off: for
// "sudo env X=1 rm -rf /" it is rm, with Via sudo, env.
type Command struct {
	Name    string // base name of the program, lower case, without .exe; empty when it is not known
	Program Word   // as written
	Args    []Word
	Dir     Word     // the folder it runs in, absolute where known
	Env     []Assign // assignments that reach it: its own prefix, env's, and exported earlier ones
	Stdin   Input
	Redirs  []Redirect

	// Via names what carries the command, outermost first: "sudo", "env",
	// "xargs", "find -exec", "sh -c", "eval", "function f", "alias c",
	// "git alias z", "git core.pager", "python -c", "$( )", "<( )", "heredoc",
	// "here-string", "pipe", "script deploy.sh". "ssh", "docker run", "docker
	// exec", "kubectl exec", "chroot" and their like lead to another machine or
	// root: Dir and Effect.Path are then not folders of this one.
	Via    []string
	Parent int // index of the command that carries it (the peeled xargs, sh, find …), or -1
	// Feeds is the index of the command that reads this one's output through a
	// pipe, or -1.
	Feeds int
	// Source is the program of an interpreter that stands in a file which the
	// script itself wrote; empty where it stands in the arguments or the input.
	Source string
	// Unread is set on a shell or interpreter whose program text is not known:
	// it comes from a pipe, a substitution, a file that could not be read.
	Unread bool
	// Carrier is set on a wrapper whose inner commands are listed on their own
	// (sudo, env, xargs, sh -c). Rules normally look past it.
	Carrier bool
	// Conditional is set where the command stands in a branch, loop body,
	// function or behind && or ||, so that it may not run.
	Conditional bool
	// Background is set where the command is started with & and not waited for.
	Background bool
	// Recursive is set on a call of a function from inside that function.
	Recursive bool
	Line      int // of the source, from 1
}

// Word is one word after expansion, as far as its value is known.
type Word struct {
	// Text is the value. Each part that is not known stands in it as one
	// Unknown rune.
	Text string
	// Parts are the pieces of Text in order.
	Parts []Part
	Raw   string // as in the source
}

// Unknown stands in Word.Text for a part whose value cannot be told.
const Unknown = '\uFFFC'

// Part is one piece of a word.
type Part struct {
	Text   string
	Kind   PartKind
	Name   string // of the variable, for Var
	Quoted bool
	// Set is on a Var that the script has made sure is neither unset nor empty,
	// as ${x:?} does.
	Set bool
	// From are the indexes of the commands whose output the part is, for Output
	// and for words that xargs, parallel or a read loop take from a pipe. A word
	// that find or fd visits carries their index: its text is where the search
	// starts and a Glob that bounds it, other tests of the search left out.
	From []int
}

// PartKind tells what a part is.
type PartKind int

// The kinds of parts.
const (
	Literal PartKind = iota
	Glob             // *, ?, [..], unquoted: Text is the pattern
	Var              // a variable whose value is not known; Text is empty
	Output           // the output of commands, not known; Text is empty
)

// Assign is one variable assignment.
type Assign struct {
	Name  string
	Value Word
}

// Input is what a command reads from its standard input.
type Input struct {
	Known bool
	Text  string // when Known: a heredoc, a here-string, the text of an echo or printf piped in (decoded through base64 -d and the like)
	From  []int  // the commands that feed it through a pipe or process substitution, nearest first
	File  Word   // < FILE
}

// Redirect is one redirection of a command.
type Redirect struct {
	Op   string // ">", ">>", ">|", "&>", "&>>", "<", "<>", "<<<", "<<"
	FD   int    // -1 for the default of Op
	Path Word   // cleaned absolute where known; the heredoc's text for << and <<<
}

// Effect is one thing a script would do to a file or folder.
type Effect struct {
	Op        Op
	Path      Word // cleaned and absolute where known; a glob stays a glob
	Recursive bool
	Force     bool
	// Slash is set when the path was written with a slash at its end, so that a
	// link is followed; Path itself carries none.
	Slash bool
	// Content is what would be written, where known; else it has no parts. For
	// Mode it is the mode or owner, for Link what the link points to.
	Content Word
	Command int // index in Script.Commands
}

// Op is the kind of an effect.
type Op string

// The kinds of effects. Move is the source of a mv (its target is a Write);
// Link is the name that a ln makes.
const (
	Write    Op = "write" // created or replaced
	Append   Op = "append"
	Modify   Op = "modify" // edited in place
	Truncate Op = "truncate"
	Delete   Op = "delete"
	Move     Op = "move"
	Link     Op = "link"
	Mode     Op = "mode" // chmod, chown, chattr, setfacl
	MakeDir  Op = "mkdir"
	Read     Op = "read" // by a command that shows, copies or sends the content
)
