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

// explained turns a refusal into an error with a code and a localized message.
func (s *Surface) explained(h httpd.Handler) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		var refusal *passkey.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		e := explanations[refusal.Reason]
		var args []any
		if refusal.Reason == passkey.NoKey {
			site, _ := siteOf(r)
			args = append(args, nod.Fold(nod.OneLine(site.Name), 80))
		}
		return nod.Errorf(e.code, "%s", printer(r).Say(e.message, args...)).Because(err)
	}
}

// explanation is how one reason for a refusal is answered.
type explanation struct {
	code    nod.Code
	message words.Message
}

var explanations = map[passkey.Reason]explanation{
	passkey.Invalid:           {nod.Forbidden, words.PasskeyWrong},
	passkey.Expired:           {nod.Gone, words.PasskeyLate},
	passkey.WrongOrigin:       {nod.Forbidden, words.PasskeyElsewhere},
	passkey.Unverified:        {nod.Forbidden, words.PasskeyUnverified},
	passkey.UnknownKey:        {nod.Forbidden, words.PasskeyStrange},
	passkey.Cloned:            {nod.Forbidden, words.PasskeyCopied},
	passkey.NoKey:             {nod.Unprocessable, words.PasskeyNone},
	passkey.AlreadyRegistered: {nod.Conflict, words.PasskeyKnown},
	passkey.UnsupportedKey:    {nod.Unprocessable, words.PasskeyUnsuited},
	passkey.ProofRequired:     {nod.ProofNeeded, words.PasskeyFirst},
	passkey.TooMany:           {nod.Unavailable, words.PasskeyBusy},
	passkey.Insecure:          {nod.Unprocessable, words.PasskeyPlain},
	passkey.NoHostname:        {nod.Unprocessable, words.PasskeyNameless},
	passkey.NoBrowser:         {nod.Unprocessable, words.PasskeyNoBrowser},
}

// printer writes in the language that the browser prefers.
func printer(r *http.Request) words.Printer {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return words.For(func(string) string { return strings.TrimSpace(first) })
}
