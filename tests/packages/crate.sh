#!/usr/bin/env bash
# crate.sh: the crate that `cargo package` makes, unpacked, can be installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CARGO_TARGET_DIR=$work/package cargo package --quiet --allow-dirty --no-verify --offline
tar -C "$work" -xzf "$work"/package/package/*.crate
cargo install --quiet --locked --offline --debug --root "$work/root" --target-dir target/crate --path "$work"/aks-node-controller-*/
"$work/root/bin/aks-node-controller" version
"$work/root/bin/aks-node-controller" generate --example ubuntu-azure-cni >/dev/null
