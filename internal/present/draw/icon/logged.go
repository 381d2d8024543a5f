package icon

import "log/slog"

// LoggedCache is a cache for surfaces: failures are logged, and a key without a picture shows its text.
type LoggedCache struct {
	Cache *Cache
	Log   *slog.Logger
}

// Name is the name of a picture that is ready to be fetched; "" if there is none.
func (s LoggedCache) Name(label, emoji, colour string) string {
	ink, _ := Ink(colour)
	name, _, err := s.Cache.Icon(Spec{Emoji: emoji, Label: label, Ink: ink})
	if err != nil {
		s.Log.Warn("a key shows text in place of its picture", "err", err)
		return ""
	}
	return name
}

// Bytes returns a picture by its name.
func (s LoggedCache) Bytes(name string) ([]byte, bool) {
	body, err := s.Cache.Read(name)
	return body, err == nil
}
