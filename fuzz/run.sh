#!/usr/bin/env bash
# Runs every fuzz target for a number of seconds, two at a time, with the test data as seeds: run.sh SECONDS.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
# cargo-fuzz needs flags of rustc that are not stable; code without `unsafe` needs no sanitizer.
export RUSTC_BOOTSTRAP=1
cargo fuzz build --sanitizer none
mapfile -t targets < <(cargo fuzz list)

run() {
	local corpus=fuzz/corpus/$1 log
	log=$(mktemp)
	mkdir -p "$corpus"
	if ! cargo fuzz run --sanitizer none "$1" "$corpus" testdata/{examples,nbc,karpenter,rejected,explain,diagnose,scenarios} -- \
		-max_total_time="$seconds" -max_len=100000 -timeout=30 -rss_limit_mb=4096 >"$log" 2>&1; then
		tail -n 40 "$log"
		rm "$log"
		printf 'fuzz target %s failed\n' "$1"
		return 1
	fi
	printf '%-10s %s\n' "$1" "$(grep '^Done' "$log")"
	rm "$log"
}

failed=0
for ((at = 0; at < ${#targets[@]}; at += 2)); do
	pids=()
	for target in "${targets[@]:at:2}"; do
		run "$target" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || failed=1
	done
done
exit "$failed"
