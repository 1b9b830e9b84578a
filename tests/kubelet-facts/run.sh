#!/bin/sh
# Writes what the kubelet of each version of Kubernetes knows to FOLDER/MINOR.json. Needs Go and a Go module proxy.
# Usage: run.sh FOLDER VERSION...
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
cd "$(dirname "$0")"
for version in "$@"; do
	minor=${version#1.}
	mod="$folder/$version.mod"
	./module.sh "$mod" kubelet-facts "$version"
	go run -mod=mod -modfile="$mod" . >"$folder/${minor%%.*}.json.new"
	mv "$folder/${minor%%.*}.json.new" "$folder/${minor%%.*}.json"
done
