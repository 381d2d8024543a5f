package passkey

import (
	"errors"
	"net/http"
	"strings"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
	"nod/internal/present/words"
)

// spoken puts a ceremony's refusal into the words and the code of the house.
func (s *surface) spoken(h httpd.Handler) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		var refusal *passkey.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		code, m := meaning(refusal.Why)
		var args []any
		if refusal.Why == passkey.None {
			site, _ := page(r)
			args = append(args, nod.Fold(nod.OneLine(site.Name), 80))
		}
		return nod.Errorf(code, "%s", printer(r).Say(m, args...)).Because(err)
	}
}

func meaning(why passkey.Why) (nod.Code, words.Message) {
	switch why {
	case passkey.Stale:
		return nod.Gone, words.PasskeyLate
	case passkey.Foreign:
		return nod.Forbidden, words.PasskeyElsewhere
	case passkey.Unverified:
		return nod.Forbidden, words.PasskeyUnverified
	case passkey.Strange:
		return nod.Forbidden, words.PasskeyStrange
	case passkey.Copied:
		return nod.Forbidden, words.PasskeyCopied
	case passkey.None:
		return nod.Unprocessable, words.PasskeyNone
	case passkey.Known:
		return nod.Conflict, words.PasskeyKnown
	case passkey.Unsuited:
		return nod.Unprocessable, words.PasskeyUnsuited
	case passkey.Unproven:
		return nod.ProofNeeded, words.PasskeyFirst
	case passkey.Busy:
		return nod.Unavailable, words.PasskeyBusy
	case passkey.Plain:
		return nod.Unprocessable, words.PasskeyPlain
	case passkey.Nameless:
		return nod.Unprocessable, words.PasskeyNameless
	case passkey.NoBrowser:
		return nod.Unprocessable, words.PasskeyNoBrowser
	}
	return nod.Forbidden, words.PasskeyWrong
}

// printer speaks the language that the browser asks for.
func printer(r *http.Request) words.Printer {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return words.For(func(string) string { return strings.TrimSpace(first) })
}
