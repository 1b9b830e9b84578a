#!/bin/sh
# Lets containerd 2 read the configurations that the examples get for it. Needs Go, a Go module proxy and python3-yaml.
# Usage: run.sh DIRECTORY VERSION PROGRAM
set -eu
directory=$(mkdir -p "$1" && cd "$1" && pwd)
if [ ! -x "$directory/containerd" ]; then
	GOBIN=$directory go install "github.com/containerd/containerd/v2/cmd/containerd@v$2"
fi
cd "$(dirname "$0")/../.."
for example in testdata/examples/*; do
	file=$directory/$(basename "$example").toml
	"$3" env --config "$example" --containerd-version "$2" --show-secrets --format json 2>/dev/null |
		python3 -c 'import base64, json, sys
sys.stdout.buffer.write(base64.b64decode(json.load(sys.stdin)["CONTAINERD_CONFIG_CONTENT"]))' >"$file"
	case $example in
	*kata*)
		# The runtimes of Kata stand in a section of containerd 1.x beside those of 2.x, as the reference writes them: containerd 2
		# merges no section into one that is there already.
		echo "containerd $2 passes over runtimes of $example"
		continue
		;;
	esac
	PATH=$directory:$PATH python3 tests/provisioning/readers.py --only containerd "$file"
	echo "containerd $2 takes the configuration of $example"
done
