# Targets for recurring tasks. CI runs `.ci/run`, which calls them.

TARGET = x86_64-unknown-linux-gnu
STATIC = target/static/aks-node-controller
# As `cargo test` builds them: with its profile, and with an example, by which dependencies have the features that they have in tests.
DEBUG_BUILD = cargo build --profile test --bins --example generate
GENERATE = cargo run -q --profile test --example generate

.PHONY: help
help: ## List targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 24

.PHONY: test
test: ## All tests
	cargo test

.PHONY: lint
lint: ## Format, lints with and without each feature, shell scripts, docs
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	$(MAKE) -s features
	shellcheck $$(git ls-files '*.sh' .ci/run ':!testdata')
	shfmt -d $$(git ls-files 'parts/*.sh')
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps

.PHONY: features
features: ## Each combination of features compiles without warnings
	cargo clippy --lib --no-default-features -- -A clippy::all -D warnings
	cargo clippy --no-default-features --features cli -- -A clippy::all -D warnings
	cargo clippy --no-default-features --features node -- -A clippy::all -D warnings

.PHONY: generate
generate: ## Rust and documentation pages from the contract and the tables
	$(GENERATE) contract
	$(GENERATE) pages

# The last patches of Kubernetes whose modules a Go module proxy has. To add a minor version: here, in
# `catalogue::minors::KNOWN`, and in the texts of `document::rules`.
KUBELETS = 1.28.15 1.29.15 1.30.14 1.31.14 1.32.13 1.33.13 1.34.10 1.35.4 1.36.4 1.37.2
.PHONY: kubelet-facts
kubelet-facts: ## Tables of the kubelet's flags, fields and feature gates, from the kubelets themselves (needs Go)
	tests/kubelet-facts/run.sh target/kubelet-facts $(KUBELETS)
	$(GENERATE) kubelet target/kubelet-facts

.PHONY: containerd-2
containerd-2: ## containerd 2 accepts its configuration (needs Go)
	$(DEBUG_BUILD)
	tests/containerd-2/run.sh target/containerd-2 2.2.9 $(CURDIR)/target/debug/aks-node-controller

.PHONY: cluster
KUBERNETES ?= 1.37.2
OLDER_KUBELETS ?= 1.36.4 1.35.4 1.34.10
cluster: ## Nodes of a real cluster by every route, and faults: kubelet, API server, controller manager, etcd (needs Go, root)
	$(DEBUG_BUILD)
	KUBERNETES=$(KUBERNETES) OLDER_KUBELETS='$(OLDER_KUBELETS)' tests/cluster/run.sh $(CURDIR)/target/debug/aks-node-controller target/cluster

CAPTURED_VMS := cloud-init-fails scripted scriptless-boothook user-data-is-cut-off user-data-is-empty user-data-is-encoded-twice user-data-is-no-yaml
.PHONY: captures
captures: static ## testdata/captures: complete logs of machines with a known fault, from nodes of a real cluster and VMs (30 minutes; needs Go, root)
	$(DEBUG_BUILD)
	CAPTURES=$(CURDIR)/testdata/captures KUBERNETES=$(KUBERNETES) REQUIRE_NODES=1 tests/cluster/run.sh $(CURDIR)/target/debug/aks-node-controller target/captures
	CAPTURES=$(CURDIR)/testdata/captures KUBERNETES=$(KUBERNETES) REQUIRE_NODES=1 tests/vm/run.sh $(CURDIR)/$(STATIC) target/captures-vm $(CAPTURED_VMS)

EVERY ?= 40
.PHONY: kubelet-judge
kubelet-judge: ## The real kubelet starts with what `validate` accepts, and with nothing that it rejects (EVERY=1: all changes; needs Go, root)
	$(DEBUG_BUILD)
	KUBERNETES=$(KUBERNETES) EVERY=$(EVERY) tests/kubelet-judge/run.sh $(CURDIR)/target/debug/aks-node-controller target/kubelet-judge

