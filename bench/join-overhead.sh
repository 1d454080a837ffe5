#!/usr/bin/env bash
# Instructions of join steps over those spent in the diagram layer within them: 1 would mean that joining costs nothing.
# Needs valgrind. Usage: bench/join-overhead.sh [family:n]
set -euo pipefail
cd "$(dirname "$0")/.."
system=${1:-program:300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --quiet --release -p getafix-cli -p bench
target/release/bench --emit "$system" >"$work/system.mu"
valgrind --tool=callgrind --toggle-collect='*run_delta*' --callgrind-out-file="$work/profile" \
    target/release/getafix mu "$work/system.mu" >/dev/null 2>"$work/log"
callgrind_annotate --threshold=100 --auto=no "$work/profile" | tr -d ',' | awk -v name="$system" '
    / PROGRAM TOTALS/ { total = $1; next }
    /^ *[0-9]+ \(/ && /dd::/ { diagrams += $1 }
    END { printf "%s: %d instructions in join steps, %d of them in diagrams, ratio %.2f\n", name, total, diagrams, total / diagrams }'
