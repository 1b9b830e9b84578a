#!/usr/bin/env bash
# Counts the instructions of each row of the benchmark, which repeat on a busy machine as times do not, and compares them with
# benches/instructions.txt. A row fails if it has grown by more than 5 %. Needs valgrind.
#
#   instructions.sh            compares
#   instructions.sh --record   writes the file anew
set -euo pipefail
cd "$(dirname "$0")/.."

# Both are built: the benchmark runs the program.
built=$(cargo bench --no-run --bench rendering --message-format=json 2>/dev/null | jq -r 'select(.executable) | .executable')
bench=$(grep /rendering- <<<"$built") program=$(grep -v /rendering- <<<"$built")

# PROGRAM ARGUMENT...
counted() {
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/,//g; s/.* I *refs: *//p'
}

# NAME: instructions of one time, without those of the start and of constants, which the first time makes.
row() {
	local few many
	few=$(counted "$bench" --work "$1" 2) many=$(counted "$bench" --work "$1" 12)
	printf '%s %s\n' "$1" "$(((many - few) / 10))"
}

# NAME ARGUMENT...: instructions of one process.
process() {
	printf 'process-%s %s\n' "$1" "$(counted "$program" "${@:2}")"
}

counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
{
	"$bench" --work | while read -r name; do row "$name"; done
	process version version
	process env env --config benches/document.json
	process nbc generate --nbc testdata/nbc/ubuntu.json
	process validate validate testdata/examples/ubuntu-azure-cni.yaml
} >"$counts"
if [ "${1:-}" = --record ]; then
	cp "$counts" benches/instructions.txt
	exit
fi
awk 'NR == FNR { recorded[$1] = $2; next }
	!($1 in recorded) { printf "%-26s %9d  is not recorded\n", $1, $2; failed = 1; next }
	{
		change = ($2 / recorded[$1] - 1) * 100
		how = change > 5 ? "grew: make it smaller, or record it and say why" : ""
		printf "%-26s %9d  %+5.1f %%  %s\n", $1, $2, change, how
		if (how) failed = 1
	}
	END { exit failed }' benches/instructions.txt "$counts"
