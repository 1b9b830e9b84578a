#!/usr/bin/env bash
# guard.sh PROGRAM: what the action `guard-custom-data` prints for a repository whose documents change.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

failed() {
	echo "error: the action $1" >&2
	cat "$work/result" >&2
	exit 1
}
guard() {
	"$project/.github/actions/guard-custom-data/guard.sh" "$program" scriptless HEAD >"$work/result"
}

git init --quiet nodes
cd nodes
cp "$project/testdata/examples/secure-tls-bootstrapping.yaml" same.yaml
cp "$project/testdata/examples/ubuntu-azure-cni.yaml" changed.yaml
git add .
git -c user.name=a -c user.email=a@b.example commit --quiet --message first
sed -i "s/--max-pods: '110'/--max-pods: '77'/" changed.yaml
token=$(sed -n 's/^ *tls_bootstrapping_token: //p' changed.yaml | tr -d '"')
if [ -z "$token" ] || git diff --quiet; then
	echo 'error: the example has another token or number of pods' >&2
	exit 1
fi
cp changed.yaml new.yaml

printf '%s\n' same.yaml changed.yaml new.yaml | guard || failed 'fails where all documents can be rendered'
grep -q 'The same bytes.' "$work/result" || failed 'does not see that nothing changed'
grep -q -- '    +.*77' "$work/result" || failed 'does not show what changed'
grep -q 'It is new' "$work/result" || failed 'does not see that a document is new'
! grep -qF "$token" "$work/result" || failed 'shows a secret'

echo 'version: [' >changed.yaml
! echo changed.yaml | guard || failed 'accepts a document that cannot be rendered'
grep -q 'It cannot be rendered' "$work/result" || failed 'does not say that a document is wrong'
echo "the action guard-custom-data: same, changed, new and wrong documents"
