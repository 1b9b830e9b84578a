#!/usr/bin/env bash
# Prints docs/performance.md: measures, and says how to repeat it. About five minutes on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
static=$1

# First: benchmarks build a program of their own in its place.
program=$(benches/process.py "$static")

cat <<'END'
<!-- Written by `make performance`. -->
# Performance

Times depend on the machine, so they are given as ratios to a floor that is measured in the same run. The unit of the library is
the time of one base64 of 48 KiB, and the library is compiled as for the static binary; processes are compared with `/bin/true`.
The best of several rounds counts, because noise only adds.

| to repeat | command |
|---|---|
| times and allocations of the library, and a batch | `make bench` |
| processes and work on a node | `make measure` |
| instructions, compared with what is recorded | `make instructions` |
| this page | `make performance` |

## The library

END
cargo bench -q --bench rendering
cat <<'END'

An element of a large document costs about what one of a small document costs.

Allocations, after constants have been made:

END
cargo bench -q --bench allocations
cat <<'END'

## The program

END
echo "$program"
cat <<'END'

## Regressions

CI counts the instructions of each row with `valgrind --tool=cachegrind`, and fails if one has grown by more than 5 % over
`benches/instructions.txt`. Instructions repeat on a busy machine, and times do not.
END
