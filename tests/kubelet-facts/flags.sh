#!/bin/sh
# Prints the table of the kubelet's flags, a line each: name, type, first minor version and the one that removed it.
set -eu
sed -nE 's/^    row\("--([a-z0-9-]+)", ([A-Za-z]+)\)(\.since\(([0-9]+)\))?(\.until\(([0-9]+)\))?,$/\1|\2|\4|\6/p' \
	"$(dirname "$0")/../../src/catalogue/kubelet_flags/table.rs"
