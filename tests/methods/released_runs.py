#!/usr/bin/env python3
"""Whole runs with the released settings and draws, computed without the engine: how far can a run be followed?

    python3 tests/methods/released_runs.py DATA shortest-path 6
    python3 tests/methods/released_runs.py DATA knapsack-capacity 10 --precision single

prints test regret and last step (or epoch) of every seed, then mean and population standard deviation. --draws double makes
normal numbers as the engine makes them, in double precision with one rounding at the end; the default rounds like the released
runs, after every operation. --disturb 1e-7 disturbs the start by about as much as single precision does. Needs what
released_steps.py needs.
"""

import argparse
import math
import pathlib

import numpy as np
import released_steps as released
from released_steps import BLOCK, Twister, linear_layer, rotations, scheduled, weights


def rounded_once(uniforms):
    """Normal numbers of groups of 16 uniforms in double precision, rounded at the end."""
    values = uniforms.astype(np.float32)
    whole = len(values) // 16 * 16
    groups = values[:whole].astype(np.float64).reshape(-1, 2, 8)
    radius = np.sqrt(-2 * np.log(1 - groups[:, 0]))
    angle = 2 * math.pi * groups[:, 1]
    values[:whole] = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)
    return values


class Paths:
    """Shortest paths of one degree: 150 steps, checked every 7, patience 10 checks."""

    seeds = range(10)
    steps, check_every = 150, 7
    temperature, length, radius = (10, 0.1), (5, 1), (10, 2)

    def __init__(self, data, degree, kind):
        self.edges = released.ShortestPath(data, 0).edges
        numbers = np.fromfile(data / "classical/shortest_path/sp_base_f64.bin")
        mask, numbers = numbers[:200].reshape(40, 5), numbers[200:]
        self.splits = []
        for rows in (1000, 250, 10000):
            features, noise = numbers[: rows * 5].reshape(-1, 5), numbers[rows * 5 : rows * 45].reshape(-1, 40)
            truth = ((features @ mask.T / math.sqrt(5) + 3) ** degree + 1) * noise
            self.splits.append((features.astype(kind), truth.astype(kind)))
            numbers = numbers[rows * 45 :]

    def start(self, seed):
        return linear_layer(Twister(seed), 40, 5)

    def begin(self, seed):
        self.sampling = Twister(seed + 202608)
        return seed

    def batch(self, step):
        return 0, self.sampling.permutation(1000)[:128]

    def costs(self, split, rows, parameters):
        """True costs of the paths of least predicted cost: [probe, row]."""
        features, truth = (table[rows] for table in self.splits[split])
        probes = len(parameters)
        matrices, biases = parameters[:, :200].reshape(probes * 40, 5), parameters[:, 200:]
        predicted = (features @ matrices.T).reshape(-1, probes, 40).transpose(2, 1, 0) + biases.T[:, :, None]
        return self.walk(predicted, truth.T[:, None, :] + np.zeros((1, probes, 1), truth.dtype))

    def walk(self, lengths, costs):
        best = [None] * 25
        best[0] = (np.zeros_like(lengths[0]), np.zeros_like(costs[0]))
        for edge, (tail, head) in enumerate(self.edges):
            through = best[tail][0] + lengths[edge], best[tail][1] + costs[edge]
            if best[head] is not None:
                better = through[0] < best[head][0]
                through = tuple(np.where(better, new, old) for new, old in zip(through, best[head]))
            best[head] = through
        return best[24][1]

    def regret(self, parameters):
        truth = self.splits[2][1].astype(np.float64).T[:, None, :]
        optimal = self.walk(truth, truth)[0]
        costs = self.costs(2, slice(None), parameters)[0].astype(np.float64)
        return ((costs - optimal) / optimal).mean()


