package ear

import (
	"slices"
	"strings"
	"unicode"

	"nod/internal/present/words"
)

// Bare is an utterance without case, punctuation and surrounding blanks.
func Bare(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 0xFF01 && r <= 0xFF5E { // full-width letters
			r -= 0xFEE0
		}
		switch {
		case r == '\'' || r == '’':
		case unicode.IsPunct(r), unicode.IsSpace(r), unicode.IsSymbol(r), unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			b.WriteByte(' ')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// plainLetters: people who type Polish in a hurry omit the diacritics.
func plainLetters(text string) string {
	return strings.NewReplacer("ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z").Replace(text)
}

// Assent reports whether a whole utterance says yes or no. Anything else is neither: what is not understood is never
// taken for consent.
func Assent(lang words.Lang, utterance string) (yes, no bool) {
	said := Bare(utterance)
	if lang == words.Polish && said == "no" {
		return false, false // in Polish that is half a yes
	}
	said = plainLetters(said)
	yes = slices.Contains(yeses[:], said) && !strings.ContainsAny(utterance, questions)
	return yes, slices.Contains(noes[:], said)
}

// Stops reports whether a whole utterance tells somebody at work to stop. A plain no does not: it may be an answer.
func Stops(utterance string) bool {
	return slices.Contains(stops[:], plainLetters(Bare(utterance))) && !strings.ContainsAny(utterance, questions)
}

var stops = [...]string{
	"stop", "stop it", "stop that", "stop please", "please stop", "stop now", "stop stop", "cancel", "cancel it", "cancel that", "abort", "abort it", "halt",
	"interrupt", "never mind", "nevermind", "forget it", "quit",
	"przerwij", "przerwij to", "przerwij prosze", "prosze przerwij", "zatrzymaj", "zatrzymaj to", "zatrzymaj sie", "anuluj", "anuluj to", "przestan", "dosc", "wystarczy",
	"rezygnuje", "zrezygnuj", "niewazne", "nie wazne", "zostaw to",
	"やめて", "やめてください", "もうやめて", "止めて", "止めてください", "とめて", "止まって", "ストップ", "ストップして", "中止", "中止して", "中止してください", "中断", "中断して",
	"キャンセル", "キャンセルして", "キャンセルしてください", "取り消し", "取り消して",
}

// questions are the marks of a counter-question: "Yes?" is not a yes.
const questions = "?\uff1f¿؟⁇⁈⁉"

// The words of one language mean the same in the others, so they share one list; they are written as Bare and
// plainLetters leave them. いいです is in neither list: it is a polite no as often as a yes.
var (
	yeses = [...]string{
		"yes", "yes please", "yeah", "yep", "yup", "sure", "of course", "certainly", "ok", "okay", "ok do it", "okay do it", "confirm", "confirmed", "i confirm",
		"do it", "yes do it", "yes do that", "do that", "go ahead", "yes go ahead", "proceed", "allow", "allow it", "approve", "approved", "agreed", "i agree",
		"tak", "tak tak", "tak prosze", "tak zrob to", "zrob to", "tak potwierdzam", "potwierdz", "potwierdzam", "zgoda", "zgadzam sie", "wykonaj", "tak wykonaj",
		"dobrze", "dobra", "jasne", "oczywiscie", "pewnie", "pozwalam", "zezwalam", "pozwol", "zezwol", "zatwierdz", "zatwierdzam", "no tak",
		"はい", "はい お願いします", "はいお願いします", "お願いします", "うん", "ええ", "いいよ", "いいですよ", "オッケー", "オーケー", "やって", "やってください",
		"はい やって", "はい やってください", "実行", "実行して", "実行してください", "許可", "許可する", "許可します", "確認", "確認します", "承認", "承認します", "そうして", "そうしてください",
	}
	noes = [...]string{
		"no", "no thanks", "no thank you", "nope", "nah", "no way", "cancel", "cancel it", "cancel that", "stop", "stop it", "dont", "dont do it", "dont do that",
		"do not", "do not do it", "do not do that", "no dont", "no dont do it", "no dont do that", "deny", "denied", "refuse", "reject", "abort", "never mind", "nevermind", "forget it", "leave it",
		"nie", "nie nie", "nie dziekuje", "nie dzieki", "anuluj", "nie anuluj", "nie rob tego", "nie rob", "rezygnuje", "zrezygnuj", "przerwij", "zatrzymaj", "odmawiam", "odrzuc",
		"niewazne", "nie wazne", "zostaw", "zostaw to", "nie zgadzam sie", "nie pozwalam", "lepiej nie",
		"いいえ", "いや", "いらない", "だめ", "ダメ", "駄目", "やめて", "やめてください", "やめる", "中止", "中止して", "キャンセル", "キャンセルして", "取り消し", "取り消して",
		"ストップ", "止めて", "しないで", "しないでください", "拒否", "拒否する", "拒否します", "結構です", "いいえ 結構です",
	}
)
