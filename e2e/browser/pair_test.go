package browser

import (
	"regexp"
	"strings"
	"testing"
)

// The way of a new phone: a link from the terminal, a name, the inbox.
func TestPair(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	link := regexp.MustCompile(`http://\S+/pair#\S+`).FindString(h.nod("pair"))
	if !strings.HasPrefix(link, h.url) {
		t.Fatalf("the link is %q", link)
	}
	phone := blank(t, h, Phone)
	phone.Go(strings.TrimPrefix(link, h.url))
	phone.See("Pair this device")
	if where := eval[string](phone, "location.href"); where != h.url+"/pair" {
		t.Errorf("the code stays in the address: %s", where)
	}
	phone.Look("pair")
	phone.Type("Name of this device", "Kitchen phone")
	phone.Tap("button", "Pair")
	phone.See("Three steps, and your agents ask you here.")
	phone.live()
	tokens, err := h.client.Tokens(t.Context())
	if err != nil || len(tokens) != 1 || tokens[0].Name != "Kitchen phone" {
		t.Errorf("%s, %v", describe(tokens), err)
	}
	if cookies := eval[string](phone, "document.cookie"); cookies != "" {
		t.Errorf("a script can read the cookie: %s", cookies)
	}

	second := blank(t, h, Phone) // the same link again
	second.Accept("401", "403", "404", "410")
	second.Go(strings.TrimPrefix(link, h.url))
	second.See("Pair this device")
	second.Tap("button", "Pair")
	second.See("This code does not work")
}

func TestAWrongCode(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	phone := blank(t, h, Phone)
	phone.Accept("401", "403", "404", "410")
	phone.Go("/") // not paired: it asks for a code
	phone.See("This browser is not known to the hub")
	phone.Type("Code", "ABCD-EFGH-1234")
	phone.Tap("button", "Pair")
	phone.See("This code does not work")
	phone.Look("pair-wrong")
	phone.Type("Code", h.code())
	phone.Tap("button", "Pair")
	phone.See("Welcome.")
}
