#!/usr/bin/env bash
# static-binary.sh PROGRAM: fails unless the program that `make static` has built is a static PIE with full RELRO whose
# backtraces can be read with the symbols beside it. Needs binutils. For ARM64, the compiler makes no PIE that is static.
set -euo pipefail
program=$1

failed() {
	echo "error: $program $1" >&2
	exit 1
}

headers=$(readelf --wide --file-header --program-headers --dynamic "$program")
kind='static PIE, full RELRO'
if grep -q 'Machine: *AArch64' <<<"$headers"; then
	kind='static, RELRO'
else
	grep -q 'Type: *DYN' <<<"$headers" || failed 'is not position-independent'
	grep -Eq 'BIND_NOW|FLAGS_1.*NOW' <<<"$headers" || failed 'has only partial RELRO'
fi
! grep -q INTERP <<<"$headers" || failed 'has an interpreter'
! grep -q NEEDED <<<"$headers" || failed 'needs shared libraries'
grep -q GNU_RELRO <<<"$headers" || failed 'has no RELRO'
! nm "$program" 2>/dev/null | grep -q . || failed 'has symbols, which belong into a file of their own'

# The program names the file with its symbols, in which addr2line and the backtraces of Rust look up an address.
address=$(nm --demangle "$program.debug" | awk '/ aks_node_controller::main$/ { print $1 }')
[ -n "$address" ] || failed 'has no symbols beside it'
location=$(addr2line --exe "$program" "$address")
[[ $location == src/main.rs:* ]] || failed "has symbols without lines: $location"

echo "$program: $kind, no interpreter; backtraces can be read"
