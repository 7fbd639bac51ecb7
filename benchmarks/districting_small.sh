#!/bin/bash
# The tables of docs/districting.md on small cities: trains what is missing, then compares city by city.
#   benchmarks/districting_small.sh PROGRAM DIRECTORY [SEEDS]      (20 core-seconds per run; goes on where it was stopped)
set -euo pipefail
program=$1 directory=$2 seeds=${3:-"1 2 3 4 5"}
mkdir -p "$directory"

train() { # train NAME SEED options...
  local name=$1 seed=$2
  shift 2
  [ -f "$directory/$name-$seed/result.json" ] || "$program" train districting "$@" --seed "$seed" --out "$directory/$name-$seed" --resume
}
all() { # all NAME: its runs as a list
  local list=""
  for seed in $seeds; do list+=",$directory/$1-$seed"; done
  echo "${list#,}"
}
compare() { # compare TABLE NAME...: the first is what others are compared with; averages of all of them besides
  local table=$1 arguments=()
  shift
  for name in "$@"; do arguments+=(--models "$name=$(all "$name")" --averages "$name averaged=$(all "$name")"); done
  "$program" bench districting --small "${arguments[@]}" --out "$directory/$table" --force
}

for seed in $seeds; do
  for distances in kilometres degrees; do
    train "best-$distances" "$seed" --distances $distances
    train "districtnet-$distances" "$seed" --distances $distances --method fenchel-young --preset districtnet
    train "early-$distances" "$seed" --distances $distances --method fenchel-young --preset early
  done
  for features in geometric relative; do
    train "best-$features" "$seed" --features $features
    train "early-$features" "$seed" --features $features --method fenchel-young --preset early
  done
done
for inputs in kilometres degrees; do compare $inputs best-$inputs districtnet-$inputs early-$inputs; done
for inputs in geometric relative; do compare $inputs best-$inputs early-$inputs; done
