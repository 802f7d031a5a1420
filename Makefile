# Every target first installs its missing requirements, and prints their names and purposes. Start with `make run` or `make test`.

SHELL := /bin/bash
.DEFAULT_GOAL := help
# Programs and tests share one set of features, because a different set would compile half of the crates twice.
MODE := --features tauri/custom-protocol
# The desktop program and its window are built for the bench only if a selected contest measures one of them.
WITH_WINDOW := $(if $(ONLY),$(findstring window,$(ONLY))$(findstring page,$(ONLY))$(findstring browser,$(ONLY)),all)
# The extension is built for the bench only if a selected contest measures a browser.
WITH_BROWSER := $(if $(ONLY),$(findstring browser,$(ONLY)),all)
# One call of Cargo builds all measured programs. Separate calls would resolve different sets of features, and compile most
# crates again for each set.
MEASURED = -p ashore-cli -p ashore-sync-server -p ashore-browser -p ashore-bench \
  $(if $(WITH_WINDOW),-p ashore-desktop -p ashore-window $(MODE))
# The desktop program and its window are built together, so that Cargo resolves the same set of features for both.
PROGRAMS := -p ashore-desktop -p ashore-window --bins $(MODE)
# Options for the programs that users run. Debug assertions are off, as in a release. Therefore clippy also checks the
# code that is compiled only without debug assertions. Dependencies keep their debug assertions, so that Cargo reuses
# their builds.
SHIPPED := --exclude ashore-fuzz --exclude ashore-torture --exclude ashore-bench --exclude ashore-testkit \
  --exclude ashore-tests --config profile.dev.debug-assertions=false --config 'profile.dev.package."*".debug-assertions=true'

.PHONY: help run mock test test-long lint format types bench torture manual bundle release reproducible extension \
  screenshots gallery audit coverage fuzz

help: ## lists all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

