# Targets for recurring tasks. CI runs `.ci/run`, which calls them.

TARGET = x86_64-unknown-linux-gnu
STATIC = target/static/aks-node-controller

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
	cargo run -q --example generate contract
	cargo run -q --example generate pages

# The last patches of Kubernetes whose modules a Go module proxy has. To add a minor version: here, in
# `catalogue::minors::KNOWN`, and in the texts of `document::rules`.
KUBELETS = 1.28.15 1.29.15 1.30.14 1.31.14 1.32.13 1.33.13 1.34.10 1.35.4 1.36.4 1.37.2
.PHONY: kubelet-facts
kubelet-facts: ## Tables of the kubelet's flags, fields and feature gates, from the kubelets themselves (needs Go)
	tests/kubelet-facts/run.sh target/kubelet-facts $(KUBELETS)
	cargo run -q --example generate kubelet target/kubelet-facts

.PHONY: containerd-2
containerd-2: ## containerd 2 accepts its configuration (needs Go)
	cargo build
	tests/containerd-2/run.sh target/containerd-2 2.2.9 $(CURDIR)/target/debug/aks-node-controller

.PHONY: cluster
KUBERNETES ?= 1.36.4
OLDER_KUBELETS ?= 1.35.4 1.34.10 1.33.13
cluster: ## Nodes of a real cluster by every route, and faults: kubelet, API server, controller manager, etcd (needs Go, root)
	cargo build
	KUBERNETES=$(KUBERNETES) OLDER_KUBELETS='$(OLDER_KUBELETS)' tests/cluster/run.sh $(CURDIR)/target/debug/aks-node-controller target/cluster

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

.PHONY: generate-testdata
generate-testdata: ## The snapshots under testdata/, which testdata/README.md describes
	INSTA_UPDATE=always cargo test --test suite scenarios::

.PHONY: snapshot-coverage
snapshot-coverage: ## Check that each character of each template and part is in a snapshot, by changing all of them in a copy
	tests/scenarios/coverage.py target/snapshot-coverage

.PHONY: pictures
pictures: ## The pictures in docs/pictures, from the program's output
	INSTA_UPDATE=always cargo test --test suite pictures

# The flags of the delivered binary: static, and without paths of the build machine's dependencies.
STATIC_FLAGS = -C target-feature=+crt-static --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src/=
AS_DELIVERED = RUSTFLAGS='$(STATIC_FLAGS)' CARGO_BUILD_TARGET=$(TARGET)

.PHONY: bench
bench: ## Times against a floor of the same run, which have limits, and allocations
	$(AS_DELIVERED) cargo bench --profile dist --bench rendering
	$(AS_DELIVERED) cargo bench --profile dist --bench allocations

# A toolchain without a standard library for WebAssembly builds it: WASM_CARGO='RUSTC_BOOTSTRAP=1 cargo'
# WASM_FLAGS=-Zbuild-std=std,panic_abort.
WASM_CARGO ?= cargo
.PHONY: wasm
wasm: ## The library without features compiles for WebAssembly
	env $(WASM_CARGO) check --lib --no-default-features --target wasm32-unknown-unknown $(WASM_FLAGS)

.PHONY: static
static: ## Static binary, and its symbols for backtraces in a separate file
	$(AS_DELIVERED) cargo build --profile dist
	mkdir -p $(dir $(STATIC))
	objcopy --only-keep-debug target/$(TARGET)/dist/aks-node-controller $(STATIC).debug
	objcopy --strip-all --add-gnu-debuglink=$(STATIC).debug target/$(TARGET)/dist/aks-node-controller $(STATIC)
	tests/static-binary.sh $(STATIC)
	@ls -l $(STATIC)

.PHONY: measure
measure: static ## Size, start-up, memory of one process
	benches/process.py $(STATIC)

.PHONY: measure-node
measure-node: ## CPU time of provisioning, by program
	cargo build
	unshare --mount tests/provisioning/machine.sh $(CURDIR)/target/debug/aks-node-controller what_a_run_costs

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
	HOSTILE_CASES=100000 HOSTILE_INPUTS=200000 cargo test --test suite shells::

.PHONY: kills
kills: ## Many more killed provisioners than in CI
	KILLS=10000 cargo test --test suite node::kills -- --nocapture

FUZZ_SECONDS ?= 30
READER ?=
.PHONY: crashes
crashes: ## Kill a provisioner before each of its steps; CI does so before every ninth (needs root)
	CRASHES_EVERY=1 cargo test --test machines crashes

.PHONY: thorough
thorough: ## Tests that CI omits or shortens, for hours; tests/README.md lists them
	$(MAKE) growth
	$(MAKE) snapshot-coverage
	$(MAKE) hostile
	$(MAKE) kills
	$(MAKE) crashes
	$(MAKE) fuzz FUZZ_SECONDS=600
	$(MAKE) containerd-2
	$(MAKE) cluster
	$(MAKE) vm

.PHONY: growth
growth: static ## Hostile texts: twice the text costs twice the instructions (FILTER=diff: some of them)
	tests/growth/run.py target/static/aks-node-controller $(FILTER)

.PHONY: fuzz
fuzz: ## Every reader against mutated test data, each for FUZZ_SECONDS (READER=explain: one of them)
	fuzz/run.sh $(FUZZ_SECONDS) $(READER)
