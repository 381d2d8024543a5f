package relay

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"nod"
)

// usage is when a device registered and was last reached.
type usage struct {
	Registered int64 `json:"registeredAt"`
	Pushed     int64 `json:"lastPushAt,omitempty"`
}

// last is when the device was last known to work.
func (u *usage) last() int64 { return cmp.Or(u.Pushed, u.Registered) }

// appleDevice is a phone or a watch that receives notifications.
type appleDevice struct {
	Token string `json:"token"`
	usage
	Platform string            `json:"platform,omitempty"`
	Sounds   map[string]string `json:"sounds,omitempty"`
}

func (d *appleDevice) id() string    { return d.Token }
func (d *appleDevice) times() *usage { return &d.usage }

// browser is a subscription of Web Push, as the browser wrote it.
type browser struct {
	Subscription subscription `json:"subscription"`
	usage
}

func (b *browser) id() string    { return b.Subscription.Endpoint }
func (b *browser) times() *usage { return &b.usage }

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
	d := &appleDevice{Token: token, usage: usage{Registered: c.Now().UnixMilli()}, Platform: iOS, Sounds: sounds(c.body["sounds"])}
	if c.body.word("platform") == watchOS {
		d.Platform = watchOS
	}
	c.registered(func() { addDevice(c.devices, c.who.room, d, appleOf) })
}

// registered adds a device to the caller's room.
func (c *call) registered(add func()) {
	c.registry.Lock()
	c.registry.enter(c.who.room).touch(c.Now())
	add()
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
	removeDevice(c.devices, c.who.room, token, appleOf)
	c.devices.save()
	c.json(http.StatusOK, done{true})
}

func (c *call) registerWeb() {
	if !c.may(nod.View, "get notifications") {
		return
	}
	b := &browser{usage: usage{Registered: c.Now().UnixMilli()}}
	given := c.body.object("subscription")
	keys := given.object("keys")
	b.Subscription.Endpoint, b.Subscription.Keys.P256DH, b.Subscription.Keys.Auth = given.word("endpoint"), keys.word("p256dh"), keys.word("auth")
	if b.Subscription.Endpoint == "" || b.Subscription.Keys.P256DH == "" || b.Subscription.Keys.Auth == "" {
		c.fail(http.StatusBadRequest, "valid subscription is required")
		return
	}
	c.registered(func() { addDevice(c.devices, c.who.room, b, browsersOf) })
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
	removeDevice(c.devices, c.who.room, endpoint, browsersOf)
	c.devices.save()
	c.json(http.StatusOK, done{true})
}