.PHONY: kubernetes
kubernetes: ## The programs of Kubernetes that `make cluster` and `make vm` run, built once (needs Go)
	tests/cluster/build.sh $(KUBERNETES) kube-apiserver kube-controller-manager kubelet

.PHONY: timeline
timeline: ## The picture of docs/real-nodes.md, from the last `make cluster`
	tests/timeline/timeline.py svg target/cluster scriptless scriptless_by_write_files scripted node_bootstrap_variables \
		karpenters_objects by_the_start_script >docs/pictures/real-nodes.svg

.PHONY: vm
SCENARIOS ?=
vm: static ## VMs that boot and become nodes with the static binary, under QEMU (needs Go, root; SCENARIOS=scripted: one of them)
	KUBERNETES=$(KUBERNETES) tests/vm/run.sh $(CURDIR)/$(STATIC) target/vm $(SCENARIOS)

.PHONY: vm-arm64
vm-arm64: static-arm64 ## The same for ARM64: one VM (needs also Debian's qemu-system-arm)
	ARCHITECTURE=arm64 KUBERNETES=$(KUBERNETES) tests/vm/run.sh $(CURDIR)/$(ARM64_STATIC) target/vm-arm64 $(or $(SCENARIOS),scriptless-boothook)

.PHONY: cold
cold: static ## What a VM with an empty page cache and a slow disk reads until kubelet starts, and whether a prefetch helps
	KUBERNETES=$(KUBERNETES) tests/vm/run.sh $(CURDIR)/$(STATIC) target/vm cold
	@cat target/vm/cold/table

.PHONY: generate-testdata
generate-testdata: ## The snapshots under testdata/, which testdata/README.md describes
	INSTA_UPDATE=always cargo test --test suite scenarios::

.PHONY: snapshot-coverage
snapshot-coverage: ## Check that each character of each template and part is in a snapshot, by changing all of them in a copy
	tests/scenarios/coverage.py target/snapshot-coverage

.PHONY: pictures
pictures: ## The pictures in docs/pictures, from the program's output
	INSTA_UPDATE=always cargo test --test suite pictures

.PHONY: way
way: ## The picture at the top of README (needs graphviz)
	dot -Tsvg docs/pictures/way.dot | sed '/^<!-- Generated by graphviz/,/-->$$/d; s/ Pages: 1//' >docs/pictures/way.svg

.PHONY: site
site: ## The documents as a site with search, links checked, in target/site (needs mdbook)
	docs/site/build.py target/site

# The flags of the delivered binary: static, with the compact form of relative relocations, and without paths of the build machine.
STATIC_FLAGS = -C target-feature=+crt-static -C link-arg=-Wl,-z,pack-relative-relocs \
	--remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src/= --remap-path-prefix=$(CURDIR)/=
AS_DELIVERED = RUSTFLAGS='$(STATIC_FLAGS)' CARGO_BUILD_TARGET=$(TARGET)

.PHONY: bench
bench: ## Times against a floor of the same run, which have limits, and allocations
	$(AS_DELIVERED) cargo bench --profile dist --bench rendering
	$(AS_DELIVERED) cargo bench --profile dist --bench allocations

# A toolchain without a standard library for WebAssembly builds it: WASM_CARGO='RUSTC_BOOTSTRAP=1 cargo'
# WASM_FLAGS=-Zbuild-std=std,panic_abort.
WASM_CARGO ?= cargo
.PHONY: wasm
wasm: ## The library without features, and the page with it, compile for WebAssembly
	env $(WASM_CARGO) check --locked --manifest-path packaging/page/Cargo.toml --target-dir target/wasm --target wasm32-unknown-unknown $(WASM_FLAGS)

OTHER_SYSTEMS = aarch64-apple-darwin x86_64-pc-windows-msvc
.PHONY: other-systems
other-systems: ## The program compiles for macOS and Windows, without what runs on a node
	for target in $(OTHER_SYSTEMS); do \
		env RUSTFLAGS='-D warnings' $(WASM_CARGO) check --locked --target-dir target/wasm --target $$target $(WASM_FLAGS) || exit; \
	done

