package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"nod/internal/hub/record"
	"nod/internal/net/push"
)

var _ push.Subscriptions = (*Store)(nil)

// PutSubscriber implements push.Subscriptions.
func (s *Store) PutSubscriber(ctx context.Context, n push.Subscriber) error {
	body, err := record.EncodeSubscriber(n)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(tx *sql.Tx) error {
		endpoint := n.Subscription.Endpoint
		if _, err := tx.ExecContext(ctx, `DELETE FROM push_subscribers WHERE endpoint = ? AND token <> ?`, endpoint, n.Token); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, `INSERT INTO push_subscribers (token, endpoint, body, told) SELECT id, ?, ?, '[]' FROM tokens WHERE id = ?
			ON CONFLICT (token) DO UPDATE SET told = CASE WHEN endpoint = excluded.endpoint THEN told ELSE excluded.told END,
				endpoint = excluded.endpoint, body = excluded.body`, endpoint, body, n.Token)
		if err != nil {
			return err
		}
		if rows, err := done.RowsAffected(); err == nil && rows == 0 {
			return record.NoToken(n.Token)
		}
		return nil
	})
}

// Subscribers implements push.Subscriptions.
func (s *Store) Subscribers(ctx context.Context) ([]push.Subscriber, error) {
	return list(ctx, s.Reader, record.Subscriber, `SELECT token, body, told FROM push_subscribers ORDER BY token`)
}

// DeleteSubscriber implements push.Subscriptions.
func (s *Store) DeleteSubscriber(ctx context.Context, token, endpoint string) error {
	return s.changed(ctx, record.NotSubscribed(token), `DELETE FROM push_subscribers WHERE token = ?1 AND (?2 = '' OR endpoint = ?2)`, token, endpoint)
}

// NoteTold implements push.Subscriptions.
func (s *Store) NoteTold(ctx context.Context, token, endpoint string, told []string) error {
	body, err := record.EncodeTold(token, told)
	if err != nil {
		return err
	}
	return s.changed(ctx, record.NotSubscribed(token), `UPDATE push_subscribers SET told = ?1 WHERE token = ?2 AND (?3 = '' OR endpoint = ?3)`,
		string(body), token, endpoint)
}

// PushKey implements push.Subscriptions.
func (s *Store) PushKey(ctx context.Context, fresh []byte) (key []byte, err error) {
	read := func() error { return s.writer.QueryRowContext(ctx, `SELECT key FROM push_key`).Scan(&key) }
	if err = read(); errors.Is(err, sql.ErrNoRows) {
		if _, err = s.writer.ExecContext(ctx, `INSERT INTO push_key (one, key) VALUES (1, ?) ON CONFLICT DO NOTHING`, fresh); err == nil {
			err = read()
		}
	}
	return key, explain(s.path, err)
}

// PeekPushKey returns the key of push services if there is one; it makes none.
func (s *Store) PeekPushKey(ctx context.Context) (key []byte, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT key FROM push_key`).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return key, explain(s.path, err)
}
