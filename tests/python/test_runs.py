"""Run directories: written as the command line writes them, resumed to the same bits, stopped with a checkpoint."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import polystepor


def same_model(a, b):
    return (a / "model.bin").read_bytes() == (b / "model.bin").read_bytes()


def test_a_run_directory_is_that_of_the_command_line(tmp_path):
    program = os.environ.get("POLYSTEPOR_PROGRAM")
    if not program:
        pytest.skip("POLYSTEPOR_PROGRAM does not say where the command line is")
    options = ["--degree", "2", "--set", "source=generated", "--set", "steps=5", "--seed", "3"]
    subprocess.run(
        [program, "train", "shortest-path", *options, "--quiet", "--out", tmp_path / "there"],
        check=True,
        capture_output=True,
    )
    model = polystepor.train_problem(
        "shortest-path", degree=2, source="generated", steps=5, seed=3, out=tmp_path / "here"
    )
    assert same_model(tmp_path / "here", tmp_path / "there")
    assert (tmp_path / "here/config.toml").read_text() == (tmp_path / "there/config.toml").read_text()
    loaded = polystepor.load(tmp_path / "there")
    test = polystepor.problem("shortest-path", degree=2, source="generated").test
    assert loaded.evaluate(test.features, test.truth).mean_regret == pytest.approx(model.test_regret)
    evaluated = subprocess.run(
        [program, "evaluate", tmp_path / "here", "--json"], check=True, capture_output=True, text=True
    )
    assert json.loads(evaluated.stdout)["test_regret"] == model.test_regret


def test_a_run_with_callables_is_read_back(bakery, tmp_path):
    arguments = {"decide": bakery.decide, "cost": bakery.cost, "steps": 10, "name": "bakery", "setting": "two breads"}
    model = polystepor.train(bakery.features, bakery.truth, out=tmp_path / "run", **arguments)
    loaded = polystepor.load(tmp_path / "run", decide=bakery.decide, cost=bakery.cost)
    np.testing.assert_array_equal(loaded.decide(bakery.features), model.decide(bakery.features))
    assert loaded.result == model.result
    assert loaded.result["problem"] == "bakery" and loaded.result["setting"] == "two breads"
    np.testing.assert_array_equal(polystepor.load(tmp_path / "run").predict(bakery.features), model.predict(bakery.features))
    with pytest.raises(polystepor.InputError, match="holds a finished run"):
        polystepor.train(bakery.features, bakery.truth, out=tmp_path / "run", **arguments)
    assert polystepor.train(bakery.features, bakery.truth, out=tmp_path / "run", force=True, **arguments).run


def test_after_an_exception_the_run_goes_on_from_the_step_before(bakery, tmp_path):
    arguments = {"decide": bakery.decide, "steps": 12, "preset": "paper"}
    whole = polystepor.train(bakery.features, bakery.truth, cost=bakery.cost, out=tmp_path / "whole", **arguments)
    calls = []

    def failing(decisions, truth):
        calls.append(len(truth))
        if len(calls) == 30:
            raise RuntimeError("the database is gone")
        return bakery.cost(decisions, truth)

    with pytest.raises(RuntimeError, match="the database is gone"):
        polystepor.train(bakery.features, bakery.truth, cost=failing, out=tmp_path / "run", **arguments)
    assert (tmp_path / "run/checkpoint.bin").exists()
    steps_before = len((tmp_path / "run/metrics.jsonl").read_text().splitlines())
    assert steps_before > 2
    asked = []

    def counting(decisions, truth):
        asked.append(len(truth))
        return bakery.cost(decisions, truth)

    with pytest.raises(polystepor.InputError, match="fingerprint"):
        polystepor.train(
            bakery.features + 1, bakery.truth, cost=bakery.cost, out=tmp_path / "run", resume=True, **arguments
        )
    resumed = polystepor.train(
        bakery.features, bakery.truth, cost=counting, out=tmp_path / "run", resume=True, **arguments
    )
    np.testing.assert_array_equal(resumed.parameters, whole.parameters)
    assert same_model(tmp_path / "run", tmp_path / "whole")
    again = polystepor.train(
        bakery.features, bakery.truth, cost=counting, out=tmp_path / "run", resume=True, **arguments
    )
    np.testing.assert_array_equal(again.parameters, whole.parameters)


INTERRUPTED = textwrap.dedent(
    """
    import pathlib, sys, time
    import numpy as np
    import polystepor

    metrics = pathlib.Path(sys.argv[1], "metrics.jsonl")

    def decide(predictions):
        # Dawdles once there is something to interrupt, so that it is not over before the signal comes.
        if "slow" in sys.argv and metrics.exists() and len(metrics.read_bytes().splitlines()) > 3:
            time.sleep(0.05)
        return np.round(predictions)

    def cost(decisions, truth):
        return np.abs(decisions - truth).sum(axis=1)

    random = np.random.default_rng(0)
    features = random.normal(size=(200, 3))
    truth = features @ random.normal(size=(3, 2)) + random.normal(size=(200, 2))
    try:
        polystepor.train(features, truth, decide=decide, cost=cost, preset="paper", steps=300, patience=0,
                         out=sys.argv[1], resume=True, checkpoint_seconds=1000)
        print("finished")
    except KeyboardInterrupt:
        print("interrupted")
    """
)


def test_ctrl_c_stops_after_a_checkpoint(tmp_path):
    def run(place, *words, stop=False):
        child = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, place, *words], stdout=subprocess.PIPE, text=True
        )
        metrics = place / "metrics.jsonl"
        while stop and child.poll() is None and not (metrics.exists() and len(metrics.read_bytes().splitlines()) > 3):
            time.sleep(0.005)
        if stop:
            child.send_signal(signal.SIGINT)
        return child.communicate(timeout=500)[0].strip()

    assert run(tmp_path / "run", "slow", stop=True) == "interrupted"
    assert (tmp_path / "run/checkpoint.bin").exists() and not (tmp_path / "run/result.json").exists()
    assert run(tmp_path / "run") == "finished"
    assert run(tmp_path / "whole") == "finished"
    assert same_model(tmp_path / "run", tmp_path / "whole")


def test_a_task_file_is_trained_by_its_name(tmp_path):
    file = str(Path(__file__).resolve().parents[2] / "examples" / "blending" / "blending.toml")
    model = polystepor.train_problem(file, method="mse", out=tmp_path / "run")
    task = polystepor.problem(file)
    rows = task.test
    loaded = polystepor.load(tmp_path / "run")
    evaluation = loaded.evaluate(rows.features, rows.truth, known=rows.instances)
    assert evaluation.mean_cost == pytest.approx(model.test_cost)
