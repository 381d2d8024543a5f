package policy

import "strings"

// text: commands that print files, or text they are given.
func text(name string) (spec, bool) {
	switch name {
	case "cat":
		return spec{what: "reads files", operands: fileContents, anyFlag: true, bare: "AbeEnstTuv", long: "number number-nonblank show-all show-ends show-tabs squeeze-blank show-nonprinting"}, true
	case "tac", "rev", "nl":
		return spec{what: "reads files", operands: fileContents, bare: "p", take: "bdfhilnsvw"}, true
	case "head":
		return spec{what: "reads files", operands: fileContents, anyFlag: true, bare: "qvz", take: "nc", number: true, long: "lines= bytes= quiet silent verbose"}, true
	case "tail":
		return spec{what: "reads files", operands: fileContents, bare: "qvrz", take: "ncb", number: true, long: "lines= bytes= quiet silent verbose",
			// -f changes nothing, but it never ends and would hold the agent up.
			dangers: []danger{{"f", Read, "never ends by itself"}, {"F", Read, "never ends by itself"}, {"follow", Read, "never ends by itself"}}}, true
	case "sort":
		return spec{what: "sorts lines", operands: fileContents, bare: "bcCdfghiMmnrRsuVz", take: "ktS", long: "ignore-case numeric-sort reverse unique key= field-separator= version-sort human-numeric-sort stable general-numeric-sort month-sort check? sort= parallel= zero-terminated",
			// --files0-from reads a list of names; --random-source and -T touch other places.
			dangers: []danger{{"o", Write, "writes its output to a file"}, {"output", Write, "writes its output to a file"}, {"T", Write, "writes temporary files elsewhere"}, {"temporary-directory", Write, "writes temporary files elsewhere"}, {"compress-program", Unknown, "runs another program"}}}, true
	case "uniq":
		// A second operand is the output file.
		return spec{what: "drops repeated lines", operands: fileContents, max: 1, bare: "cdDiuz", take: "fsw", long: "count repeated unique ignore-case skip-fields= skip-chars= check-chars="}, true
	case "cut":
		return spec{what: "cuts columns", operands: fileContents, anyFlag: true, bare: "nsz", take: "bcdf", long: "delimiter= fields= characters= bytes= complement only-delimited output-delimiter="}, true
	case "tr":
		return spec{what: "replaces letters", operands: anyText, max: 2, anyFlag: true, bare: "cCdstu"}, true
	case "column":
		return spec{what: "lays out text", operands: fileContents, bare: "entxJ", take: "scoNRHOW", long: "table separator= output-separator= width="}, true
	case "fold", "fmt", "expand", "unexpand":
		return spec{what: "lays out text", operands: fileContents, bare: "bnsu", take: "wt"}, true
	case "paste", "join":
		return spec{what: "joins lines", operands: fileContents, bare: "siz", take: "d12jtaveo"}, true
	case "diff":
		// -l starts pr to paginate.
		return spec{what: "compares files", operands: fileContents, bare: "abBcdEiNpqrstTuwyZ", take: "UCxIFW", number: true,
			long:    "brief recursive unified? context? color? side-by-side ignore-all-space ignore-space-change ignore-blank-lines ignore-case new-file text minimal exclude= width= suppress-common-lines report-identical-files strip-trailing-cr label= ignore-matching-lines= no-dereference",
			dangers: []danger{{"l", Unknown, "runs another program"}, {"paginate", Unknown, "runs another program"}},
			check:   diffFolders}, true
	case "cmp":
		return spec{what: "compares files", operands: fileContents, bare: "blsz", take: "in", long: "silent quiet verbose bytes="}, true
	case "comm":
		return spec{what: "compares lines", operands: fileContents, bare: "123iz", long: "total check-order nocheck-order output-delimiter="}, true
	case "od", "hexdump", "hd":
		return spec{what: "shows bytes", operands: fileContents, bare: "abcdfiloxvCX", take: "AjNtns"}, true
	case "xxd":
		// A second operand is the output file; -r turns a dump back into bytes.
		return spec{what: "shows bytes", operands: fileContents, max: 1, oneDash: true, long: "p ps plain b bits u e i include l= len= s= c= cols= g= d",
			dangers: []danger{{"r", Write, "may patch a file"}, {"revert", Write, "may patch a file"}}}, true
	case "strings":
		return spec{what: "shows text in files", operands: fileContents, bare: "awfo", take: "nte", number: true}, true
	case "jq":
		return jq(), true
	case "sed":
		return sed(), true
	case "printf":
		return spec{what: "prints text", operands: anyText, check: printf, dangers: []danger{{"v", Unknown, "sets a variable"}}}, true
	case "seq":
		return spec{what: "prints numbers", operands: anyText, max: 3, bare: "w", take: "s", number: true, check: func(_ call, p parsed) (finding, bool) {
			for _, o := range p.operands {
				// inf never ends, and a billion lines hardly do.
				if !digits(o.text) || len(o.text) > 6 {
					return asks(Read, "seq", "may never end by itself"), true
				}
			}
			return finding{}, false
		}}, true
	}
	return spec{}, false
}

