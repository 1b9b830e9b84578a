#!/usr/bin/env bash
# release.sh DIRECTORY TARGET=PROGRAM...: writes the packages of static programs. The first one has to run here: it prints the manual
# pages and completions of all. The same programs and sources give the same bytes, everywhere and always: SOURCE_DATE_EPOCH, by default
# the time of the last commit, is the only time in them.
#
# PACKAGE_VERSION: of the packages, by default that of Cargo.toml. REPOSITORY_URL: where releases are published; without it, there is
# no Homebrew formula.
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
out=$1
shift

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct)}
version=${PACKAGE_VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/Cargo.toml" | head -n 1)}
export SOURCE_DATE_EPOCH
name=aks-node-controller

rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What all architectures share.
first=$(realpath "${1#*=}")
shared=$work/shared
mkdir -p "$shared"/{completions,man}
cp "$project"/{LICENSE,NOTICE,README.md,CHANGELOG.md} "$shared"
"$first" man --out "$shared/man"
"$first" completions bash >"$shared/completions/$name.bash"
"$first" completions zsh >"$shared/completions/_$name"
"$first" completions fish >"$shared/completions/$name.fish"
"$first" completions elvish >"$shared/completions/$name.elv"
"$first" completions powershell >"$shared/completions/_$name.ps1"

images=() archives=()
for pair in "$@"; do
	target=${pair%%=*} program=$(realpath "${pair#*=}")
	release=$name-$version-$target
	echo "packages for $target"
	cp -r "$shared" "$work/$release"
	install -m 755 "$program" "$work/$release/$name"
	"$here/licences.py" "$target" >"$work/$release/THIRD-PARTY-LICENCES"
	"$here/sbom.py" "$version" "$target" "$program" >"$out/$release.cdx.json"
	"$here/archive.py" "$work/$release" "$out/$release.tar.gz"
	archives+=("$out/$release.tar.gz")

	"$here/tree.sh" "$work/$release" "$work/tree-$target"
	"$here/deb.sh" "$work/tree-$target" "$target" "$out" "$version"
	if command -v rpmbuild >/dev/null; then
		"$here/rpm.sh" "$work/tree-$target" "$target" "$out" "$version"
	else
		echo 'no .rpm: needs rpmbuild, which is in the package rpm of Debian' >&2
	fi

	image=$work/image-$target
	mkdir -p "$image/usr/bin" "$image/usr/share/doc/$name"
	cp "$work/$release/$name" "$image/usr/bin"
	cp "$work/$release"/{LICENSE,NOTICE,THIRD-PARTY-LICENCES} "$image/usr/share/doc/$name"
	images+=("$target=$image")
done
"$here/image.py" "$version" "$work/layout" "${images[@]}"
"$here/archive.py" "$work/layout/" "$out/$name-$version-oci.tar"

if [ -n "${REPOSITORY_URL:-}" ]; then
	"$here/formula.py" "$version" "$REPOSITORY_URL" "${archives[@]}" >"$out/$name.rb"
else
	echo 'no Homebrew formula: REPOSITORY_URL is not set' >&2
fi
(cd "$out" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
chmod -R u=rwX,go=rX "$out"
ls -l "$out"
