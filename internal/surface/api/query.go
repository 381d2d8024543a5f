package api

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nod"
)

const (
	usualLimit = 100
	maxLimit   = 1000
)

// query reads the parameters of a URL and keeps the first error.
type query struct {
	values url.Values
	err    error
}

// queryOf refuses parameters that the route does not know.
func queryOf(r *http.Request, known ...string) *query {
	q := &query{}
	if q.values, q.err = url.ParseQuery(r.URL.RawQuery); q.err != nil {
		q.err = nod.Errorf(nod.Invalid, "the part after the question mark cannot be read").Because(q.err)
		return q
	}
	for name, values := range q.values {
		switch {
		case !slices.Contains(known, name):
			q.fail("unknown parameter %q: known are %s", name, strings.Join(known, ", "))
		case len(values) > 1:
			q.fail("the parameter %q is there twice", name)
		case !nod.Clean(values[0]):
			q.fail("the parameter %q holds bytes that are not text (UTF-8)", name)
		}
	}
	return q
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = nod.Errorf(nod.Invalid, format, args...)
	}
}

func (q *query) text(name string) string { return q.values.Get(name) }

func (q *query) seq(name string) nod.Seq {
	if !q.values.Has(name) {
		return 0
	}
	n, err := parseSeq(q.values.Get(name))
	if err != nil {
		q.fail("%s=%s is no place in the log: a number is expected", name, nod.Fold(nod.OneLine(q.values.Get(name)), 40))
	}
	return n
}

func (q *query) limit() int {
	if !q.values.Has("limit") {
		return usualLimit
	}
	n, err := strconv.Atoi(q.values.Get("limit"))
	if err != nil || n < 1 || n > maxLimit {
		q.fail("limit must be a number from 1 to %d", maxLimit)
	}
	return n
}

func parseSeq(s string) (nod.Seq, error) {
	n, err := strconv.ParseUint(s, 10, 63) // 63 bits: stores compare them as signed numbers
	return nod.Seq(n), err
}

// orEmpty makes JSON show an empty list as [], never as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
