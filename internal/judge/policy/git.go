package policy

import "strings"

// Flags that many git commands share. Left out: --output (writes), --ext-diff and
// --textconv (run programs), -O (reads an order file), --no-index (reads any file).
const (
	gitDiffFlags = "stat? numstat shortstat dirstat? summary name-only name-status cached staged merge-base unified= color? no-color color-words? word-diff? word-diff-regex= color-moved? patch no-patch raw minimal patience histogram diff-algorithm= ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines find-renames? find-copies? no-renames diff-filter= exit-code quiet check full-index binary abbrev? relative? text function-context no-ext-diff no-textconv no-prefix compact-summary patch-with-stat pickaxe-regex pickaxe-all submodule? ignore-submodules? inter-hunk-context= indent-heuristic ita-invisible-in-index"
	gitLogFlags  = "oneline graph all branches? tags? remotes? decorate? no-decorate pretty? format= abbrev-commit no-abbrev-commit date= since= after= until= before= author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp merges no-merges first-parent reverse follow max-count= skip= topo-order date-order author-date-order source left-right cherry-pick cherry cherry-mark left-only right-only boundary full-history simplify-by-decoration ancestry-path no-notes notes? parents children no-walk? walk-reflogs relative-date clear-decorations log-size"
)

func gitDangers() []danger {
	return []danger{
		{"output", Write, "writes its output to a file"}, {"output-directory", Write, "writes its output to a file"},
		{"ext-diff", Unknown, "runs an outside diff program"}, {"textconv", Unknown, "runs a converter program"},
		{"open-files-in-pager", Unknown, "runs a pager program"}, {"O", Unknown, "may run a pager program"},
		{"show-signature", Unknown, "runs a signature program"}, {"no-index", Secret, "reads files outside the repository"},
		{"exec", Unknown, "runs another program"}, {"upload-pack", Unknown, "runs another program"},
	}
}

// git judges git by its subcommand.
func git(c call) finding {
	rest, bad, ok := gitGlobals(c)
	if !ok {
		return bad
	}
	if len(rest) == 0 {
		return asks(Unknown, "git", "no git command known here")
	}
	sub := rest[0].text
	c.args = rest[1:]
	if sub == "submodule" && len(c.args) > 0 && c.args[0].text == "status" {
		// status only looks where git itself looks; every other subcommand fetches.
		c.args = c.args[1:]
		return spec{what: "shows submodules", long: "cached recursive"}.judge("git submodule status", c)
	}
	if f, ok := gitDanger(sub, c); ok {
		if sub == "add" || c.flag("-F") || c.flag("--file") {
			return gitSecrets(c, f) // a committed secret is soon on a server
		}
		return f
	}
	s, ok := gitSpec(sub)
	if !ok {
		if s, ok = gitPlumbing(sub); !ok {
			return asks(Unknown, "git "+short(sub), "a git command not known harmless")
		}
	}
	if s.dangers == nil {
		s.dangers = gitDangers()
	}
	if f, ok := gitSigns(sub, c); ok {
		return f
	}
	f := s.judge("git "+sub, c)
	if s.operands == anyText || f.verdict != Allow {
		return f // names of branches and settings, not of files
	}
	return gitSecrets(c, f)
}

// gitGlobals reads the flags before the subcommand. A repository's configuration can run programs (core.fsmonitor),
// so only the repository the agent works in is trusted. A folder below it is no better than one elsewhere: git uses
// the nearest repository, and a bare one is just a few plain files that any checkout can contain. So `cd src && git
// status` is asked, however often it is harmless.
func gitGlobals(c call) ([]word, finding, bool) {
	place := c.place
	args := c.args
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		switch a := args[0].text; {
		case a == "--no-pager" || a == "-P" || a == "--no-optional-locks" || a == "--literal-pathspecs" || a == "--version":
			if a == "--version" && len(args) == 1 {
				return nil, harmless("git --version", "shows a version"), false
			}
			args = args[1:]
		case a == "-C" && len(args) > 1 && !args[1].glob:
			next, ok := place.enter(args[1].text)
			if !ok || args[1].here {
				return nil, stops(Unknown, "git -C", "a repository not known here"), false
			}
			place, args = next, args[2:]
		case a == "-c" || strings.HasPrefix(a, "--config-env"):
			return nil, stops(Unknown, "git -c", "a setting that can run programs"), false
		default:
			return nil, stops(Unknown, "git "+short(a), "a flag that can run programs"), false
		}
	}
	if f, ok := place.strange("git"); ok {
		return nil, f, false
	}
	return args, finding{}, true
}

