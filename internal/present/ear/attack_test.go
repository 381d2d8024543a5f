package ear

import (
	"testing"

	"nod/internal/present/words"
)

// A recogniser writes a question mark when the voice rises. A question back is not a
// yes; a doubtful no is a no.
func TestQuestionIsNotAYes(t *testing.T) {
	for _, text := range []string{"yes?", "OK?", "Tak?", "はい？", "ええ？", "sure?!", "yes ?", "はい⁇", "いいです", "いいです。"} {
		for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
			if yes, no := Assent(lang, text); yes || no {
				t.Errorf("%q means %v, %v", text, yes, no)
			}
		}
	}
	if _, no := Assent(words.English, "cancel?"); !no {
		t.Error("a no is always enough")
	}
}

// Text that only looks or sounds like a yes is not a yes.
func TestNoiseIsNotAYes(t *testing.T) {
	for _, text := range []string{
		"y es", "y\u200bes", "уes", "yes yes no", "yes/no", "not yes", "oh yes it is", "okay google", "𝐲𝐞𝐬", "yés no", "tak nie", "no no", "hm", "mhm", "uh", "はいはい違う", "はい いいえ",
	} {
		if yes, _ := Assent(words.Polish, text); yes {
			t.Errorf("%q is a yes", text)
		}
	}
}
