# nod: what a developer types. `make test` works on a fresh Debian machine.
SHELL      := /bin/bash
GO         ?= go
export CGO_ENABLED := 0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.52.0
# Real programs on a busy machine: what fails is run a second time and named at the
# end. Many failures, a data race or a second failure are final.
GOTESTSUM  := gotest.tools/gotestsum@v1.13.0 --format pkgname --hide-summary=skipped --rerun-fails=1 --rerun-fails-max-failures=10 \
              --rerun-fails-run-root-test --rerun-fails-abort-on-data-race

# These tests wait for other programs most of their time: more of them fit beside each other than there are cores.
WAITING    := -parallel $(shell echo $$((2 * $$(nproc 2>/dev/null || echo 2))))

.PHONY: run build test test-all check bench fuzz deps deps-all clean

run: ## the hub, with its embedded defaults
	$(GO) run ./cmd/nod serve

build: ## bin/nod and bin/nod-hook, static
	$(GO) build -trimpath -ldflags='-s -w' -o bin/ ./cmd/...

test: deps ## unit tests, the real Claude Code in a real tmux, the web app in Chromium
	$(GO) run $(GOTESTSUM) --packages='. ./cmd/... ./internal/... ./web' -- $(WAITING)
	cd web && npm test --silent
	$(GO) run $(GOTESTSUM) --packages='./e2e ./e2e/fakeapi ./e2e/fakepush ./e2e/rig' -- -timeout 20m $(WAITING)
	$(GO) run $(GOTESTSUM) --packages=./e2e/browser -- -count=1 -timeout 20m $(WAITING)

# The names of the tests that are built with the tag full alone.
FULL = $$(comm -13 <($(GO) test -list . ./e2e | sort) <($(GO) test -tags full -list . ./e2e | sort) | grep ^Test | paste -sd'|')

test-all: deps-all ## what `make test` leaves out: the race detector, Home Assistant, the cluster under chaos, load balancers, Prometheus, ESPHome
	CGO_ENABLED=1 $(GO) run $(GOTESTSUM) --packages='. ./cmd/... ./internal/...' -- -race
	$(GO) run $(GOTESTSUM) --packages=./e2e -- -tags full -timeout 30m $(WAITING) -run "^($(FULL))$$"
	$(GO) run $(GOTESTSUM) --packages=./e2e/homeassistant -- -timeout 20m $(WAITING)

check: deps ## format, vet and static analysis, for every system nod is built for
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w on these'; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags full ./e2e
	GOOS=darwin $(GO) vet ./cmd/... ./internal/...
	GOOS=windows $(GO) vet ./cmd/... ./internal/...
	$(GO) run $(STATICCHECK) -tags full ./...
	@unused="$$($(GO) run $(DEADCODE) ./cmd/...)" && test -z "$$unused" || { echo "$$unused"; echo 'only tests use these: delete them, or move them to the tests'; exit 1; }
	$(GO) test ./internal/surface/api -run '^Test(OpenAPI|Types)' # openapi.json and web/types.d.ts are what the Go types say
	cd web && npm run --silent check
	$(GO) mod tidy -e -diff 2>/dev/null # -e: tests of dependencies may need what cannot be had

bench: deps ## figures as ratios to a baseline of the same run
	$(GO) test ./e2e/bench -run '^$$' -bench . -benchtime 1x -timeout 30m
	$(GO) test ./internal/judge/policy -run '^$$' -bench . -benchtime 200x

fuzz: ## every parser for a while: make fuzz FUZZTIME=1m
	@scripts/fuzz $(or $(FUZZTIME),20s)

deps: ## what `make test` needs and the machine lacks
	@scripts/deps

deps-all: ## and what `make test-all` needs besides: a real Home Assistant among others, 2 GB
	@scripts/deps all

clean:
	rm -rf bin e2e/node_modules web/node_modules