run: ## builds Ashore and opens its window
	@scripts/setup run
	@if [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	  echo 'No display is available, so the window cannot open. Run Ashore without a window instead:'; \
	  echo '    cargo run --profile local -p ashore-cli -- serve'; exit 1; fi
	npm --prefix ui run --silent build
	@echo 'Building without link-time optimisation, which takes less time. `make bundle` builds the programs as they are shipped.'
	cargo build --locked --profile local $(PROGRAMS)
	target/local/ashore-desktop

mock: ## opens the page in a plain browser, on a mock engine; ui/src/mock/mock.ts lists the parameters of the address
	@scripts/setup run
	@echo 'http://127.0.0.1:1420/?mock               one download of every kind'
	@echo 'http://127.0.0.1:1420/?mock&failures      every failure and every reason for waiting'
	@echo 'http://127.0.0.1:1420/?mock&rows=100000   a long list'
	npm --prefix ui run dev -- --open '/?mock'

test: lint ## installs the requirements of the tests, and runs all tests except the long ones
	npm --prefix ui test --silent
	npm --prefix extension test --silent
	cargo build --locked --workspace $(MODE)
	npm --prefix extension run --silent test:slice
	cargo test --locked --workspace $(MODE) --no-fail-fast
	@git diff --exit-code --stat -- ui/src/api/generated extension/src/generated || \
	  { echo 'The generated types were out of date. Commit the changes in ui/src/api/generated and extension/src/generated.'; exit 1; }

audit: ## checks licences, sources and advisories of all dependencies, and lists the dependencies in target/audit
	@scripts/audit

coverage: ## measures branch coverage of engine and transfer; fails below 90 % in total or 75 % of a file
	@scripts/setup coverage
	@scripts/coverage

fuzz: ## runs libFuzzer on every parser of untrusted input, 30 s each; ONLY=names,metalink SECONDS=300
	@scripts/fuzz $(or $(SECONDS),30) $(if $(ONLY),$(ONLY))

test-long: test ## also runs the tests that take minutes: random kills, large files, real speeds, schedules of the queue, fuzzing
	@scripts/setup long
	npm --prefix ui run --silent test:browser
	npm --prefix extension run --silent test:browsers
	cargo test --locked --workspace $(MODE) --test long -- --nocapture --test-threads=1
	cargo test --locked --workspace $(MODE) --test stories two_hundred_kills_of_both_machines -- --ignored --nocapture
	cargo test --locked --workspace $(MODE) --test stories aria2_client_ -- --ignored --nocapture
	cargo test --locked --workspace $(MODE) --test stories -- serve::proxy serve::container serve::openapi --ignored --nocapture
	cargo test --locked -p ashore-engine --lib histories -- --ignored --nocapture
	cargo test --locked -p ashore-engine --lib ten_thousand_schedules -- --ignored --nocapture
	cargo test --locked -p ashore-sync --lib ten_thousand_histories -- --ignored --nocapture
	cargo test --locked -p ashore-sync --lib hundred_thousand_records -- --ignored --nocapture
	scripts/reproducible ashore-pipe
	@scripts/fuzz 30

lint: ## compiles everything with every warning as an error, and checks format and layout of the code
	@scripts/setup test
	node scripts/layout.mjs
	cargo fmt --all --check
	npm --prefix ui run --silent format:check
	npm --prefix ui run --silent check
	npm --prefix ui run --silent build
	npm --prefix extension run --silent format:check
	npm --prefix extension run --silent check
	cargo clippy --locked --workspace --all-targets $(MODE) -- -D warnings
	cargo clippy --locked --workspace --test long $(MODE) -- -D warnings
	cargo clippy --locked --workspace $(SHIPPED) --lib --bins $(MODE) -- -D warnings

format: ## formats all code, in Rust and in the page
	@scripts/setup run
	cargo fmt --all
	npm --prefix ui run --silent format
	npm --prefix extension run --silent format

types: ## generates the TypeScript types of all messages between the programs, the page and the browser extension
	cargo test --quiet -p ashore-messages -p ashore-engine -p ashore-rpc -p ashore-sync -p ashore-browser -p ashore-remote export_bindings

bench: ## measures Ashore beside aria2c, curl, wget2 and axel, the sync server and browsers; quick run: ONLY=split,small RUNS=3
	@scripts/setup bench
	$(if $(WITH_WINDOW),npm --prefix ui run --silent build)
	$(if $(WITH_BROWSER),npm --prefix extension run --silent build)
	cargo build --locked --release $(MEASURED) --bins
	target/release/ashore-bench $(if $(ONLY),--only $(ONLY)) $(if $(RUNS),--runs $(RUNS))

torture: ## tests the promises of Ashore under injected faults; quick run: ONLY=power,calls SCALE=0.05
	@scripts/setup torture
	cargo build --locked --profile asserting -p ashore-cli -p ashore-desktop -p ashore-browser -p ashore-sync-server -p ashore-torture --bins
	target/asserting/ashore-torture $(if $(ONLY),--only $(ONLY)) $(if $(SCALE),--scale $(SCALE))

manual: ## writes the man pages, and the completions for bash, fish and zsh, to target/manual
	@scripts/setup run
	rm -rf target/manual
	cargo run --locked --profile $(or $(PROFILE),dev) -p ashore-cli --example manual -- target/manual "$$(git log -1 --format=%cs)"

# The pages are built with the profile of the programs, so that each crate is compiled once.
bundle: PROFILE := release
bundle: manual ## builds a .deb and an .rpm in target/release/bundle
	cargo build --locked --release -p ashore-cli -p ashore-desktop
	cargo build --locked --release -p ashore-sync-server -p ashore-browser
	gzip --best --no-name target/manual/man1/*
	ui/node_modules/.bin/tauri build --bundles deb,rpm -- --locked

release: ## builds the packages for publication in target/dist, with checksums that the key of SSH KEY=... signs
	@scripts/release $(KEY)

reproducible: ## builds one program twice, in two folders, and compares the results: ONLY=ashore-browser
	@scripts/reproducible $(or $(ONLY),ashore-browser)

extension: ## builds the browser extension reproducibly: extension/dist/ashore.zip and ashore.xpi, ready to be signed
	@scripts/setup run
	npm --prefix extension run --silent build

screenshots: ## takes the pictures of the README and of failures from the running app
	@scripts/setup picture
	npm --prefix ui run --silent build
	cargo build --locked --workspace $(MODE)
	scripts/screenshots readme
	scripts/screenshots mishaps

gallery: ## takes a picture of every view and dialog in several themes, widths and languages; see target/gallery/index.html
	@scripts/setup test
	npm --prefix ui run --silent build
	cargo build --locked --workspace $(MODE)
	scripts/screenshots gallery
