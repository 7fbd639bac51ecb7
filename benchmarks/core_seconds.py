#!/usr/bin/env python3
"""How many core-seconds do two programs take for the same trainings?

    benchmarks/core_seconds.py OLD_PROGRAM NEW_PROGRAM [--only WORD] [--repeats N]

Trains every problem with preset best, and a few others, by both programs in turn on one thread, and prints the median over
repeats of new / old. Taking turns, and the median, keep what else the machine does out of the ratio; a busy machine still
widens the range, which is printed beside it. Processor time includes reading the data. Data are found as usual (POLYSTEPOR_DATA).
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

TRAININGS = {
    "shortest-path": ["shortest-path", "--degree", "4"],
    "knapsack": ["knapsack", "--capacity", "120"],
    "energy-scheduling": ["energy-scheduling"],
    "portfolio": ["portfolio"],
    "knapsack-capacity": ["knapsack-capacity"],
    "knapsack-weight": ["knapsack-weight"],
    "set-cover": ["set-cover"],
    "multi-knapsack": ["multi-knapsack", "--set", "steps=4"],
    "shortest-path paper": ["shortest-path", "--preset", "paper"],
    "knapsack-weight paper": ["knapsack-weight", "--preset", "paper"],
    "shortest-path output": ["shortest-path", "--method", "polystepor-output"],
    "matching": ["matching", "--set", "steps=2"],
}


def core_seconds(program, arguments):
    """User and system time of one training, in seconds."""
    with tempfile.TemporaryDirectory() as work:
        process = subprocess.Popen(
            [program, "train", *arguments, "--seed", "0", "--threads", "1", "--quiet", "--out", os.path.join(work, "run")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}: {message.decode()}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="trainings whose name has this word")
    parser.add_argument("--repeats", type=int, default=5)
    flags = parser.parse_args()
    print(f"{'training':24} {'old':>8} {'new':>8} {'new/old':>8}   range of ratios")
    for name, arguments in TRAININGS.items():
        if flags.only not in name:
            continue
        old, new = [], []
        for _ in range(flags.repeats):
            old.append(core_seconds(flags.old, arguments))
            new.append(core_seconds(flags.new, arguments))
        ratios = [b / a for a, b in zip(old, new)]
        print(f"{name:24} {statistics.median(old):8.3f} {statistics.median(new):8.3f} {statistics.median(ratios):8.3f}"
              f"   {min(ratios):.3f} to {max(ratios):.3f}", flush=True)


if __name__ == "__main__":
    main()