.PHONY: page
PAGE = target/page/index.html
page: ## One page for a browser, without a server: explain, inspect, diff, validate, generate
	PAGE_CARGO='$(WASM_CARGO)' PAGE_FLAGS='$(WASM_FLAGS)' packaging/page/build.sh $(CURDIR)/target/page-build $(CURDIR)/$(PAGE)

.PHONY: page-test
page-test: page ## The page in headless Chromium: answers, keyboard, connections, accessibility (needs chromium-driver, python3-selenium)
	$(DEBUG_BUILD)
	AXE=$(AXE) /usr/bin/python3 tests/packages/page.py $(PAGE) target/debug/aks-node-controller target/page/screenshots

.PHONY: page-pictures
page-pictures: page ## The pictures of docs/page.md, from the page in headless Chromium (needs what page-test needs, and pngquant)
	$(DEBUG_BUILD)
	/usr/bin/python3 tests/packages/page-pictures.py $(PAGE) target/debug/aks-node-controller docs/pictures

.PHONY: static
BUILT = $(or $(CARGO_TARGET_DIR),target)/$(TARGET)/dist/aks-node-controller
static: ## Static binary, and its symbols for backtraces in a separate file
	$(AS_DELIVERED) cargo build --locked --profile dist
	mkdir -p $(dir $(STATIC))
	$(BINUTILS)objcopy --only-keep-debug $(BUILT) $(STATIC).debug
	$(BINUTILS)objcopy --strip-all --add-gnu-debuglink=$(STATIC).debug $(BUILT) $(STATIC).new
	@# Other targets may be running it.
	mv $(STATIC).new $(STATIC)
	tests/static-binary.sh $(STATIC)
	@ls -l $(STATIC)

# Debian's packages: the compiler that the WebAssembly step uses too, with a standard library for ARM64, a linker and an emulator.
ARM64 = aarch64-unknown-linux-gnu
ARM64_STATIC = target/static/arm64/aks-node-controller
ARM64_PACKAGES = rustc-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev:arm64 qemu-user-static
CROSS = CARGO_TARGET_DIR=target/cross RUSTC=/usr/bin/rustc CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
.PHONY: arm64-packages
arm64-packages:
	@dpkg-query --show $(ARM64_PACKAGES) >/dev/null || \
		{ echo 'needed: dpkg --add-architecture arm64; apt-get update; apt-get install $(ARM64_PACKAGES)' >&2; exit 1; }

.PHONY: static-arm64
static-arm64: arm64-packages ## The same for ARM64 (needs Debian packages; prints which)
	$(CROSS) $(MAKE) static TARGET=$(ARM64) STATIC=$(ARM64_STATIC) BINUTILS=aarch64-linux-gnu-

PACKAGES = target/release-packages
REPOSITORY_URL ?=
.PHONY: release
release: static ## Packages for this architecture, and for ARM64 where its packages are there (REPOSITORY_URL: for a Homebrew formula)
	if dpkg-query --show $(ARM64_PACKAGES) >/dev/null; then \
		$(MAKE) static-arm64 && REPOSITORY_URL=$(REPOSITORY_URL) packaging/release.sh $(PACKAGES) $(TARGET)=$(STATIC) $(ARM64)=$(ARM64_STATIC); \
	else \
		echo 'not for ARM64: make static-arm64 says what is needed' >&2; \
		REPOSITORY_URL=$(REPOSITORY_URL) packaging/release.sh $(PACKAGES) $(TARGET)=$(STATIC); \
	fi

.PHONY: release-test
release-test: ## The packages of the static binary: installed, upgraded, removed, and the same bytes twice (needs root)
	tests/packages/deb.sh $(STATIC)
	tests/packages/same-bytes.sh $(TARGET)=$(STATIC)
	tests/packages/guard.sh $(STATIC)

.PHONY: release-thorough
release-thorough: static static-arm64 ## Binaries of two directories, the one for ARM64 under an emulator, and the unpacked crate
	tests/packages/arm64.sh $(STATIC) $(ARM64_STATIC)
	tests/packages/crate.sh
	tests/packages/build-twice.sh $(STATIC)

