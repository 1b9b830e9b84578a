#!/usr/bin/env bash
# toolchain.sh: installs the Rust toolchain for the following steps of a workflow.
set -euo pipefail
curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile default --default-toolchain 1.95.0
printf '%s\n' "$HOME/.cargo/bin" >>"$GITHUB_PATH"