class Capacities:
    """Predicted knapsack capacities at one price of recourse: at most 500 epochs of 23 batches, patience 10 epochs."""

    seeds = range(15)
    steps, check_every = 11500, 23
    temperature, length, radius = (0.5, 0.5), (1, 1), (0.5, 0.5)

    def __init__(self, data, rho, kind):
        self.folder, self.rho, self.kind = data / "in-constraint", rho, kind

    def start(self, seed):
        return linear_layer(Twister(0), 1, 5)

    def begin(self, seed):
        dataset, split = seed // 3, seed % 3
        folder = self.folder / "kp_capacity" / f"seed{dataset}"
        table = np.loadtxt(folder / "posthoc_table.csv", delimiter=",", skiprows=1)
        table = table[table[:, 0] == self.rho]
        predicted, true = table[:, 1].astype(int), table[:, 2].astype(int)
        self.values = np.full((predicted.max() + 1, true.max() + 1), np.nan)
        self.values[predicted, true] = table[:, 3]
        instances = np.loadtxt(folder / "instances.csv", delimiter=",", skiprows=1)
        lines = [line.split() for line in (self.folder / f"split{split}.txt").read_text().splitlines()]
        rows = {line[0]: [int(row) for row in line[1:]] for line in lines if line}
        self.splits = [(instances[rows[n], :5].astype(self.kind), instances[rows[n], 5]) for n in ("train", "val", "test")]
        truth = self.splits[0][1]
        self.shift, self.spread = self.kind.type(truth.mean()), self.kind.type(truth.std(ddof=1))
        return 1000 * dataset + split

    def batch(self, step):
        first = step % 23 * 32
        return 0, np.arange(first, min(first + 32, 720))

    def costs(self, split, rows, parameters):
        features, truth = (table[rows] for table in self.splits[split])
        predicted = (parameters[:, :5] @ features.T + parameters[:, 5:]) * self.spread + self.shift
        whole = np.clip(np.round(predicted), 0, len(self.values) - 1).astype(int)
        return -self.values[whole, truth.astype(int)[None, :]]

    def regret(self, parameters):
        truth = self.splits[2][1].astype(int)
        optimal = -self.values[truth, truth]
        costs = self.costs(2, slice(None), parameters)[0]
        return ((costs - optimal) / np.abs(optimal)).mean()


def run(problem, seed, kind, disturb):
    """Test regret of the best checked parameters, and the number of checks."""
    turning = Twister(problem.begin(seed))
    start = np.concatenate([tensor.ravel() for tensor in problem.start(seed)])
    start = (start * (1 + disturb * np.random.default_rng(seed).standard_normal(start.size))).astype(kind)
    blocks = -(-start.size // BLOCK)
    point = np.zeros((blocks, BLOCK), kind)
    best, kept, idle = np.inf, None, 0

    def parameters(points):
        return (start + points.reshape(-1, blocks * BLOCK)[:, : start.size]).astype(kind)

    for step in range(problem.steps):
        split, rows = problem.batch(step)
        turns = rotations(turning, blocks).astype(kind)
        temperature, length, radius = (
            kind.type(scheduled(ends, step, problem.steps)) for ends in (problem.temperature, problem.length, problem.radius)
        )
        probes = np.repeat(point[None], blocks * 2 * BLOCK, axis=0).reshape(blocks, 2 * BLOCK, blocks, BLOCK)
        for block, turn in enumerate(turns):
            probes[block, :, block] += radius / 2 * np.concatenate([turn.T, -turn.T])
        costs = problem.costs(split, rows, parameters(probes)).mean(axis=1).astype(kind).reshape(blocks, -1)
        shares = weights(costs, temperature)
        point = (point + length * np.einsum("bij,bj->bi", turns, shares[:, :BLOCK] - shares[:, BLOCK:])).astype(kind)
        last = step + 1 == problem.steps
        if (step + 1) % problem.check_every and not last:
            continue
        cost = problem.costs(1, slice(None), parameters(point)).mean(dtype=np.float64)
        idle = 0 if cost < best else idle + 1
        if cost < best:
            best, kept = cost, parameters(point)
        if idle == 10 and not last:
            break
    return problem.regret(kept), step + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("problem", choices=["shortest-path", "knapsack-capacity"])
    parser.add_argument("setting", type=int, help="degree or rho")
    parser.add_argument("--precision", choices=["double", "single"], default="double")
    parser.add_argument("--draws", choices=["double", "single"], default="single")
    parser.add_argument("--disturb", type=float, default=0.0)
    parser.add_argument("--seeds", type=int, nargs="+", help="all of the benchmark's unless given")
    given = parser.parse_args()
    if given.draws == "double":
        released.gaussian_groups = rounded_once
    kind = np.dtype(np.float64 if given.precision == "double" else np.float32)
    problem = (Paths if given.problem == "shortest-path" else Capacities)(given.data, given.setting, kind)
    regrets, steps = [], []
    for seed in given.seeds or problem.seeds:
        regret, last = run(problem, seed, kind, given.disturb)
        regrets.append(regret)
        steps.append(last)
        print(f"seed {seed}: {regret:.6f}, {last} steps", flush=True)
    print(f"{np.mean(regrets):.4f} ± {np.std(regrets):.4f}, {np.mean(steps):.1f} steps")


if __name__ == "__main__":
    main()
