package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nod/internal/hub/record"
	"nod/internal/net/push"
)

var _ push.Subscriptions = (*Store)(nil)

// PutSubscriber implements push.Subscriptions. A browser that another device had is
// taken from it first, unless this device is not known at all.
func (s subscriptions) PutSubscriber(ctx context.Context, n push.Subscriber) error {
	body, err := record.EncodeSubscriber(n)
	if err != nil {
		return err
	}
	for range 5 {
		// Another hub may take the same browser for another device meanwhile.
		if err = s.putSubscriber(ctx, n, body); !crossed(err) {
			break
		}
	}
	return s.explain(err)
}

func (s subscriptions) putSubscriber(ctx context.Context, n push.Subscriber, body []byte) error {
	endpoint := n.Subscription.Endpoint
	return s.readers.with(ctx, func(c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `DELETE FROM push_subscribers WHERE endpoint = $1 AND token <> $2`, endpoint, n.Token); err != nil {
				return err
			}
			done, err := tx.Exec(ctx, `INSERT INTO push_subscribers AS p (token, endpoint, body, told) SELECT id, $1, $2, '[]' FROM tokens WHERE id = $3
				ON CONFLICT (token) DO UPDATE SET told = CASE WHEN p.endpoint = excluded.endpoint THEN p.told ELSE excluded.told END,
					endpoint = excluded.endpoint, body = excluded.body`, endpoint, body, n.Token)
			if err == nil && done.RowsAffected() == 0 {
				return record.NoToken(n.Token)
			}
			return err
		})
	})
}

// crossed reports whether this change was undone because of a concurrent one.
func crossed(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "23505" || pg.Code == "40P01") // unique, deadlock
}

// Subscribers implements push.Subscriptions.
func (s subscriptions) Subscribers(ctx context.Context) ([]push.Subscriber, error) {
	return list(ctx, s.database, record.Subscriber, `SELECT token, body, told FROM push_subscribers ORDER BY token`)
}

// DeleteSubscriber implements push.Subscriptions.
func (s subscriptions) DeleteSubscriber(ctx context.Context, token, endpoint string) error {
	return s.changed(ctx, record.NotSubscribed(token), `DELETE FROM push_subscribers WHERE token = $1 AND ($2 = '' OR endpoint = $2)`, token, endpoint)
}

// NoteTold implements push.Subscriptions.
func (s subscriptions) NoteTold(ctx context.Context, token, endpoint string, told []string) error {
	body, err := record.EncodeTold(token, told)
	if err != nil {
		return err
	}
	return s.changed(ctx, record.NotSubscribed(token), `UPDATE push_subscribers SET told = $1 WHERE token = $2 AND ($3 = '' OR endpoint = $3)`, body, token, endpoint)
}

// PushKey implements push.Subscriptions. Hubs that start at the same time agree on one.
func (s subscriptions) PushKey(ctx context.Context, fresh []byte) ([]byte, error) {
	key, err := s.PeekPushKey(ctx)
	if err != nil || key != nil {
		return key, err
	}
	if _, err := s.exec(ctx, `INSERT INTO push_key (one, key) VALUES (1, $1) ON CONFLICT DO NOTHING`, fresh); err != nil {
		return nil, s.explain(err)
	}
	return s.PeekPushKey(ctx)
}

// PeekPushKey is the key if there is one; it makes none.
func (s subscriptions) PeekPushKey(ctx context.Context) ([]byte, error) {
	keys, err := list(ctx, s.database, func(row record.Row) (key []byte, err error) { return key, row.Scan(&key) }, `SELECT key FROM push_key`)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	return keys[0], nil
}
