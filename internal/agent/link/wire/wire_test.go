package wire

import (
	"encoding/json"
	"testing"

	"nod"
)

// What a release sends and reads is in the field: a hub refuses a body with a word that
// it does not know, so these stay as they are to the letter.
func TestTheWordsOnTheWire(t *testing.T) {
	for _, c := range []struct {
		said any
		want string
	}{
		{Hello{Version: "1.4.0", Log: "abc", Pending: []nod.RequestID{"r1"}}, `{"version":"1.4.0","log":"abc","pending":["r1"]}`},
		{Facts{Log: "abc", After: 3, Upto: 5, Events: []json.RawMessage{[]byte(`{}`)}, Failed: []nod.Message{}}, `{"log":"abc","after":3,"upto":5,"events":[{}],"failed":[]}`},
		{Welcome{Heard: 3, Head: 9, Decided: []nod.Request{}}, `{"heard":3,"head":9,"decided":[]}`},
		{Heard{Heard: 5}, `{"heard":5}`},
		{Drafts{Drafts: []nod.Draft{{Agent: "a", Message: "m", At: 3, Text: "x"}}}, `{"drafts":[{"agent":"a","message":"m","at":3,"text":"x"}]}`},
		{Redo{Again: []nod.AgentID{"a"}}, `{"again":["a"]}`},
		{Offer{Assistants: []nod.Assistant{{Name: "butler", Kind: "claude"}}}, `{"assistants":[{"name":"butler","kind":"claude"}]}`},
		{Standing{Log: "abc", After: 3, Upto: 5, Orders: 7, Done: true}, `{"log":"abc","after":3,"upto":5,"orders":7,"events":null,"agents":null,"requests":null,"messages":null,"done":true}`},
	} {
		got, err := json.Marshal(c.said)
		if err != nil || string(got) != c.want {
			t.Errorf("%T says %s, %v; want %s", c.said, got, err, c.want)
		}
	}
}
