"""Columns with names: what was learned of a column is used for the column of that name, wherever it stands."""

import numpy as np
import pytest

import polystepor


class Frame:
    """As much of a data frame as is asked for: names of columns, and the values as an array."""

    def __init__(self, values, columns):
        self.values = np.asarray(values, dtype=float)
        self.columns = list(columns)

    def __array__(self, dtype=None):
        return self.values.astype(dtype or float)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, columns):
        return Frame(self.values[:, [self.columns.index(column) for column in columns]], columns)


def frames():
    """The stand-in, and the real thing where it is installed."""
    kinds = [Frame]
    try:
        import pandas
    except ImportError:
        return kinds
    return kinds + [lambda values, columns: pandas.DataFrame(values, columns=columns)]


@pytest.fixture(params=frames(), ids=lambda kind: getattr(kind, "__name__", "frame"))
def frame(request):
    return request.param


def trained(bakery, features, **more):
    return polystepor.train(features, bakery.truth, decide=bakery.decide, cost=bakery.cost, steps=5, **more)


def test_columns_are_found_by_name(bakery, frame):
    table = frame(bakery.features, ["sun", "rain", "wind"])
    model = trained(bakery, table)
    expected = trained(bakery, bakery.features).predict(bakery.features)
    np.testing.assert_array_equal(model.predict(table), expected)
    other = table[["wind", "sun", "rain"]]
    np.testing.assert_array_equal(model.predict(other), expected)
    np.testing.assert_array_equal(model.decide(other), model.decide(table))
    assert model.evaluate(other, bakery.truth).mean_cost == model.evaluate(table, bakery.truth).mean_cost
    np.testing.assert_array_equal(model.predict(bakery.features), expected)  # an array goes by place


def test_names_are_saved_with_the_run(bakery, frame, tmp_path):
    table = frame(bakery.features, ["sun", "rain", "wind"])
    model = trained(bakery, table, out=tmp_path / "run")
    again = polystepor.load(tmp_path / "run", decide=bakery.decide, cost=bakery.cost)
    np.testing.assert_array_equal(again.predict(table[["rain", "wind", "sun"]]), model.predict(table))


def test_missing_and_unknown_columns_are_refused(bakery, frame):
    model = trained(bakery, frame(bakery.features, ["sun", "rain", "wind"]))
    expected = "expected 'sun', 'rain', 'wind'"
    with pytest.raises(polystepor.InputError, match=f"features: found no column 'rain', {expected}"):
        model.predict(frame(bakery.features[:, :2], ["sun", "wind"]))
    with pytest.raises(polystepor.InputError, match="features: found column 'snow', expected only 'sun', 'rain'"):
        model.predict(frame(np.ones((2, 4)), ["sun", "rain", "wind", "snow"]))
    with pytest.raises(polystepor.InputError, match="found column 'sun' 2 times, expected each name once"):
        model.predict(frame(np.ones((2, 3)), ["sun", "sun", "wind"]))


def test_validation_rows_have_the_training_rows_order(bakery, frame):
    table = frame(bakery.features, ["sun", "rain", "wind"])
    held_out = (table, bakery.truth)
    moved = (table[["wind", "rain", "sun"]], bakery.truth)
    one = trained(bakery, table, validation=held_out, test=held_out)
    other = trained(bakery, table, validation=moved, test=moved)
    np.testing.assert_array_equal(one.parameters, other.parameters)
    assert one.test_cost == other.test_cost
    with pytest.raises(polystepor.InputError, match="validation features: found no column 'wind'"):
        trained(bakery, table, validation=(frame(bakery.features, ["sun", "rain", "fog"]), bakery.truth))


def test_a_model_without_names_goes_by_place(bakery, frame):
    model = trained(bakery, bakery.features)
    table = frame(bakery.features, ["a", "b", "c"])
    np.testing.assert_array_equal(model.predict(table), model.predict(bakery.features))


def test_the_estimator_does_so_too(bakery, frame):
    table = frame(bakery.features, ["sun", "rain", "wind"])
    estimator = polystepor.PolyStepRegressor(bakery.decide, bakery.cost, options={"steps": 5}).fit(table, bakery.truth)
    assert list(estimator.feature_names_in_) == ["sun", "rain", "wind"]
    other = table[["wind", "sun", "rain"]]
    assert estimator.score(other, bakery.truth) == estimator.score(table, bakery.truth)
    estimator.fit(bakery.features, bakery.truth)
    assert not hasattr(estimator, "feature_names_in_")
