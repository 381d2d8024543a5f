package policy

import "strings"

// gitFirst accepts only some first words: `stash list`, not `stash drop`. A flag or -- before it makes it another
// command: `stash -- list` stashes a file.
func gitFirst(words ...string) func(call, parsed) (finding, bool) {
	return func(c call, _ parsed) (finding, bool) {
		ok := len(c.args) > 0 && contains(words, c.args[0].text)
		return asks(Write, "git", "changes the repository"), !ok
	}
}

// gitSigns finds formats that make git check a signature, which runs a program named in the settings: %G? and the
// like, with anything that may follow the %.
func gitSigns(sub string, c call) (finding, bool) {
	for _, a := range c.args {
		for rest := a.text; ; {
			i := strings.IndexByte(rest, '%')
			if i < 0 {
				break
			}
			rest = rest[i+1:]
			if strings.HasPrefix(strings.TrimLeft(rest, "+- "), "G") || strings.HasPrefix(rest, "(") && strings.Contains(rest, "signature") {
				return stops(Unknown, "git "+sub+" %G", "runs a signature program"), true
			}
		}
	}
	return finding{}, false
}

// gitOutside finds files outside the project among the words of git diff: it then compares any two files or folders,
// as --no-index does. Without a repository it does so inside the project too, and shows all of it.
func gitOutside(c call, p parsed) (finding, bool) {
	revisions := true
	for _, a := range p.operands {
		revisions = revisions && (strings.HasPrefix(a.text, "HEAD") || strings.ContainsAny(a.text, "~^@") || strings.Contains(a.text, "..") || a.text == "main" || a.text == "master" || a.text == ".")
	}
	for _, a := range c.args {
		if strings.HasPrefix(a.text, "-") {
			continue
		}
		for at := range max(1, len(c.place.cwds)) {
			full := c.place.seen(at, a.name())
			if c.place.project == "" || !below(full, c.place.project) || goesBack(a.text) {
				return stops(Secret, "git diff of other files", "may show files outside the project"), true
			}
			if full == c.place.project && len(p.operands) > 1 && !revisions {
				return stops(Secret, "git diff of folders", "may show every file"), true
			}
		}
	}
	return finding{}, false
}

// gitReflog rejects `git reflog expire|delete|drop`. exists and list only look.
func gitReflog(sub string) func(call, parsed) (finding, bool) {
	return func(_ call, p parsed) (finding, bool) {
		if sub != "reflog" || len(p.operands) == 0 {
			return finding{}, false
		}
		switch p.operands[0].text {
		case "expire", "delete", "drop", "write":
			return asks(Destructive, "git reflog", "forgets where branches were"), true
		}
		return finding{}, false
	}
}

// gitListOnly: without a flag that lists, an operand is a branch or tag to create. The value of --contains may be the
// next word, so it counts as listing.
func gitListOnly(sub string) func(call, parsed) (finding, bool) {
	return func(_ call, p parsed) (finding, bool) {
		lists := p.has("list", "contains", "no-contains", "merged", "no-merged", "points-at") || sub == "tag" && p.has("l")
		return asks(Write, "git "+sub, "makes a "+sub), len(p.operands) > 0 && !lists
	}
}

// gitConfig: one name reads a value, two set it. Some settings hold tokens.
func gitConfig(_ call, p parsed) (finding, bool) {
	names := p.operands
	if len(names) == 2 && names[0].text == "get" {
		names = names[1:]
	}
	if len(names) != 1 || names[0].glob {
		return asks(Write, "git config", "may change settings"), true
	}
	low := strings.ToLower(names[0].text)
	switch low {
	case "list", "edit", "unset", "set", "get", "remove-section", "rename-section":
		return asks(Secret, "git config", "may show or change every setting"), true
	}
	for _, w := range []string{"header", "token", "pass", "credential", "secret", "cookie", "key", "proxy", "url"} {
		if strings.Contains(low, w) {
			return stops(Secret, "git config", "may show a token"), true
		}
	}
	return finding{}, false
}

