package browser

import (
	"fmt"
	"reflect"
	"testing"

	"nod/e2e/fakepush"
)

// A question of two choices is answered on the notification itself.
func TestAQuestionIsAnsweredOnItsNotification(t *testing.T) {
	t.Parallel()
	service := fakepush.Start()
	defer service.Close()
	h := newHub(t, "[push]", "private = true")
	u := openPushed(t, h, service)
	q := h.agent("shop").ask("AskUserQuestion", fields{"questions": []fields{
		{"question": "Which database?", "header": "DB", "multiSelect": false, "options": []fields{
			{"label": "Postgres", "description": "big, a server"}, {"label": "SQLite", "description": "small, a file"}}},
	}})
	u.deliver()
	u.noted("its choices as buttons", func(list []note) bool {
		return len(list) == 1 && fmt.Sprint(list[0].Actions) == "[button-0: Postgres button-1: SQLite]"
	})
	u.press(string(q.id), "button-1")
	if got := q.allowed().Decision.Input["answers"]; !reflect.DeepEqual(got, fields{"Which database?": "SQLite"}) && fmt.Sprint(got) != "map[Which database?:SQLite]" {
		t.Errorf("answers: %v", got)
	}
	u.noted("nothing left", func(list []note) bool { return len(list) == 0 })
}
