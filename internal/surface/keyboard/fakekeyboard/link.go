package fakekeyboard

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

const (
	opContinue = 0
	opText     = 1
	opBinary   = 2
	opClose    = 8
	opPing     = 9
	opPong     = 10
)

// fault is something that the firmware could not handle.
type fault string

func (f fault) Error() string { return string(f) }

// link is a WebSocket as in the firmware's library: unfragmented text frames only.
type link struct {
	conn  net.Conn
	in    *bufio.Reader
	pongs chan struct{}
	done  chan struct{}
	once  sync.Once

	writing sync.Mutex
}

func (l *link) stop() { l.once.Do(func() { close(l.done) }) }

// shake opens a WebSocket with the firmware's headers, and checks the answer as
// strictly as the firmware.
func shake(ctx context.Context, o Options) (*link, error) {
	conn, err := o.Dial(ctx, "tcp", o.Host)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, 16)
	rand.Read(nonce)
	key := base64.StdEncoding.EncodeToString(nonce)
	extra := ""
	for name, values := range o.Header {
		for _, v := range values {
			extra += name + ": " + v + "\r\n"
		}
	}
	origin := "Origin: file://\r\n"
	if o.Header.Get("Origin") != "" {
		origin = ""
	}
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Protocol: arduino\r\n%s%sUser-Agent: arduino-WebSocket-Client\r\n\r\n", o.Path, o.Host, key, origin, extra)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	switch {
	case res.StatusCode != http.StatusSwitchingProtocols:
		_ = conn.Close()
		return nil, fmt.Errorf("the server answered %s", res.Status)
	case res.Header.Get("Connection") != "Upgrade" || res.Header.Get("Upgrade") != "websocket",
		res.Header.Get("Sec-Websocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]),
		res.Header.Get("Sec-Websocket-Extensions") != "":
		_ = conn.Close()
		return nil, fault("the answer to the handshake is not what the firmware takes")
	}
	return &link{conn: conn, in: in, pongs: make(chan struct{}, 1), done: make(chan struct{})}, nil
}

// message is the next text; it handles other frames on the way.
func (l *link) message() ([]byte, error) {
	for {
		op, final, data, err := l.read()
		switch {
		case err != nil:
			return nil, err
		case !final || op == opContinue:
			return nil, fault("a message came in fragments")
		case op == opText:
			return data, nil
		case op == opPing:
			if err := l.frame(opPong, data); err != nil {
				return nil, err
			}
		case op == opPong:
			select {
			case l.pongs <- struct{}{}:
			default:
			}
		case op == opClose:
			return nil, io.EOF
		}
	}
}

func (l *link) read() (op byte, final bool, data []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(l.in, head[:]); err != nil {
		return 0, false, nil, err
	}
	if head[0]&0x70 != 0 || head[1]&0x80 != 0 {
		return 0, false, nil, fault("a frame is compressed or masked")
	}
	size := uint64(head[1] & 0x7f)
	switch size {
	case 126:
		var b [2]byte
		_, err = io.ReadFull(l.in, b[:])
		size = uint64(binary.BigEndian.Uint16(b[:]))
	case 127:
		var b [8]byte
		_, err = io.ReadFull(l.in, b[:])
		size = binary.BigEndian.Uint64(b[:])
	}
	if err != nil {
		return 0, false, nil, err
	}
	if size > Largest {
		return 0, false, nil, fault(fmt.Sprintf("a frame has %d bytes", size))
	}
	data = make([]byte, size)
	_, err = io.ReadFull(l.in, data)
	return head[0] & 0x0f, head[0]&0x80 != 0, data, err
}

func (l *link) text(s string) error { return l.frame(opText, []byte(s)) }

func (l *link) pieces(one, two string) error {
	if err := l.write(opText, []byte(one)); err != nil {
		return err
	}
	return l.write(0x80|opContinue, []byte(two))
}

func (l *link) frame(op byte, data []byte) error { return l.write(0x80|op, data) }

func (l *link) write(first byte, data []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	head := []byte{first}
	switch n := len(data); {
	case n < 126:
		head = append(head, 0x80|byte(n))
	default:
		head = binary.BigEndian.AppendUint16(append(head, 0x80|126), uint16(n))
	}
	mask := make([]byte, 4)
	rand.Read(mask)
	masked := make([]byte, len(data))
	for i := range data {
		masked[i] = data[i] ^ mask[i%4]
	}
	_, err := l.conn.Write(append(append(head, mask...), masked...))
	return err
}
