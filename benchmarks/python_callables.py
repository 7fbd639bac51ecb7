"""Solves per second through Python callables, on the 5x5 shortest-path problem.

PYTHONPATH=build/release/python python3 benchmarks/python_callables.py [THREADS]
"""

import sys
import time
from pathlib import Path

import numpy as np

import polystepor

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "python"))
from grid_path import shortest_paths  # noqa: E402


def measure(label, problem, decide, threads, batch_rows, steps=20):
    rows = [(part.features, part.truth) for part in (problem.training, problem.validation, problem.test)]
    calls = []

    def counted(predictions):
        calls.append(len(predictions))
        return decide(predictions)

    start = time.perf_counter()
    model = polystepor.train(
        *rows[0],
        validation=rows[1],
        test=rows[2],
        decide=counted,
        threads=threads,
        batch_rows=batch_rows,
        preset="paper",
        steps=steps,
        patience=0,
    )
    seconds = time.perf_counter() - start
    solves = model.result["solves"]["performed"]
    print(
        f"{label:<28} {batch_rows:>6} rows at most, {np.mean(calls):>7.0f} on average, {solves:>9} solves, "
        f"{seconds:6.2f} s, {solves / seconds:>10.0f} solves/s"
    )


def main():
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    problem = polystepor.problem("shortest-path", degree=8, source="generated")
    nothing = np.zeros((1 << 20, problem.decision_size))
    measure("dynamic programme in numpy", problem, shortest_paths, threads, batch_rows=8, steps=1)
    for batch_rows in (128, 1024, 4096, 16384):
        measure("dynamic programme in numpy", problem, shortest_paths, threads, batch_rows)
    for batch_rows in (128, 4096):
        measure("constant decisions", problem, lambda p: nothing[: len(p)], threads, batch_rows)
    start = time.perf_counter()
    native = polystepor.train_problem(
        "shortest-path", degree=8, source="generated", preset="paper", steps=20, patience=0, skip_solves=False
    )
    seconds = time.perf_counter() - start
    print(f"native, nothing skipped: {native.result['solves']['performed'] / seconds:.0f} solves/s")


if __name__ == "__main__":
    main()
