"""Training on arrays and callables."""

import dataclasses
import os
import tempfile

import numpy as np
import pytest

import polystepor


def train(bakery, **arguments):
    arguments = {"decide": bakery.decide, "cost": bakery.cost, "steps": 20, **arguments}
    return polystepor.train(bakery.features, bakery.truth, **arguments)


def test_decisions_get_cheaper_than_those_of_least_squares(bakery):
    unseen = type(bakery)(rows=2000, seed=0)
    least_squares = polystepor.train(
        bakery.features, bakery.truth, decide=bakery.decide, cost=bakery.cost, method="mse"
    )
    model = train(bakery, steps=60)
    cost = model.evaluate(unseen.features, unseen.truth).mean_cost
    assert cost < 0.8 * least_squares.evaluate(unseen.features, unseen.truth).mean_cost


def test_the_model_does_what_its_callables_do(bakery):
    model = train(bakery)
    predictions = model.predict(bakery.features)
    state = model.state_dict()
    np.testing.assert_allclose(predictions, bakery.features @ state["weight"].T + state["bias"], rtol=1e-12)
    np.testing.assert_array_equal(model.decide(bakery.features), bakery.decide(predictions))
    evaluation = model.evaluate(bakery.features, bakery.truth)
    expected = bakery.cost(bakery.decide(predictions), bakery.truth)
    np.testing.assert_array_equal(evaluation.costs, expected)
    regret = expected - bakery.cost(bakery.decide(bakery.truth), bakery.truth)
    assert evaluation.mean_regret == pytest.approx(regret.mean())
    assert model.result["solves"]["failed"] == 0
    assert model.run is None


def test_results_do_not_depend_on_threads(bakery):
    expected = train(bakery, seed=7)
    for threads in (2, 4):
        np.testing.assert_array_equal(train(bakery, seed=7, threads=threads).parameters, expected.parameters)
    assert not np.array_equal(train(bakery, seed=8).parameters, expected.parameters)


def test_results_do_not_depend_on_the_size_of_batches(bakery):
    sizes = []

    def decide(predictions):
        sizes.append(len(predictions))
        return bakery.decide(predictions)

    expected = train(bakery, decide=decide)
    assert max(sizes) > 1000
    sizes.clear()
    small = train(bakery, decide=decide, batch_rows=64)
    assert max(sizes) == 64
    np.testing.assert_array_equal(small.parameters, expected.parameters)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_a_callable_comes_out_as_it_is(bakery, threads):
    class OutOfFlour(Exception):
        pass

    def decide(predictions):
        if len(predictions) > 1:
            raise OutOfFlour("no flour left")
        return bakery.decide(predictions)

    with pytest.raises(OutOfFlour, match="no flour left"):
        train(bakery, decide=decide, threads=threads)


def test_rows_without_a_decision_are_charged_and_counted(bakery):
    def decide(predictions):
        decisions = bakery.decide(predictions)
        decisions[predictions[:, 0] > 7] = np.nan
        return decisions

    seen = []

    def cost(decisions, truth):
        seen.append(np.isnan(decisions).any())
        return bakery.cost(decisions, truth)

    model = train(bakery, decide=decide, cost=cost)
    assert model.result["solves"]["failed"] > 0
    assert not any(seen)
    costs = model.evaluate(bakery.features, bakery.truth).costs
    failed = model.predict(bakery.features)[:, 0] > 7
    assert (costs[failed] == model.result["failure_cost"]).all()


def test_regret_is_over_rows_that_have_a_reference(bakery):
    def decide(predictions):
        decisions = bakery.decide(predictions)
        decisions[predictions[:, 0] > 7] = np.nan
        return decisions

    # Least squares: a method that sees what failures cost learns to avoid them.
    model = polystepor.train(bakery.features, bakery.truth, decide=decide, cost=bakery.cost, method="mse")
    evaluation = model.evaluate(bakery.features, bakery.truth)
    failed, missing = model.predict(bakery.features)[:, 0] > 7, bakery.truth[:, 0] > 7
    assert (failed & ~missing).any() and missing.any()
    optimal = bakery.cost(bakery.decide(bakery.truth), bakery.truth)
    assert evaluation.mean_regret == pytest.approx((evaluation.costs - optimal)[~missing].mean())
    assert evaluation.failed == pytest.approx(failed.mean())
    assert evaluation.reference_failed == pytest.approx(missing.mean())
    assert 0 < model.test_failed < 1 and 0 < model.reference_failed < 1


def test_where_nothing_is_solved_there_is_no_result(bakery, tmp_path):
    def decide(predictions):
        return np.full_like(bakery.decide(predictions), np.nan)

    with pytest.raises(polystepor.InputError, match="the solver failed on all of"):
        train(bakery, decide=decide, out=tmp_path / "run")
    assert not (tmp_path / "run" / "result.json").exists()
    model = train(bakery)
    model._rule = dataclasses.replace(model._rule, decide=decide)
    with pytest.raises(polystepor.InputError, match="decisions: the solver failed on all of"):
        model.evaluate(bakery.features, bakery.truth)


