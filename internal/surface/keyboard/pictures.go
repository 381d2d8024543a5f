package keyboard

import (
	"path/filepath"
	"strings"
	"sync"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/present/draw/icon"
)

// icons makes pictures of keys. Name has made the picture when it returns, because a
// device that waits for one restarts itself; an empty name means text.
type icons interface {
	Name(label, emoji, colour string) string
	Bytes(name string) ([]byte, bool)
}

// pictures makes and keeps those on the keys.
type pictures struct {
	icons icons // nil: keys show text

	mu    sync.Mutex
	asked map[string]bool // that were asked for by HTTP
}

// openPictures keeps pictures on the disk; without a data directory keys show text.
func openPictures(d adapter.Deps) *pictures {
	p := &pictures{asked: map[string]bool{}}
	dir := d.File(filepath.Join("cache", "icons"))
	if dir == "" {
		return p
	}
	full := func(f icon.Fill) {
		d.Log.Warn("the place for pictures of keys is almost full; the oldest are drawn anew", "pictures", f.Pictures, "used", f.Used, "limit", f.Limit)
	}
	cache, err := icon.OpenCache(dir, icon.Options{Warn: full})
	if err != nil {
		d.Log.Warn("keys show text: there is no place for pictures", "err", err)
		return p
	}
	p.icons = icon.LoggedCache{Cache: cache, Log: d.Log}
	return p
}

// name makes a picture; empty if there is none that the device can take.
func (p *pictures) name(label, emoji, colour string) string {
	if p.icons == nil {
		return ""
	}
	name := p.icons.Name(clip(label, longestLabel), emoji, colour)
	if len(name) > longestName {
		return ""
	}
	return name
}

// texts are icons that draw what a person should read, too. The device's own letters
// are small, and fewer of them fit.
type texts interface {
	About(title, text, colour string) string // empty: it does not fit
	Fits(text string) bool
}

// about makes the picture of a text; empty if the device draws it itself.
func (p *pictures) about(d *displayUpdate) string {
	t, ok := p.icons.(texts)
	if !ok || d.whole == "" {
		return ""
	}
	name := t.About(d.Title, d.whole, "#FFFFFF")
	if len(name) > longestName {
		return ""
	}
	return name
}

// readable reports whether a text fits on one screen in whole.
func (p *pictures) readable(text string) bool {
	text = nod.OneLine(text)
	if t, ok := p.icons.(texts); ok && t.Fits(text) {
		return true
	}
	return len(text) <= longestRead && plain(text, longestRead) == text // the device has only ASCII
}

const pictureSize = 128 * 128 * 2

// bytes is a picture in a form that the device can take.
func (p *pictures) bytes(name string) ([]byte, bool) {
	if p.icons == nil {
		return nil, false
	}
	data, ok := p.icons.Bytes(name)
	fits := len(data) == pictureSize || len(data) < pictureSize && strings.HasSuffix(name, ".gif")
	return data, ok && fits
}

// again reports whether a picture was asked for before, which is all that "cached"
// means in the answer.
func (p *pictures) again(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.asked[name]
	if len(p.asked) > 1000 {
		clear(p.asked)
	}
	p.asked[name] = true
	return before
}

// options is a scene as the device takes it.
func (p *pictures) options(id string, sc *scene) updateOptions {
	u := updateOptions{Type: "update_options", Session: id}
	for i, k := range sc.keys {
		o := option{Text: k.text(), Action: k.action(), Color: k.Colour}
		if !hexColour(o.Color) {
			o.Color = colours[i]
		}
		if (k.Label != "" || k.Emoji != "") && !(sc.about != nil && sc.about.Display == i) {
			o.Image = p.name(k.Label, k.Emoji, o.Color)
		}
		if sc.about != nil && sc.about.Display == i {
			if o.Image = p.about(sc.about); o.Image != "" {
				o.Text = plain(clip(sc.about.whole, longestLabel), longestLabel)
				o.About = sc.about.Title + ": " + sc.about.whole
			}
		}
		u.Options[i] = o
	}
	return u
}
