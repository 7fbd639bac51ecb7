#!/usr/bin/env python3
"""Draws the tables of this example: what was known each day, and what six suppliers then asked.

A supplier's price is steady until what it depends on runs high, and then climbs steeply: no straight line fits that,
and the line that is nearest on average points at the wrong supplier. Tables are committed; run this only to draw
others.
"""
import csv
import random

DAYS = 400
SUPPLIERS = ("alder", "birch", "cedar", "elm", "fir", "oak")


def main():
    draw = random.Random(11)
    exposure = {name: [draw.choice((-1, 0, 1, 1)) for _ in range(3)] for name in SUPPLIERS}
    base = {name: draw.uniform(8, 11) for name in SUPPLIERS}
    with open("features.csv", "w") as f, open("truth.csv", "w") as t:
        features, truth = (csv.writer(out, lineterminator="\n") for out in (f, t))
        features.writerow(["oil", "season", "demand"])
        truth.writerow(SUPPLIERS)
        for _ in range(DAYS):
            known = [round(draw.gauss(0, 1), 3) for _ in range(3)]
            features.writerow(known)
            row = []
            for name in SUPPLIERS:
                strain = sum(e * x for e, x in zip(exposure[name], known))
                row.append(round((base[name] + 0.8 * max(0, strain + 0.5) ** 3) * draw.uniform(0.9, 1.1), 2))
            truth.writerow(row)


if __name__ == "__main__":
    main()
