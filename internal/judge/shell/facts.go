// Package shell turns a command line into facts: which commands would run, with
// which words, what they read and write, and what cannot be known before it
// runs. It judges nothing and touches nothing; it is built on a real parser, so
// that no quoting, list or substitution can hide a command from it.
package shell

// Line is what is known about a command line. If Problem is set the rest may be
// incomplete, and nobody may rely on it.
type Line struct {
	Source   string
	Commands []Command // every simple command that could run, in the order of the text, wherever it stands
	Problem  string    // why the line is not understood: a parse error, too long, nested too deep
	Traits   Trait     // what the line as a whole contains
}

// Command is one simple command.
type Command struct {
	Name      Word   // the program, after wrappers are taken off; empty for a bare assignment or redirection
	Args      []Word // without Name
	Assigns   []Assign
	Redirects []Redirect
	Wrappers  []Wrapper // what stands before it and runs it: sudo, env, xargs, …; outermost first
	Where     Trait     // where it stands: in a pipe, a substitution, the background, a function, …
	PipeTo    int       // index of the command that reads its output through a pipe; -1: none
	Span      Span
}

// Word is one word after quotes are taken off.
type Word struct {
	Text    string // what is known of it; for a word that is not literal, the parts that are
	Literal bool   // Text is exactly what the program will get, but for $?, which is told as 0
	Glob    bool   // an unquoted pattern (* ? [) that will become file names
	Quoted  bool   // some part of it was quoted or escaped in the source
	Place   bool   // not Literal, but only for a folder at its front: ~ or $HOME, told as ~, or $PWD, told as a dot
	Braced  bool   // one of the words that {a,b} became; its Span is that of them all
	Span    Span
}

// Assign is NAME=value before a command, or on its own.
type Assign struct {
	Name  string
	Value Word
	Loop  bool // the variable of a for loop whose body is told once for every value
	Span  Span
}

// Redirect is one redirection.
type Redirect struct {
	Op     string // as written: ">", ">>", "<", "2>&1", "&>", "<<", "<<<", ">|", "<>", ">&"
	Target Word   // file, descriptor or here-document text
	Writes bool   // it writes to a file (a descriptor such as 2>&1 is none)
	Reads  bool   // it reads from a file
	Span   Span
}

// Wrapper is a command that runs another one.
type Wrapper struct {
	Name string
	Args []Word // its own words, without those of the command it runs
}

// Trait is a set of things that are so.
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
	Dynamic                        // something is known only when it runs: a variable, a substitution, a glob as command name
	Arithmetic                     // $(( … )), (( … )), let
	Nested                         // came out of a string given to a shell: bash -c '…', eval '…', ssh host '…'
	Remote                         // runs on another machine
	Declares                       // defines a function, an alias, or changes how later words are read (shopt, set, IFS=)
	Repeats                        // in while, until, select or for ((…)): runs any number of times, also after what follows it
	Looped                         // in the body of for x in …
)

// Has reports whether all of some traits are so.
func (t Trait) Has(some Trait) bool { return t&some == some }

// Span is where something stands in the source, in bytes; for what came out of a
// nested string it is the span of that string.
type Span struct{ From, To int }
