"""A city of crooked bricks with plans and tours, as a districting file: something to draw without any data."""

import json
import math
import random


class BrickCity:
    """Columns times rows of six-cornered units, small in the middle and large outside."""

    def __init__(self, columns, rows, seed=1):
        draw = random.Random(seed)
        corners = {}

        def corner(h, v):
            if (h, v) not in corners:
                x = h / 2 + 0.30 * (draw.random() - 0.5) - columns / 2 - 0.25
                y = v + 0.40 * (draw.random() - 0.5) - rows / 2
                scale = 0.72 * (0.4 + 0.6 * math.hypot(x, y) / (columns / 2))
                corners[h, v] = [round(x * scale, 6), round(y * scale, 6)]
            return corners[h, v]

        self.rings, self.population, pairs = [], [], set()
        for j in range(rows):
            for i in range(columns):
                h = 2 * i + j % 2
                self.rings.append(
                    [corner(h, j), corner(h + 1, j), corner(h + 2, j)]
                    + [corner(h + 2, j + 1), corner(h + 1, j + 1), corner(h, j + 1)]
                )
                self.population.append(max(800, round(draw.gauss(2500, 700))))
                around = [(i - 1, j), (i + 1, j)] + [
                    (i - 1 + j % 2 + k, row) for row in (j - 1, j + 1) for k in (0, 1)
                ]
                for a, b in around:
                    if 0 <= a < columns and 0 <= b < rows:
                        pairs.add(tuple(sorted((j * columns + i, b * columns + a))))
        self.adjacent = sorted(pairs)
        self.neighbours = [[] for _ in self.rings]
        for a, b in self.adjacent:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        points = [point for ring in self.rings for point in ring]
        self.depot = [(min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in (0, 1)]

    def centre(self, unit):
        ring = self.rings[unit]
        return [sum(p[k] for p in ring) / len(ring) for k in (0, 1)]

    def districts(self, target, seed):
        """Grown from seeds drawn at random: whoever is smallest takes the free neighbour nearest to its seed."""
        draw = random.Random(seed)
        count = len(self.rings) // target
        grown = [[unit] for unit in draw.sample(range(len(self.rings)), count)]
        district_of = {members[0]: d for d, members in enumerate(grown)}
        while len(district_of) < len(self.rings):
            for d in sorted(range(count), key=lambda d: len(grown[d])):
                free = {o for unit in grown[d] for o in self.neighbours[unit] if o not in district_of}
                if free:
                    start = self.centre(grown[d][0])
                    unit = min(free, key=lambda o: (math.dist(start, self.centre(o)), o))
                    grown[d].append(unit)
                    district_of[unit] = d
                    break
        return [sorted(members) for members in grown]

    def tour(self, units, draw):
        """Through one or two customers of every unit, always to the nearest that is left."""
        left = []
        for unit in units:
            middle = self.centre(unit)
            for _ in range(draw.randint(1, 2)):
                corner, share = draw.choice(self.rings[unit]), 0.8 * draw.random()
                left.append([round(m + share * (c - m), 6) for m, c in zip(middle, corner)])
        at, stops = self.depot, []
        while left:
            at = min(left, key=lambda stop: math.dist(at, stop))
            left.remove(at)
            stops.append(at)
        return stops

    def plan(self, method, target, seed, districts=None):
        draw = random.Random(seed)
        entries = []
        for units in districts or self.districts(target, seed):
            stops = self.tour(units, draw)
            way = [self.depot, *stops, self.depot]
            cost = sum(math.dist(a, b) for a, b in zip(way, way[1:]))
            entries.append({"units": units, "cost": round(cost, 4), "customers": 4.8 * len(units), "tour": stops})
        return {"method": method, "total_cost": sum(e["cost"] for e in entries), "districts": entries}

    def file(self, name, target, plans):
        return {
            "format": "polystepor districting",
            "version": 1,
            "city": {
                "name": name,
                "units": [{"population": p, "parts": [ring]} for p, ring in zip(self.population, self.rings)],
                "adjacent": [list(pair) for pair in self.adjacent],
            },
            "depot": self.depot,
            "target": target,
            "smallest": math.floor(0.8 * target),
            "largest": math.ceil(1.2 * target),
            "plans": plans,
        }


def write(path, content):
    path.write_text(json.dumps(content), encoding="utf-8")
