#!/usr/bin/env bash
# build-twice.sh PROGRAM: fails unless a clone of the last commit, in another directory, builds the same program as `make static` here.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo 'error: the work tree differs from the last commit' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/a clone" && mv "$work/a clone" "$work/clone"
(unset CARGO_TARGET_DIR && make -C "$work/clone" static >/dev/null)
cmp "$program" "$work/clone/target/static/aks-node-controller"
echo "$program: the same bytes from another directory"
