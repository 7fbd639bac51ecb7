#!/bin/bash
# The tables of docs/results/districting.md on large cities: trains what is missing, then divides and prices, by our search and
# tours in DIRECTORY/table, by the published ones in DIRECTORY/published.
#   benchmarks/districting_large.sh PROGRAM DIRECTORY [bench options]      (goes on where it was stopped)
# With docs/results/runs/districting.csv copied to DIRECTORY/table first, what it holds is not priced again; more scenarios
# or iterations, --sizes, --large or --problems go behind. EPOCHS are those of predgnn, 3.4 core-seconds each and seed.
set -euo pipefail
program=$1 directory=$2
shift 2
mkdir -p "$directory/table"

train() { # train NAME SEED options...
  local name=$1 seed=$2
  shift 2
  [ -f "$directory/$name-$seed/result.json" ] || "$program" train districting "$@" --seed "$seed" --out "$directory/$name-$seed" --resume
}
all() { # all NAME: its runs as a list
  local list=""
  for seed in 1 2 3 4 5; do list+=",$directory/$1-$seed"; done
  echo "${list#,}"
}

for seed in 1 2 3 4 5; do
  train mixed "$seed" --features sized --set sizes=30:3,30:6,30:3,84:12,30:10,30:3,100:20,60:6,30:3,120:30 --set steps=100 \
    --set scenarios=4 --set perturbations=10 --set search-iterations=10
  train districtnet "$seed" --method fenchel-young --preset districtnet --distances degrees
done
"$program" bench districting --models "best=$(all mixed)" --models "districtnet=$(all districtnet)" \
  --averages "best averaged=$(all mixed)" --methods centre-distance,avgtsp,bd,fig,predgnn --seeds 1,2,3,4,5 \
  --predgnn-epochs "${EPOCHS:-100}" --iterations 1000 --iterations-for avgtsp=100 --iterations-for predgnn=10 --scenarios 20 \
  --resume --out "$directory/table" "$@"
mkdir -p "$directory/published"
for seed in 1 2 3 4 5; do # the fits are the same
  fit="predgnn-$seed.bin"
  [ ! -f "$directory/table/$fit" ] || [ -f "$directory/published/$fit" ] || cp "$directory/table/$fit" "$directory/published/$fit"
done
"$program" bench districting --models "districtnet=$(all districtnet)" --methods avgtsp,bd,fig,predgnn --seeds 1,2,3,4,5 \
  --predgnn-epochs "${EPOCHS:-100}" --published-limit 600 --published-tours --scenarios 20 --resume --out "$directory/published"
