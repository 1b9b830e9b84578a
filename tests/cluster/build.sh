#!/usr/bin/env bash
# Builds programs of a version of Kubernetes, each once, and prints the folder they are in: build.sh VERSION PROGRAM...
# Needs Go and a Go module proxy. The folder is named after everything that the programs are made from.
set -euo pipefail

version=$1
shift
cd "$(dirname "$0")"
patch=${version#1.}
made_from=$({ cat build.sh cluster.go && printf '%s\n' "$version" "$(go env GOVERSION GOOS GOARCH)"; } | sha256sum | cut -c 1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/aks-node-controller/kubernetes/$version-$made_from
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9

module() {
	local source module of
	cp cluster.go "$folder/"
	cd "$folder"
	# The module of Kubernetes replaces its staging modules by folders, which a module that requires it does not see.
	printf 'module cluster\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n' "$version" >go.mod
	source=$(go mod download -json k8s.io/kubernetes | jq -r .GoMod)
	sed -nE 's,^[[:space:]]*(replace )?(k8s.io/[a-z-]*) => ./staging/.*,\2,p' "$source" | while read -r module; do
		of=$patch
		case $module@$patch in
		# Module proxies have no earlier one.
		k8s.io/cri-api@3[12].* | k8s.io/cri-client@3[12].*) of=33.0 ;;
		esac
		go mod edit -replace="$module=$module@v0.$of"
	done
}

name=k8s.io/component-base/version
for program in "$@"; do
	[ ! -e "$folder/$program" ] || continue
	[ -e "$folder/go.sum" ] || (module)
	printf 'building %s %s\n' "$program" "$version" >&2
	(cd "$folder" && CGO_ENABLED=0 go build -mod=mod -trimpath -o "$folder/$program.new" \
		-ldflags "-s -w -X $name.gitVersion=v$version -X $name.gitMajor=1 -X $name.gitMinor=${patch%%.*}" "k8s.io/kubernetes/cmd/$program")
	mv "$folder/$program.new" "$folder/$program"
done
printf '%s\n' "$folder"
