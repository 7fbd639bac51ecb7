"""The built-in shortest-path problem, and the same through callables."""

import tomllib

import numpy as np
import pytest
from grid_path import shortest_paths

import polystepor


@pytest.fixture(scope="module")
def native():
    return polystepor.problem("shortest-path", degree=4, source="generated")


def test_paths_in_numpy_are_those_of_the_built_in_solver(native):
    costs = np.random.default_rng(0).normal(1, 1, size=(3000, native.outputs))
    np.testing.assert_array_equal(shortest_paths(costs), native.decide(costs))
    whole = np.random.default_rng(1).integers(0, 3, size=(3000, native.outputs)).astype(float)  # many ties
    np.testing.assert_array_equal(shortest_paths(whole), native.decide(whole))


def options_of_run(run):
    with open(run / "config.toml", "rb") as file:
        return tomllib.load(file)["polystepor"]


@pytest.mark.parametrize("preset, pace", [("paper", {"steps": 4}), ("best", {"steps": 2, "bags": 2, "checks": 1, "validation-trains": False})])
def test_training_through_callables_gives_the_native_bits(native, preset, pace, tmp_path):
    expected = polystepor.train_problem(
        "shortest-path", degree=4, source="generated", preset=preset, seed=2, out=tmp_path / "run", **pace
    )
    model = polystepor.train(
        native.training.features,
        native.training.truth,
        validation=(native.validation.features, native.validation.truth),
        test=(native.test.features, native.test.truth),
        decide=shortest_paths,
        preset=preset,
        seed=2,
        **options_of_run(tmp_path / "run"),  # a preset may know a problem by its name, and this one has another
    )
    np.testing.assert_array_equal(model.parameters, expected.parameters)
    assert model.test_regret == expected.test_regret
    np.testing.assert_array_equal(model.decide(native.test.features), expected.decide(native.test.features))


def test_problems_come_with_their_data(native):
    assert native.outputs == native.decision_size == 40
    rows = native.training
    assert rows.features.shape == (len(rows.truth), 5) and rows.truth.shape[1] == 40
    costs = native.cost(native.decide(rows.truth), rows.truth)
    assert (costs <= native.cost(native.decide(rows.truth[::-1]), rows.truth) + 1e-12).all()


def test_problems_and_methods_are_listed():
    assert {"shortest-path", "knapsack", "portfolio"} <= set(polystepor.problems())
    assert {"polystepor", "mse", "spo+"} <= set(polystepor.methods())
    assert "best" in polystepor.methods()["polystepor"].presets
    assert polystepor.problems()["shortest-path"].options["degree"].type == "integer"
