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


def rectified(state, features):
    """A forward pass in numpy through all layers of a state dict."""
    tensors = list(state.values())
    for layer, (weight, bias) in enumerate(zip(tensors[::2], tensors[1::2])):
        features = (np.maximum(features, 0) if layer else features) @ weight.T + bias
    return features


def test_networks_of_several_layers_come_back_with_their_names(bakery):
    random = np.random.default_rng(6)
    sizes = [3, 8, 5, 2]
    state = {}
    for layer, (inputs, units) in enumerate(zip(sizes, sizes[1:])):
        state[f"{2 * layer}.weight"] = random.normal(size=(units, inputs)) / np.sqrt(inputs)
        state[f"{2 * layer}.bias"] = random.normal(size=units)
    still = train(bakery, state, preset="paper", steps=1, step_start=0.0, step_end=0.0)
    assert list(still.state_dict()) == list(state)
    for name, tensor in still.state_dict().items():
        np.testing.assert_array_equal(tensor, state[name])
    np.testing.assert_allclose(still.predict(bakery.features), rectified(state, bakery.features), rtol=1e-12)
    trained = train(bakery, state, steps=40)
    assert trained.test_cost < still.test_cost
    prediction = rectified(trained.state_dict(), bakery.features)
    np.testing.assert_allclose(trained.predict(bakery.features), prediction, rtol=1e-10)


def test_a_linear_objective_leaves_the_scale_of_given_weights_alone():
    random = np.random.default_rng(7)
    features = random.normal(size=(100, 3))
    truth = 50 + 20 * random.normal(size=(100, 2))
    state = {"weight": random.normal(size=(2, 3)), "bias": np.array([50.0, 50.0])}
    choose = lambda values: np.eye(2)[values.argmin(axis=1)]  # noqa: E731
    model = polystepor.train(
        features, truth, decide=choose, predictor=state, steps=1, step_start=0.0, step_end=0.0, bags=1, blend=False
    )
    np.testing.assert_array_equal(model.state_dict()["weight"], state["weight"])
    sgd = polystepor.train(features, truth, decide=choose, predictor=state, method="spo+", epochs=1)
    assert sgd.state_dict()["weight"].shape == (2, 3)


def test_a_network_is_made_by_name(bakery):
    model = train(bakery, "mlp", hidden=(6,), steps=20)
    assert [tensor.shape for tensor in model.state_dict().values()] == [(6, 3), (6,), (2, 6), (2,)]
    prediction = rectified(model.state_dict(), bakery.features)
    np.testing.assert_allclose(model.predict(bakery.features), prediction, rtol=1e-10)


@pytest.mark.parametrize(
    "state, expected",
    [
        ({}, "found 0 tensors"),
        ({"weight": np.zeros((2, 3))}, "found 1 tensors, expected a weight and a bias per layer"),
        ({"bias": np.zeros(2), "weight": np.zeros((2, 3))}, "found 'bias' before 'weight'"),
        ({"a.weight": np.zeros((2, 3)), "b.bias": np.zeros(2)}, "found 'a.weight' before 'b.bias'"),
        ({"weight": np.zeros((2, 3)), "bias": np.zeros(3)}, "'weight' has shape (2, 3) and 'bias' (3,)"),
        ({"weight": np.zeros((2, 4)), "bias": np.zeros(2)}, "from 4 features to 2 outputs, expected 3 to 2"),
        (
            {"0.weight": np.zeros((4, 3)), "0.bias": np.zeros(4), "1.weight": np.zeros((2, 5)), "1.bias": np.zeros(2)},
            "'1.weight' takes 5 inputs, the layer before it gives 4",
        ),
        ({"weight": np.full((2, 3), np.inf), "bias": np.zeros(2)}, "'weight' has entries that are not finite"),
    ],
)
def test_state_dicts_are_checked(bakery, state, expected):
    with pytest.raises(polystepor.InputError) as error:
        train(bakery, state)
    assert expected in str(error.value)
