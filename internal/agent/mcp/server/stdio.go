package server

import (
	"context"
	"errors"
	"io"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves one client until it closes in, or ctx ends. Only MCP is written to out.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	alive, cancel := context.WithCancel(ctx)
	defer cancel()
	server := New(alive, o)
	// A client that closes in is gone, so its requests must not stay pending.
	reader := io.NopCloser(&endedReader{in, cancel})
	err := server.Run(ctx, &sdk.IOTransport{Reader: reader, Writer: openWriter{out}})
	if clientGone(err) || alive.Err() != nil {
		return nil
	}
	return err
}

// clientGone: the normal end; a response may have been on its way.
func clientGone(err error) bool {
	for _, end := range []error{io.EOF, io.ErrClosedPipe, syscall.EPIPE, context.Canceled} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// endedReader calls ended when there is nothing more to read.
type endedReader struct {
	io.Reader
	ended func()
}

func (r *endedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil {
		r.ended()
	}
	return n, err
}

// openWriter keeps the transport from closing out.
type openWriter struct{ io.Writer }

func (openWriter) Close() error { return nil }
