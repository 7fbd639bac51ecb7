"""Predictors given as the state dict of a network of consecutive Linear layers, PyTorch's or anybody's.

No PyTorch is needed: a tensor is anything numpy can read, or that has .detach().cpu().numpy().
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from ._core import InputError


@dataclass(frozen=True)
class Layers:
    """A state dict read: tensors in order, weight and bias of each layer in turn."""

    tensors: dict[str, np.ndarray]

    @property
    def sizes(self) -> list[int]:
        """Inputs of the first layer, then the outputs of every layer."""
        weights = [tensor for tensor in self.tensors.values() if tensor.ndim == 2]
        return [weights[0].shape[1]] + [weight.shape[0] for weight in weights]

    @property
    def parameters(self) -> np.ndarray:
        """All tensors flattened one after the other, the order in which the engine keeps them."""
        return np.concatenate([tensor.ravel() for tensor in self.tensors.values()])


def to_numpy(tensor: Any) -> np.ndarray:
    for step in ("detach", "cpu", "numpy"):
        if hasattr(tensor, step):
            tensor = getattr(tensor, step)()
    return np.asarray(tensor, dtype=np.float64)


def read_layers(state: Mapping[str, Any]) -> Layers:
    """Checks that the tensors are weight, bias, weight, bias, ... of layers that fit each other."""
    tensors = {str(name): to_numpy(tensor) for name, tensor in state.items()}
    names = list(tensors)
    if not names or len(names) % 2:
        raise InputError(f"predictor: found {len(names)} tensors, expected a weight and a bias per layer")
    inputs = None
    for weight, bias in zip(names[::2], names[1::2]):
        layer = weight[: -len("weight")]
        if not weight.endswith("weight") or bias != layer + "bias":
            raise InputError(f"predictor: found '{weight}' before '{bias}', expected '...weight' before its '...bias'")
        shape = tensors[weight].shape
        if len(shape) != 2 or tensors[bias].shape != shape[:1]:
            raise InputError(
                f"predictor: '{weight}' has shape {shape} and '{bias}' {tensors[bias].shape}, "
                "expected (out, in) and (out,)"
            )
        if inputs is not None and shape[1] != inputs:
            raise InputError(f"predictor: '{weight}' takes {shape[1]} inputs, the layer before it gives {inputs}")
        inputs = shape[0]
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise InputError(f"predictor: '{name}' has entries that are not finite, expected finite ones")
    return Layers(tensors)
