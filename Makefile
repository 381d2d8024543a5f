# nod: what a developer types. `make test` works on a fresh Debian machine.
SHELL      := /bin/bash
GO         ?= go
export CGO_ENABLED := 0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# Real programs on a busy machine: what fails is run a second time and named at the
# end. Many failures, a data race or a second failure are final.
GOTESTSUM  := gotest.tools/gotestsum@v1.13.0 --format pkgname --hide-summary=skipped --rerun-fails=1 --rerun-fails-max-failures=10 \
              --rerun-fails-run-root-test --rerun-fails-abort-on-data-race

.PHONY: run build test check bench fuzz deps clean

run: ## the hub, with its embedded defaults
	$(GO) run ./cmd/nod serve

build: ## bin/nod, static
	$(GO) build -trimpath -ldflags='-s -w' -o bin/nod ./cmd/nod

test: deps ## everything, with the real Claude Code, tmux and SQLite
	CGO_ENABLED=1 $(GO) run $(GOTESTSUM) --packages='. ./cmd/... ./internal/... ./web' -- -race
	cd web && npm test --silent
	$(GO) run $(GOTESTSUM) --packages='./e2e ./e2e/fakeapi ./e2e/fakepush ./e2e/homeassistant ./e2e/rig' -- -timeout 20m
	$(GO) run $(GOTESTSUM) --packages=./e2e/browser -- -count=1 -timeout 20m

check: deps ## format, vet and static analysis, for every system nod is built for
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w on these'; exit 1; }
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./cmd/... ./internal/...
	GOOS=windows $(GO) vet ./cmd/... ./internal/...
	$(GO) run $(STATICCHECK) ./...
	cd web && npm run --silent check
	$(GO) mod tidy -e -diff 2>/dev/null # -e: tests of dependencies may need what cannot be had

bench: deps ## figures as ratios to a baseline of the same run
	$(GO) test ./e2e/bench -run '^$$' -bench . -benchtime 1x -timeout 30m
	$(GO) test ./internal/judge/policy -run '^$$' -bench . -benchtime 200x

fuzz: ## every parser for a while: make fuzz FUZZTIME=1m
	@scripts/fuzz $(or $(FUZZTIME),20s)

deps: ## what the tests need and the machine lacks
	@scripts/deps

clean:
	rm -rf bin e2e/node_modules web/node_modules