// printf judges the format: %n sets a variable, and some shells evaluate numeric arguments.
func printf(_ call, p parsed) (finding, bool) {
	if len(p.operands) == 0 {
		return finding{}, false
	}
	format := strings.ReplaceAll(p.operands[0].text, "%%", "")
	for i, piece := range strings.Split(format, "%") {
		if i == 0 {
			continue
		}
		switch rest := strings.TrimLeft(piece, "-+ #0123456789."); {
		case rest != "" && strings.ContainsRune("sbq", rune(rest[0])):
		case rest != "" && strings.ContainsRune("diuxXofeg", rune(rest[0])):
			for _, o := range p.operands[1:] {
				if strings.ContainsAny(o.text, "[($`=") {
					return stops(Unknown, "printf %"+rest[:1], "may evaluate arithmetic"), true
				}
			}
		default:
			return stops(Unknown, "printf %"+short(rest), "a format not known as harmless"), true
		}
	}
	return finding{}, false
}

// jq runs nothing and writes nothing, but it can print the environment and load
// modules. --args and --jsonargs change what the operands are.
func jq() spec {
	return spec{what: "queries JSON", operands: patternFirst, bare: "rcsnSeCMajR", long: "raw-output compact-output slurp null-input sort-keys exit-status color-output monochrome-output ascii-output join-output raw-input tab indent= arg== argjson==",
		dangers: []danger{{"f", Unknown, "runs a program from a file"}, {"from-file", Unknown, "runs a program from a file"}, {"L", Unknown, "loads modules"}},
		check: func(_ call, p parsed) (finding, bool) {
			if len(p.operands) == 0 {
				return finding{}, false
			}
			filter := p.operands[0].text
			switch {
			case p.operands[0].glob:
				return stops(Unknown, "jq: unquoted pattern", "a pattern becomes file names here"), true
			case jqEnvironment(filter):
				return stops(Secret, "jq env", "prints environment variables"), true
			case strings.Contains(filter, "import") || strings.Contains(filter, "include") || strings.Contains(filter, "modulemeta") || strings.Contains(filter, "getpath_"):
				return stops(Unknown, "jq modules", "loads modules"), true
			}
			return finding{}, false
		}}
}

// jqEnvironment finds $ENV, even with blanks after the dollar, and env, unless it is a field name: .env, but not
// ..env or . env.
func jqEnvironment(filter string) bool {
	if strings.Contains(filter, "ENV") || strings.Contains(filter, "__") {
		return true
	}
	for at := 0; ; at += len("env") {
		i := strings.Index(filter[at:], "env")
		if i < 0 {
			return false
		}
		at += i
		field := at > 0 && filter[at-1] == '.' && (at < 2 || filter[at-2] != '.')
		if !field && (at == 0 || !letter(filter[at-1])) {
			return true
		}
	}
}

func letter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}

// diffFolders asks when diff is given folders with secrets in them. It compares folders by default, and -N prints
// what only one of them has.
func diffFolders(c call, p parsed) (finding, bool) {
	if p.has("q", "brief") {
		return finding{}, false // only names
	}
	if p.has("N", "new-file") {
		return stops(Secret, "diff -N", "prints files that have no counterpart"), true
	}
	for _, dir := range c.place.all(p.operands) {
		if c.place.sweeps(dir) || dir == c.place.project || p.has("r", "recursive") && c.place.mayHoldEnv(dir) {
			return stops(Secret, "secret folder: "+c.place.shown(dir), "may read secrets below "+c.place.shown(dir)), true
		}
	}
	return finding{}, false
}
