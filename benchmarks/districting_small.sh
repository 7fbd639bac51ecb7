#!/bin/bash
# The tables of docs/results/districting.md on small cities: trains what is missing, then compares city by city.
#   benchmarks/districting_small.sh PROGRAM DIRECTORY [SEEDS] [ROWS] [EPOCHS]      (goes on where it was stopped)
# A run takes 8 to 15 core-seconds, one of paper two and a half core-minutes, one of tuned ten; an epoch of predgnn, once
# for all inputs, three and a half core-seconds. ROWS are some of the names below; EPOCHS are those of predgnn, 0 leaves it out.
set -euo pipefail
program=$1 directory=$2 seeds=${3:-"1 2 3 4 5"} rows=${4:-"best districtnet early paper tuned"} epochs=${5:-100}
mkdir -p "$directory"

train() { # train NAME SEED options...
  local name=$1 seed=$2
  shift 2
  case " $rows " in *" ${name%-*} "*) ;; *) return 0 ;; esac
  [ -f "$directory/$name-$seed/result.json" ] || "$program" train districting "$@" --seed "$seed" --out "$directory/$name-$seed" --resume
}
all() { # all NAME: its runs as a list
  local list=""
  for seed in $seeds; do list+=",$directory/$1-$seed"; done
  echo "${list#,}"
}
compare() { # compare TABLE NAME...: the first is what others are compared with; averages of all of them besides
  local table=$1 arguments=() methods=centre-distance,bd,fig,avgtsp
  shift
  for name in "$@"; do
    case " $rows " in *" ${name%-*} "*) ;; *) continue ;; esac
    arguments+=(--models "$name=$(all "$name")" --averages "$name averaged=$(all "$name")")
  done
  if [ "$epochs" != 0 ]; then
    mkdir -p "$directory/$table"
    cp -n "$directory"/predgnn-*.bin "$directory/$table" 2>/dev/null || true
    methods+=,predgnn
    arguments+=(--predgnn-epochs "$epochs" --seeds "${seeds// /,}")
  fi
  "$program" bench districting --small --methods "$methods" "${arguments[@]}" --out "$directory/$table" --force
  cp -n "$directory/$table"/predgnn-*.bin "$directory" 2>/dev/null || true
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
for preset in paper tuned; do
  for distances in degrees kilometres; do
    for seed in $seeds; do
      train "$preset-$distances" "$seed" --distances $distances --method polystepor --preset $preset
    done
  done
done
for inputs in kilometres degrees; do
  compare $inputs best-$inputs districtnet-$inputs early-$inputs paper-$inputs tuned-$inputs
done
for inputs in geometric relative; do compare $inputs best-$inputs early-$inputs; done
