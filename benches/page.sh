#!/usr/bin/env bash
# Prints docs/performance.md: measures, and says how to repeat it. About five minutes on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
static=$1

# Before the benchmarks, which replace the program with a build of their own.
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

When this was written, two rows were above their limit. These are their instructions, as `valgrind --tool=callgrind` counts them for
`--work scriptless 300` and `--work environment 300` of the benchmark that
`CARGO_PROFILE_RELEASE_STRIP=none CARGO_PROFILE_RELEASE_DEBUG=1 cargo bench --no-run --bench rendering` builds:

| part | scriptless | environment |
|---|---:|---:|
| reading the document | 31 % | 51 % |
| base64, which the contract fixes: the Configuration, then the document around it; containerd's two configurations | 40 % | 10 % |
| writing JSON | 13 % | |
| the MIME document and its boundary | 7 % | |
| all other variables | | 25 % |
| freeing the Configuration and the variables | 5 % | 11 % |

Base64 alone takes more than a third of the limit of the scriptless row: the unit is 48 KiB of it, and the row has 11.3 KB.

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
