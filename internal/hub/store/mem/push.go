package mem

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"nod/internal/hub/record"
	"nod/internal/net/push"
)

var _ push.Subscriptions = (*Store)(nil)

// pushState is what the Store keeps for push; its lock is the Store's.
type pushState struct {
	subscribers []push.Subscriber
	key         []byte
}

// PutSubscriber implements push.Subscriptions.
func (s *Store) PutSubscriber(_ context.Context, n push.Subscriber) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tokens[n.Token]; !ok {
		return record.NoToken(n.Token)
	}
	n = ownSubscriber(n)
	n.Told = nil
	s.push.subscribers = slices.DeleteFunc(s.push.subscribers, func(old push.Subscriber) bool {
		same := old.Subscription.Endpoint == n.Subscription.Endpoint
		if old.Token == n.Token && same {
			n.Told = old.Told
		}
		return old.Token == n.Token || same
	})
	s.push.subscribers = append(s.push.subscribers, n)
	return nil
}

// Subscribers implements push.Subscriptions.
func (s *Store) Subscribers(context.Context) ([]push.Subscriber, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]push.Subscriber, 0, len(s.push.subscribers))
	for _, n := range s.push.subscribers {
		list = append(list, ownSubscriber(n))
	}
	slices.SortFunc(list, func(a, b push.Subscriber) int { return cmp.Compare(a.Token, b.Token) })
	return list, nil
}

// DeleteSubscriber implements push.Subscriptions.
func (s *Store) DeleteSubscriber(_ context.Context, token, endpoint string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.push.find(token, endpoint)
	if i < 0 {
		return record.NotSubscribed(token)
	}
	s.push.subscribers = slices.Delete(s.push.subscribers, i, i+1)
	return nil
}

// NoteTold implements push.Subscriptions.
func (s *Store) NoteTold(_ context.Context, token, endpoint string, told []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.push.find(token, endpoint)
	if i < 0 {
		return record.NotSubscribed(token)
	}
	s.push.subscribers[i].Told = slices.Clone(told)
	return nil
}

// PushKey implements push.Subscriptions.
func (s *Store) PushKey(_ context.Context, fresh []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.push.key == nil {
		s.push.key = bytes.Clone(fresh)
	}
	return bytes.Clone(s.push.key), nil
}

func (b *pushState) find(token, endpoint string) int {
	return slices.IndexFunc(b.subscribers, func(n push.Subscriber) bool {
		return n.Token == token && (endpoint == "" || endpoint == n.Subscription.Endpoint)
	})
}

// forget ends the subscription of a token that was deleted.
func (b *pushState) forget(token string) {
	b.subscribers = slices.DeleteFunc(b.subscribers, func(n push.Subscriber) bool { return n.Token == token })
}

// ownSubscriber is a copy that shares no pointer with n.
func ownSubscriber(n push.Subscriber) push.Subscriber {
	n.Subscription.P256DH, n.Subscription.Auth = bytes.Clone(n.Subscription.P256DH), bytes.Clone(n.Subscription.Auth)
	n.Told = slices.Clone(n.Told)
	if n.Quiet != nil {
		q := *n.Quiet
		n.Quiet = &q
	}
	return n
}
