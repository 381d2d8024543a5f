//go:build unix

package postgres

import (
	"net"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// nothingArrived reports whether nothing can be read from an idle connection. What
// arrives there is the server's goodbye: a statement sent after it is not executed,
// and the outcome would be unknown.
func nothingArrived(c *pgx.Conn) bool {
	var conn any = c.PgConn().Conn()
	if secured, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secured.NetConn()
	}
	plain, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return false
	}
	still := false
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		still = err == syscall.EAGAIN || err == syscall.EINTR
	})
	return err == nil && still
}
