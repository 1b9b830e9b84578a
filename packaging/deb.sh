#!/usr/bin/env bash
# deb.sh TREE TARGET DIRECTORY VERSION: writes the Debian package of a tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$1 target=$2 out=$3 version=$4
name=aks-node-controller
declare -A architectures=([x86_64]=amd64 [aarch64]=arm64)
architecture=${architectures[${target%%-*}]}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

cp -a "$tree/." "$root"
doc=$root/usr/share/doc/$name
# Debian's names of the licence and of a change log that is not in its own form.
{ cat "$here/debian/copyright" && sed 's/^$/./; s/^/ /' "$doc/LICENSE"; } >"$doc/copyright"
rm "$doc/LICENSE"
mv "$doc/changelog.gz" "$doc/CHANGELOG.md.gz"
install -D -m 644 "$here/debian/lintian-overrides" "$root/usr/share/lintian/overrides/$name"
mkdir "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
size=$(cd "$root" && find usr -type f -printf '%s\n' | awk '{ all += int(($1 + 1023) / 1024) } END { print all }')
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/" "$here/debian/control" >"$root/DEBIAN/control"
chmod 755 "$root"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# With one thread, xz makes the same bytes on every machine.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" "$out/${name}_${version}_$architecture.deb" >/dev/null
