# Every target sets up what it needs and says what it does. Start with `make run` or `make test`.

SHELL := /bin/bash
.DEFAULT_GOAL := help
# One build mode for binaries and tests, or half the tree is built twice.
MODE := --features tauri/custom-protocol
# The bench opens the window only where it is to be measured.
WITH_WINDOW := $(if $(ONLY),$(findstring window,$(ONLY))$(findstring page,$(ONLY)),all)
# The desktop program and its window: built together, so that one workspace has one set of features.
PROGRAMS := -p ashore-desktop -p ashore-window --bins $(MODE)
# The programs that people run, as they are built for them: without debug assertions.
SHIPPED := --exclude ashore-fuzz --exclude ashore-torture --exclude ashore-bench --exclude ashore-tests \
  --config profile.dev.debug-assertions=false --config 'profile.dev.package."*".debug-assertions=true'

.PHONY: help run mock test test-long lint format types bench torture bundle screenshots gallery audit coverage fuzz

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

run: ## builds Ashore and opens its window
	@scripts/setup run
	@if [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	  echo 'There is no display here, so no window can open. `ashore serve` is Ashore without one:'; \
	  echo '    cargo run --release -p ashore-cli -- serve'; exit 1; fi
	npm --prefix ui run --silent build
	cargo build --locked --release $(PROGRAMS)
	target/release/ashore-desktop

mock: ## opens the window's page in a plain browser, on a pretend engine; ?mock and what else stands in ui/src/mock/mock.ts
	@scripts/setup run
	@echo 'http://127.0.0.1:1420/?mock            one of everything'
	@echo 'http://127.0.0.1:1420/?mock&failures   every way to fail, and all that is waited for'
	@echo 'http://127.0.0.1:1420/?mock&rows=100000   a long list'
	npm --prefix ui run dev -- --open '/?mock'

test: lint ## installs what the tests need and runs them all
	npm --prefix ui test --silent
	cargo build --locked --workspace $(MODE)
	cargo test --locked --workspace $(MODE) --no-fail-fast
	@git diff --exit-code --stat -- ui/src/api/generated || \
	  { echo 'The types of the window differ from those of the engine: commit what changed in ui/src/api/generated.'; exit 1; }

audit: ## checks licences, sources and advisories of all that is built in, and lists it in target/audit
	@scripts/audit

coverage: ## counts which branches of engine and transfer their tests and the stories take; fails below 90 %, or 75 % of a file
	@scripts/setup coverage
	@scripts/coverage

fuzz: ## lets libFuzzer look for what breaks a reader of foreign bytes, 30 s each; ONLY=names,metalink SECONDS=300
	@scripts/fuzz $(or $(SECONDS),30) $(if $(ONLY),$(ONLY))

test-long: test ## the tests that take minutes: random kills, large files, real speeds, the histories and schedules of the queue, fuzzing
	cargo test --locked --workspace $(MODE) --test long -- --nocapture --test-threads=1
	cargo test --locked -p ashore-engine --lib histories -- --ignored --nocapture
	cargo test --locked -p ashore-engine --lib ten_thousand_schedules -- --ignored --nocapture
	@scripts/fuzz 30

lint: ## compiles everything with every warning an error, and checks format and layout of the code
	@scripts/setup test
	node scripts/layout.mjs
	cargo fmt --all --check
	npm --prefix ui run --silent format:check
	npm --prefix ui run --silent check
	npm --prefix ui run --silent build
	cargo clippy --locked --workspace --all-targets $(MODE) -- -D warnings
	cargo clippy --locked --workspace --test long $(MODE) -- -D warnings
	cargo clippy --locked --workspace $(SHIPPED) --lib --bins $(MODE) -- -D warnings

format: ## formats all code, in Rust and in the window
	@scripts/setup run
	cargo fmt --all
	npm --prefix ui run --silent format

types: ## writes the TypeScript of the types that cross the border
	cargo test --quiet -p ashore-messages -p ashore-engine -p ashore-rpc export_bindings

bench: ## Ashore beside aria2c, curl, wget2 and axel, and its sync server; ONLY=split,small RUNS=3 is a quick look
	@scripts/setup bench
	cargo build --locked --release -p ashore-cli --bins
	cargo build --locked --release -p ashore-bench -p ashore-sync-server --bins
	$(if $(WITH_WINDOW),npm --prefix ui run --silent build)
	$(if $(WITH_WINDOW),cargo build --locked --release $(PROGRAMS))
	target/release/ashore-bench $(if $(ONLY),--only $(ONLY)) $(if $(RUNS),--runs $(RUNS))

torture: ## what is promised, held against faults; ONLY=power,calls SCALE=0.05 is a quick look
	@scripts/setup torture
	cargo build --locked --profile asserting -p ashore-cli -p ashore-desktop -p ashore-sync-server -p ashore-torture --bins
	target/asserting/ashore-torture $(if $(ONLY),--only $(ONLY)) $(if $(SCALE),--scale $(SCALE))

bundle: ## makes a .deb and an .rpm in target/release/bundle
	@scripts/setup run
	cargo build --locked --release -p ashore-cli -p ashore-desktop
	cargo build --locked --release -p ashore-sync-server
	ui/node_modules/.bin/tauri build --bundles deb,rpm -- --locked

screenshots: ## takes the README's pictures from the running app, and of what it says when things go wrong
	@scripts/setup picture
	npm --prefix ui run --silent build
	cargo build --locked --workspace $(MODE)
	scripts/screenshots readme
	scripts/screenshots mishaps

gallery: ## takes a picture of every view and dialog in every look; target/gallery/index.html shows them side by side
	@scripts/setup test
	npm --prefix ui run --silent build
	cargo build --locked --workspace $(MODE)
	scripts/screenshots gallery
