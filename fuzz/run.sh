#!/usr/bin/env bash
# Runs every fuzz target for a number of seconds, two at a time, with the test data as seeds: run.sh SECONDS [TARGET]. With a target, only
# this one. An input that makes a target fail is kept in fuzz/artifacts.
#
# `.cargo/config.toml` has the flags of rustc; code without `unsafe` needs no sanitizer.
set -euo pipefail
cd "$(dirname "$0")"

seconds=$1
shift
cargo build --quiet --release --bins
if [ "$#" -eq 0 ]; then
	mapfile -t all < <(basename -s .rs fuzz_targets/*.rs)
	set -- "${all[@]}"
fi

run() {
	local log seeds=(../testdata/{examples,nbc,karpenter,rejected,explain,diagnose,host})
	# CustomData is no log, and takes most of the time of a short run.
	[ "$1" = diagnose ] || seeds+=(../testdata/scenarios)
	log=$(mktemp)
	mkdir -p "corpus/$1" artifacts
	# The time counts from when all seeds are read, which takes minutes: a short run has every hundredth, and changes it.
	find "${seeds[@]}" -type f | LC_ALL=C sort | awk -v every="$((seconds < 600 ? 100 : 1))" 'NR % every == 0' | paste -sd , >"$log.seeds"
	if ! "target/x86_64-unknown-linux-gnu/release/$1" "corpus/$1" -seed_inputs=@"$log.seeds" \
		-max_total_time="$seconds" -max_len=100000 -timeout=30 -rss_limit_mb=4096 -artifact_prefix="artifacts/$1-" >"$log" 2>&1; then
		tail -n 40 "$log"
		rm "$log" "$log.seeds"
		printf 'fuzz target %s failed\n' "$1"
		return 1
	fi
	printf '%-10s %s\n' "$1" "$(grep '^Done' "$log")"
	rm "$log" "$log.seeds"
}

failed=0
while [ "$#" -gt 0 ]; do
	pids=()
	for target in "${@:1:2}"; do
		run "$target" &
		pids+=($!)
	done
	shift "${#pids[@]}"
	for pid in "${pids[@]}"; do
		wait "$pid" || failed=1
	done
done
exit "$failed"
