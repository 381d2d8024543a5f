package policy

import "strings"

// gitFirst accepts only some first operands: `stash list`, not `stash drop`.
func gitFirst(words ...string) func(call, parsed) (finding, bool) {
	return func(_ call, p parsed) (finding, bool) {
		ok := len(p.operands) > 0 && contains(words, p.operands[0].text)
		return asks(Write, "git", "changes the repository"), !ok
	}
}

// gitReflog keeps `git reflog expire|delete|drop` out. exists and list only look.
func gitReflog(sub string) func(call, parsed) (finding, bool) {
	return func(_ call, p parsed) (finding, bool) {
		for _, f := range p.flags {
			if strings.Contains(f.value, "%G") {
				return stops(Unknown, "git log %G", "runs a signature program"), true
			}
		}
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

// gitListOnly: without a flag that lists, an operand is a branch or tag to make.
// The value of --contains may stand in the next word, so it counts as listing.
func gitListOnly(sub string) func(call, parsed) (finding, bool) {
	return func(_ call, p parsed) (finding, bool) {
		lists := p.has("list", "contains", "no-contains", "merged", "no-merged", "points-at") || sub == "tag" && p.has("l")
		return asks(Write, "git "+sub, "makes a "+sub), len(p.operands) > 0 && !lists
	}
}

// gitConfig: one name is a question, two set a value. Some settings hold tokens.
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
	for _, w := range []string{"header", "token", "pass", "credential", "secret", "cookie", "key", "proxy"} {
		if strings.Contains(low, w) {
			return stops(Secret, "git config", "may show a token"), true
		}
	}
	return finding{}, false
}

// gitSecrets looks for secret files among git's operands, also as HEAD:.env and
// ':(glob).env'. Names inside a repository are looked at without their folder.
func gitSecrets(c call, f finding) finding {
	if f.verdict != Allow {
		return f
	}
	for _, a := range c.args {
		for part := range strings.FieldsFuncSeq(a.text, func(r rune) bool { return r == ':' || r == ')' || r == '=' }) {
			name := c.place.each(part)[0]
			if strings.ContainsAny(part, "*?[") && strings.Trim(part, "*./") == "" {
				continue // everything: no more than naming nothing
			}
			if !strings.HasPrefix(part, "-") && secretPath(name) && !strings.HasSuffix(name, ".git/config") {
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
	return asks(level, level+": git "+sub, why), true
}
