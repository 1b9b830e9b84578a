#!/bin/sh
# Writes a go.mod of a module that can build programs of a version of Kubernetes: module.sh FILE NAME VERSION.
set -eu
file=$1 version=$3
minor=${version#1.}
# The module of Kubernetes replaces its staging modules by directories, which a module that requires it does not see.
printf 'module %s\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n' "$2" "$version" >"$file"
source=$(cd "$(dirname "$0")" && go mod download -modfile="$file" -json k8s.io/kubernetes | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
sed -n 's,^[[:space:]]*\(replace \)\{0\,1\}\(k8s.io/[a-z-]*\) => ./staging/.*,\2,p' "$source" | while read -r module; do
	of=$minor
	case $module@$minor in
	# Module proxies have no earlier client. Neither module registers a flag or a feature gate.
	k8s.io/cri-api@3[12].* | k8s.io/cri-client@3[12].*) of=33.0 ;;
	esac
	go mod edit -replace="$module=$module@v0.$of" "$file"
done
