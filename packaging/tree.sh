#!/usr/bin/env bash
# tree.sh RELEASE TREE: puts the files of an archive to where a distribution has them, below TREE.
set -euo pipefail
release=$1 tree=$2
name=aks-node-controller
doc=$tree/usr/share/doc/$name

# FILE MODE PATH: copies a file to a path of the tree.
put() {
	install -D -m "$2" "$1" "$tree/$3"
}
put "$release/$name" 755 "usr/bin/$name"
put "$release/completions/$name.bash" 644 "usr/share/bash-completion/completions/$name"
put "$release/completions/_$name" 644 "usr/share/zsh/vendor-completions/_$name"
put "$release/completions/$name.fish" 644 "usr/share/fish/vendor_completions.d/$name.fish"
for page in "$release"/man/*.1; do
	put "$page" 644 "usr/share/man/man1/$(basename "$page")"
done
for file in NOTICE README.md; do
	put "$release/$file" 644 "usr/share/doc/$name/$file"
done
put "$release/CHANGELOG.md" 644 "usr/share/doc/$name/changelog"
put "$release/THIRD-PARTY-LICENCES" 644 "usr/share/doc/$name/THIRD-PARTY-LICENCES"
put "$release/LICENSE" 644 "usr/share/doc/$name/LICENSE"
gzip -9n "$tree"/usr/share/man/man1/*.1 "$doc"/{changelog,THIRD-PARTY-LICENCES}
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
