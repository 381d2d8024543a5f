package words

import (
	"strings"
	"testing"
	"unicode"
)

func TestReasonsAreInThePersonsLanguage(t *testing.T) {
	for english, want := range map[string]string{
		"deletes files below build": "build 以下のファイルを削除", "sends commits to a server": "コミットをサーバーへ送信", "deletes x": "x を削除",
		"tofu is not a known command": "tofu は未知のコマンド", "something that a newer rule says": "", "": "",
	} {
		if got := In(Japanese).Reason(english); got != want {
			t.Errorf("%q: %q", english, got)
		}
		if got := In(English).Reason(english); got != english {
			t.Errorf("%q in English: %q", english, got)
		}
	}
	for _, m := range reasonTexts {
		about := strings.ReplaceAll(m.EN, "%s", "X")
		ja := In(Japanese).Reason(about)
		if ja != strings.ReplaceAll(m.JA, "%s", "X") || !strings.ContainsFunc(ja, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
			t.Errorf("%q: %q", m.EN, ja)
		}
	}
}
