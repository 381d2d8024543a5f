package ear

import (
	"path"
	"slices"
	"strings"

	"nod/internal/present/words"
)

// option is what short options of a program mean. A program may be followed by its subcommand, which is tried first;
// no program is any program.
type option struct {
	program string
	flags   string // a group of letters, or one word after a single dash
	word    words.Message
	value   bool // the next word belongs to it
}

// options are those that people meet often. The rest is counted, and a request with such options needs a screen.
func options() []option {
	return []option{
		{"", "v", words.SpokenVerbose, false}, {"", "y", words.SpokenConfirmed, false}, {"", "q", words.SpokenQuiet, false},
		{"rm", "rR", words.SpokenRecursive, false}, {"rm", "f", words.SpokenForce, false}, {"rm", "d", words.SpokenFolders, false}, {"rm", "iI", words.SpokenInteractive, false},
		{"cp", "rR", words.SpokenRecursive, false}, {"cp", "a", words.SpokenArchive, false}, {"cp", "f", words.SpokenForce, false},
		{"mv", "f", words.SpokenForce, false}, {"mkdir", "p", words.SpokenParents, false},
		{"ln", "s", words.SpokenSymbolic, false}, {"ln", "f", words.SpokenForce, false},
		{"chmod", "R", words.SpokenRecursive, false}, {"chown", "R", words.SpokenRecursive, false},
		{"ls", "l", words.SpokenLong, false}, {"ls", "aA", words.SpokenAll, false}, {"ls", "R", words.SpokenRecursive, false},
		{"grep", "rR", words.SpokenRecursive, false}, {"grep", "i", words.SpokenNoCase, false}, {"grep", "n", words.SpokenNumbers, false},
		{"grep", "l", words.SpokenFiles, false}, {"grep", "v", words.SpokenInverted, false}, {"grep", "c", words.SpokenCount, false}, {"grep", "e", words.SpokenExpression, true},
		{"tar", "x", words.SpokenExtract, false}, {"tar", "c", words.SpokenCreate, false}, {"tar", "zjJ", words.SpokenCompressed, false},
		{"tar", "f", words.SpokenFile, true}, {"tar", "C", words.SpokenDirectory, true},
		{"sed", "i", words.SpokenInPlace, false}, {"sed", "e", words.SpokenExpression, true}, {"sed", "n", words.SpokenQuiet, false},
		{"tail", "fF", words.SpokenFollow, false}, {"tail", "n", words.SpokenLines, true}, {"head", "n", words.SpokenLines, true},
		{"make", "j", words.SpokenJobs, true}, {"make", "C", words.SpokenDirectory, true}, {"make", "f", words.SpokenFile, true},
		{"bash", "c", words.SpokenCode, true}, {"sh", "c", words.SpokenCode, true}, {"python", "c", words.SpokenCode, true}, {"python", "m", words.SpokenModule, true},
		{"python3", "c", words.SpokenCode, true}, {"python3", "m", words.SpokenModule, true}, {"node", "e", words.SpokenCode, true},
		{"pip", "r", words.SpokenFile, true}, {"pip3", "r", words.SpokenFile, true}, {"npm", "g", words.SpokenGlobal, false}, {"npm", "D", words.SpokenDevelopment, false},
		{"ssh", "p", words.SpokenPort, true}, {"sudo", "u", words.SpokenUser, true}, {"tsc", "p", words.SpokenProject, true},
		{"kubectl", "f", words.SpokenFile, true}, {"kubectl", "n", words.SpokenNamespace, true}, {"kubectl", "A", words.SpokenAll, false}, {"kubectl", "l", words.SpokenLabel, true},
		{"kubectl", "o", words.SpokenOutput, true}, {"kubectl", "k", words.SpokenDirectory, true}, {"kubectl", "R", words.SpokenRecursive, false}, {"kubectl logs", "f", words.SpokenFollow, false},
		{"helm", "f", words.SpokenFile, true}, {"helm", "n", words.SpokenNamespace, true},
		{"docker", "f", words.SpokenFile, true}, {"docker", "d", words.SpokenBackground, false}, {"docker", "i", words.SpokenInteractive, false}, {"docker", "t", words.SpokenTag, true},
		{"docker", "v", words.SpokenVolume, true}, {"docker", "p", words.SpokenPort, true}, {"docker", "e", words.SpokenEnvironment, true}, {"docker", "a", words.SpokenAll, false},
		{"docker rm", "f", words.SpokenForce, false}, {"docker rmi", "f", words.SpokenForce, false}, {"docker logs", "f", words.SpokenFollow, false},
		{"docker run", "t", words.SpokenInteractive, false}, {"docker exec", "t", words.SpokenInteractive, false},
		{"git", "f", words.SpokenForce, false}, {"git", "m", words.SpokenMessage, true}, {"git", "a", words.SpokenAll, false}, {"git", "A", words.SpokenAll, false},
		{"git", "b", words.SpokenBranch, true}, {"git", "C", words.SpokenDirectory, true}, {"git", "u", words.SpokenUpstream, false}, {"git", "d", words.SpokenDelete, false},
		{"git", "D", words.SpokenDelete, false}, {"git", "n", words.SpokenCount, true}, {"git switch", "c", words.SpokenBranch, true},
		{"git clean", "d", words.SpokenFolders, false}, {"git clean", "x", words.SpokenIgnored, false}, {"git rm", "r", words.SpokenRecursive, false},
		{"curl", "X", words.SpokenMethod, true}, {"curl", "d", words.SpokenData, true}, {"curl", "H", words.SpokenHeader, true}, {"curl", "o", words.SpokenOutput, true},
		{"curl", "s", words.SpokenQuiet, false}, {"curl", "L", words.SpokenRedirects, false}, {"curl", "u", words.SpokenUser, true},
		{"go", "v", words.SpokenVerbose, false}, {"go", "o", words.SpokenOutput, true}, {"go", "C", words.SpokenDirectory, true},
	}
}

