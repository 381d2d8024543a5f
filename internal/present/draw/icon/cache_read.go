package icon

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"nod"
)

// nameShape is what a keyboard may request.
var nameShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_-]{1,19}\.(rgb|gif)$`) })

// Read returns a picture by its name: 32,768 bytes, or a smaller GIF. It also knows the names that hooks and scripts
// use; every other name is not found.
func (c *Cache) Read(name string) ([]byte, error) {
	if !nameShape().MatchString(name) {
		return nil, nod.Errorf(nod.NotFound, "there is no picture of this name")
	}
	if name == ThinkingOldName {
		own, err := c.Thinking()
		if err != nil {
			return nil, err
		}
		name = own
	}
	if s, ok := Standard(name); ok {
		own, _, err := c.Icon(s)
		if err != nil {
			return nil, err
		}
		name = own
	}
	if !c.touch(name, nil) {
		return nil, nod.Errorf(nod.NotFound, "there is no picture of this name")
	}
	body, err := os.ReadFile(filepath.Join(c.dir, name))
	if err == nil && fits(name, int64(len(body))) {
		return body, nil
	}
	return c.again(name)
}

// again redraws a deleted or damaged picture: it was announced, so it must exist.
func (c *Cache) again(name string) ([]byte, error) {
	c.mu.Lock()
	e, ok := c.known[name]
	if !ok {
		c.mu.Unlock()
		return nil, nod.Errorf(nod.NotFound, "there is no picture of this name")
	}
	draw := e.Value.(*kept).make
	c.forget(e)
	c.mu.Unlock()
	if draw == nil {
		return nil, nod.Errorf(nod.NotFound, "the file of this picture is gone")
	}
	body, err := draw()
	if err == nil {
		err = c.keep(name, body, draw)
	}
	return body, err
}
