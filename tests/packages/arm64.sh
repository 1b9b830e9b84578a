#!/usr/bin/env bash
# arm64.sh PROGRAM ARM64_PROGRAM: the program for ARM64, under an emulator, renders every example on every route as the other one does.
# Needs qemu-user-static.
set -euo pipefail
program=$1 other=$2
name=$("$program" version)
[ "$(qemu-aarch64-static "$other" version)" = "$name" ] || { echo "error: $other is not $name" >&2; exit 1; }
# The digest of what a program prints, and of its exit code: some routes reject some examples.
result() {
	{ "$@" 2>&1 || echo "exit code $?"; } | sha256sum
}
count=0
for example in $("$program" generate --example list | awk '{ print $1 }'); do
	for route in node-bootstrap-variables scriptless scripted; do
		expected=$(result "$program" generate --example "$example" --route "$route")
		found=$(result qemu-aarch64-static "$other" generate --example "$example" --route "$route")
		[ "$found" = "$expected" ] || { echo "error: $example differs on route $route" >&2; exit 1; }
		count=$((count + 1))
	done
done
[ "$count" -ge 42 ] || { echo "error: only $count results" >&2; exit 1; }
echo "$other: $count results have the same bytes"
