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
	# The module of Kubernetes replaces its staging modules by folders, which a module that requires it does not see.
	printf 'module kubelet-facts\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n' "$version" >"$mod"
	source=$(go mod download -modfile="$mod" -json k8s.io/kubernetes | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
	sed -n 's,^[[:space:]]*\(replace \)\{0\,1\}\(k8s.io/[a-z-]*\) => ./staging/.*,\2,p' "$source" | while read -r module; do
		of=$minor
		case $module@$minor in
		# Module proxies have no earlier client. Neither module registers a flag or a feature gate.
		k8s.io/cri-api@3[12].* | k8s.io/cri-client@3[12].*) of=33.0 ;;
		esac
		go mod edit -replace="$module=$module@v0.$of" "$mod"
	done
	go run -mod=mod -modfile="$mod" . >"$folder/${minor%%.*}.json.new"
	mv "$folder/${minor%%.*}.json.new" "$folder/${minor%%.*}.json"
done