// flagOf is what a letter means to a program.
func flagOf(program, sub string, letter rune) (option, bool) {
	var found option
	best := -1
	for _, o := range options() {
		fits := o.program == "" || o.program == program || o.program == program+" "+sub
		if fits && len(o.program) > best && strings.ContainsRune(o.flags, letter) {
			found, best = o, len(o.program)
		}
	}
	return found, best >= 0
}

// spells reports whether a program's options are whole words after one dash, as those of find are.
func spells(program string) bool {
	switch program {
	case "find", "go", "java", "terraform", "ffmpeg", "openssl":
		return true
	}
	return false
}

// call is a simple command while it is read.
type call struct {
	program, sub string
	words        int  // that are not options
	value        bool // the next word belongs to an option
	breath       bool // a pause comes before the next word: an option or its value has ended
	quoted       bool // inside quotation marks
}

// takes notes a word that is not an option; joined is true when it follows without a pause.
func (c *call) takes(raw, word string) (joined bool) {
	joined = c.value || c.quoted || !c.breath
	open := strings.Trim(raw, "()")
	began := strings.HasPrefix(open, `"`) || strings.HasPrefix(open, "'")
	ended := strings.HasSuffix(open, `"`) || strings.HasSuffix(open, "'")
	c.quoted = (c.quoted || began) && !ended
	if c.value {
		c.value, c.breath = false, true
		return joined
	}
	if !c.quoted && !joined {
		c.breath = false
	}
	switch {
	case c.program == "":
		if name := path.Base(word); name != "sudo" && name != "time" && name != "nohup" && !strings.Contains(name, "=") {
			c.program = name
		}
	case c.sub == "":
		c.sub = word
	}
	c.words++
	return joined
}

// flags reads the options in one word; hidden counts those without a name.
func (s Speaker) flags(c *call, t string) (said []string, hidden int) {
	c.value, c.breath = false, true
	if long, ok := strings.CutPrefix(t, "--"); ok {
		return s.longFlag(c, long), 0
	}
	letters := strings.TrimPrefix(t, "-")
	digits := len(letters) - len(strings.TrimRight(letters, "0123456789"))
	letters, number := letters[:len(letters)-digits], letters[len(letters)-digits:]
	switch {
	case letters == "" && c.program == "kill":
		return []string{s.say.Say(words.SpokenSignal) + " " + number}, 0
	case letters == "":
		return []string{number}, 0
	}
	if spells(c.program) && len(letters) > 1 || strings.ContainsAny(letters, "=:/.,-") {
		return s.longFlag(c, strings.TrimPrefix(t, "-")), 0
	}
	for _, letter := range letters {
		o, ok := flagOf(c.program, c.sub, letter)
		if !ok {
			hidden++
			continue
		}
		if word := s.say.Say(o.word); !slices.Contains(said, word) { // -it is interactive twice
			said = append(said, word)
		}
		c.value = o.value
	}
	switch {
	case hidden > 0 && len(said) == 0 && len(letters) > 3: // a word of its own, such as -print
		return s.longFlag(c, strings.TrimPrefix(t, "-")), 0
	case hidden == 1 && len(letters) == 1:
		said, hidden = append(said, s.say.Say(words.VoiceFlag, letters)), 0
	case hidden > 0:
		said = append(said, s.say.Count(words.SpokenUnknown, hidden))
	}
	if number != "" && len(said) > 0 {
		said[len(said)-1] += " " + number
		c.value = false
	}
	return said, hidden
}

// longFlag reads an option by its name, in the language of the voice where it is known.
func (s Speaker) longFlag(c *call, long string) []string {
	name, value, given := strings.Cut(long, "=")
	name = plainName(strings.ReplaceAll(name, "-", " "))
	c.value = !given
	english := words.In(words.English)
	for _, o := range options() {
		if name == english.Say(o.word) {
			name, c.value = s.say.Say(o.word), o.value && !given
			break
		}
	}
	switch name {
	case "rm":
		name, c.value = s.say.Say(words.SpokenRemoved), false
	case "name":
		name = s.say.Say(words.SpokenName)
	case "yes":
		name, c.value = s.say.Say(words.SpokenConfirmed), false
	}
	if value = strings.Trim(value, `"'-`); value != "" {
		name += " " + s.meaning(value)
	}
	return []string{name}
}
