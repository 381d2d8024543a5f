package ear

import (
	"strconv"
	"strings"
	"unicode"

	"nod/internal/present/words"
)

// meaning rewrites a token that is not a plain word: an address, a path, a number with a unit, an id. Plain words
// stay unchanged.
func (s Speaker) meaning(w string) string {
	switch {
	case strings.Contains(w, "://"):
		return s.say.Say(words.VoiceLink, hostOf(w))
	case isPath(w):
		return s.path(w)
	case isID(w):
		return s.say.Say(words.VoiceAnID)
	case w == "->" || w == "=>" || w == "→" || w == "—" || w == "–" || w == "--" || w == "|":
		return ","
	case w == "&&":
		return s.say.Say(words.VoiceThen)
	case strings.HasPrefix(w, "--") && len(w) > 3 && unicode.IsLetter(rune(w[2])):
		return s.flag(w)
	}
	if s.foreign && strings.ContainsAny(w, "0123456789") {
		return strings.Join(strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("_=`#|\\", r) }), " ")
	}
	if said, ok := s.number(w); ok {
		return said
	}
	return plainName(w)
}

// unitMarks are left for voices that read units themselves.
const unitMarks = "%°℃€$¥²"

// plainName turns a name such as snake_case or a=b into words.
func plainName(w string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("_=`#|\\"+unitMarks, r) {
			return ' '
		}
		return r
	}, w)), " ")
}

// hostOf is the host of an address, without port, user and password.
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	rest, _, _ = strings.Cut(rest, ":")
	if rest == "" {
		return "nod"
	}
	return plainName(strings.TrimPrefix(rest, "www."))
}

// isPath tells a path from "and/or" and from a date.
func isPath(w string) bool {
	if strings.Contains(w, `\`) && (len(w) > 2 && w[1] == ':' || strings.Count(w, `\`) > 1) {
		return true
	}
	if !strings.Contains(w, "/") || strings.Trim(w, "0123456789/.-") == "" {
		return false
	}
	if strings.HasPrefix(w, "/") && len(w) > 1 || strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../") {
		return true
	}
	last := w[strings.LastIndexByte(w, '/')+1:]
	return strings.Count(w, "/") > 1 || last == "" || strings.Contains(last, ".")
}

// path is a file's name and its folder: the rest is not worth hearing.
func (s Speaker) path(w string) string {
	w = strings.ReplaceAll(w, `\`, "/")
	w, line := lineOf(w)
	var parts []string
	for p := range strings.SplitSeq(w, "/") {
		if p = strings.Trim(plainName(p), "~.: "); p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	said := parts[len(parts)-1]
	if len(parts) > 1 {
		said = s.say.Say(words.VoiceInFolder, said, parts[len(parts)-2])
	}
	if line != "" {
		said = s.say.Say(words.VoiceLine, said, line)
	}
	return said
}

// lineOf removes ":42" or ":42:7" from a path.
func lineOf(w string) (path, line string) {
	path, rest, ok := strings.Cut(w, ":")
	if !ok || len(path) < 2 {
		return w, ""
	}
	line, _, _ = strings.Cut(rest, ":")
	if _, err := strconv.ParseUint(line, 10, 32); err != nil {
		return w, ""
	}
	return path, line
}

// isID: hashes, UUIDs and other long strings that mean nothing to the ear.
func isID(w string) bool {
	digits, letters, hex := 0, 0, 0
	for _, r := range w {
		switch {
		case r >= '0' && r <= '9':
			digits++
			hex++
		case r >= 'a' && r <= 'f':
			letters++
			hex++
		case r >= 'A' && r <= 'Z' || r >= 'g' && r <= 'z':
			letters++
		case r != '-' && r != '_':
			return false
		}
	}
	if hex+strings.Count(w, "-") == len(w) && len(w) >= 7 && digits > 0 && letters > 0 {
		return true
	}
	return len(w) >= 20 && digits >= 3 && letters >= 3
}

// number reads measures, 350ms, 3-5, v1.2.3 and numbers too large to grasp.
func (s Speaker) number(w string) (string, bool) {
	if said, ok := s.measure(w); ok {
		return said, true
	}
	if v, ok := strings.CutPrefix(w, "v"); ok && v != "" && strings.Trim(v, "0123456789.") == "" {
		return s.say.Say(words.VoiceVersion, v), true
	}
	for _, dash := range []string{"-", "–", "…", ".."} {
		if a, b, ok := strings.Cut(w, dash); ok && isNumber(a) && isNumber(b) {
			return s.say.Say(words.VoiceTo, a, b), true
		}
	}
	digits := strings.TrimLeft(w, "0123456789")
	n, err := strconv.Atoi(w[:len(w)-len(digits)])
	if err == nil && digits != "" {
		if unit, ok := unitOf(digits); ok {
			return s.say.Count(unit, n), true
		}
	}
	if n, err := strconv.ParseUint(strings.ReplaceAll(w, ",", ""), 10, 63); err == nil && n >= 1_000_000 && n < 1_000_000_000_000 {
		return s.say.Say(words.VoiceMillions, s.large(n)), true
	}
	return "", false
}

// large is a number in millions, or in units of ten thousand in Japanese.
func (s Speaker) large(n uint64) string {
	if s.say.Lang() == words.Japanese {
		return strconv.FormatUint(n/10_000, 10)
	}
	text := strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)
	text = strings.TrimSuffix(text, ".0")
	if s.say.Lang() == words.Polish {
		text = strings.ReplaceAll(text, ".", ",")
	}
	return text
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.Trim(s, "0123456789.") == ""
}

func unitOf(unit string) (words.Plural, bool) {
	switch unit {
	case "ms":
		return words.VoiceMillis, true
	case "s", "sec":
		return words.VoiceSeconds, true
	case "min":
		return words.VoiceMinutes, true
	case "h":
		return words.VoiceHours, true
	case "kB", "KB", "KiB":
		return words.VoiceKilo, true
	case "MB", "MiB":
		return words.VoiceMega, true
	case "GB", "GiB":
		return words.VoiceGiga, true
	}
	return words.Plural{}, false
}
