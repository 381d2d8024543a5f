package passkey

import (
	"encoding/binary"
	"errors"
	"math"
)

var errCBOR = errors.New("not the CBOR that an authenticator writes")

// deepest and widest bound what a stranger can make us build.
const (
	deepest = 4
	widest  = 64
)

// cbor reads the part of CBOR (RFC 8949) that CTAP2 allows: whole numbers,
// strings, lists, maps and simple values, all of definite length.
type cbor struct{ rest []byte }

// value reads one item: int64, []byte, string, []any, map[any]any, bool or nil.
func (c *cbor) value() (any, error) { return c.item(0) }

func (c *cbor) item(depth int) (any, error) {
	if depth > deepest {
		return nil, errCBOR
	}
	major, n, err := c.head()
	if err != nil {
		return nil, err
	}
	switch major {
	case 0, 1:
		if n > math.MaxInt64 {
			return nil, errCBOR
		}
		if major == 1 {
			return -1 - int64(n), nil
		}
		return int64(n), nil
	case 2, 3:
		if n > uint64(len(c.rest)) {
			return nil, errCBOR
		}
		text := c.rest[:n:n]
		c.rest = c.rest[n:]
		if major == 3 {
			return string(text), nil
		}
		return text, nil
	case 4:
		return c.list(n, depth)
	case 5:
		return c.pairs(n, depth)
	case 7:
		return simple(n)
	}
	return nil, errCBOR // tags: CTAP2 has none
}

// head reads the kind of an item and its number.
func (c *cbor) head() (major byte, n uint64, err error) {
	if len(c.rest) == 0 {
		return 0, 0, errCBOR
	}
	first := c.rest[0]
	c.rest = c.rest[1:]
	major, info := first>>5, first&31
	if info < 24 {
		return major, uint64(info), nil
	}
	if info > 27 || major == 7 { // of indefinite length, or a fraction
		return 0, 0, errCBOR
	}
	size := 1 << (info - 24)
	if len(c.rest) < size {
		return 0, 0, errCBOR
	}
	var wide [8]byte
	copy(wide[8-size:], c.rest)
	c.rest = c.rest[size:]
	return major, binary.BigEndian.Uint64(wide[:]), nil
}

func (c *cbor) list(n uint64, depth int) (any, error) {
	if n > widest {
		return nil, errCBOR
	}
	list := make([]any, n)
	for i := range list {
		var err error
		if list[i], err = c.item(depth + 1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *cbor) pairs(n uint64, depth int) (any, error) {
	if n > widest {
		return nil, errCBOR
	}
	m := make(map[any]any, n)
	for range n {
		key, err := c.item(depth + 1)
		if err != nil {
			return nil, err
		}
		switch key.(type) {
		case int64, string:
		default:
			return nil, errCBOR
		}
		if _, twice := m[key]; twice { // two readers could take two of them
			return nil, errCBOR
		}
		if m[key], err = c.item(depth + 1); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func simple(n uint64) (any, error) {
	switch n {
	case 20, 21:
		return n == 21, nil
	case 22:
		return nil, nil
	}
	return nil, errCBOR
}
