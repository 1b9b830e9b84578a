#!/usr/bin/env bash
# same-bytes.sh TARGET=PROGRAM...: packs the programs twice, from two directories, on two dates, with another umask, locale and time
# zone, and fails unless all packages have the same bytes. Needs faketime.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REPOSITORY_URL=https://forge.example/aks-node-controller
pairs=()
for pair in "$@"; do
	pairs+=("${pair%%=*}=$(realpath "${pair#*=}")")
done

"$project/packaging/release.sh" "$work/one" "${pairs[@]}" >/dev/null

# A copy of the sources, whose files have other times.
mkdir -p "$work/another/place"
(cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --no-dereference --parents -t "$work/another/place")
# The compiler waits for ever under the other date, and only names crates here.
mkdir "$work/bin"
for tool in cargo rustc; do
	printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s" "$@"\n' "$(command -v "$tool")" >"$work/bin/$tool"
	chmod 755 "$work/bin/$tool"
done
SOURCE_DATE_EPOCH=$(git -C "$project" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
(
	cd "$work/another"
	umask 077
	PATH=$work/bin:$PATH LC_ALL=C.UTF-8 TZ=Asia/Kathmandu FAKETIME_DONT_FAKE_MONOTONIC=1 \
		faketime '2031-02-03 04:05:06' place/packaging/release.sh two "${pairs[@]}" >/dev/null
)
diff -r "$work/one" "$work/another/two" || {
	echo 'error: the packages differ' >&2
	exit 1
}
(cd "$work/one" && sha256sum --quiet --check SHA256SUMS)
echo "the same bytes twice: $(find "$work/one" -type f | wc -l) files"
