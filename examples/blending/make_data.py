#!/usr/bin/env python3
"""Draws the tables of this example: what a feed mill knew each day, and what was then ordered.

Demand grows with cold and with the size of the herds nearby, drops at weekends, and scatters the more the colder
it is. Tables are committed; run this only to draw others.
"""
import csv
import random

DAYS = 600
PRODUCTS = ("calf", "dairy", "beef")
BASE = {"calf": 20, "dairy": 45, "beef": 30}
PER_DEGREE = {"calf": 0.25, "dairy": 0.6, "beef": 0.5}  # tonnes per degree below 15
SCATTER = {"calf": 0.10, "dairy": 0.07, "beef": 0.16}  # of the demand, on a mild day
STOCK = {"barley": 60, "maize": 55, "soy": 40, "bran": 35}


def main():
    draw = random.Random(7)
    with open("features.csv", "w") as f, open("truth.csv", "w") as t, open("known.csv", "w") as k:
        features, truth, known = (csv.writer(out, lineterminator="\n") for out in (f, t, k))
        features.writerow(["weekend", "temperature", "herds", "rain"])
        truth.writerow(PRODUCTS)
        known.writerow(STOCK)
        for day in range(DAYS):
            weekend = 1 if day % 7 >= 5 else 0
            temperature = round(draw.gauss(9, 8), 1)
            herds = round(draw.uniform(0.7, 1.3), 2)
            features.writerow([weekend, temperature, herds, round(max(0, draw.gauss(1, 3)), 1)])
            cold = max(0.0, 15 - temperature)
            row = []
            for product in PRODUCTS:
                mean = (BASE[product] + PER_DEGREE[product] * cold) * herds * (1 - 0.3 * weekend)
                row.append(round(max(0, draw.gauss(mean, mean * SCATTER[product] * (1 + cold / 12))), 1))
            truth.writerow(row)
            known.writerow(round(amount * draw.uniform(0.8, 1.2), 1) for amount in STOCK.values())


if __name__ == "__main__":
    main()
