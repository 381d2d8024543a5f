package browser

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// transfer is one request of the page over the network.
type transfer struct {
	method, url string
	bytes       float64 // compressed, with headers
	done        bool
}

// watch collects everything that must not happen in a page: refusals of the
// content security policy, exceptions, errors on the console, errors of the
// service worker, and any request that leaves the hub.
func (p *Page) watch() (stop func()) {
	ctx, cancel := context.WithCancel(p.ctx)
	send(p, serviceworker.Enable, cdp.Empty{})
	var all sync.WaitGroup
	follow(&all, chromedp.Console(ctx), func(m chromedp.ConsoleMessage) {
		if m.IsException() || m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning {
			p.fault(fmt.Sprintf("console: %s (%s:%d)", m, m.URL, m.Line+1))
		}
	})
	follow(&all, chromedp.Events(ctx, serviceworker.WorkerErrorReported), func(e serviceworker.EventWorkerErrorReported) {
		p.fault("service worker: " + e.ErrorMessage.ErrorMessage)
	})
	follow(&all, chromedp.Events(ctx, network.RequestWillBeSent), func(e network.EventRequestWillBeSent) {
		if to := e.Request.URL; !strings.HasPrefix(to, p.hub.url+"/") && !strings.HasPrefix(to, "blob:"+p.hub.url+"/") && !strings.HasPrefix(to, "data:") {
			p.fault("a request leaves the hub: " + to)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		tr := p.transfer(string(e.RequestID))
		tr.method, tr.url = e.Request.Method, e.Request.URL
	})
	follow(&all, chromedp.Events(ctx, network.LoadingFinished), func(e network.EventLoadingFinished) {
		p.mu.Lock()
		defer p.mu.Unlock()
		tr := p.transfer(string(e.RequestID))
		tr.bytes, tr.done = e.EncodedDataLength, true
	})
	follow(&all, chromedp.Events(ctx, network.LoadingFailed), func(e network.EventLoadingFailed) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.transfer(string(e.RequestID)).done = true // given up, as by a reload
	})
	return func() { cancel(); all.Wait() }
}

func follow[E any](all *sync.WaitGroup, events iter.Seq2[E, error], take func(E)) {
	all.Go(func() {
		for e, err := range events {
			if err != nil {
				return
			}
			take(e)
		}
	})
}

// fault notes what went wrong, unless the test provokes it.
func (p *Page) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.accepted {
		if strings.Contains(text, a) {
			return
		}
	}
	p.faults = append(p.faults, text)
}

// posted reports whether the page has sent something to such an address.
func (p *Page) posted(suffix string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, tr := range p.traffic {
		if tr.method == "POST" && strings.HasSuffix(tr.url, suffix) {
			return true
		}
	}
	return false
}

// transfer is what is known of a request. Its beginning and its end are heard by
// two listeners, and the end may be heard first; the lock is held.
func (p *Page) transfer(id string) *transfer {
	tr := p.traffic[id]
	if tr == nil {
		tr = &transfer{}
		p.traffic[id] = tr
	}
	return tr
}
