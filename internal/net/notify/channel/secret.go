package channel

import "log/slog"

// Secret is a token or a password of a channel. However it is printed, logged or
// encoded, it masks itself; only Reveal tells it.
type Secret string

const masked = "•••"

// Reveal is the secret itself.
func (s Secret) Reveal() string { return string(s) }

func (s Secret) String() string { return masked }

// GoString hides it from %#v.
func (s Secret) GoString() string { return masked }

// LogValue hides it from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(masked) }

// MarshalText hides it from everything that encodes.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
