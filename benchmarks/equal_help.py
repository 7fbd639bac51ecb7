#!/usr/bin/env python3
"""The tables of docs/results/equal-help.md: preset best of polystepor beside rivals with and without its preparation.

    benchmarks/equal_help.py PROGRAM results.csv [--problems a,b]

results.csv is that of `polystepor bench`. Prints a Markdown table per problem: mean ± population standard deviation over seeds
and, by `polystepor compare` on the two rows alone, whether best is clearly better (▾), clearly worse (▴) or neither (=).
A number of runs in brackets: fewer than best has there. Portfolio regrets are times 1000.
"""

import argparse
import collections
import csv
import re
import statistics
import subprocess
import sys
import tempfile

SUBJECT = ("polystepor", "best")
MARKS = {"better": "▾", "worse": "**▴**", "level": "="}


def natural(text):
    """degree=2 before degree=16."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def figure(values, scale):
    mean, deviation = scale * statistics.mean(values), scale * statistics.pstdev(values)
    return f"{mean:.4f} ± {deviation:.4f}".replace("0.", ".") if mean < 1 and deviation < 1 else f"{mean:.4f} ± {deviation:.4f}"


def verdicts(program, header, rows, rival):
    """By setting, what `compare` says of best against one rival."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as pair:
        writer = csv.DictWriter(pair, header)
        writer.writeheader()
        writer.writerows(row for row in rows if (row["method"], row["preset"]) in (SUBJECT, rival))
        pair.flush()
        done = subprocess.run([program, "compare", pair.name], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = {}
    for line in done.stdout.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 9 and "=" in cells[0]:
            better = cells[8].startswith("polystepor (best)") and cells[8].endswith("better")
            found[cells[0]] = "better" if better else "worse" if cells[8].endswith("better") else "level"
    return found


def table(program, header, rows):
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        values[row["method"], row["preset"]][row["setting"]].append(float(row["test_regret"]))
    scale = 1000 if rows[0]["problem"] == "portfolio" else 1
    settings = sorted(values[SUBJECT], key=natural)
    print(f"\n| {rows[0]['problem']} | " + " | ".join(settings) + " |")
    print("|---|" + "---:|" * len(settings))
    for way in sorted(values, key=lambda way: way != SUBJECT):
        marks = {} if way == SUBJECT else verdicts(program, header, rows, way)
        cells = []
        for setting in settings:
            found = values[way][setting]
            cell = figure(found, scale) if found else "–"
            if found and len(found) < len(values[SUBJECT][setting]):
                cell += f" ({len(found)})"
            cells.append(f"{cell} {MARKS[marks[setting]]}" if setting in marks and found else cell)
        print(f"| {':'.join(way)} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("--problems", default="")
    flags = parser.parse_args()
    with open(flags.results, newline="") as file:
        reader = csv.DictReader(file)
        rows, header = list(reader), reader.fieldnames
    for problem in dict.fromkeys(row["problem"] for row in rows):
        if not flags.problems or problem in flags.problems.split(","):
            table(flags.program, header, [row for row in rows if row["problem"] == problem])


if __name__ == "__main__":
    main()
