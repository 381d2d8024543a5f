package policy

import (
	"strconv"
	"strings"
)

// system: commands that show the state of the machine.
func system(name string) (spec, bool) {
	switch name {
	case "date":
		return spec{what: "shows the time", operands: anyText, max: 1, bare: "uRjn", take: "dv", tail: "I", long: "date= utc universal iso-8601? rfc-3339= rfc-email",
			dangers: []danger{{"s", Destructive, "sets the clock"}, {"set", Destructive, "sets the clock"}, {"f", Read, "reads dates from a file"}},
			check: func(_ call, p parsed) (finding, bool) {
				// An operand without + sets the clock.
				return stops(Destructive, "destructive: date", "sets the clock"), len(p.operands) > 0 && !strings.HasPrefix(p.operands[0].text, "+")
			}}, true
	case "hostname":
		// An operand, -F and -b set the name.
		return spec{what: "shows the machine's name", bare: "fsdiIA", long: "fqdn short long all-fqdns",
			dangers: []danger{{"F", Destructive, "sets the machine's name"}, {"file", Destructive, "sets the machine's name"}, {"b", Destructive, "sets the machine's name"}}}, true
	case "uptime", "w", "who", "users", "whoami", "nproc", "arch", "groups", "tty", "sw_vers", "lscpu", "lsmem":
		return spec{what: "shows the machine", bare: "psahbqHue", long: "pretty since all help version ignore= json productVersion"}, true
	case "id":
		return spec{what: "shows the user", operands: anyText, bare: "ugGnrz", long: "user group groups name real"}, true
	case "uname":
		return spec{what: "shows the system", bare: "asnrvmpio", long: "all kernel-name kernel-release machine"}, true
	case "free":
		// -s repeats for ever: left out.
		return spec{what: "shows memory", bare: "bkmgthlvw", long: "human bytes mega giga total wide si"}, true
	case "vmstat":
		// vmstat 1 never ends; a second number says how often.
		return spec{what: "shows memory", operands: anyText, max: 2, bare: "adfmntwsy", check: func(_ call, p parsed) (finding, bool) {
			if len(p.operands) == 2 && digits(p.operands[0].text) && digits(p.operands[1].text) && len(p.operands[0].text) < 3 && len(p.operands[1].text) < 3 {
				return finding{}, false
			}
			return asks(Read, "vmstat", "never ends by itself"), len(p.operands) > 0
		}}, true
	case "lsblk":
		return spec{what: "lists disks", operands: fileNames, bare: "abfJlmnprSt", take: "oIex", long: "all fs json output= noheadings paths bytes list"}, true
	case "sleep":
		return spec{what: "waits", operands: anyText, max: 1, check: func(_ call, p parsed) (finding, bool) {
			// A number is enough, up to ten minutes: a longer wait only holds the agent up.
			seconds, ok := 0.0, len(p.operands) == 1
			if ok {
				seconds, ok = duration(p.operands[0].text)
			}
			if !ok {
				return asks(Unknown, "sleep", "waits for what is no time"), true
			}
			return asks(Read, "sleep", "waits very long"), seconds > 600
		}}, true
	case "env", "printenv", "export", "declare":
		// The environment holds tokens; env before a command is a wrapper, not this.
		return spec{what: "shows the environment", operands: anyText, bare: "p0", check: func(_ call, p parsed) (finding, bool) {
			if name == "printenv" && len(p.operands) == 1 && contains([]string{"HOME", "USER", "SHELL", "PATH", "PWD", "LANG", "TERM", "EDITOR", "GOPATH"}, p.operands[0].text) {
				return finding{}, false
			}
			return stops(Secret, name, "shows the environment with its tokens"), true
		}}, true
	}
	return spec{}, false
}

