package push

import "context"

// Subscriptions stores what must be deletable and is therefore not in the log: the subscriptions of devices, and the
// key that identifies this hub to push services.
//
// A subscriber belongs to a device token of the same store. PutSubscriber fails with NotFound when there is no such
// token; it replaces the token's previous subscriber, and another token's with the same endpoint, because an endpoint
// is one browser. Told is kept as long as the endpoint stays the same; the Told of the argument is ignored.
//
// Subscribers are ordered by token. Deleting a token deletes its subscriber. DeleteSubscriber and NoteTold mean the
// subscriber of a token with exactly this endpoint, and fail with NotFound when it has another by now; an empty
// endpoint means any. NoteTold replaces what was noted before.
//
// PushKey returns the stored key; when there is none it stores fresh and returns that.
type Subscriptions interface {
	PutSubscriber(ctx context.Context, s Subscriber) error
	Subscribers(ctx context.Context) ([]Subscriber, error)
	DeleteSubscriber(ctx context.Context, token, endpoint string) error
	NoteTold(ctx context.Context, token, endpoint string, told []string) error
	PushKey(ctx context.Context, fresh []byte) ([]byte, error)
}

// Subscriber is a device that wants notifications.
type Subscriber struct {
	Token        string       `json:"token"` // id of the device's token
	Subscription Subscription `json:"subscription"`
	Notify       Notify       `json:"notify"`
	Quiet        *Quiet       `json:"quiet,omitempty"`
	Lang         string       `json:"lang,omitempty"`
	Told         []string     `json:"-"` // requests whose notification may still be on its screen, oldest first
}

// Notify is which notifications a device wants.
type Notify string

const (
	All         Notify = "all"     // pending requests, and agents that finish or fail
	WaitingOnly Notify = "waiting" // pending requests only
	Nothing     Notify = "none"
)
