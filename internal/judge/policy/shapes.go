package policy

import "strings"

// shapeOfKnown knows programs with subcommands. A flag before the subcommand may change everything after it, so then
// there is no rule.
func shapeOfKnown(base string, args []string) (shape, bool) {
	sub, second := "", ""
	if len(args) > 0 {
		sub = args[0]
	}
	if len(args) > 1 {
		second = args[1]
	}
	switch base {
	case "go":
		return shapeOfGo(sub, second), true
	case "git":
		return shapeOfGit(sub, second), true
	case "npm", "pnpm", "yarn", "bun":
		return shapeOfScripts(base, sub, second, len(args)), true
	case "npx", "pnpx", "bunx":
		return shapeOfNpx(sub, second), true
	case "cargo":
		return shapeOfCargo(sub), true
	case "gh", "glab":
		return shapeOfForge(sub, second), true
	case "docker", "podman":
		return shapeOfDocker(sub, second), true
	case "dotnet", "swift":
		return pick(sub, 1, "test build restore format"), true
	case "bundle", "poetry", "uv", "pipenv", "pdm", "hatch", "rye", "composer":
		if (sub == "run" || sub == "exec") && listed(devTools, second) {
			return with(2), true
		}
		return closedIf(sub, "install add lock sync update remove"), true
	case "make", "gmake", "just", "task", "rake", "ant", "ninja", "cmake", "mvn", "mvnw", "gradle", "gradlew":
		// What follows a target is another target, or a variable such as SHELL.
		return exactly(), true
	case "pip", "pip3", "apt", "apt-get", "dpkg", "yum", "dnf", "rpm", "pacman", "zypper", "apk", "brew", "snap", "flatpak", "port", "gem", "rustup":
		// Any name could follow, and with it any code from the net.
		return closedIf(sub, "install add update upgrade remove uninstall download wheel"), true
	}
	return shape{}, false
}

// pick is an open rule of n words if the command is one of a list.
func pick(sub string, n int, list string) shape {
	if listed(list, sub) {
		return with(n)
	}
	return none()
}

// closedIf is exactly the line, if the command is one of a list.
func closedIf(sub, list string) shape {
	if listed(list, sub) {
		return exactly()
	}
	return none()
}

// shapeOfGo: test, build and generate run the project's own code; get and install fetch any code; run is about one
// package of the project.
func shapeOfGo(sub, second string) shape {
	switch sub {
	case "run":
		if second == "." || strings.HasPrefix(second, "./") && !strings.Contains(second, "..") && tame(second) && !patterned(second) {
			return with(2)
		}
		return none()
	case "mod":
		return pick(second, 2, "tidy download verify vendor why graph")
	case "tool":
		if isSubcommand(second) {
			return with(2)
		}
		return none()
	case "get", "install", "clean", "work":
		return exactly()
	}
	return pick(sub, 1, "test build generate fmt fix")
}

// shapeOfGit: what writes the repository, or talks to its own server. Not config and remote (they choose programs and
// servers), nor what runs other programs; clone can use any server.
func shapeOfGit(sub, second string) shape {
	if sub == "stash" {
		if second == "" {
			return exactly()
		}
		return pick(second, 2, "push pop apply save")
	}
	return pick(sub, 1, "add commit merge cherry-pick revert mv branch tag fetch pull push init")
}

// shapeOfScripts: one script of package.json. For an install it is exactly the line, since any package could follow.
func shapeOfScripts(base, sub, second string, many int) shape {
	switch sub {
	case "run", "run-script":
		if tame(second) && letter(second[0]) {
			return with(2)
		}
		return none()
	case "install", "i", "ci", "add", "remove", "rm", "uninstall", "un", "update", "upgrade", "up", "dedupe", "prune", "rebuild", "audit":
		return exactly()
	case "":
		if many == 0 && base != "npm" && base != "bun" {
			return exactly() // yarn alone installs
		}
		return none()
	}
	if base == "npm" || base == "bun" {
		return pick(sub, 1, "test t start stop view info show outdated search")
	}
	if !isSubcommand(sub) || listed("dlx exec node x create init config set login logout publish npm workspace workspaces npx env plugin import link unlink patch store cache global", sub) {
		return none()
	}
	return with(1) // a script by its bare name
}

func shapeOfNpx(sub, second string) shape {
	switch {
	case listed(devTools, sub):
		return with(1)
	case listed(frontEnds, sub) && isSubcommand(second) && second != "exec" && second != "run":
		return with(2)
	}
	return none()
}

func shapeOfCargo(sub string) shape {
	if s := closedIf(sub, "add install update remove fetch"); s.words == 0 {
		return s
	}
	return pick(sub, 1, "test build check clippy fmt doc bench run tree metadata nextest")
}

// shapeOfForge: viewing anything, commenting in pull requests and issues. Not api, which is any request, nor merge,
// delete and secrets.
func shapeOfForge(sub, second string) shape {
	switch {
	case listed("pr mr issue run ci workflow release repo label", sub) && listed("view list diff checks status", second):
		return with(2)
	case listed("pr mr issue", sub) && listed("create comment edit note", second):
		return with(2)
	}
	return none()
}

func shapeOfDocker(sub, second string) shape {
	switch {
	case sub == "pull":
		return with(1)
	case sub == "build" || sub == "compose" && (second == "build" || second == "pull"):
		return exactly() // --output writes anywhere, --secret reads anything
	case sub == "compose" && (second == "ps" || second == "logs"):
		return with(2)
	}
	return none()
}
