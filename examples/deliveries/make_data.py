#!/usr/bin/env python3
"""Draws the tables of this example: the offers of each day, and what the hauls they were for then cost.

A day has 3 to 12 offers. What a haul costs is steady until road and weather are both bad, and then climbs steeply: the
line that is nearest on average points at the wrong offers. Tables are committed; run this only to draw others.
"""
import csv
import random

DAYS = 200


def main():
    draw = random.Random(5)
    with open("features.csv", "w") as f, open("truth.csv", "w") as t:
        features, truth = (csv.writer(out, lineterminator="\n") for out in (f, t))
        features.writerow(["instance", "name", "distance", "hills", "rain"])
        truth.writerow(["instance", "name", "value"])
        for day in range(DAYS):
            for offer in range(draw.randint(3, 12)):
                key = [f"day{day}", "abcdefghijkl"[offer]]
                distance, hills, rain = (round(draw.gauss(0, 1), 2) for _ in range(3))
                strain = max(0, 0.6 * hills + 0.8 * rain + 0.3)
                cost = (10 + 1.5 * distance + 2 * strain**3) * draw.uniform(0.9, 1.1)
                features.writerow(key + [distance, hills, rain])
                truth.writerow(key + [round(max(1, cost), 2)])


if __name__ == "__main__":
    main()
