"""The estimator, by itself and inside scikit-learn where that is installed."""

import numpy as np
import pytest

import polystepor


def estimator_of(bakery, **parameters):
    return polystepor.PolyStepRegressor(bakery.decide, bakery.cost, options={"steps": 10}, **parameters)


def test_it_fits_predicts_decides_and_scores(bakery):
    estimator = estimator_of(bakery)
    assert estimator.fit(bakery.features, bakery.truth) is estimator
    predictions = estimator.predict(bakery.features)
    np.testing.assert_array_equal(estimator.decide(bakery.features), bakery.decide(predictions))
    costs = bakery.cost(bakery.decide(predictions), bakery.truth)
    assert estimator.score(bakery.features, bakery.truth) == pytest.approx(-costs.mean())
    assert estimator.n_features_in_ == 3


def test_parameters_are_got_and_set(bakery):
    estimator = estimator_of(bakery, seed=3)
    assert estimator.get_params()["seed"] == 3
    assert estimator.set_params(seed=4, method="mse").get_params()["method"] == "mse"
    with pytest.raises(polystepor.InputError, match="found 'sead'"):
        estimator.set_params(sead=1)
    with pytest.raises(polystepor.InputError, match="expected a call of fit first"):
        estimator.predict(bakery.features)


def test_scikit_learn_clones_and_cross_validates_it(bakery):
    base = pytest.importorskip("sklearn.base")
    selection = pytest.importorskip("sklearn.model_selection")
    estimator = estimator_of(bakery, seed=3)
    copy = base.clone(estimator)
    assert copy is not estimator and copy.get_params() == estimator.get_params()
    assert base.is_regressor(estimator)
    scores = selection.cross_val_score(estimator, bakery.features, bakery.truth, cv=3)
    assert scores.shape == (3,) and np.isfinite(scores).all() and (scores < 0).all()
    search = selection.GridSearchCV(estimator, {"method": ["mse", "polystepor"]}, cv=2)
    search.set_params(estimator__options=None)
    search.fit(bakery.features, bakery.truth)
    assert search.best_params_ == {"method": "polystepor"}