def test_known_data_go_with_their_rows(bakery):
    rows = len(bakery.features)
    known = np.arange(rows)
    limits = np.random.default_rng(3).uniform(2, 9, rows)
    true_row = {tuple(row): number for number, row in enumerate(bakery.truth)}

    def decide(predictions, numbers):
        return np.minimum(bakery.decide(predictions), limits[numbers][:, np.newaxis])

    def cost(decisions, truth, numbers):
        assert [true_row[tuple(row)] for row in truth] == list(numbers)
        assert (decisions <= limits[numbers][:, np.newaxis]).all()
        return bakery.cost(decisions, truth)

    model = train(bakery, decide=decide, cost=cost, known=known)
    assert (model.decide(bakery.features, known) <= limits[:, np.newaxis]).all()


def test_maximising_is_minimising_the_negated_value(bakery):
    expected = train(bakery)
    model = train(bakery, cost=lambda decisions, truth: -bakery.cost(decisions, truth), sense="max")
    np.testing.assert_array_equal(model.parameters, expected.parameters)
    assert model.test_cost == expected.test_cost


def choose_one(values):
    """The best of three items."""
    return np.eye(values.shape[1])[values.argmax(axis=1)]


@pytest.mark.parametrize("method", ["polystepor", "polystepor-output", "spo+", "fenchel-young", "dbb", "mse"])
def test_a_linear_objective_needs_no_cost_and_gets_every_method(method):
    random = np.random.default_rng(1)
    features = random.normal(size=(200, 4))
    truth = 3 + features @ random.normal(size=(4, 3)) + 0.1 * random.normal(size=(200, 3))
    pace = {"steps": 10} if "steps" in polystepor.methods()[method].options else {}
    model = polystepor.train(features, truth, decide=choose_one, sense="max", method=method, **pace)
    evaluation = model.evaluate(features, truth)
    np.testing.assert_allclose(-evaluation.costs, truth[np.arange(200), model.decide(features).argmax(axis=1)])
    assert 0 <= evaluation.mean_regret < 0.2


def test_truth_may_have_other_columns_than_predictions(bakery):
    prices = np.random.default_rng(2).uniform(1, 3, size=(len(bakery.truth), 1))

    def cost(decisions, truth):
        return bakery.cost(decisions, truth[:, :2]) * truth[:, 2]

    model = polystepor.train(
        bakery.features, np.hstack([bakery.truth, prices]), decide=bakery.decide, cost=cost, outputs=2, steps=20
    )
    assert model.test_regret is None
    assert model.predict(bakery.features).shape == bakery.truth.shape
    assert model.evaluate(bakery.features, np.hstack([bakery.truth, prices])).mean_regret is None


def test_shared_weights_take_a_feature_row_per_output():
    random = np.random.default_rng(4)
    features = random.normal(size=(150, 3, 2))
    truth = features @ np.array([1.0, -2.0]) + 4
    model = polystepor.train(
        features, truth, decide=choose_one, sense="max", predictor="shared-linear", method="mse"
    )
    np.testing.assert_allclose(model.predict(features), truth, atol=1e-6)
    assert model.state_dict()["weight"].size == 2


def test_outputs_can_share_a_perceptron():
    random = np.random.default_rng(6)
    features = random.normal(size=(150, 3, 2))
    truth = np.maximum(features @ np.array([1.0, -2.0]), 0)
    model = polystepor.train(
        features, truth, decide=choose_one, sense="max", predictor="shared-mlp", hidden=(8,), method="mse", fit="adam", epochs=3
    )
    assert model.predict(features).shape == (150, 3)
    shapes = [tensor.shape for tensor in model.state_dict().values()]
    assert shapes == [(8, 2), (8,), (1, 8), (1,)]


def test_given_rows_are_the_ones_used(bakery):
    other = type(bakery)(rows=40, seed=1)
    seen = set()

    def cost(decisions, truth):
        seen.update(map(tuple, truth))
        return bakery.cost(decisions, truth)

    model = train(bakery, cost=cost, validation=(other.features, other.truth), test=(other.features, other.truth))
    assert seen == set(map(tuple, bakery.truth)) | set(map(tuple, other.truth))
    assert model.test_cost == pytest.approx(model.evaluate(other.features, other.truth).mean_cost)


def test_a_budget_is_kept(bakery):
    model = polystepor.train(
        bakery.features, bakery.truth, decide=bakery.decide, cost=bakery.cost, budget="solves=60000"
    )
    assert model.result["solves"]["requested"] < 1.2 * 60000
    assert model.result["forecast"]["solves"]["forecast"] < 1.2 * 60000


def test_a_problem_that_predicts_constraints_gets_that_preset():
    """Predictions inside constraints are another kind of problem; preset best goes by what is said, not by a name."""
    rng = np.random.default_rng(3)
    features = rng.normal(size=(60, 2))
    truth = 5 + features[:, :1] + 0.1 * rng.normal(size=(60, 1))

    def short(decisions, rows):  # buy what is predicted; what is missing costs three times as much
        return (decisions + 3 * np.maximum(rows - decisions, 0))[:, 0]

    steps = {}
    for said in (False, True):
        with tempfile.TemporaryDirectory() as place:
            polystepor.train(features, truth, decide=lambda p: p, cost=short, predicts_constraints=said,
                             batch=20, out=os.path.join(place, "run"))
            with open(os.path.join(place, "run", "config.toml")) as config:
                steps[said] = [line for line in config if line.startswith("steps")][0].split("=")[1].strip()
    assert steps == {False: "30", True: "40"}
