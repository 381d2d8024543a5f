package policy

import "strings"

// shape is the form of a rule about a command: so many words after the program, and then anything; or, if not open,
// exactly its words.
type shape struct {
	words int // -1: no rule may exist
	open  bool
}

func none() shape      { return shape{words: -1} }
func exactly() shape   { return shape{} }
func with(n int) shape { return shape{n, true} }

// tooWide are programs for which a rule that names only the program would allow anything, and why. For a few, a rule
// that names more of the line may exist.
var tooWide = [...]struct{ names, why string }{
	{"sh bash zsh dash ksh ash mksh fish csh tcsh pwsh powershell cmd", "the next word is a program of any kind"},
	{"python python2 python3 pypy pypy3 perl ruby node nodejs deno php lua luajit tclsh expect Rscript julia java osascript ts-node tsx", "runs any code it is given"},
	{"ipython bpython ptpython xonsh nu elvish irb pry ghci erl iex elixir scala groovy R octave gnuplot bc dc jshell rlang racket sbcl guile clojure sqlplus", "runs any code it reads"},
	{"npx bunx pnpx uvx pipx", "downloads and runs any package"},
	{"sudo doas su pkexec run0 runuser gosu su-exec setpriv sg newgrp", "acts as somebody else"},
	{"env nohup time timeout gtimeout nice ionice chrt taskset setsid stdbuf unbuffer command builtin exec eval source . coproc noglob nocorrect repeat - xargs parallel sem watch entr watchexec nodemon flock script at batch tmux screen busybox toybox arch", "runs whatever words follow"},
	{"strace ltrace gdb lldb valgrind perf hyperfine unshare nsenter chroot proot fakeroot firejail bwrap caffeinate rlwrap systemd-run systemd-inhibit machinectl run-parts start-stop-daemon daemonize proxychains proxychains4 torsocks sshpass dbus-run-session ld.so", "runs whatever words follow"},
	{"direnv dotenv doppler op aws-vault chamber nix nix-shell nix-env nix-build conda mamba micromamba mise asdf pyenv rbenv nodenv devbox distrobox toolbox wsl vagrant lima limactl multipass", "runs words in another environment"},
	{"find gfind fd fdfind", "its actions run commands and delete files"},
	{"awk gawk mawk nawk sed gsed jq yq xmlstarlet", "its script can write files, run commands or show variables"},
	{"psql mysql mariadb sqlite3 mongo mongosh redis-cli clickhouse-client sqlcmd duckdb", "one statement can drop everything"},
	{"tar unzip zip gzip gunzip bzip2 xz zstd 7z cpio ar rar unrar", "unpacks over any file, runs programs"},
	{"cp mv ln install ditto tee sponge dd split csplit patch truncate mktemp mkfifo base64 openssl gpg age", "reads or writes any file"},
	{"vi vim nvim nano emacs ed ex less more most man view info code", "editors and pagers run commands"},
	{"gcc g++ cc c++ clang clang++ ld as rustc javac protoc ffmpeg convert magick", "writes any file, loads plug-ins"},
	{"alias unalias bind bg fg break continue complete compgen compopt declare typeset local export readonly dirs pushd popd disown enable fc getopts hash help history jobs kill let logout mapfile readarray read return set shift shopt suspend times trap type ulimit umask unset wait [[ ((", "changes the shell for what comes after"},
	{"kubectl oc helm systemctl service launchctl terraform tofu pulumi ansible ansible-playbook aws gcloud az doctl heroku flyctl vercel netlify", "some of its commands destroy what is not here"},
}

// wide says why a program is too wide, or nothing.
func wide(name string) string {
	for i := range tooWide {
		if listed(tooWide[i].names, name) {
			return tooWide[i].why
		}
	}
	if sends(name) {
		return "reaches any machine with any file"
	}
	return ""
}

func listed(names, name string) bool {
	for n := range strings.FieldsSeq(names) {
		if n == name {
			return true
		}
	}
	return false
}

// devTools check, format or test the project. They run the project's own code and settings, as `go test` does.
const devTools = "pytest jest vitest mocha ava tap eslint prettier tsc mypy pyright ruff black flake8 pylint isort bandit golangci-lint staticcheck govulncheck gofumpt goimports gofmt shellcheck shfmt hadolint yamllint actionlint markdownlint stylelint biome rubocop rspec phpunit phpstan swiftlint ktlint clang-format clang-tidy rustfmt ctest unittest vue-tsc svelte-check"

// frontEnds are tools with subcommands, which npx may start.
const frontEnds = "vite next nuxt astro playwright cypress turbo nx webpack rollup prisma"

// shapeOf says what a rule about a command must contain.
func shapeOf(t *target, f *finding) shape {
	name, args := t.words[0], t.words[1:]
	base, trusted := program(name)
	if strings.Contains(name, "/") && !trusted && !t.place.within(name) {
		return none() // another user may put another program there
	}
	if s, ok := shapeOfKnown(base, args); ok {
		return s
	}
	switch {
	case listed(devTools, base) || base == "mkdir" || base == "touch":
		return with(0)
	case wide(base) != "":
		return shapeOfScript(t, base, args)
	case strings.Contains(name, "/"):
		return with(0) // a script of the project
	}
	return shapeOfUnknown(t, base, args, f)
}

// shapeOfScript: an interpreter with a project script counts as that script, and python -m with a known tool as that
// tool.
func shapeOfScript(t *target, base string, args []string) shape {
	if len(args) == 0 || !listed(tooWide[0].names, base) && !listed(tooWide[1].names, base) {
		return none()
	}
	if len(args) > 1 && args[0] == "-m" && strings.HasPrefix(base, "python") && listed(devTools, args[1]) {
		return with(2)
	}
	if strings.HasPrefix(args[0], "-") || !tame(args[0]) || patterned(args[0]) || base == "java" || !strings.Contains(args[0], ".") || !t.place.within(args[0]) {
		return none()
	}
	return with(1)
}

// shapeOfUnknown: for an unknown program, one subcommand, or exactly the line. What looks like a subcommand may be
// the name of another program, which an unknown one would then run.
func shapeOfUnknown(t *target, base string, args []string, f *finding) shape {
	if !strings.HasPrefix(f.rule, "unknown: ") || !tame(base) || !letter(base[0]) || patterned(base) {
		return none()
	}
	for _, a := range args {
		if _, secret := (call{place: t.place}).secrets([]word{{text: a}}); secret {
			return none()
		}
	}
	switch {
	case len(args) == 0:
		return none() // it may run its input, and a pipe can give it anything
	case !isSubcommand(args[0]):
		return exactly()
	}
	if next := know(call{name: args[0], place: t.place}); !strings.HasPrefix(next.rule, "unknown: ") || wide(args[0]) != "" {
		return none()
	}
	return with(1)
}

// isSubcommand reports whether a word looks like a subcommand and not like a file, a flag or a value.
func isSubcommand(w string) bool {
	for i, r := range w {
		if !('a' <= r && r <= 'z') && (i == 0 || !('0' <= r && r <= '9' || r == '-' || r == '_' || r == ':')) {
			return false
		}
	}
	return w != "" && len(w) <= 32
}

// within reports whether a path is in the project wherever the line has gone.
func (p place) within(name string) bool {
	for at := range max(1, len(p.cwds)) {
		if p.project == "" || !below(p.seen(at, name), p.project) {
			return false
		}
	}
	return true
}
