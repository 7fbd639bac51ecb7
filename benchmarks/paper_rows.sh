#!/usr/bin/env bash
# Prints the table of docs/results.md: mean ± standard deviation of test regret over seeds 0-9, published data.
# Usage: benchmarks/paper_rows.sh [train flags...]   (for example: --set scale=matrix-mean)
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/release/bin/polystepor
[ -x "$program" ] || { echo "benchmarks/paper_rows.sh: $program is missing; run ./dev build first" >&2; exit 2; }
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

cell() { # cell "problem flags" "method flags": one mean/deviation and the mean stopping step
  local seed
  for seed in 0 1 2 3 4 5 6 7 8 9; do
    # shellcheck disable=SC2086
    "$program" train $1 --source published $2 --seed "$seed" --out "$runs/run" --force --quiet --json
  done | awk '/"test_regret"/ {gsub(",", ""); n++; sum += $2; squares += $2 * $2}
              /"steps"/ {gsub(",", ""); steps += $2}
              END {mean = sum / n; spread = squares / n - mean * mean; printf "%.4f/%.4f|%.1f", mean, spread > 0 ? sqrt(spread) : 0, steps / n}'
}

row() { # row "name" "method flags"
  local line="| $1 |" stops="" setting result
  for setting in "shortest-path --degree 1" "shortest-path --degree 2" "shortest-path --degree 4" \
    "shortest-path --degree 6" "shortest-path --degree 8" "knapsack --capacity 60" "knapsack --capacity 120" \
    "knapsack --capacity 180"; do
    result=$(cell "$setting" "$2")
    line+=" ${result%|*} |"
    stops+=" ${result#*|}"
  done
  echo "$line$stops |"
}

echo "| method | degree 1 | 2 | 4 | 6 | 8 | capacity 60 | 120 | 180 | mean stopping step of each |"
echo "|---|---|---|---|---|---|---|---|---|---|"
row "polystepor, paper" "--preset paper $*"
[ $# -gt 0 ] && exit
row "mse, paper (Adam)" "--method mse --preset paper"
row "mse, least-squares (closed form)" "--method mse --preset least-squares"