// machine: processes, sockets and logs.
func machine(name string) (spec, bool) {
	switch name {
	case "pgrep":
		return spec{what: "finds processes", operands: anyText, bare: "aflnxovciw", take: "uUgGPtd", long: "list-name list-full full exact count newest oldest"}, true
	case "ss", "netstat":
		// ss -K kills connections, -D writes a dump, -F reads a filter. -r, and netstat without -n, ask the machine's
		// own resolver for names of addresses it already talks to: nothing that an agent could choose.
		return spec{what: "lists connections", operands: anyText, bare: "tulnpaxsemiorwH0246gh", long: "tcp udp listening numeric processes all summary extended no-header",
			dangers: []danger{{"K", Destructive, "kills connections"}, {"kill", Destructive, "kills connections"}, {"D", Write, "writes a file"}, {"diag", Write, "writes a file"}, {"F", Unknown, "reads a filter file"}}}, true
	case "lsof":
		// -D writes a device cache; -r and +r never end, +m makes a mount file. Without -n it asks the resolver for
		// names, as netstat does.
		return spec{what: "lists open files", operands: fileNames, bare: "nPltbaOwVR", take: "pucdg", tail: "isTF", number: true, check: func(_ call, p parsed) (finding, bool) {
			for _, o := range p.operands {
				if strings.HasPrefix(o.text, "+") || o.glob {
					return asks(Read, "lsof "+short(o.text), "may never end by itself"), true
				}
			}
			return finding{}, false
		}}, true
	case "ifconfig":
		// A second operand configures.
		return spec{what: "shows the network", operands: anyText, max: 1, bare: "as"}, true
	case "journalctl":
		return spec{what: "shows logs", operands: anyText, bare: "krxaqmeN", take: "unptgSUo", tail: "b", number: true, // -b -1: the previous boot
			long:    "unit= lines= priority= identifier= grep= since= until= output= boot? dmesg reverse catalog all quiet no-pager utc user-unit= user system list-boots disk-usage no-hostname pager-end no-full header",
			dangers: []danger{{"f", Read, "never ends by itself"}, {"follow", Read, "never ends by itself"}, {"vacuum-size", Destructive, "deletes logs"}, {"vacuum-time", Destructive, "deletes logs"}, {"vacuum-files", Destructive, "deletes logs"}, {"rotate", Write, "rotates logs"}, {"flush", Write, "moves logs"}, {"sync", Write, "writes logs"}, {"setup-keys", Write, "makes keys"}, {"update-catalog", Write, "writes a catalogue"}, {"D", Unknown, "reads logs from elsewhere"}, {"cursor-file", Write, "writes a file"}}}, true
	case "dmesg":
		// -c and -C clear the log, -n and -D -E change what the console shows.
		return spec{what: "shows kernel messages", bare: "HTkuxePLrtS", take: "lf", long: "human ctime level= facility= nopager color? reltime notime time-format=",
			dangers: []danger{{"c", Destructive, "clears the log"}, {"C", Destructive, "clears the log"}, {"clear", Destructive, "clears the log"}, {"read-clear", Destructive, "clears the log"}, {"w", Read, "never ends by itself"}}}, true
	case "crontab":
		return spec{what: "lists timed jobs", bare: "l", check: func(_ call, p parsed) (finding, bool) {
			return asks(Destructive, "destructive: crontab", "replaces timed jobs"), !p.has("l")
		}, dangers: []danger{{"r", Destructive, "deletes all timed jobs"}, {"e", Write, "edits timed jobs"}}}, true
	}
	return spec{}, false
}

// systemctl by its verb. -H and -M reach other machines, --root other systems.
func systemctl(c call) finding {
	const take, long = "nptos", "type= state= all full no-pager no-legend lines= output= property= value user system quiet plain failed recursive"
	verb := subcommand(c.args, take, long)
	switch verb {
	case "status", "list-units", "list-timers", "list-unit-files", "list-sockets", "list-dependencies", "show", "is-active", "is-enabled", "is-failed", "get-default", "is-system-running", "":
		return spec{what: "shows services", operands: anyText, bare: "alqr", take: take, long: long,
			dangers: []danger{{"H", Network, "reaches another machine"}, {"host", Network, "reaches another machine"}, {"M", Unknown, "reaches a container"}},
			check: func(_ call, p parsed) (finding, bool) {
				if verb == "show" && !showsNoEnvironment(p) {
					return stops(Secret, "systemctl show", "may show a service's environment"), true
				}
				return asks(Unknown, "systemctl", "the command cannot be read"), len(p.operands) > 0 && p.operands[0].text != verb
			}}.judge("systemctl "+verb, c)
	case "cat":
		// Unit files hold passwords in Environment= lines.
		return stops(Secret, "systemctl cat", "may show a service's environment")
	case "reboot", "poweroff", "halt", "suspend", "hibernate", "kexec", "rescue", "emergency", "isolate":
		return asks(Destructive, "destructive: systemctl "+verb, "stops the whole machine")
	}
	return asks(Destructive, "destructive: systemctl "+short(verb), "changes which services run")
}

// showsNoEnvironment reports whether show has a list of properties without a service's environment.
func showsNoEnvironment(p parsed) bool {
	some := false
	for _, f := range p.flags {
		if f.name == "p" || f.name == "property" {
			some = true
			if strings.Contains(strings.ToLower(f.value), "env") || strings.Contains(strings.ToLower(f.value), "cred") || f.value == "" || patterned(f.value) {
				return false
			}
		}
	}
	return some
}

// duration parses sleep's argument, in seconds: 2, 0.5, 3m.
func duration(s string) (float64, bool) {
	unit := 1.0
	for suffix, n := range map[string]float64{"s": 1, "m": 60, "h": 3600, "d": 86400} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = rest, n
			break
		}
	}
	if whole, part, _ := strings.Cut(s, "."); len(s) > 8 || !digits(whole+part) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n * unit, err == nil
}

// ip: only `ip [-4 -6 -br -c -j -s] addr|link|route|neigh [show [dev x]]`. Every other word may change the network,
// also "s", which is set for a link; -batch and netns exec run commands.
func ip(c call) finding {
	args := texts(c.args)
	for len(args) > 0 && contains([]string{"-4", "-6", "-br", "-brief", "-c", "-color", "-j", "-json", "-p", "-s", "-d", "-o"}, args[0]) {
		args = args[1:]
	}
	if len(args) > 0 && contains([]string{"a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "rule"}, args[0]) {
		rest := args[1:]
		if len(rest) > 0 && contains([]string{"show", "list", "ls", "sh"}, rest[0]) {
			if rest = rest[1:]; len(rest) > 0 && rest[0] == "dev" {
				rest = rest[1:]
			}
			if len(rest) <= 1 && (len(rest) == 0 || !strings.HasPrefix(rest[0], "-")) {
				return harmless("ip "+args[0], "shows the network")
			}
		} else if len(rest) == 0 {
			return harmless("ip "+args[0], "shows the network")
		}
	}
	return asks(Destructive, "ip", "may change the network")
}
