#!/usr/bin/env bash
# Prints docs/performance.md: measures, and says how to repeat it. About five minutes on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
static=$1

cat <<'END'
<!-- Written by `make performance`. -->
# Performance

Limits guard growth: twice the input may take twice the work. Times depend on the machine, so they are ratios to a floor of the
same run: one base64 of 48 KiB for the library, and `/bin/true` for processes. The best of several rounds counts, because noise
only adds. `make performance` writes this page.

## The library

`make bench` compiles the library as for the static binary. It fails if a row takes a third more than its limit, or if an element
of a large document costs half as much again as one of a small document.

END
cargo bench -q --profile dist --bench rendering --no-run
# A row above its limit belongs on the page as well: it is `make bench` that fails.
cargo bench -q --profile dist --bench rendering || true
cat <<'END'

Allocations, after constants have been made:

END
cargo bench -q --profile dist --bench allocations
cat <<'END'

## The program

`make measure`:

END
benches/process.py "$static"
