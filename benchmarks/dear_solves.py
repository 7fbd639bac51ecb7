#!/usr/bin/env python3
"""Test regret against solver calls really made in training and validation, for few calls.

    benchmarks/dear_solves.py PROGRAM results.csv [--only WORD] [--seeds 0-9] [--calls 3,5,10] [--tasks FOLDER]
    benchmarks/dear_solves.py --table results.csv

Trains polystepor with fidelity = frugal (decisions kept to their rows, and shared), spo+ and fenchel-young (sfge where
predictions enter constraints), as published and with preset helped, each cut to a number of calls per training row. Calls 0
stand for uncut: the rivals as their presets have them, least squares, and polystepor as it chooses by itself, with its
references and all. References that a method learns from count, and so do its validations; test rows do not. Methods that
cannot be cut to so few calls are left out of that row. Beyond a hundred calls per row polystepor gets a budget of that many
solves and decides itself what to do with them. A row that results.csv has is not computed again, so that an
interrupted run goes on where it was. --tasks names a folder for the tasks with model files (examples/dear_solves), which are
made there. Data are found as usual (POLYSTEPOR_DATA). `polystepor curve --from results.csv` draws it.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

FIELDS = ["setting", "method", "calls", "seed", "made", "regret", "seconds"]
CALLS = [3, 5, 10, 20, 30, 50, 100, 1000]

SETTINGS = {
    "shortest path, degree 1": ["shortest-path", "--degree", "1"],
    "shortest path, degree 4": ["shortest-path", "--degree", "4"],
    "shortest path, degree 8": ["shortest-path", "--degree", "8"],
    "knapsack, capacity 120": ["knapsack", "--capacity", "120"],
    "scheduling, load 2": ["energy-scheduling", "--load", "2"],
    "portfolio, degree 16": ["portfolio", "--degree", "16"],
    "weights, rho 10": ["knapsack-weight", "--rho", "10"],
    "cover, 10x50 rho 5": ["set-cover", "--size", "10x50", "--rho", "5"],
}
TASKS = {"16 items, 2 resources": [], "16 items, own capacities": ["--stock"],
         "60 items, 5 resources": ["--items", "60", "--resources", "5", "--test", "200"]}

METHODS = {
    "frugal, own decisions": ["--set", "share-decisions=false"],
    "frugal": [],
    "spo+": ["--method", "spo+"],
    "spo+ helped": ["--method", "spo+", "--preset", "helped"],
    "fenchel-young": ["--method", "fenchel-young"],
    "fenchel-young helped": ["--method", "fenchel-young", "--preset", "helped"],
    "sfge": ["--method", "sfge"],  # where predictions enter constraints, which the others cannot do
    "sfge helped": ["--method", "sfge", "--preset", "helped"],
}
IN_CONSTRAINTS = ("weights", "cover")
MOST_CALLS = 100  # that polystepor is told to make; with more it gets a budget
CALLS_FOR_MARGIN = 60  # of sfge, per training row: searching for a margin takes 29 of them
UNCUT = {
    "chosen by itself": [],
    "least squares": ["--method", "mse", "--preset", "least-squares"],
    **{name: method for name, method in METHODS.items() if not name.startswith("frugal")},
}


def rows_of(program, arguments):
    """Training, validation and test rows, from the counts of a run that only fits."""
    with tempfile.TemporaryDirectory() as work:
        result = train(program, [*arguments, "--method", "mse", "--preset", "least-squares"], 0, work)
    return result["solves"]["setup"]["performed"], result["solves"]["validation"]["performed"], result["test_rows"]


def train(program, arguments, seed, work):
    out = os.path.join(work, "run")
    done = subprocess.run([program, "train", *arguments, "--seed", str(seed), "--threads", "1", "--quiet", "--out", out],
                          capture_output=True, text=True)
    if done.returncode == 2:
        return None  # a method that does not go with the problem says so
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return json.loads(pathlib.Path(out, "result.json").read_text())


def budgeted(name, arguments, calls, training, validation, test):
    """The options that cut a method to its calls; None where it cannot be."""
    if name.startswith("frugal") and calls > MOST_CALLS:
        return [*arguments, "--budget", f"solves={calls * training + test:.0f}"]
    if name.startswith("frugal"):
        return [*arguments, "--set", "fidelity=frugal", "--set", f"calls={calls}"]
    # References and the failure cost, references of validation rows and the first validation; then epochs.
    left = calls * training - 2 * training - 2 * validation
    if name == "sfge helped":
        margin = calls >= CALLS_FOR_MARGIN
        left -= 29 * training if margin else 0
        arguments = [*arguments, "--set", f"margin={'true' if margin else 'false'}"]
    epochs = math.floor(left / (training + validation))
    if epochs < 1:
        return None
    if "helped" not in name or name.startswith("sfge"):
        return [*arguments, "--set", f"epochs={epochs}"]
    rates = min(4, epochs)
    return [*arguments, "--set", f"rates={rates}", "--set", f"epochs={epochs // rates}"]


def made(result):
    solves = result["solves"]
    parts = sum(solves[part]["performed"] for part in ("setup", "training", "validation", "reference"))
    return parts - result["test_rows"]


def task_arguments(folder, name, seed):
    path = pathlib.Path(folder, name.replace(" ", "-").replace(",", ""), str(seed))
    if not (path / "packing.toml").exists():
        script = pathlib.Path(__file__).parent.parent / "examples" / "dear_solves" / "make_task.py"
        subprocess.run([sys.executable, script, path, "--seed", str(seed), *TASKS[name]], check=True)
    return [str(path / "packing.toml")]


def table(file):
    """One table of all settings, the lowest mean of a row marked; then where the program's own choice is not lowest."""
    with open(file) as rows:
        found = list(csv.DictReader(rows))
    for group in (False, True):
        here = [row for row in found if row["setting"].startswith(IN_CONSTRAINTS) == group]
        methods = [name for name in METHODS if any(row["method"] == name for row in here)]
        print("\n| | calls | " + " | ".join(methods) + " |\n|---|---:|" + "---|" * len(methods))
        lost = []
        for setting in [name for name in (*SETTINGS, *TASKS) if any(row["setting"] == name for row in here)]:
            scale = 1000 if setting.startswith("portfolio") else 1
            label = setting + (f" (× {scale})" if scale > 1 else "")
            for calls in (*CALLS, 0):
                figures = {}
                for method in methods:
                    values = [scale * float(r["regret"]) for r in here
                              if (r["setting"], r["method"], float(r["calls"])) == (setting, method, calls)]
                    if values:
                        error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
                        figures[method] = (statistics.mean(values), error, len(values))
                if not figures:
                    continue
                lowest = min(round(mean, 4) for mean, _, _ in figures.values())
                cells = []
                for method in methods:
                    if method not in figures:
                        cells.append("")
                        continue
                    mean, error, seeds = figures[method]
                    text = f"{mean:.4f} ± {error:.4f}".replace("0.", ".")
                    cells.append((f"**{text}**" if round(mean, 4) == lowest else text) + f" ({seeds})")
                print(f"| {label} | {calls or 'uncut'} | " + " | ".join(cells) + " |")
                label = ""
                if "frugal" in figures and round(figures["frugal"][0], 4) > lowest:
                    rival = min(figures, key=lambda name: figures[name][0])
                    mean, error, _ = figures["frugal"]
                    lost.append((setting, calls, mean, error, rival, *figures[rival][:2]))
        print("\nNot lowest:")
        for setting, calls, mean, error, rival, low, low_error in lost:
            joint = math.hypot(error, low_error)
            print(f"  {setting}, {calls} calls: {mean:.4f} ± {error:.4f}, {rival} {low:.4f} ± {low_error:.4f}: "
                  f"{(mean - low) / joint if joint > 0 else math.inf:.1f} standard errors of the difference")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("--only", default="", help="settings whose name has this word")
    parser.add_argument("--methods", default="", help="methods whose name has this word")
    parser.add_argument("--seeds", default="0-9")
    parser.add_argument("--calls", default=",".join(map(str, CALLS)))
    parser.add_argument("--tasks", default="")
    if sys.argv[1:2] == ["--table"]:
        return table(sys.argv[2])
    flags = parser.parse_args()
    first, last = (flags.seeds.split("-") * 2)[:2]
    file = pathlib.Path(flags.results)
    done = set()
    if file.exists():
        with open(file) as rows:
            done = {(r["setting"], r["method"], float(r["calls"]), int(r["seed"])) for r in csv.DictReader(rows)}
    else:
        file.write_text(",".join(FIELDS) + "\n")
    for setting in [*SETTINGS, *(TASKS if flags.tasks else [])]:
        if flags.only not in setting:
            continue
        arguments = SETTINGS.get(setting) or task_arguments(flags.tasks, setting, int(first))
        training, validation, test = rows_of(flags.program, arguments)
        for calls in map(float, flags.calls.split(",")):
            for name, method in (METHODS if calls else UNCUT).items():
                options = budgeted(name, method, calls, training, validation, test) if calls else method
                if options is None or flags.methods not in name:
                    continue
                if "own decisions" in name and setting.startswith(IN_CONSTRAINTS):
                    continue  # decisions are not chosen from there, and so not shared
                if name.startswith("sfge") and not setting.startswith(IN_CONSTRAINTS):
                    continue
                for seed in range(int(first), int(last) + 1):
                    if (setting, name, calls, seed) in done:
                        continue
                    of = task_arguments(flags.tasks, setting, seed) if setting in TASKS else arguments
                    with tempfile.TemporaryDirectory() as work:
                        result = train(flags.program, [*of, *options], seed, work)
                    if result is None:
                        break
                    row = [setting, name, calls, seed, made(result) / training, result["test_regret"],
                           result["seconds"]["train"]]
                    with open(file, "a", newline="") as out:
                        csv.writer(out).writerow(row)


if __name__ == "__main__":
    main()
