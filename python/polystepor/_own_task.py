"""A task of one's own from arrays: rows read and dealt into splits, the predictor, the length of a decision."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._arrays import as_feature_table, as_table, check_same_rows, column_names, in_order, seed_of
from ._core import InputError
from ._model import Rule
from ._state_dict import read_layers


@dataclass
class Split:
    """Rows of one split, as the engine takes them."""

    features: np.ndarray  # [rows × feature columns]
    truth: np.ndarray  # [rows × truth columns]
    known: Optional[np.ndarray]  # [rows × ...]
    names: list[str]  # of the feature columns; empty: they have none

    def take(self, rows: np.ndarray) -> "Split":
        known = None if self.known is None else self.known[rows]
        return Split(self.features[rows], self.truth[rows], known, self.names)


@dataclass
class TrainedPredictor:
    shape: _core.PredictorShape
    start: np.ndarray  # [parameters]; empty: as the method starts
    tensor_names: list[str]
    options: dict[str, Any]  # of the method, that starting from given parameters implies


def check_choice(name: str, found: str, choices: Sequence[str]) -> None:
    if found not in choices:
        raise InputError(f"{name}: found {found!r}, expected {' or '.join(repr(choice) for choice in choices)}")


def read_split(
    prefix: str, features: Any, truth: Any, known: Any, like: Optional[Split] = None
) -> tuple[Split, Optional[int]]:
    """Rows of one split; `like` has the columns that its features are to have, where these have names."""
    names = column_names(features, prefix + "features")
    table, slots = as_feature_table(features, prefix + "features")
    if like is not None:
        table = in_order(table, names, like.names, prefix + "features")
    true_rows = as_table(truth, prefix + "truth")
    check_same_rows(prefix + "truth", true_rows, prefix + "features", table)
    if known is not None:
        known = np.asarray(known)
        check_same_rows(prefix + "known", known, prefix + "features", table)
    return Split(table, true_rows, known, names), slots


def deal(
    rows: Split,
    validation: Optional[Sequence[Any]],
    test: Optional[Sequence[Any]],
    split: tuple[float, float],
    seed: int,
) -> list[Split]:
    """Training, validation and test rows."""
    given = [_given(part, name, rows) for name, part in (("validation", validation), ("test", test))]
    shares = [0.0 if part is not None else float(share) for part, share in zip(given, split)]
    dealt = _core.split_rows(len(rows.features), shares[0], shares[1], seed_of(seed))
    parts = [rows.take(dealt[0])]
    for name, part, numbers in zip(("validation", "test"), given, dealt[1:]):
        if part is None and len(numbers) == 0 and name == "test":
            part = parts[1]
        parts.append(part if part is not None else rows.take(numbers))
    for name, part in zip(("training", "validation"), parts):
        if len(part.features) == 0:
            raise InputError(f"split: {split} of {len(rows.features)} rows leaves no {name} rows, expected at least one")
    return parts


def _given(part: Optional[Sequence[Any]], name: str, rows: Split) -> Optional[Split]:
    if part is None:
        return None
    expected = 2 if rows.known is None else 3
    if len(part) != expected:
        raise InputError(
            f"{name}: found {len(part)} arrays, expected (features, truth{', known' if expected == 3 else ''})"
        )
    split, _ = read_split(name + " ", part[0], part[1], part[2] if expected == 3 else None, rows)
    for kind, found, like in (("features", split.features, rows.features), ("truth", split.truth, rows.truth)):
        if found.shape[1] != like.shape[1]:
            raise InputError(f"{name} {kind}: found {found.shape[1]} columns, expected {like.shape[1]}")
    return split


def read_predictor(
    predictor: Union[str, Mapping[str, Any]],
    hidden: Sequence[int],
    rows: Split,
    slots: Optional[int],
    outputs: Optional[int],
) -> TrainedPredictor:
    columns = rows.features.shape[1]
    outputs = outputs or rows.truth.shape[1]
    kinds = {kind.name: kind for kind in _core.predictor_kinds()}
    shared = not isinstance(predictor, Mapping) and predictor in kinds and kinds[predictor].row_per_output
    if slots is not None and not shared:
        raise InputError(f"features: found {slots} feature rows per row, expected one where outputs share no weights")
    if isinstance(predictor, Mapping):
        return _read_state(predictor, columns, outputs)
    check_choice("predictor", predictor, tuple(kinds))
    kind = kinds[predictor]
    if shared:
        if slots != outputs:
            found = f"{slots} feature rows per row" if slots else "one feature row per row"
            raise InputError(f"features: found {found}, expected {outputs}, one per output of a {predictor} predictor")
        columns //= outputs
    layers = [int(units) for units in hidden] if kind.lists_layers else []
    if len(layers) < kind.least_layers or any(units < 1 for units in layers):
        raise InputError(f"hidden: found {hidden!r}, expected the units of at least one hidden layer")
    return TrainedPredictor(_core.PredictorShape(predictor, columns, outputs, layers), np.empty(0), [], {})


def _read_state(state: Mapping[str, Any], columns: int, outputs: int) -> TrainedPredictor:
    layers = read_layers(state)
    if layers.sizes[0] != columns or layers.sizes[-1] != outputs:
        raise InputError(
            f"predictor: the state dict goes from {layers.sizes[0]} features to {layers.sizes[-1]} outputs, "
            f"expected {columns} to {outputs}"
        )
    hidden = layers.sizes[1:-1]
    # The given weights are for the data's own units, and where to start is not the method's choice.
    implied = {"fit": "random", "starts": 1, "standardise": False, "instance_weights": False}
    shape = _core.PredictorShape(_core.dense_predictor(bool(hidden)).name, columns, outputs, hidden)
    return TrainedPredictor(shape, layers.parameters, list(layers.tensors), implied)


def decision_size(rule: Rule, training: Split, outputs: int) -> int:
    """Asks for one decision: its length is the problem's."""
    first = training.take(np.arange(1))
    prediction = first.truth if first.truth.shape[1] == outputs else np.zeros((1, outputs))
    decision = rule.decisions(prediction, first.known)
    if decision.ndim != 2 or decision.shape[0] != 1 or decision.shape[1] == 0:
        raise InputError(f"decide: returned an array of shape {decision.shape} for 1 row, expected (1, decision size)")
    size = decision.shape[1]
    if rule.cost is None and size != training.truth.shape[1]:
        raise InputError(
            f"decide: returned {size} components per row, expected {training.truth.shape[1]} as truth has columns; "
            "another objective needs cost=..."
        )
    return size


def fingerprint(parts: Sequence[Split], start: np.ndarray) -> str:
    digest = hashlib.sha256()
    for part in parts:
        for array in (part.features, part.truth, part.known):
            if array is not None:
                digest.update(repr((array.shape, array.dtype.str)).encode())
                digest.update(array.tobytes() if array.dtype != object else repr(array.tolist()).encode())
    digest.update(start.tobytes())
    return digest.hexdigest()[:32]
