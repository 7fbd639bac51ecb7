"""Predictors given as state dicts, with and without tensors that are not numpy's."""

import numpy as np
import pytest

import polystepor


class Tensor:
    """What PyTorch's tensors offer here: detach, cpu, numpy; numpy itself is refused until detached."""

    def __init__(self, values, attached=True):
        self.values, self.attached = np.asarray(values, dtype=np.float32), attached

    def detach(self):
        return Tensor(self.values, attached=False)

    def cpu(self):
        return self

    def numpy(self):
        assert not self.attached
        return self.values

    def __array__(self, *_):
        raise RuntimeError("call detach first")


def train(bakery, state, **arguments):
    return polystepor.train(
        bakery.features, bakery.truth, decide=bakery.decide, cost=bakery.cost, predictor=state, **arguments
    )


def test_training_starts_from_the_given_weights_and_keeps_names_and_shapes(bakery, tmp_path):
    random = np.random.default_rng(5)
    state = {"head.weight": Tensor(random.normal(size=(2, 3))), "head.bias": Tensor([6.0, 6.0])}
    still = train(bakery, state, preset="paper", steps=1, step_start=0.0, step_end=0.0, out=tmp_path / "run")
    for name, tensor in still.state_dict().items():
        np.testing.assert_allclose(tensor, state[name].values, rtol=1e-6)
    assert list(still.state_dict()) == ["head.weight", "head.bias"]
    assert list(polystepor.load(tmp_path / "run").state_dict()) == ["head.weight", "head.bias"]
    trained = train(bakery, state, steps=30)
    assert trained.state_dict()["head.weight"].shape == (2, 3)
    assert trained.test_cost < still.test_cost


@pytest.mark.parametrize(
    "state, expected",
    [
        ({}, "found 0 tensors"),
        ({"weight": np.zeros((2, 3))}, "found 1 tensors, expected a weight and a bias per layer"),
        ({"bias": np.zeros(2), "weight": np.zeros((2, 3))}, "found 'bias' before 'weight'"),
        ({"a.weight": np.zeros((2, 3)), "b.bias": np.zeros(2)}, "found 'a.weight' before 'b.bias'"),
        ({"weight": np.zeros((2, 3)), "bias": np.zeros(3)}, "'weight' has shape (2, 3) and 'bias' (3,)"),
        ({"weight": np.zeros((2, 4)), "bias": np.zeros(2)}, "from 4 features to 2 outputs, expected 3 to 2"),
        ({"weight": np.full((2, 3), np.inf), "bias": np.zeros(2)}, "'weight' has entries that are not finite"),
    ],
)
def test_state_dicts_are_checked(bakery, state, expected):
    with pytest.raises(polystepor.InputError) as error:
        train(bakery, state)
    assert expected in str(error.value)
