package relay

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"nod"
	"nod/internal/net/apns"
)

// notifier sends one notification to one Apple device. gone means that the device will
// never take one again.
type notifier interface {
	Send(ctx context.Context, n Notification) (gone bool, err error)
}

// Notification is what APNs is asked to deliver.
type Notification struct {
	Token      string
	Watch      bool // the token is a watch's: its topic is another
	Background bool // content-available, with low priority
	CollapseID string
	Expires    time.Time // zero: not set
	Payload    []byte
}

// openAPNs reads the key; nil when there is none.
func openAPNs(c APNsKey, now func() time.Time) (notifier, error) {
	if c.KeyFile == "" {
		return nil, nil
	}
	key, err := os.ReadFile(c.KeyFile)
	if err != nil {
		return nil, err
	}
	sender, err := apns.New(apns.Config{Key: key, KeyID: c.KeyID, TeamID: c.TeamID, Bundle: c.Bundle, Production: c.Production, Now: now})
	if err != nil {
		return nil, err
	}
	return apple{sender}, nil
}

// apple sends by APNs.
type apple struct{ *apns.Sender }

// Send implements notifier.
func (a apple) Send(ctx context.Context, n Notification) (gone bool, err error) {
	got := a.Sender.Send(ctx, apns.Device{Token: n.Token, Watch: n.Watch}, apns.Push{
		Background: n.Background, Collapse: n.CollapseID, Expires: n.Expires, Payload: json.RawMessage(n.Payload),
	})
	switch got.Outcome {
	case apns.Delivered:
		return false, nil
	case apns.Gone:
		return true, nil
	}
	return false, nod.Errorf(nod.Unavailable, "Apple said %s (%d)", got.Reason, got.Status)
}
