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

// About is the name of a picture of a text; "" if there is none.
func (s LoggedCache) About(title, text, colour string) string {
	ink, _ := Ink(colour)
	name, err := s.Cache.About(About{Title: title, Text: text, Ink: ink})
	if err != nil {
		s.Log.Warn("a keyboard shows a text in its own letters", "err", err)
		return ""
	}
	return name
}

// Fits reports whether About has a picture of a text.
func (s LoggedCache) Fits(text string) bool { return s.Cache.roomFor("") && Fits(text) }

// Bytes returns a picture by its name.
func (s LoggedCache) Bytes(name string) ([]byte, bool) {
	body, err := s.Cache.Read(name)
	return body, err == nil
}
