#!/usr/bin/env python3
"""Do two programs train the same models? Compares the bytes of model.bin over some 180 short trainings.

    benchmarks/same_models.py OLD_PROGRAM NEW_PROGRAM [--only WORD] [--first-presets]

Every problem with each of its methods and presets, on two seeds where that is quick, and the examples of own tasks. For
changes that must not change a result: exits with 1 and names the trainings that differ. --first-presets gives the new
program the presets of polystepor as they first were (before the release was read, and before validation rows trained), so
that a program from before can be compared with. Data are found as usual
(POLYSTEPOR_DATA); five minutes on one core.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "examples")
LINEAR = ["spo+", "dbb", "imle", "fenchel-young", "listwise", "pairwise", "pairwise-diff", "map"]
CLASSICAL = {
    "shortest-path": ["--degree", "4"],
    "knapsack": ["--capacity", "120"],
    "portfolio": [],
    "energy-scheduling": [],
    "matching": ["--source", "generated"],
}
CONSTRAINTS = ["knapsack-capacity", "knapsack-weight", "set-cover", "multi-knapsack"]


def options(**values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def trainings():
    """Pairs of a name and the arguments of `polystepor train`."""
    for problem, settings in CLASSICAL.items():
        slow = problem == "matching"
        probes = options(steps=4, bags=3, batch=40, checks=2)
        paper = options(steps=6, checks=2)
        output = options(steps=6, batch=32, checks=2)
        if slow:
            probes = options(steps=2, cap=24, checks=1, starts=2)
            paper = options(steps=2, cap=24, checks=1)
            output = options(steps=2, batch=8, checks=1)
        for seed in ["0"] if slow else ["0", "1"]:
            ways = [("polystepor", "best", probes), ("polystepor", "paper", paper), ("polystepor-output", "best", output)]
            ways += [("mse", "paper", options(epochs=2))]
            ways += [] if slow else [("mse", "least-squares", [])]
            if seed == "0" or problem != "energy-scheduling":
                ways += [(method, "paper", options(epochs=2)) for method in LINEAR]
            for method, preset, more in ways:
                yield (f"{problem} {method}:{preset} seed {seed}",
                       [problem, *settings, "--method", method, "--preset", preset, "--seed", seed, *more])
    for problem in CONSTRAINTS:
        best = options(steps=4, batch=64, checks=2)
        ways = [("polystepor", best), ("polystepor", best + options(**{"max-infeasibility": 0.1})),
                ("polystepor", ["--preset", "paper"] + options(steps=10, checks=2)),
                ("polystepor-output", options(steps=6, batch=32, checks=2)), ("mse", [])]
        ways += [(method, options(epochs=2)) for method in ["gaussian", "sfge", "comboptnet"]]
        for seed in ["0", "1"]:
            for method, more in ways:
                yield (f"{problem} {method} {' '.join(more)} seed {seed}",
                       [problem, "--method", method, "--seed", seed, *more])
    for task in ["blending/blending.toml", "solver_process/task.toml"]:
        for seed in ["0", "1"]:
            for method, more in [("polystepor", options(steps=3, bags=2, batch=40, checks=1)),
                                 ("polystepor-output", options(steps=6, batch=32, checks=2)), ("mse", [])]:
                yield f"own {task} {method} seed {seed}", [os.path.join(EXAMPLES, task), "--method", method, "--seed", seed, *more]


def first_presets(arguments):
    """What undoes later changes of presets of polystepor; no other method's were changed."""
    if "--method" in arguments and arguments[arguments.index("--method") + 1] != "polystepor":
        return []
    if "paper" not in arguments:
        return options(**{"validation-trains": "false"})
    cap = {"cap-rule": "matrices"} if "matching" in arguments else {}
    return options(**{"scale": "matrix-mean", "judge-start": "true", "draws": "streams", **cap})


def outcome(program, arguments):
    """What the training came to: a hash and the regret, or the sentence it was refused with."""
    with tempfile.TemporaryDirectory() as place:
        run = os.path.join(place, "run")
        done = subprocess.run([program, "train", *arguments, "--out", run, "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            return f"exit {done.returncode}: {done.stderr.strip()}"
        with open(os.path.join(run, "model.bin"), "rb") as model, open(os.path.join(run, "result.json")) as result:
            return f"{hashlib.sha256(model.read()).hexdigest()[:16]} regret {json.load(result)['test_regret']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="trainings whose name has this word")
    parser.add_argument("--first-presets", action="store_true", help="undo later changes of presets in the new program")
    arguments = parser.parse_args()
    chosen = [(name, words) for name, words in trainings() if arguments.only in name]
    different = 0
    for name, words in chosen:
        later = first_presets(words) if arguments.first_presets else []
        before, after = outcome(arguments.old, words), outcome(arguments.new, words + later)
        # Figures of own models may be rounded otherwise by another solver; the model itself is what was trained.
        if before.split(" regret ")[0] != after.split(" regret ")[0]:
            different += 1
            print(f"{name}\n  before {before}\n  after  {after}", flush=True)
    print(f"{len(chosen)} trainings, {different} differ")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