// gitSpec: the commands people use. -p is a patch here, not a pager.
func gitSpec(sub string) (spec, bool) {
	switch sub {
	case "status":
		return spec{what: "shows the state", operands: fileNames, bare: "sbvz", tail: "u", long: "short branch porcelain? long verbose untracked-files? ignored? show-stash ahead-behind no-ahead-behind renames no-renames column? ignore-submodules?"}, true
	case "log", "whatchanged", "reflog":
		return spec{what: "shows history", operands: fileNames, number: true, bare: "pcmgiEFPwbatRsuzq", take: "nSGL", tail: "UMCDBl", long: gitLogFlags + " " + gitDiffFlags, check: gitReflog(sub)}, true
	case "diff", "diff-tree", "diff-index", "diff-files":
		return spec{what: "shows changes", operands: fileNames, number: true, bare: "pwbatRsuzqcrm", take: "SG", tail: "UMCDBl", long: gitDiffFlags + " root no-commit-id pretty? base ours theirs", check: gitOutside}, true
	case "show":
		return spec{what: "shows a commit", operands: fileNames, number: true, bare: "pwbaRsuzqcm", take: "SGL", tail: "UMCDBl", long: gitLogFlags + " " + gitDiffFlags}, true
	case "blame", "annotate":
		// --contents reads any file, -S and --ignore-revs-file too.
		return spec{what: "shows who wrote lines", operands: fileNames, bare: "abceflnpstw", take: "L", tail: "MC", long: "line-porcelain porcelain show-email show-name show-number root date= abbrev? since= color-lines color-by-age"}, true
	case "branch":
		return spec{what: "lists branches", operands: anyText, bare: "avrliq", long: "list all remotes verbose show-current contains? no-contains? merged? no-merged? sort= format= color? no-color column? no-column points-at= ignore-case abbrev? no-abbrev", check: gitListOnly("branch")}, true
	case "tag":
		return spec{what: "lists tags", operands: anyText, bare: "li", tail: "n", long: "list contains? no-contains? merged? no-merged? sort= format= points-at= column? color? ignore-case", check: gitListOnly("tag")}, true
	case "remote":
		// URLs often hold a token (https://x:token@host), so -v and get-url are asked.
		return spec{what: "lists remotes", operands: anyText, dangers: []danger{{"v", Secret, "may show a token"}, {"verbose", Secret, "may show a token"}}, check: func(_ call, p parsed) (finding, bool) {
			if len(p.operands) > 0 && p.operands[0].text == "get-url" {
				return asks(Secret, "git remote get-url", "may show a token"), true
			}
			return asks(Write, "git remote", "may change remotes"), len(p.operands) > 0
		}}, true
	case "stash":
		return spec{what: "shows stashes", operands: anyText, number: true, bare: "pu", long: "stat? patch oneline name-only name-status format= date= include-untracked", check: gitFirst("list", "show")}, true
	case "worktree":
		return spec{what: "lists work trees", operands: anyText, bare: "vz", long: "porcelain", check: gitFirst("list")}, true
	case "config":
		return spec{what: "shows a setting", operands: anyText, bare: "z", long: "get get-all show-origin show-scope local global system type= bool int default=", check: gitConfig}, true
	case "grep":
		return spec{what: "searches the repository", operands: patternFirst, number: true, bare: "nilLwvEFGPchHqoWpIa", take: "eABCm", long: "line-number ignore-case name-only files-with-matches count word-regexp extended-regexp fixed-strings perl-regexp and or not all-match cached column heading break show-function function-context max-depth= color? only-matching quiet", check: func(c call, p parsed) (finding, bool) {
			return recursive(c, p, nil) // tracked files only: their content is no secret any more
		}}, true
	case "shortlog":
		return spec{what: "counts commits", operands: fileNames, bare: "nsec", tail: "w", long: gitLogFlags + " numbered summary email group="}, true
	}
	return spec{}, false
}

// gitPlumbing: commands that scripts use. cat-file without --filters and
// --textconv, which run programs.
func gitPlumbing(sub string) (spec, bool) {
	switch sub {
	case "rev-parse":
		return spec{what: "names a commit", operands: anyText, bare: "q", long: "abbrev-ref? short? verify quiet show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository symbolic symbolic-full-name all branches? tags? remotes? revs-only no-revs"}, true
	case "ls-files":
		return spec{what: "lists files", operands: fileNames, bare: "cdmosutvzkf", take: "xX", long: "cached deleted modified others stage unmerged exclude-standard error-unmatch full-name directory no-empty-directory exclude= ignored eol deduplicate abbrev? format= recurse-submodules"}, true
	case "ls-tree":
		return spec{what: "lists files", operands: fileNames, bare: "rdtlz", long: "name-only name-status full-name full-tree long abbrev? format= object-only"}, true
	case "describe", "name-rev":
		return spec{what: "names a commit", operands: anyText, long: "tags all always dirty? long abbrev? match= exclude= exact-match contains first-parent candidates= name-only broken?"}, true
	case "merge-base":
		return spec{what: "finds a common commit", operands: anyText, bare: "a", long: "all is-ancestor fork-point octopus independent"}, true
	case "rev-list":
		return spec{what: "lists commits", operands: fileNames, number: true, take: "n", long: gitLogFlags + " count objects left-right max-parents= min-parents= disk-usage?"}, true
	case "show-ref", "for-each-ref", "show-branch":
		return spec{what: "lists branches", operands: anyText, bare: "dsq", long: "heads tags branches head hash? verify quiet dereference abbrev? count= sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case list"}, true
	case "cat-file":
		return spec{what: "shows an object", operands: fileNames, bare: "ptse"}, true
	case "cherry":
		return spec{what: "compares branches", operands: anyText, bare: "v", long: "abbrev?"}, true
	case "count-objects":
		return spec{what: "counts objects", bare: "vH"}, true
	case "check-ignore", "check-attr":
		return spec{what: "explains ignore rules", operands: fileNames, bare: "vnqa", long: "verbose non-matching quiet no-index all"}, true
	case "version":
		return spec{what: "shows a version", long: "build-options"}, true
	}
	return spec{}, false
}
