#!/usr/bin/env python3
"""Writes a task whose solves are dear: a knapsack of several resources as an integer programme, values predicted.

    python3 examples/dear_solves/make_task.py /tmp/packing
    polystepor train /tmp/packing/packing.toml

The value of an item is ((b . z / sqrt(5) + 3)^degree + 1) * noise for five features z, so that a linear predictor
is misspecified; --stock gives every row capacities of its own, known when deciding.
"""
import argparse
import math
import pathlib
import random

FEATURES = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=16)
    parser.add_argument("--resources", type=int, default=2)
    parser.add_argument("--training", type=int, default=200)
    parser.add_argument("--validation", type=int, default=50)
    parser.add_argument("--test", type=int, default=400)
    parser.add_argument("--degree", type=int, default=8)
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stock", action="store_true", help="capacities differ from row to row")
    return parser.parse_args()


def model(weights, capacities):
    items = range(len(weights[0]))
    lines = ["Maximize", "  value: " + " + ".join(f"1 x{i}" for i in items), "Subject To"]
    for r, row in enumerate(weights):
        lines.append(f"  room{r}: " + " + ".join(f"{row[i]} x{i}" for i in items) + f" <= {capacities[r]}")
    return "\n".join(lines + ["Binary", "  " + " ".join(f"x{i}" for i in items), "End", ""])


TASK = """[data]
features = "features.csv"
truth = "truth.csv"
{known}split = "column"
split-column = "part"

[predictor]
kind = "linear"

[model]
file = "packing.lp"

[[predict]]
objective = "x*"
truth = "value*"
"""

STOCK = """
[[known]]
rhs = "room*"
column = "room*"
"""


def main():
    given = arguments()
    draw = random.Random(given.seed)
    weights = [[draw.randint(3, 8) for _ in range(given.items)] for _ in range(given.resources)]
    capacities = [sum(row) // 2 for row in weights]
    mixing = [[draw.randint(0, 1) for _ in range(FEATURES)] for _ in range(given.items)]
    features, truth, known = [], [], []
    for part, count in enumerate((given.training, given.validation, given.test)):
        for _ in range(count):
            z = [draw.gauss(0, 1) for _ in range(FEATURES)]
            values = []
            for row in mixing:
                base = sum(b * x for b, x in zip(row, z)) / math.sqrt(FEATURES) + 3
                values.append((base**given.degree + 1) * draw.uniform(1 - given.noise, 1 + given.noise))
            features.append([*z, part])
            truth.append(values)
            known.append([round(capacity * draw.uniform(0.6, 1.4)) for capacity in capacities])
    given.folder.mkdir(parents=True, exist_ok=True)

    def table(name, head, rows):
        text = [",".join(head)] + [",".join(repr(value) for value in row) for row in rows]
        (given.folder / name).write_text("\n".join(text) + "\n")

    table("features.csv", [f"z{k}" for k in range(FEATURES)] + ["part"], features)
    table("truth.csv", [f"value{i}" for i in range(given.items)], truth)
    if given.stock:
        table("known.csv", [f"room{r}" for r in range(given.resources)], known)
    (given.folder / "packing.lp").write_text(model(weights, capacities))
    task = TASK.format(known='known = "known.csv"\n' if given.stock else "") + (STOCK if given.stock else "")
    (given.folder / "packing.toml").write_text(task)


if __name__ == "__main__":
    main()
