package words

import (
	"strconv"
	"strings"
)

// Accept is the printer for the header Accept-Language of a browser: of the
// languages that nod speaks, the one that is wanted most.
func Accept(header string) Printer {
	best, most := English, 0.0
	for part := range strings.SplitSeq(header, ",") {
		tag, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		lang := parse(tag)
		if lang == English && !strings.HasPrefix(strings.ToLower(tag), "en") {
			continue // a language that nod does not speak
		}
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(weight), "q="); ok {
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				q = n
			}
		}
		if q > most {
			best, most = lang, q
		}
	}
	return In(best)
}
