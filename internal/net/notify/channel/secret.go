package channel

import "log/slog"

// Secret is a token or password of a channel. It masks itself when printed, logged or encoded; only Reveal returns
// it.
type Secret string

const masked = "•••"

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

func (s Secret) String() string { return masked }

// GoString hides it from %#v.
func (s Secret) GoString() string { return masked }

// LogValue hides it from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(masked) }

// MarshalText hides it from all encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
