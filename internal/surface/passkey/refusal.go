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

// explained puts a ceremony's refusal into the words and the code of the house.
func (s *surface) explained(h httpd.Handler) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		var refusal *passkey.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		code, m := explain(refusal.Reason)
		var args []any
		if refusal.Reason == passkey.NoKey {
			site, _ := siteOf(r)
			args = append(args, nod.Fold(nod.OneLine(site.Name), 80))
		}
		return nod.Errorf(code, "%s", printer(r).Say(m, args...)).Because(err)
	}
}

func explain(why passkey.Reason) (nod.Code, words.Message) {
	switch why {
	case passkey.Expired:
		return nod.Gone, words.PasskeyLate
	case passkey.WrongOrigin:
		return nod.Forbidden, words.PasskeyElsewhere
	case passkey.Unverified:
		return nod.Forbidden, words.PasskeyUnverified
	case passkey.UnknownKey:
		return nod.Forbidden, words.PasskeyStrange
	case passkey.Cloned:
		return nod.Forbidden, words.PasskeyCopied
	case passkey.NoKey:
		return nod.Unprocessable, words.PasskeyNone
	case passkey.AlreadyRegistered:
		return nod.Conflict, words.PasskeyKnown
	case passkey.UnsupportedKey:
		return nod.Unprocessable, words.PasskeyUnsuited
	case passkey.ProofRequired:
		return nod.ProofNeeded, words.PasskeyFirst
	case passkey.TooMany:
		return nod.Unavailable, words.PasskeyBusy
	case passkey.Insecure:
		return nod.Unprocessable, words.PasskeyPlain
	case passkey.NoHostname:
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
