package policy

import "strings"

// npm: ls reads what is installed. view, outdated and audit use the network. yarn, pnpm and cargo are not known here:
// project files choose the very program that they start, even for --version.
func npm(c call) finding {
	if len(c.args) == 0 {
		return asks(Unknown, "npm", "no npm command known here")
	}
	sub := c.args[0].text
	c.args = c.args[1:]
	if elsewhere(c.args) {
		return stops(Unknown, "npm "+short(sub), "runs another program or project")
	}
	switch sub {
	case "ls", "list", "ll", "la", "explain", "why", "root", "prefix", "--version", "-v":
		// --prefix and -C look at another project: harmless, but not worth it. Every npm command writes a log where
		// the project's .npmrc says: fine in the agent's project, but not in any folder.
		if f, ok := c.place.strange("npm"); ok {
			return f
		}
		return spec{what: "lists packages", operands: anyText, bare: "agl", long: "all depth= json long global prod parseable link omit="}.judge("npm "+sub, c)
	case "view", "info", "show", "outdated", "audit", "search", "ping", "whoami", "fund":
		return asks(Network, "npm "+sub, "asks the package server")
	case "publish", "unpublish", "deprecate", "access", "owner", "token", "login", "dist-tag":
		return asks(Destructive, "destructive: npm "+sub, "publishes to the package server")
	case "install", "i", "ci", "add", "uninstall", "remove", "rm", "un", "update", "upgrade", "link", "dedupe", "prune", "rebuild":
		return asks(Write, "npm "+sub, "installs packages and runs their scripts")
	case "run", "run-script", "test", "t", "start", "exec", "x", "init", "create":
		return asks(Unknown, "npm "+sub, "runs the project's own code")
	case "config", "get", "set":
		return asks(Secret, "npm "+sub, "may show or change tokens")
	}
	return asks(Unknown, "npm "+short(sub), "an npm command not known harmless")
}

// elsewhere finds the flags that make npm, pnpm, yarn or cargo use another shell, project or configuration. npm
// accepts abbreviations, so the start of a flag is that flag. What follows -- belongs to the script.
func elsewhere(args []word) bool {
	for _, a := range args {
		if a.text == "--" {
			return false
		}
		if a.text == "-C" || strings.HasPrefix(a.text, "+") {
			return true
		}
		name, ok := strings.CutPrefix(a.text, "--")
		name, _, _ = strings.Cut(name, "=")
		if !ok || len(name) < 3 {
			continue
		}
		for _, bad := range [...]string{"script-shell", "shell", "prefix", "node-options", "userconfig", "globalconfig", "config", "manifest-path", "cwd", "dir", "use-yarnrc"} {
			if strings.HasPrefix(bad, name) {
				return true
			}
		}
	}
	return false
}

// pip: list, show and freeze read what is installed; list -o uses the network.
func pip(c call) finding {
	if len(c.args) == 0 {
		return asks(Unknown, "pip", "no pip command known here")
	}
	sub := c.args[0].text
	c.args = c.args[1:]
	switch sub {
	case "list", "show", "freeze", "check", "--version", "-V":
		return spec{what: "lists packages", operands: anyText, bare: "fel", long: "files format= editable local user not-required verbose disable-pip-version-check all",
			dangers: []danger{{"o", Network, "asks the package server"}, {"outdated", Network, "asks the package server"}, {"uptodate", Network, "asks the package server"}, {"log", Write, "writes a log"}, {"python", Unknown, "runs another program"}}}.judge("pip "+sub, c)
	case "install", "uninstall", "download", "wheel":
		return asks(Write, "pip "+sub, "installs or removes packages")
	}
	return asks(Unknown, "pip "+short(sub), "a pip command not known harmless")
}

// versions: interpreters, for which only the version flag is harmless.
func versions(name string) (spec, bool) {
	only := func(long string) (spec, bool) {
		return spec{what: "shows a version", bare: "", oneDash: true, long: long, check: func(_ call, p parsed) (finding, bool) {
			return asks(Unknown, name, "runs a program"), len(p.flags) != 1
		}}, true
	}
	switch name {
	case "python", "python3", "perl", "php":
		// perl -v and php -v print the version; python -v would run a program.
		if name == "perl" || name == "php" {
			return only("v version")
		}
		return only("V version")
	case "node", "ruby", "deno", "bun", "java", "javac", "gcc", "clang", "make", "cmake", "bash", "zsh", "aws", "gh":
		// Not terraform, which asks its vendor's server for updates; not rustc, cargo and yarn, for which project
		// files choose the program.
		if name == "node" {
			return only("v version")
		}
		return only("version")
	case "gofmt":
		// -w rewrites files; -r and -cpuprofile are left out.
		return spec{what: "checks formatting", operands: fileContents, oneDash: true, long: "l d s e", dangers: []danger{{"w", Write, "rewrites source files"}, {"cpuprofile", Write, "writes a profile"}}}, true
	}
	return spec{}, false
}
