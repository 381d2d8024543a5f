package push

import "context"

// Subscriptions keeps what must be deletable and is therefore no fact of the log: the
// subscriptions of devices, and the key by which push services know this hub.
//
// A subscriber belongs to a device token of the same store. PutSubscriber fails
// with NotFound when there is no such token; it takes the place of the one
// before, and of another token's with the same endpoint, because an endpoint is
// one browser. What was told stays noted as long as the endpoint is the same;
// the Told of its argument does not count.
//
// Subscribers are ordered by token. When a token is deleted its subscriber is
// too. DeleteSubscriber and NoteTold mean the subscriber of a token with this
// very endpoint, and fail with NotFound when it has another by now; an empty
// endpoint means whichever it has. NoteTold replaces what was noted before.
//
// PushKey returns the key that is kept; when there is none it keeps fresh and
// returns that.
type Subscriptions interface {
	PutSubscriber(ctx context.Context, s Subscriber) error
	Subscribers(ctx context.Context) ([]Subscriber, error)
	DeleteSubscriber(ctx context.Context, token, endpoint string) error
	NoteTold(ctx context.Context, token, endpoint string, told []string) error
	PushKey(ctx context.Context, fresh []byte) ([]byte, error)
}

// Subscriber is a device that wants to be told.
type Subscriber struct {
	Token        string       `json:"token"` // id of the device's token
	Subscription Subscription `json:"subscription"`
	Notify       Notify       `json:"notify"`
	Quiet        *Quiet       `json:"quiet,omitempty"`
	Lang         string       `json:"lang,omitempty"`
	Told         []string     `json:"-"` // requests whose notification may still be on its screen, oldest first
}

// Notify is what a device wants to hear of.
type Notify string

// What a device may want.
const (
	All         Notify = "all"     // what waits, and agents that finish or fail
	WaitingOnly Notify = "waiting" // what waits for a person
	Nothing     Notify = "none"
)
