"""One sentence where something cannot be used: what was found, what was expected."""

import numpy as np
import pytest

import polystepor


def sentence(call, *arguments, **options):
    with pytest.raises(polystepor.InputError) as error:
        call(*arguments, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_input_errors_are_value_errors():
    assert issubclass(polystepor.InputError, ValueError)


@pytest.mark.parametrize(
    "changed, expected",
    [
        ({"features": np.zeros((3, 2, 2, 2))}, "features: found an array of shape (3, 2, 2, 2)"),
        ({"features": np.full((240, 3), np.nan)}, "features: found nan in row 0, column 0, expected a finite number"),
        ({"features": [["a"]]}, "features: could not convert string to float: 'a'; expected an array of numbers"),
        ({"truth": np.zeros((10, 2))}, "truth: found 10 rows, expected 240 as in features"),
        ({"sense": "up"}, "sense: found 'up', expected 'min' or 'max'"),
        ({"metric": "square"}, "metric: found 'square', expected 'relative' or 'absolute'"),
        ({"split": (0.6, 0.5)}, "split: found shares 0.6 and 0.5, expected two from 0 that leave rows to train on"),
        ({"split": (0.0, 0.2)}, "leaves no validation rows, expected at least one"),
        ({"validation": (np.zeros((4, 3)),)}, "validation: found 1 arrays, expected (features, truth)"),
        (
            {"validation": (np.zeros((4, 2)), np.zeros((4, 2)))},
            "validation features: found 2 columns, expected 3",
        ),
        ({"known": np.zeros(3)}, "known: found 3 rows, expected 240 as in features"),
        ({"batch_rows": 0}, "batch_rows: found 0, expected at least 1"),
        ({"seed": -1}, "seed: found -1, expected a whole number from 0 to 18446744073709551615"),
        ({"seed": 0.5}, "seed: found 0.5, expected a whole number from 0 to 18446744073709551615"),
        ({"threads": 0}, "threads: found 0, expected a whole number from 1 to 4096"),
        ({"threads": "two"}, "threads: found 'two', expected a whole number from 1 to 4096"),
        (
            {"predictor": "quadratic"},
            "predictor: found 'quadratic', expected 'linear' or 'shared-linear' or 'mlp' or 'shared-mlp'",
        ),
        ({"predictor": "mlp", "hidden": ()}, "hidden: found (), expected the units of at least one hidden layer"),
        ({"predictor": "shared-linear"}, "features: found one feature row per row, expected 2"),
        ({"predictor": "shared-mlp"}, "features: found one feature row per row, expected 2"),
        ({"method": "polystepr"}, "did you mean 'polystepor'?"),
        ({"preset": "bset"}, "polystepor.train: unknown preset of method polystepor 'bset'"),
        ({"stepps": 3}, "polystepor.train: unknown option 'stepps'; did you mean 'steps'?"),
        ({"steps": 0}, "polystepor.train: option 'steps' is 0, expected an integer from 1"),
        ({"steps": [3]}, "option 'steps': found [3], expected a number, a text or True/False"),
        ({"threads": 0}, "threads"),
        ({"budget": "minutes=3"}, "minutes"),
        ({"name": "knapsack"}, "name: 'knapsack' is a built-in problem, expected another name"),
        ({"resume": True}, "resume: found no run directory, expected out=..."),
        ({"method": "spo+"}, "the problem has no linear objective"),
        ({"cost": None, "decide": lambda p: p[:, :1]}, "decide: returned 1 components per row, expected 2"),
        ({"decide": lambda p: np.zeros((5, 2))}, "decide: returned an array of shape (5, 2) for 1 row"),
        (
            {"decide": lambda p: p[:1]},
            "decide: returned an array of shape (1, 2), expected (",
        ),
        ({"cost": lambda x, c: x}, "cost: returned an array of shape ("),
    ],
)
def test_training_says_what_it_cannot_use(bakery, changed, expected):
    arguments = {
        "features": bakery.features,
        "truth": bakery.truth,
        "decide": bakery.decide,
        "cost": bakery.cost,
        **changed,
    }
    if arguments.get("method") != "spo+":
        arguments.setdefault("steps", 3)
    assert expected in sentence(polystepor.train, **arguments)


def test_problems_by_name_say_what_they_cannot_use(tmp_path):
    assert "did you mean 'knapsack'?" in sentence(polystepor.train_problem, "knapsac")
    assert "degree" in sentence(polystepor.problem, "shortest-path", degree=-1)
    assert "'degree' is an option of problem shortest-path" in sentence(polystepor.problem, "knapsack", degree=3)
    assert "holds no run" in sentence(polystepor.load, tmp_path / "nothing")
    assert "found no runs" in sentence(polystepor.compare)


def test_models_say_what_they_cannot_use(bakery, tmp_path):
    arguments = {"decide": bakery.decide, "cost": bakery.cost, "steps": 3}
    model = polystepor.train(bakery.features, bakery.truth, out=tmp_path / "run", **arguments)
    assert "shape (4, 2), expected (rows, 3)" in sentence(model.predict, np.zeros((4, 2)))
    assert "truth: found 2 rows" in sentence(model.evaluate, bakery.features, bakery.truth[:2])
    bare = polystepor.load(tmp_path / "run")
    assert "give load(run, decide=..., cost=...)" in sentence(bare.decide, bakery.features)
    assert "a cost of its own, expected cost=..." in sentence(polystepor.load, tmp_path / "run", decide=bakery.decide)
