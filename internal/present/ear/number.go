package ear

import (
	"slices"
	"strconv"
	"strings"
)

// Number hears a number from one to ten, or any in digits, when the utterance is nothing else.
func Number(utterance string) (int, bool) {
	text := Bare(utterance)
	for _, polite := range []string{"お願いします", "でお願いします", "です", "で", "を", "番目", "番", "つ目"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, polite))
	}
	fields := strings.Fields(text)
	for len(fields) > 1 && slices.Contains([]string{"option", "number", "choice", "the", "opcja", "opcję", "numer", "ta", "ten"}, fields[0]) {
		fields = fields[1:]
	}
	for len(fields) > 1 && slices.Contains([]string{"one", "option", "choice", "opcja"}, fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	if len(fields) != 1 {
		return 0, false
	}
	if n, err := strconv.Atoi(fields[0]); err == nil {
		return n, n > 0
	}
	for i, names := range numerals {
		if slices.Contains(strings.Fields(names), fields[0]) {
			return i + 1, true
		}
	}
	return 0, false
}

var numerals = [...]string{
	"one first jeden jedna jedno pierwszy pierwsza pierwsze pierwszą 一 一つ",
	"two second dwa dwie drugi druga drugie drugą 二 二つ",
	"three third trzy trzeci trzecia trzecie trzecią 三 三つ",
	"four fourth cztery czwarty czwarta czwarte czwartą 四 四つ",
	"five fifth pięć piąty piąta piąte piątą 五 五つ",
	"six sixth sześć szósty szósta szóste szóstą 六 六つ",
	"seven seventh siedem siódmy siódma siódme siódmą 七 七つ",
	"eight eighth osiem ósmy ósma ósme ósmą 八 八つ",
	"nine ninth dziewięć dziewiąty dziewiąta dziewiąte dziewiątą 九 九つ",
	"ten tenth dziesięć dziesiąty dziesiąta dziesiąte dziesiątą 十",
}
