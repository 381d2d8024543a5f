package policy

import "strings"

// files: commands that look at names, sizes and dates of files.
func files(name string) (spec, bool) {
	switch name {
	case "ls":
		// No flag of ls writes or runs anything. -R is fine too: only names.
		return spec{what: "lists files", operands: fileNames, anyFlag: true,
			bare: "1AaBbCcdFfGghHikLlmNnopQqRrSstUuvXxZ@eO", take: "IwT",
			long: "all almost-all author block-size= classify? color? directory dereference file-type format= full-time group-directories-first no-group human-readable si hide= ignore= inode indicator-style= literal numeric-uid-gid recursive reverse size sort= time= time-style= width= zero hyperlink? quoting-style= version help"}, true
	case "stat":
		return spec{what: "shows file details", operands: fileNames, anyFlag: true, bare: "Lfxlsrnq", take: "ct",
			long: "dereference file-system format= printf= terse version"}, true
	case "du":
		// --files0-from and -X read a list of names: not worth a rule.
		return spec{what: "measures folders", operands: fileNames, anyFlag: true, bare: "0abcDhHkLlmPsSxg", take: "dBtI",
			long: "all apparent-size block-size= bytes total max-depth= human-readable summarize one-file-system exclude= threshold= time? inodes si separate-dirs"}, true
	case "df":
		return spec{what: "shows free space", operands: fileNames, anyFlag: true, bare: "aBhHiklmPTgY", take: "tx",
			long: "all human-readable si inodes local portability print-type total type= exclude-type= output? block-size=",
			// --sync flushes disks: harmless, but it can take minutes.
			dangers: []danger{{"sync", Write, "flushes disks first"}}}, true
	case "tree":
		return spec{what: "lists a folder", operands: fileNames, bare: "adfilxsDhupgCnrtvFNqSAQcJX", take: "LIP",
			long:    "dirsfirst filelimit= noreport gitignore prune du si sort= charset= matchdirs ignore-case filesfirst",
			dangers: []danger{{"o", Write, "writes its output to a file"}, {"R", Write, "may write 00Tree.html files"}, {"H", Unknown, "makes a web page"}}}, true
	case "file":
		// -z may start a decompressor; -f reads a list of names; -m a magic file.
		return spec{what: "tells the kind of files", operands: fileNames, bare: "bhiLIk0Nr", long: "brief mime mime-type mime-encoding dereference no-dereference",
			dangers: []danger{{"C", Write, "writes a magic file"}, {"compile", Write, "writes a magic file"}, {"m", Unknown, "uses another magic file"}, {"z", Unknown, "may run a decompressor"}}}, true
	case "readlink", "realpath":
		return spec{what: "resolves a path", operands: fileNames, anyFlag: true, bare: "feEmLnPqszv", long: "canonicalize canonicalize-existing canonicalize-missing no-symlinks relative-to= relative-base= quiet strip zero"}, true
	case "basename", "dirname":
		return spec{what: "cuts a path", operands: anyText, anyFlag: true, bare: "az", take: "s", long: "multiple suffix= zero"}, true
	case "pwd":
		return spec{what: "shows the folder", bare: "LP"}, true
	case "which", "type", "whereis":
		return spec{what: "finds a program", operands: anyText, anyFlag: true, bare: "aptPfsbm", long: "all"}, true
	case "command":
		// Without -v or -V it runs its operand; then it is a wrapper, not this.
		return spec{what: "finds a program", operands: anyText, bare: "vV", check: func(_ call, p parsed) (finding, bool) {
			return asks(Unknown, "command", "runs another command"), !p.has("v", "V")
		}}, true
	}
	return spec{}, false
}

// sums: commands that print a digest or count of file contents.
func sums(name string) (spec, bool) {
	switch name {
	case "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "sum":
		return spec{what: "computes checksums", operands: fileContents, anyFlag: true, bare: "bctwz", take: "al",
			long: "binary check text tag zero ignore-missing quiet status strict warn length= algorithm="}, true
	case "shasum", "md5":
		return spec{what: "computes checksums", operands: fileContents, bare: "bctqr", take: "a"}, true
	case "wc":
		return spec{what: "counts lines", operands: fileContents, anyFlag: true, bare: "clmwL", long: "bytes chars lines words max-line-length"}, true
	}
	return spec{}, false
}

// find judges find, whose predicates are words of their own. Any unknown word must be asked about, wherever it
// stands.
func find(c call) finding {
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		if a.glob && strings.ContainsRune("*?[-", rune(a.text[0])) {
			return asks(Unknown, "find: file names as flags", "a file name could be a flag")
		}
		if !strings.HasPrefix(a.text, "-") || a.text == "-" {
			continue // a starting point, ( ) ! or a stray word that find rejects
		}
		switch a.text {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-lname", "-ilname", "-regex", "-iregex", "-regextype",
			"-type", "-xtype", "-maxdepth", "-mindepth", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer",
			"-newermt", "-newerct", "-perm", "-user", "-group", "-uid", "-gid", "-links", "-inum", "-samefile", "-fstype", "-printf", "-used":
			i++ // its value; -printf prints to the terminal only
			if i < len(c.args) && c.args[i].glob {
				return asks(Unknown, "find: unquoted pattern", "a pattern becomes file names here")
			}
		case "-print", "-print0", "-ls", "-prune", "-quit", "-empty", "-not", "-o", "-or", "-a", "-and", "-true", "-false", "-depth", "-d",
			"-follow", "-L", "-H", "-P", "-E", "-xdev", "-mount", "-x", "-daystart", "-readable", "-writable", "-executable", "-nouser", "-nogroup",
			"-noleaf", "-nowarn", "-warn", "-ignore_readdir_race":
		case "-delete":
			return stops(Destructive, "destructive: find -delete", "deletes the files it finds")
		case "-exec", "-execdir", "-ok", "-okdir":
			return stops(Unknown, "find "+a.text, "runs a command on files found")
		case "-fprint", "-fprint0", "-fprintf", "-fls":
			return stops(Write, "find "+a.text, "writes its output to a file")
		default:
			return asks(Unknown, "find "+short(a.text), "a flag not known as harmless")
		}
	}
	return harmless("find", "finds files by name")
}

// test judges test and [. Some shells evaluate numbers as arithmetic, which can run commands, so they must be plain
// numbers; -v and -t are left out for that reason.
func test(c call) finding {
	args := texts(c.args)
	if c.name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			return asks(Unknown, "[ without ]", "the command cannot be read")
		}
		args = args[:len(args)-1]
	}
	for i, a := range args {
		switch a {
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			if i == 0 || i+1 >= len(args) || !digits(strings.TrimPrefix(args[i-1], "-")) || !digits(strings.TrimPrefix(args[i+1], "-")) {
				return asks(Unknown, "test "+a, "compares what is no number")
			}
		case "-f", "-d", "-e", "-r", "-w", "-x", "-s", "-L", "-h", "-n", "-z", "-S", "-p", "-b", "-c", "-nt", "-ot", "-ef", "-a", "-o", "!", "=", "==", "!=":
		default:
			if strings.HasPrefix(a, "-") && !digits(a[1:]) {
				return asks(Unknown, "test "+short(a), "a flag not known as harmless")
			}
			if c.args[i].glob || strings.ContainsAny(a, "()<>[$`") {
				return asks(Unknown, "test", "may evaluate arithmetic")
			}
		}
	}
	return harmless(c.name, "checks a condition")
}
