package words

import "testing"

func TestKeysForEveryContext(t *testing.T) {
	for _, context := range []string{"git_operations", "debugging", "testing", "question_yesno", "question_choice", "file_operations", "default", "something else"} {
		for i, k := range KeysFor(context) {
			if k.Emoji == "" || k.Label.EN == "" || len([]rune(k.Label.PL)) > 10 || len([]rune(k.Label.JA)) > 10 {
				t.Errorf("%s: key %d is %+v", context, i+1, k)
			}
		}
	}
}
