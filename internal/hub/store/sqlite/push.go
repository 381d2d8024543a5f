package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nod"
	"nod/internal/net/push"
)

var _ push.Subscriptions = (*Store)(nil)

// PutSubscriber implements push.Book.
func (s *Store) PutSubscriber(ctx context.Context, n push.Subscriber) error {
	body, err := json.Marshal(n)
	if err != nil {
		return nod.Errorf(nod.Internal, "the subscription of %q cannot be written down", n.Token).Because(err)
	}
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return explain(s.path, err)
	}
	defer tx.Rollback() // does nothing after a commit
	endpoint := n.Subscription.Endpoint
	if _, err := tx.ExecContext(ctx, `DELETE FROM push_subscribers WHERE endpoint = ? AND token <> ?`, endpoint, n.Token); err != nil {
		return explain(s.path, err)
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO push_subscribers (token, endpoint, body, told) SELECT id, ?, ?, '[]' FROM tokens WHERE id = ?
		ON CONFLICT (token) DO UPDATE SET told = CASE WHEN endpoint = excluded.endpoint THEN told ELSE excluded.told END,
			endpoint = excluded.endpoint, body = excluded.body`, endpoint, body, n.Token)
	if err != nil {
		return explain(s.path, err)
	}
	if rows, err := done.RowsAffected(); err == nil && rows == 0 {
		return unknown(n.Token)
	}
	return explain(s.path, tx.Commit())
}

// Subscribers implements push.Book.
func (s *Store) Subscribers(ctx context.Context) ([]push.Subscriber, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT token, body, told FROM push_subscribers ORDER BY token`)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var list []push.Subscriber
	for rows.Next() {
		var n push.Subscriber
		var token string
		var body, told []byte
		if err := rows.Scan(&token, &body, &told); err != nil {
			return nil, explain(s.path, err)
		}
		if json.Unmarshal(body, &n) != nil || json.Unmarshal(told, &n.Told) != nil || n.Token != token {
			return nil, nod.Errorf(nod.Internal, "the subscription of device %q is damaged: revoke the device and pair it again", token)
		}
		list = append(list, n)
	}
	return list, explain(s.path, rows.Err())
}

// DeleteSubscriber implements push.Book.
func (s *Store) DeleteSubscriber(ctx context.Context, token, endpoint string) error {
	return s.changeSubscriber(ctx, token, `DELETE FROM push_subscribers WHERE token = ? AND (? = '' OR endpoint = ?)`, token, endpoint, endpoint)
}

// NoteTold implements push.Book.
func (s *Store) NoteTold(ctx context.Context, token, endpoint string, told []string) error {
	if told == nil {
		told = []string{}
	}
	list, err := json.Marshal(told)
	if err != nil {
		return nod.Errorf(nod.Internal, "what %q was told cannot be written down", token).Because(err)
	}
	return s.changeSubscriber(ctx, token, `UPDATE push_subscribers SET told = ? WHERE token = ? AND (? = '' OR endpoint = ?)`,
		string(list), token, endpoint, endpoint)
}

func (s *Store) changeSubscriber(ctx context.Context, token, text string, args ...any) error {
	done, err := s.writer.ExecContext(ctx, text, args...)
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return nod.Errorf(nod.NotFound, "the device with the token %q does not get notifications there", token)
	}
	return nil
}

// PushKey implements push.Book.
func (s *Store) PushKey(ctx context.Context, fresh []byte) (key []byte, err error) {
	read := func() error { return s.writer.QueryRowContext(ctx, `SELECT key FROM push_key`).Scan(&key) }
	if err = read(); errors.Is(err, sql.ErrNoRows) {
		if _, err = s.writer.ExecContext(ctx, `INSERT INTO push_key (one, key) VALUES (1, ?) ON CONFLICT DO NOTHING`, fresh); err == nil {
			err = read()
		}
	}
	return key, explain(s.path, err)
}
