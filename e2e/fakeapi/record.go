package fakeapi

import (
	"context"
	"fmt"
	"slices"
)

func (a *API) record(req Request) Step {
	a.mu.Lock()
	defer a.mu.Unlock()
	var step Step
	req.Prompt, step = a.nextStep(req)
	a.requests = append(a.requests, req)
	for id, result := range req.toolResults() {
		if _, known := a.results[id]; !known {
			a.results[id] = result
		}
	}
	close(a.changed)
	a.changed = make(chan struct{})
	return step
}

// Requests are all calls so far, oldest first.
func (a *API) Requests() []Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// ToolResult is the result of a call that the model received, if it has already.
func (a *API) ToolResult(id string) (Result, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	result, ok := a.results[id]
	return result, ok
}

// WaitToolResult waits until the model has received the result of a call.
func (a *API) WaitToolResult(ctx context.Context, id string) (Result, error) {
	var result Result
	err := a.wait(ctx, func() (ok bool) { result, ok = a.results[id]; return ok })
	if err != nil {
		return Result{}, fmt.Errorf("no tool_result for %s: %w", id, err)
	}
	return result, nil
}

// WaitRequest waits for the first call, past or future, that wanted accepts.
func (a *API) WaitRequest(ctx context.Context, wanted func(Request) bool) (Request, error) {
	var found Request
	seen := 0
	err := a.wait(ctx, func() bool {
		for ; seen < len(a.requests); seen++ {
			if wanted(a.requests[seen]) {
				found = a.requests[seen]
				return true
			}
		}
		return false
	})
	if err != nil {
		return Request{}, fmt.Errorf("no such request among %d: %w", seen, err)
	}
	return found, nil
}

// wait calls done with mu held, once now and once after every record.
func (a *API) wait(ctx context.Context, done func() bool) error {
	for {
		a.mu.Lock()
		ok, changed := done(), a.changed
		a.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
