#!/bin/sh
# Writes what the kubelet of each version of Kubernetes knows to DIRECTORY/MINOR.json. Needs Go and a Go module proxy.
# Usage: run.sh DIRECTORY VERSION...
set -eu
directory=$(mkdir -p "$1" && cd "$1" && pwd)
shift
cd "$(dirname "$0")"
for version in "$@"; do
	minor=${version#1.}
	mod="$directory/$version.mod"
	./module.sh "$mod" kubelet-facts "$version"
	go run -mod=mod -modfile="$mod" . >"$directory/${minor%%.*}.json.new"
	mv "$directory/${minor%%.*}.json.new" "$directory/${minor%%.*}.json"
done
