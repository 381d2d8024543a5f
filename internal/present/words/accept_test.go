package words

import "testing"

func TestAcceptLanguage(t *testing.T) {
	for header, want := range map[string]Lang{
		"": English, "*": English, "de": English, "pl": Polish, "pl-PL,pl;q=0.9,en;q=0.8": Polish,
		"ja;q=0.5, pl;q=0.7": Polish, "de-DE,ja;q=0.3": Japanese, "en-GB,pl": English, "de,pl;q=0.4,en;q=0.9": English,
		"pl;q=0, ja;q=x": Japanese, "ja;q=0": English, "plt": English,
	} {
		if got := Accept(header).Lang(); got != want {
			t.Errorf("%q: language %d, want %d", header, got, want)
		}
	}
}