// gitSecrets looks for secret files among git's operands, also as HEAD:.env and ':(glob).env'. Names inside a
// repository are checked without their folder. Git matches patterns itself: its * also matches a dot, \ quotes a
// letter.
func gitSecrets(c call, f finding) finding {
	for _, a := range c.args {
		if strings.Contains(a.text, "[") && !strings.HasPrefix(a.text, "-") && secretPattern(c.place.each(a.name())[0]) {
			return stops(Secret, "secret file: "+short(a.text), "may show secrets in "+short(a.text)) // [[:alpha:]] has colons of its own
		}
		for part := range strings.FieldsFuncSeq(a.text, func(r rune) bool { return r == ':' || r == ')' || r == '=' }) {
			if patterned(part) && strings.Trim(part, "*./") == "" {
				continue // everything: no more than naming nothing
			}
			name := c.place.each(attached(part))[0]
			if !a.here {
				name = c.place.each(part)[0]
			}
			if !strings.HasPrefix(part, "-") && (secretPath(name) || secretPattern(name)) {
				return stops(Secret, "secret file: "+short(part), "may show secrets in "+short(part))
			}
		}
	}
	return f
}

// gitDanger explains the subcommands that change something.
func gitDanger(sub string, c call) (finding, bool) {
	has := func(flags ...string) bool {
		for _, a := range c.args {
			for _, f := range flags {
				if a.text == f || strings.HasPrefix(f, "--") && strings.HasPrefix(a.text, f+"=") ||
					len(f) == 2 && len(a.text) > 1 && a.text[0] == '-' && a.text[1] != '-' && strings.Contains(a.text, f[1:]) {
					return true
				}
			}
		}
		return false
	}
	level, why := "", ""
	switch sub {
	case "push":
		level, why = Network, "sends commits to a server"
		if has("--force", "-f", "--force-with-lease", "--mirror", "--delete", "-d", "--prune") {
			level, why = Destructive, "overwrites branches on a server"
		}
		for _, a := range c.args {
			if strings.HasPrefix(a.text, "+") || strings.HasPrefix(a.text, ":") {
				level, why = Destructive, "overwrites branches on a server"
			}
		}
	case "reset":
		level, why = Write, "moves the branch or the index"
		if has("--hard", "--merge", "--keep") {
			level, why = Destructive, "throws away local changes"
		}
	case "clean":
		level, why = Destructive, "deletes files git does not know"
	case "checkout", "restore", "switch":
		level, why = Destructive, "may throw away local changes"
	case "rebase", "filter-branch", "filter-repo", "commit-tree", "update-ref", "replace", "gc", "prune", "repack":
		level, why = Destructive, "rewrites history"
	case "rm":
		level, why = Destructive, "deletes files from the repository"
	case "branch", "tag":
		if has("-D", "-d", "--delete", "-m", "-M", "--move", "-f", "--force") && !has("--list") {
			level, why = Destructive, "deletes or moves a "+sub
		}
	case "stash":
		if len(c.args) > 0 && (c.args[0].text == "drop" || c.args[0].text == "clear") {
			level, why = Destructive, "throws away stashed changes"
		}
	case "add", "commit", "merge", "cherry-pick", "revert", "mv", "am", "apply", "init", "notes":
		level, why = Write, "changes the repository"
	case "fetch", "pull", "clone", "ls-remote", "submodule", "archive", "lfs", "send-email", "request-pull", "svn", "p4":
		level, why = Network, "talks to a server"
	case "difftool", "mergetool", "gui", "instaweb", "daemon", "bisect", "hook", "maintenance", "for-each-repo", "credential":
		level, why = Unknown, "runs other programs"
	}
	if level == "" {
		return finding{}, false
	}
	if level == Network {
		if f, ok := gitElsewhere(sub, c); ok {
			return f, true
		}
	}
	return asks(level, level+": git "+sub, why), true
}

// gitElsewhere finds flags and addresses that make a remote git command run another program, or push to or merge from
// a server named on the line: an allowed `git push` means the repository's own remote.
func gitElsewhere(sub string, c call) (finding, bool) {
	for _, a := range c.args {
		name, _, _ := strings.Cut(a.text, "=")
		for _, bad := range [...]string{"--upload-pack", "--receive-pack", "--exec"} {
			if len(name) > 4 && strings.HasPrefix(bad, name) {
				return stops(Network, "git "+sub+" "+bad, "runs another program"), true
			}
		}
		if (sub == "push" || sub == "pull") && isAddress(a.text) {
			return stops(Network, "git "+sub+" to an address", "talks to the server "+short(a.text)), true
		}
	}
	return finding{}, false
}

// isAddress reports whether a word of push or pull is a server rather than the name of a remote.
func isAddress(w string) bool {
	if strings.Contains(w, "://") || strings.Contains(w, "::") || strings.HasPrefix(w, "--rep") {
		return true
	}
	return !strings.HasPrefix(w, "-") && (strings.Contains(w, "@") || strings.HasPrefix(w, "/") || strings.HasPrefix(w, ".") || strings.HasPrefix(w, "~"))
}
