package shell

import "strings"

// wrapperOptions are the wrappers that a table can describe. Options with effects of their own (write a file, attach
// to a process, start a shell) are left out, so that they count as unknown.
func wrapperOptions(name string) (options, bool) {
	switch name {
	case "sudo":
		return options{flags: "ABEHnNPSbkis", values: "CDghpRrtTuU", assigns: true,
			long: "askpass background preserve-env? set-home non-interactive preserve-groups stdin login shell chdir= group= host= prompt= chroot= role= type= command-timeout= user="}, true
	case "doas":
		return options{flags: "n", values: "u"}, true
	case "builtin", "nohup":
		return options{}, true
	case "exec":
		return options{flags: "cl", values: "a"}, true
	case "nice":
		return options{values: "n", long: "adjustment=", numbers: true}, true
	case "ionice":
		return options{flags: "t", values: "cn", long: "class= classdata= ignore"}, true
	case "chrt":
		return options{flags: "abdfioRrv", values: "TPD", long: "all-tasks batch deadline fifo idle other rr reset-on-fork verbose", operands: 1}, true
	case "taskset":
		return options{flags: "c", long: "cpu-list", operands: 1}, true
	case "setsid":
		return options{flags: "cfw", long: "ctty fork wait"}, true
	case "stdbuf":
		return options{values: "ioe", long: "input= output= error="}, true
	case "time":
		return options{flags: "pvq", values: "f", long: "portability verbose quiet format="}, true
	case "timeout", "gtimeout":
		return options{flags: "vfp", values: "sk", long: "foreground preserve-status verbose signal= kill-after=", operands: 1}, true
	case "strace":
		return options{flags: "CcdfFhiknqrtTvVwxyYZz", values: "eEsuabOSPI", long: "follow-forks"}, true
	case "ltrace":
		return options{flags: "bcCfiLrStTV", values: "aAeElnsux"}, true
	case "unshare":
		return options{flags: "frcm", values: "SGRw", optional: "muinpUCT",
			long: "fork map-root-user map-current-user mount? uts? ipc? net? pid? user? cgroup? time? mount-proc? kill-child? setuid= setgid= root= wd="}, true
	case "nsenter":
		return options{flags: "aFZ", values: "tSG", optional: "muinpUCTrwW", traits: Remote,
			long: "all target= mount? uts? ipc? net? pid? user? cgroup? time? setuid= setgid= root? wd? no-fork"}, true
	case "chroot":
		return options{long: "userspec= groups= skip-chdir", operands: 1, traits: Remote}, true
	}
	if name == "ld.so" || strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") {
		return options{long: "library-path= inhibit-cache argv0= inhibit-rpath= glibc-hwcaps-mask="}, true
	}
	return options{}, false
}

func (u *unwrapper) unwrap(spec options, words []word, c Command, at place) {
	n, seen, ok := spec.take(words[1:])
	switch {
	case !ok || reparsed(words, seen):
		u.unknown(words, c, at)
		return
	case n+1 >= len(words):
		if _, shell := last(seen, "i", "s", "login", "shell"); shell {
			c.Where |= Dynamic
		}
		u.plain(words, c, at)
		return
	}
	if spec.assigns {
		c = withAssigns(c, words[1:n+1])
	}
	c.Where |= spec.traits
	u.inner(words, n+1, c, at)
}

// reparsed reports whether sudo -i and -s pass the words to a shell that reads more into them: sudo escapes
// everything in them but a dollar.
func reparsed(words []word, seen []option) bool {
	if words[0].Text[strings.LastIndexByte(words[0].Text, '/')+1:] != "sudo" {
		return false
	}
	if _, shell := last(seen, "i", "s", "login", "shell"); !shell {
		return false
	}
	for _, x := range words {
		if !x.Literal || strings.ContainsRune(x.Text, '$') {
			return true
		}
	}
	return false
}

// assignsIn are the NAME=value words of env and sudo, reported as assignments of the command that they run.
func assignsIn(words []word) []Assign {
	var out []Assign
	for _, x := range words {
		if !x.assigns() {
			continue
		}
		name, value, _ := strings.Cut(x.Text, "=")
		v := x.Word
		v.Text = value
		out = append(out, Assign{Name: name, Value: v, Span: x.Span})
	}
	return out
}

func (u *unwrapper) command(words []word, c Command, at place) {
	spec := options{flags: "pvV"}
	n, seen, ok := spec.take(words[1:])
	_, asks := last(seen, "v", "V")
	switch {
	case !ok:
		u.unknown(words, c, at)
	case asks || n+1 >= len(words):
		u.plain(words, c, at)
	default:
		u.inner(words, n+1, c, at)
	}
}

func (u *unwrapper) applet(words []word, c Command, at place) {
	if len(words) < 2 || strings.HasPrefix(words[1].Text, "-") && words[1].Literal {
		u.plain(words, c, at)
		return
	}
	u.inner(words, 1, c, at)
}

func (u *unwrapper) gdb(words []word, c Command, at place) {
	if len(words) > 2 && words[1].Literal && words[1].Text == "--args" {
		u.inner(words, 2, c, at)
		return
	}
	u.unknown(words, c, at)
}
