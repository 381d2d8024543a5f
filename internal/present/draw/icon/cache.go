package icon

import (
	"container/list"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
)

const (
	UsualLimit = 32 << 20   // a thousand pictures
	leastLimit = 64 * Bytes // fewer would evict what keys show now
	fillAt     = 90         // per cent
	useGrain   = time.Hour  // precision of last-use times on disk
)

// Fill is how full a cache is.
type Fill struct {
	Pictures    int
	Used, Limit int64 // bytes
}

// Options configure a Cache.
type Options struct {
	Drawer *Drawer
	Limit  int64      // bytes on the disk; 0: UsualLimit
	Warn   func(Fill) // called once, when it is nearly full: from then on old pictures are evicted
	Now    func() time.Time
}

// Cache keeps pictures on disk: every name it has returned exists there. The least recently used are evicted first.
type Cache struct {
	Options
	dir string

	mu     sync.Mutex
	order  *list.List // of *kept, the most recently used first
	known  map[string]*list.Element
	used   int64
	warned bool
}

type kept struct {
	name string
	size int64
	at   time.Time // last use, as recorded on disk
	make func() ([]byte, error)
}

// OpenCache reads a folder, and creates it if there is none.
func OpenCache(dir string, o Options) (*Cache, error) {
	if o.Drawer == nil {
		o.Drawer = NewDrawer(SystemFonts()...)
	}
	if o.Limit == 0 {
		o.Limit = UsualLimit
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Limit = max(o.Limit, leastLimit)
	c := &Cache{Options: o, dir: dir, order: list.New(), known: make(map[string]*list.Element)}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nod.Errorf(nod.Internal, "there is no folder for the pictures of keys: %s", dir).Because(err)
	}
	return c, c.load()
}

// load reads what an earlier run left and removes partial files.
func (c *Cache) load() error {
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return nod.Errorf(nod.Internal, "the folder of the pictures of keys cannot be read: %s", c.dir).Because(err)
	}
	var found []*kept
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(f.Name(), halfWritten) || ownName(f.Name()) && !fits(f.Name(), info.Size()) {
			_ = os.Remove(filepath.Join(c.dir, f.Name()))
			continue
		}
		if ownName(f.Name()) {
			found = append(found, &kept{name: f.Name(), size: info.Size(), at: info.ModTime()})
		}
	}
	slices.SortFunc(found, func(a, b *kept) int { return b.at.Compare(a.at) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range found {
		c.known[k.name] = c.order.PushBack(k)
		c.used += k.size
	}
	c.shrink()
	return nil
}

// halfWritten is the name prefix of incomplete files.
const halfWritten = ".new-"

// ownName: nothing else in the folder is touched, read or counted.
func ownName(name string) bool {
	return len(name) == 21 && (name[0] == 'k' || name[0] == 'a') && strings.Trim(name[1:17], "0123456789abcdef") == "" && (name[17:] == ".rgb" || name[17:] == ".gif")
}

func fits(name string, size int64) bool {
	return size == Bytes || strings.HasSuffix(name, ".gif") && size > 0 && size < Bytes
}

// Icon is the name of a picture that is ready to be fetched; cached means that it already was. An empty Spec has no
// picture, and its name on the wire is "".
func (c *Cache) Icon(s Spec) (name string, cached bool, err error) {
	if s.Empty() {
		return "", true, nil
	}
	name = c.Drawer.Name(s)
	cached, err = c.ready(name, func() ([]byte, error) { return RGB565(c.Drawer.Draw(s)), nil })
	return name, cached, err
}

// mostAbout is how many different texts are drawn: half of what a keyboard has room for.
const mostAbout = KeyboardHolds / 2

// About is the name of the picture of a text, ready to be fetched; empty if it does not
// fit, or if keyboards have no room for more of them.
func (c *Cache) About(a About) (name string, err error) {
	if name = a.name(); !c.roomFor(name) || !Fits(a.Text) {
		return "", nil
	}
	_, err = c.ready(name, func() ([]byte, error) { return RGB565(DrawAbout(a)), nil })
	return name, err
}

// roomFor reports whether a picture of a text may be made.
func (c *Cache) roomFor(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for other := range c.known {
		if other == name {
			return true
		}
		if other[0] == 'a' {
			n++
		}
	}
	return n < mostAbout
}

// Thinking is the name of the animation, ready to be fetched.
func (c *Cache) Thinking() (string, error) {
	name := ThinkingName()
	_, err := c.ready(name, Thinking)
	return name, err
}

// ready makes sure that a picture exists.
func (c *Cache) ready(name string, draw func() ([]byte, error)) (cached bool, err error) {
	if c.touch(name, draw) {
		return true, nil
	}
	body, err := draw() // outside the lock: two callers may draw the same, and neither waits
	if err != nil {
		return false, err
	}
	return false, c.keep(name, body, draw)
}

// touch marks a picture as used and reports whether it exists.
func (c *Cache) touch(name string, draw func() ([]byte, error)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[name]
	if !ok {
		return false
	}
	c.order.MoveToFront(e)
	k := e.Value.(*kept)
	if draw != nil {
		k.make = draw
	}
	if now := c.Now(); now.Sub(k.at) >= useGrain {
		k.at = now
		_ = os.Chtimes(filepath.Join(c.dir, name), now, now) // only affects the order after a restart
	}
	return true
}

// keep writes a picture atomically.
func (c *Cache) keep(name string, body []byte, draw func() ([]byte, error)) error {
	if err := c.write(name, body); err != nil {
		return nod.Errorf(nod.Internal, "the picture of a key cannot be kept in %s: is the disk full?", c.dir).Because(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.known[name]; ok { // another caller was faster
		c.order.MoveToFront(e)
		return nil
	}
	c.known[name] = c.order.PushFront(&kept{name: name, size: int64(len(body)), at: c.Now(), make: draw})
	c.used += int64(len(body))
	c.shrink()
	return nil
}

func (c *Cache) write(name string, body []byte) error {
	f, err := os.CreateTemp(c.dir, halfWritten)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err == nil {
		err = os.Chtimes(f.Name(), c.Now(), c.Now()) // one clock for all, or the order is lost
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// shrink evicts the oldest until the rest fits.
func (c *Cache) shrink() {
	if c.used*100 >= c.Limit*fillAt && !c.warned && c.Warn != nil {
		c.warned = true
		c.Warn(c.fill())
	}
	for c.used > c.Limit {
		e := c.order.Back()
		c.forget(e)
		_ = os.Remove(filepath.Join(c.dir, e.Value.(*kept).name))
	}
}

func (c *Cache) forget(e *list.Element) {
	k := c.order.Remove(e).(*kept)
	delete(c.known, k.name)
	c.used -= k.size
}

// Fill is how full it is now.
func (c *Cache) Fill() Fill {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fill()
}

func (c *Cache) fill() Fill { return Fill{Pictures: c.order.Len(), Used: c.used, Limit: c.Limit} }