.PHONY: measure
measure: static ## Size, start-up, memory of one process
	benches/process.py $(STATIC)

.PHONY: measure-node
measure-node: ## CPU time of provisioning, by program
	$(DEBUG_BUILD)
	unshare --mount tests/provisioning/machine.sh $(CURDIR)/target/debug/aks-node-controller what_a_run_costs

.PHONY: measure-starts
measure-starts: ## Processes of provisioning, and the time until kubelet starts (REFERENCE=DIR: of a checkout of AgentBaker)
	$(DEBUG_BUILD)
	for scenario in what_a_run_starts what_a_node_stage_starts how_soon_kubelet_starts; do \
		unshare --mount tests/provisioning/machine.sh $(CURDIR)/target/debug/aks-node-controller $$scenario || exit; \
	done

.PHONY: effects
effects: ## testdata/provisioning/effects.txt: what each step changes, from traces
	rm -f target/effects.txt
	EVERY_EFFECT=1 WRITE_EFFECTS=$(CURDIR)/target/effects.txt cargo test --test machines -- provisioning::steps_change
	mv target/effects.txt testdata/provisioning/effects.txt

.PHONY: performance
performance: static ## docs/performance.md, from all of these
	$(AS_DELIVERED) benches/page.sh $(STATIC) >target/performance.md
	mv target/performance.md docs/performance.md

.PHONY: deny
deny: ## Licences, sources and duplicates of the dependencies
	cargo deny check bans licenses sources

.PHONY: advisories
advisories: ## Known vulnerabilities of the dependencies (needs github.com)
	cargo deny check advisories

.PHONY: hostile
hostile: ## Many more hostile Configurations than in CI
	HOSTILE_CASES=100000 HOSTILE_INPUTS=200000 MUTATIONS=10 cargo test --test suite -- shells:: demands::

.PHONY: canaries
canaries: ## A secret in each place of a document, by every command
	EVERY_CANARY=1 cargo test --test suite canaries::documents

.PHONY: kills
kills: ## Many more killed provisioners than in CI
	KILLS=10000 cargo test --test suite node::kills -- --nocapture

FUZZ_SECONDS ?= 30
READER ?=
.PHONY: crashes
crashes: ## Kill a provisioner before each of its steps; CI does so before every ninth (needs root)
	CRASHES_EVERY=1 cargo test --test machines crashes

.PHONY: images
images: ## 200 pairs of an image and a node: the node is like a fresh machine (needs root)
	EVERY_IMAGE=1 cargo test --test machines a_node_of_an_image

.PHONY: thorough
thorough: ## Tests that CI omits or shortens, for hours; tests/README.md lists them
	$(MAKE) growth
	$(MAKE) snapshot-coverage
	$(MAKE) hostile
	$(MAKE) canaries
	$(MAKE) kills
	$(MAKE) crashes
	$(MAKE) images
	CARGO_PROFILE_RELEASE_OPT_LEVEL=2 $(MAKE) fuzz FUZZ_SECONDS=3600
	$(MAKE) containerd-2
	$(MAKE) cluster
	$(MAKE) kubelet-judge EVERY=1
	$(MAKE) vm
	$(MAKE) vm-arm64
	$(MAKE) release-thorough
	$(MAKE) other-systems
	$(MAKE) page-test

.PHONY: growth
growth: static ## Hostile texts: twice the text costs twice the instructions (FILTER=diff: some of them)
	cd fuzz && cargo build --quiet --release --bins
	tests/growth/run.py target/static/aks-node-controller $(FILTER)

.PHONY: hostile-texts
hostile-texts: ## Those of `make growth` that CI measures
	cd fuzz && cargo build --quiet --release --bins
	export GROWTH_SIZE=8000; for families in 'inspect script' foreign memory 'host '; do tests/growth/run.py $(STATIC) "$$families" || exit; done

.PHONY: fuzz
fuzz: ## Every reader against mutated test data, each for FUZZ_SECONDS (READER=explain: one of them)
	fuzz/run.sh $(FUZZ_SECONDS) $(READER)
