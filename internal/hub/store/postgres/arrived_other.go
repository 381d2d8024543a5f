//go:build !unix

package postgres

import "github.com/jackc/pgx/v5"

// nothingArrived cannot know here without reading; a lost statement is
// noticed afterwards.
func nothingArrived(*pgx.Conn) bool { return true }
