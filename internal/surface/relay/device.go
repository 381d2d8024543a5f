package relay

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"nod"
)

// appleDevice is a phone or a watch that receives notifications.
type appleDevice struct {
	Token      string            `json:"token"`
	Registered int64             `json:"registeredAt"`
	Pushed     int64             `json:"lastPushAt,omitempty"`
	Platform   string            `json:"platform,omitempty"`
	Sounds     map[string]string `json:"sounds,omitempty"`
}

// browser is a subscription of Web Push, as the browser wrote it.
type browser struct {
	Subscription subscription `json:"subscription"`
	Registered   int64        `json:"registeredAt"`
	Pushed       int64        `json:"lastPushAt,omitempty"`
}

type subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256DH string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

const watchOS, iOS = "watchos", "ios"

func (c *call) register() {
	if !c.may(nod.View, "get notifications") {
		return
	}
	token := c.body.word("token")
	if token == "" {
		c.fail(http.StatusBadRequest, "token is required")
		return
	}
	d := appleDevice{Token: token, Registered: c.Now().UnixMilli(), Platform: iOS, Sounds: sounds(c.body["sounds"])}
	if c.body.word("platform") == watchOS {
		d.Platform = watchOS
	}
	c.registry.Lock()
	c.registry.enter(c.who.room).touch(c.Now())
	c.devices.addApple(c.who.room, d)
	c.registry.Unlock()
	c.devices.save()
	c.json(http.StatusOK, done{true})
}

// sounds are an app's sound files by kind of notification. Invalid names are left out.
func sounds(raw json.RawMessage) map[string]string {
	var given map[string]any
	if json.Unmarshal(raw, &given) != nil {
		return nil
	}
	list := map[string]string{}
	for kind, value := range given {
		if file, ok := value.(string); ok && file != "" && strings.Trim(file, fileLetters) == "" && len(list) < 16 {
			list[kind] = file
		}
	}
	return list
}

const fileLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

func (c *call) unregister() {
	if !c.may(nod.View, "end notifications") {
		return
	}
	token := c.body.word("token")
	if token == "" {
		c.fail(http.StatusBadRequest, "token is required")
		return
	}
	c.devices.removeApple(c.who.room, token)
	c.devices.save()
	c.json(http.StatusOK, done{true})
}

func (c *call) registerWeb() {
	if !c.may(nod.View, "get notifications") {
		return
	}
	b := browser{Registered: c.Now().UnixMilli()}
	given := c.body.object("subscription")
	keys := given.object("keys")
	b.Subscription.Endpoint, b.Subscription.Keys.P256DH, b.Subscription.Keys.Auth = given.word("endpoint"), keys.word("p256dh"), keys.word("auth")
	if b.Subscription.Endpoint == "" || b.Subscription.Keys.P256DH == "" || b.Subscription.Keys.Auth == "" {
		c.fail(http.StatusBadRequest, "valid subscription is required")
		return
	}
	c.registry.Lock()
	c.registry.enter(c.who.room).touch(c.Now())
	c.devices.addBrowser(c.who.room, b)
	c.registry.Unlock()
	c.devices.save()
	c.json(http.StatusOK, done{true})
}

func (c *call) unregisterWeb() {
	if !c.may(nod.View, "end notifications") {
		return
	}
	endpoint := c.body.word("endpoint")
	if endpoint == "" {
		c.fail(http.StatusBadRequest, "endpoint is required")
		return
	}
	c.devices.removeBrowser(c.who.room, endpoint)
	c.devices.save()
	c.json(http.StatusOK, done{true})
}

func (b *deviceStore) addApple(to roomID, d appleDevice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := func(o appleDevice) bool { return o.Token == d.Token }
	for id, room := range b.rooms {
		if i := slices.IndexFunc(room.Apple, same); i >= 0 {
			if id == to {
				d.Pushed = room.Apple[i].Pushed
			}
			room.Apple = slices.Delete(room.Apple, i, i+1)
		}
	}
	room := b.room(to)
	if len(room.Apple) >= mostDevices {
		room.Apple = withoutOldest(room.Apple, func(o appleDevice) int64 { return cmp.Or(o.Pushed, o.Registered) })
	}
	room.Apple = append(room.Apple, d)
	b.changed = true
}

func (b *deviceStore) addBrowser(to roomID, d browser) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := func(o browser) bool { return o.Subscription.Endpoint == d.Subscription.Endpoint }
	for id, room := range b.rooms {
		if i := slices.IndexFunc(room.Browsers, same); i >= 0 {
			if id == to {
				d.Pushed = room.Browsers[i].Pushed
			}
			room.Browsers = slices.Delete(room.Browsers, i, i+1)
		}
	}
	room := b.room(to)
	if len(room.Browsers) >= mostDevices {
		room.Browsers = withoutOldest(room.Browsers, func(o browser) int64 { return cmp.Or(o.Pushed, o.Registered) })
	}
	room.Browsers = append(room.Browsers, d)
	b.changed = true
}

func withoutOldest[D any](list []D, age func(D) int64) []D {
	oldest := 0
	for i := range list {
		if age(list[i]) < age(list[oldest]) {
			oldest = i
		}
	}
	return slices.Delete(list, oldest, oldest+1)
}

func (b *deviceStore) removeApple(from roomID, token string) {
	b.edit(from, func(r *roomDevices) {
		r.Apple = slices.DeleteFunc(r.Apple, func(d appleDevice) bool { return d.Token == token })
	})
}

func (b *deviceStore) removeBrowser(from roomID, endpoint string) {
	b.edit(from, func(r *roomDevices) {
		r.Browsers = slices.DeleteFunc(r.Browsers, func(d browser) bool { return d.Subscription.Endpoint == endpoint })
	})
}

// pushedApple notes the last success, which decides which device is replaced first.
func (b *deviceStore) pushedApple(in roomID, token string, at time.Time) {
	b.edit(in, func(r *roomDevices) {
		for i := range r.Apple {
			if r.Apple[i].Token == token {
				r.Apple[i].Pushed = at.UnixMilli()
			}
		}
	})
}

func (b *deviceStore) pushedBrowser(in roomID, endpoint string, at time.Time) {
	b.edit(in, func(r *roomDevices) {
		for i := range r.Browsers {
			if r.Browsers[i].Subscription.Endpoint == endpoint {
				r.Browsers[i].Pushed = at.UnixMilli()
			}
		}
	})
}
