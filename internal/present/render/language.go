package render

import "strings"

// language describes the syntax of a language. Lists are words in one string, so that
// they are data of the binary and nothing is built at the start.
type language struct {
	names     string // what people call it after a fence
	files     string // .extensions and whole names
	comments  string // marks that make the rest of a line a comment
	block     string // begin and end of a long comment
	quotes    string // strings on one line
	long      string // strings over many lines
	sigils    string // signs that belong to the name after them
	inWords   string // signs that may be within a name
	keywords  string
	types     string
	constants string

	escapedTicks bool // a backslash counts between backticks
	capitalTypes bool // Names with a capital are types
	anyCase      bool

	lex func(*lexer) // for what does not look like a program
}

// find looks up a language by its name or by a file name; nil is plain text.
func find(name string) *language {
	name = strings.ToLower(name)
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if name == "" || len(name) > 255 || strings.ContainsAny(name, " \t\n") {
		return nil
	}
	for i := range languages {
		if hasWord(languages[i].names, name) || hasWord(languages[i].files, name) {
			return &languages[i]
		}
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil
	}
	for i := range languages {
		if hasWord(languages[i].files, name[dot:]) {
			return &languages[i]
		}
	}
	return nil
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

const (
	cKeywords = "auto break case const continue default do else enum extern for goto if inline register return sizeof static struct switch typedef union volatile while"
	cTypes    = "bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"
	jsWords   = "async await break case catch class const continue debugger default delete do else export extends finally for from function get if import in instanceof let new of return set static super switch this throw try typeof var void while with yield"
)

var languages = [...]language{
	{names: "go golang", files: ".go", comments: "//", block: "/* */", quotes: `"'`, long: "`", keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var", types: "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr", constants: "true false nil iota"},
	{names: "gomod", files: "go.mod go.work", comments: "//", quotes: `"`, keywords: "module go toolchain require replace exclude retract use tool"},
	{names: "javascript js jsx node mjs cjs", files: ".js .jsx .mjs .cjs", comments: "//", block: "/* */", quotes: `"'`, long: "`", escapedTicks: true, sigils: "@", inWords: "$", keywords: jsWords, constants: "true false null undefined NaN Infinity", capitalTypes: true},
	{names: "typescript ts tsx", files: ".ts .tsx .mts .cts", comments: "//", block: "/* */", quotes: `"'`, long: "`", escapedTicks: true, sigils: "@", inWords: "$", keywords: jsWords + " abstract as asserts declare enum implements infer interface is keyof module namespace override private protected public readonly satisfies type", types: "any bigint boolean never number object string symbol unknown", constants: "true false null undefined NaN Infinity", capitalTypes: true},
	{names: "python py python3", files: ".py .pyi .pyw", comments: "#", quotes: `"'`, long: `""" '''`, sigils: "@", keywords: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield", types: "bool bytes dict float int list object set str tuple", constants: "True False None self cls", capitalTypes: true},
	{names: "rust rs", files: ".rs", comments: "//", block: "/* */", quotes: `"`, sigils: "", keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct super trait type unsafe use where while", types: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize", constants: "true false self Self None Some Ok Err", capitalTypes: true},
	{names: "java", files: ".java", comments: "//", block: "/* */", quotes: `"'`, long: `"""`, sigils: "@", keywords: "abstract assert break case catch class continue default do else enum extends final finally for if implements import instanceof interface native new package permits private protected public record return sealed static super switch synchronized this throw throws transient try var volatile while yield", types: "boolean byte char double float int long short void", constants: "true false null", capitalTypes: true},
	{names: "kotlin kt kts", files: ".kt .kts", comments: "//", block: "/* */", quotes: `"'`, long: `"""`, sigils: "@", keywords: "abstract as break by class companion const continue data do else enum false final for fun if import in init inline interface internal is lateinit object open operator override package private protected public return sealed super suspend this throw try typealias val var vararg when where while", constants: "true false null", capitalTypes: true},
	{names: "swift", files: ".swift", comments: "//", block: "/* */", quotes: `"`, long: `"""`, sigils: "@#", keywords: "actor as async await break case catch class continue default defer deinit do else enum extension fileprivate for func guard if import in init inout internal is let mutating nonisolated open operator override private protocol public repeat rethrows return some static struct subscript super switch throw throws try typealias var where while", constants: "true false nil self Self", capitalTypes: true},
	{names: "c h", files: ".c .h", comments: "//", block: "/* */", quotes: `"'`, sigils: "#", keywords: cKeywords, types: cTypes, constants: "NULL true false"},
	{names: "cpp c++ cc cxx hpp arduino", files: ".cpp .cc .cxx .hpp .hh .ino", comments: "//", block: "/* */", quotes: `"'`, sigils: "#", keywords: cKeywords + " catch class concept const_cast consteval constexpr co_await co_return co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept operator override private protected public requires static_assert static_cast template this throw try typename using virtual", types: cTypes + " string vector map", constants: "NULL nullptr true false"},
	{names: "csharp cs c#", files: ".cs", comments: "//", block: "/* */", quotes: `"'`, long: `"""`, sigils: "#", keywords: "abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern finally fixed for foreach get if implicit in init interface internal is lock namespace new operator out override params private protected public readonly record ref return sealed set sizeof static struct switch this throw try typeof using var virtual volatile when where while yield", types: "bool byte char decimal double dynamic float int long object short string uint ulong void", constants: "true false null", capitalTypes: true},
	{names: "ruby rb", files: ".rb rakefile gemfile .gemspec", comments: "#", quotes: `"'`, long: "`", escapedTicks: true, sigils: "@$", keywords: "alias and begin break case class def defined do else elsif end ensure for if in include module next not or private protected public raise redo require rescue retry return super then undef unless until when while yield", constants: "true false nil self", capitalTypes: true},
	{names: "php", files: ".php", comments: "// #", block: "/* */", quotes: "", long: `" '`, sigils: "$", keywords: "abstract and as break case catch class clone const continue declare default do echo else elseif empty enum extends final finally fn for foreach function global if implements include instanceof interface isset match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while yield", types: "array bool float int mixed object string void", constants: "true false null TRUE FALSE NULL", capitalTypes: true},
	{names: "lua", files: ".lua", comments: "--", quotes: `"'`, keywords: "and break do else elseif end for function goto if in local not or repeat return then until while", constants: "true false nil"},
	{names: "sql postgres postgresql mysql sqlite", files: ".sql", comments: "--", block: "/* */", long: `' "`, anyCase: true, keywords: "add all alter and as asc begin between by cascade case check column commit constraint create cross database default delete desc distinct drop else end exists explain foreign from full grant group having if in index inner insert into is join key left like limit not on or order outer primary references returning revoke right rollback row select set table then to transaction trigger truncate union unique update using values view when where with", types: "bigint blob boolean bytea char date decimal double integer int json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar", constants: "true false null"},
	{names: "powershell ps1 pwsh", files: ".ps1 .psm1 .psd1", comments: "#", block: "<# #>", long: `" '`, sigils: "$", inWords: "-", anyCase: true, keywords: "begin break catch class continue data do dynamicparam else elseif end exit filter finally for foreach from function if in param process return switch throw trap try until using while"},
	{names: "hcl terraform tf", files: ".tf .tfvars .hcl", comments: "# //", block: "/* */", quotes: `"`, keywords: "resource data variable output module provider terraform locals for in if dynamic", constants: "true false null"},
	{names: "protobuf proto", files: ".proto", comments: "//", block: "/* */", quotes: `"'`, keywords: "enum extend import message map oneof option optional package public repeated required reserved returns rpc service stream syntax", types: "bool bytes double fixed32 fixed64 float int32 int64 sint32 sint64 string uint32 uint64", constants: "true false"},
	{names: "zig", files: ".zig", comments: "//", quotes: `"'`, sigils: "@", keywords: "align and asm break catch comptime const continue defer else enum errdefer error export extern fn for if inline opaque or orelse packed pub return struct switch test try union unreachable var while", constants: "true false null undefined"},
	{names: "json jsonc json5 ndjson jsonl", files: ".json .jsonc .json5 .webmanifest .jsonl .ipynb", lex: (*lexer).json},
	{names: "yaml yml", files: ".yaml .yml", lex: (*lexer).yaml},
	{names: "toml ini conf env dotenv properties", files: ".toml .ini .cfg .conf .env .properties .editorconfig .service", lex: (*lexer).settings},
	{names: "css scss less", files: ".css .scss .less", comments: "", block: "/* */", quotes: `"'`, sigils: "@$", inWords: "-", lex: (*lexer).css},
	{names: "html xml svg vue svelte xhtml plist", files: ".html .htm .xml .svg .vue .svelte .plist .xhtml", lex: (*lexer).markup},
	{names: "markdown md", files: ".md .markdown .mdx", lex: (*lexer).markdown},
	{names: "diff patch", files: ".diff .patch", lex: (*lexer).diff},
	{names: "dockerfile docker containerfile", files: "dockerfile containerfile .dockerfile", keywords: "from as run cmd label maintainer expose env add copy entrypoint volume user workdir arg onbuild stopsignal healthcheck shell", comments: "#", quotes: `"'`, sigils: "$", anyCase: true},
	{names: "makefile make mk", files: "makefile gnumakefile .mk", comments: "#", quotes: "", sigils: "$", inWords: "-.", keywords: "define else endef endif export ifdef ifeq ifndef ifneq include override unexport"},
	{names: "bash sh shell zsh console shell-session shellscript ksh", files: ".sh .bash .zsh .bashrc .zshrc .profile .envrc", keywords: shellWords, lex: (*lexer).shell},
}
