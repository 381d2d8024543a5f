package ear

import (
	"testing"

	"nod/internal/present/words"
)

func TestAssent(t *testing.T) {
	for _, c := range []struct {
		lang words.Lang
		text string
		want string
	}{
		{words.Polish, "Tak.", "yes"}, {words.Polish, "potwierdź", "yes"}, {words.Polish, "zgoda", "yes"}, {words.Polish, "wykonaj", "yes"},
		{words.Polish, "OK", "yes"}, {words.Polish, "dobrze", "yes"}, {words.Polish, "Tak, zrób to!", "yes"}, {words.Polish, "tak zrob to", "yes"},
		{words.Polish, "nie", "no"}, {words.Polish, "Anuluj", "no"}, {words.Polish, "stop", "no"}, {words.Polish, "nie rób tego", "no"},
		{words.Polish, "rezygnuję", "no"}, {words.Polish, "przerwij", "no"}, {words.Polish, "no", ""}, {words.Polish, "no tak", "yes"},
		{words.English, "Yes", "yes"}, {words.English, "  yes,  please ", "yes"}, {words.English, "Go ahead.", "yes"}, {words.English, "don't", "no"}, {words.English, "No!", "no"},
		{words.English, "don’t do it", "no"}, {words.English, "ＯＫ", "yes"},
		{words.Japanese, "はい", "yes"}, {words.Japanese, "はい、お願いします。", "yes"}, {words.Japanese, "いいえ", "no"}, {words.Japanese, "やめて！", "no"},
		{words.Japanese, "結構です", "no"}, {words.Japanese, "yes", "yes"},
		{words.English, "", ""}, {words.English, "yes and no", ""}, {words.English, "yes, but only the lamp", ""}, {words.English, "yesterday", ""},
		{words.Polish, "nie wiem", ""}, {words.Polish, "tak nie", ""}, {words.Polish, "taki sobie", ""}, {words.Japanese, "はいじゃない", ""}, {words.English, "👍", ""},
	} {
		got := ""
		switch yes, no := Assent(c.lang, c.text); {
		case yes && no:
			got = "both"
		case yes:
			got = "yes"
		case no:
			got = "no"
		}
		if got != c.want {
			t.Errorf("%q means %q, want %q", c.text, got, c.want)
		}
	}
}

// A word that is in a list but cannot be heard, or is in both, is a mistake.
func TestAssentWordsAreNormalised(t *testing.T) {
	seen := map[string]bool{}
	for _, list := range [][]string{yeses[:], noes[:]} {
		for _, w := range list {
			if plainLetters(Bare(w)) != w || seen[w] {
				t.Errorf("%q is written otherwise, or twice", w)
			}
			seen[w] = true
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int{
		"2": 2, "Two.": 2, "the second one": 2, "number 12": 12, "druga": 2, "opcja trzecia": 3, "pierwszą": 1, "二番": 2, "三つ目でお願いします": 3,
		"": 0, "0": 0, "-1": 1, "two or three": 0, "a second": 0, "eleventh": 0,
	} {
		if n, ok := Number(text); n != want && ok || ok != (want > 0) {
			t.Errorf("%q is %d, %v", text, n, ok)
		}
	}
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"Jaka jest stolica Polski?": "pl", "Co to jest fotosynteza?": "pl", "A pojutrze?": "pl", "Zgaś światło": "pl",
		"What is the capital of Poland?": "en", "Turn off all lights": "en", "": "en", "42": "en", "電気を消して": "ja",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
