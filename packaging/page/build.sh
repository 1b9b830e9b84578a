#!/usr/bin/env bash
# Builds the page: build.sh TARGET OUT. PAGE_CARGO and PAGE_FLAGS choose the toolchain, as WASM_CARGO does.
set -euo pipefail
cd "$(dirname "$0")"

target=$1 out=$2
# A toolchain without a linker for WebAssembly gets the one of rustup's toolchain.
if [ -z "${CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER:-}" ]; then
	CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$(find "$(rustc --print sysroot)" -name rust-lld | head -n 1)
	export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
fi
read -ra cargo <<<"${PAGE_CARGO:-cargo}"
read -ra flags <<<"${PAGE_FLAGS:-}"
env "${cargo[@]}" build -q --locked --release --target wasm32-unknown-unknown --target-dir "$target" "${flags[@]}"
(cd bindings && cargo run -q --locked --release --target-dir "$target/bindings" -- \
	"$target/wasm32-unknown-unknown/release/aks_node_controller_page.wasm" "$target/bound")
./build.py "$target/bound/aks_node_controller_page_bg.wasm" "$target/bound/aks_node_controller_page.js" "$out"
