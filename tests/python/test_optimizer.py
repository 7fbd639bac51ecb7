"""PolyStep by ask and tell."""

import numpy as np
import pytest

import polystepor


def staircase(points):
    """Flat almost everywhere; lowest around (3, -2, 1)."""
    return np.floor(4 * np.abs(points - [3, -2, 1])).sum(axis=1)


def test_it_descends_a_staircase():
    optimizer = polystepor.PolyStep(3, block_size=3, step_length=(1.0, 0.05, 150), probe_radius=(2.0, 0.3, 150))
    best = optimizer.minimise(staircase, 150)
    assert staircase(best[np.newaxis])[0] <= 3
    assert optimizer.step == 150 and optimizer.report.step == 149


def test_probes_surround_the_point():
    start = np.array([1.0, 2.0, 3.0, 4.0])
    optimizer = polystepor.PolyStep(start, block_size=4, probe_radius=0.5, radii=1)
    probes = optimizer.ask()
    assert probes.shape == (8, 4)
    np.testing.assert_allclose(np.linalg.norm(probes - start, axis=1), 0.25)
    np.testing.assert_allclose(probes.mean(axis=0), start)
    np.testing.assert_array_equal(optimizer.ask(), probes)


def test_it_repeats_itself_and_goes_on_from_a_saved_state():
    def steps(optimizer, count):
        return optimizer.minimise(staircase, count)

    make = lambda seed: polystepor.PolyStep([0.0, 0.0, 0.0], seed=seed, momentum=0.5)  # noqa: E731
    expected = steps(make(1), 20)
    np.testing.assert_array_equal(steps(make(1), 20), expected)
    assert not np.array_equal(steps(make(2), 20), expected)
    first = make(1)
    steps(first, 8)
    second = make(1)
    second.load(first.save())
    np.testing.assert_array_equal(steps(second, 12), expected)


def test_a_subspace_moves_many_parameters_with_few_probes():
    target = np.linspace(-1, 1, 500)
    optimizer = polystepor.PolyStep(500, search_dimension=16, step_length=0.5)
    assert optimizer.ask().shape == (32, 500)
    start = np.sum(target**2)
    optimizer.minimise(lambda points: ((points - target) ** 2).sum(axis=1), 200)
    assert np.sum((optimizer.parameters - target) ** 2) < 0.8 * start


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"step_lenght": 1}, "did you mean 'step_length'?"),
        ({"polytope": "ball"}, "polytope is 'ball', expected one of orthoplex, simplex, cube"),
        ({"temperature": "hot"}, "temperature is 'hot', expected a number or (start, end, horizon"),
        ({"temperature": (1, 2)}, "temperature is (1, 2), expected a number or (start, end, horizon"),
        ({"block_size": 0}, "block"),
    ],
)
def test_options_are_checked(options, expected):
    with pytest.raises(polystepor.InputError) as error:
        polystepor.PolyStep(3, **options)
    assert expected in str(error.value)


def test_costs_are_checked():
    optimizer = polystepor.PolyStep(3)
    with pytest.raises(polystepor.InputError, match="tell: found costs of shape \\(2,\\)"):
        optimizer.tell([1, 2])
    with pytest.raises(polystepor.InputError, match="start has no entries"):
        polystepor.PolyStep([])
