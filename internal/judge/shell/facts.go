// Package shell turns a command line into facts: which commands would run, with which words, what they read and
// write, and what cannot be known before it runs. It judges nothing and touches nothing; it is built on a real
// parser, so that no quoting, list or substitution can hide a command from it.
package shell

// Line is what is known about a command line. If Problem is set the rest may be incomplete and must not be relied on.
type Line struct {
	Source   string
	Commands []Command // every simple command that could run, in source order, wherever it stands
	Problem  string    // why the line is not understood: a parse error, too long, nested too deep
	Traits   Trait     // what the line as a whole contains
}

// Command is one simple command.
type Command struct {
	Name      Word   // the program, without wrappers; empty for a bare assignment or redirection
	Args      []Word // without Name
	Assigns   []Assign
	Redirects []Redirect
	Wrappers  []Wrapper // the commands that run it: sudo, env, xargs, …; outermost first
	Where     Trait     // where it stands: in a pipe, a substitution, the background, a function, …
	PipeTo    int       // index of the command that reads its output through a pipe; -1: none
	Span      Span
}

// Word is one word without its quotes.
type Word struct {
	Text    string // what is known of it; for a word that is not literal, the known parts
	Literal bool   // Text is exactly what the program will get, except for $?, which is reported as 0
	Glob    bool   // an unquoted pattern (* ? [) that will become file names
	Quoted  bool   // some part of it was quoted or escaped in the source
	Place   bool   // not Literal, but only because of a folder at its front: ~ or $HOME, reported as ~, or $PWD, reported as a dot
	Braced  bool   // one of the words that {a,b} became; they all share one Span
	Span    Span
}

// Assign is NAME=value before a command, or on its own.
type Assign struct {
	Name  string
	Value Word
	Loop  bool // the variable of a for loop whose body is reported once for every value
	Span  Span
}

// Redirect is one redirection.
type Redirect struct {
	Op     string // as written: ">", ">>", "<", "2>&1", "&>", "<<", "<<<", ">|", "<>", ">&"
	Target Word   // file, descriptor or here-document text
	Writes bool   // it writes to a file (a descriptor such as 2>&1 does not count)
	Reads  bool   // it reads from a file
	Span   Span
}

// Wrapper is a command that runs another one.
type Wrapper struct {
	Name string
	Args []Word // its own words, without those of the command it runs
}

// Trait is a set of properties.
type Trait uint32

// What a line contains, or where a command stands.
const (
	Piped        Trait = 1 << iota // part of a pipe
	Listed                         // one of several joined by ; && || or newlines
	Subshell                       // ( … )
	Substitution                   // $( … ) or ` … `
	ProcessSubst                   // <( … ) or >( … )
	Background                     // … &
	InFunction                     // in the body of a function
	Conditional                    // in if, while, for, case, select
	HereDoc                        // << or <<<
	Dynamic                        // something is known only at run time: a variable, a substitution, a glob as command name
	Arithmetic                     // $(( … )), (( … )), let
	Nested                         // from a string given to a shell: bash -c '…', eval '…', ssh host '…'
	Remote                         // runs on another machine
	Declares                       // defines a function, an alias, or changes how later words are read (shopt, set, IFS=)
	Repeats                        // in while, until, select or for ((…)): runs any number of times, also after what follows it
	Looped                         // in the body of for x in …
)

// Has reports whether all of some traits are set.
func (t Trait) Has(some Trait) bool { return t&some == some }

// Span is a position in the source, in bytes; for something from a nested string it is the span of that string.
type Span struct{ From, To int }
