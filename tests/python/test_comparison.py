"""Comparisons of finished runs and the paired tests."""

import numpy as np
import pytest

import polystepor


def test_finished_runs_are_compared(bakery, tmp_path):
    for method in ("mse", "polystepor"):
        for seed in range(3):
            polystepor.train(
                bakery.features,
                bakery.truth,
                decide=bakery.decide,
                cost=bakery.cost,
                method=method,
                seed=seed,
                name="bakery",
                out=tmp_path / f"{method}-{seed}",
            )
    comparison = polystepor.compare(*sorted(tmp_path.iterdir()))
    assert "bakery" in str(comparison) and "polystepor" in str(comparison)
    assert len(comparison.runs) == 6
    (test,) = comparison.tests
    regrets = {
        method: np.mean([run["test_regret"] for run in comparison.runs if run["method"] == method])
        for method in ("mse", "polystepor")
    }
    assert test["difference"] == pytest.approx(regrets["polystepor"] - regrets["mse"])
    assert test["pairs"] == 3 and test["sign_flip"] == pytest.approx(0.25)


def test_paired_tests_count_signs_exactly():
    assert polystepor.wilcoxon_signed_rank(-np.arange(1, 11)) == pytest.approx(2 / 1024)
    assert polystepor.sign_flip_test([1.0, 2.0, 3.0, 4.0]) == pytest.approx(2 / 16)
    with pytest.raises(polystepor.InputError):
        polystepor.sign_flip_test([np.nan])
