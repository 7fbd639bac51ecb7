"""The built-in problems and methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import as_table, option_texts, seed_of


@dataclass(frozen=True)
class ProblemKind:
    """What can be said of a built-in problem before its data are read."""

    name: str
    help: str
    options: dict[str, _core.Option]


@dataclass(frozen=True)
class Method:
    """A way to train. The first preset is the default."""

    name: str
    help: str
    options: dict[str, _core.Option]
    presets: dict[str, str]


def problems() -> dict[str, ProblemKind]:
    """The built-in problems by name, with their options."""
    return {
        name: ProblemKind(name, help_, {option.name: option for option in options})
        for name, help_, options in _core.problems()
    }


def methods() -> dict[str, Method]:
    """The methods by name, with their options and presets."""
    return {
        name: Method(name, help_, {option.name: option for option in options}, dict(presets))
        for name, help_, options, presets in _core.methods()
    }


@dataclass(frozen=True)
class Rows:
    """One split of a problem's data."""

    features: np.ndarray  # [rows × feature columns]
    truth: np.ndarray  # [rows × truth columns]
    instances: np.ndarray  # [rows], the number by which the problem knows a row


class Problem:
    """A built-in problem with its data: what it decides, and what that really costs."""

    def __init__(self, name: str, task: _core.Task) -> None:
        self.name = name
        self._task = task

    def __repr__(self) -> str:
        return f"<Problem {self.name} {self.setting}>".replace(" >", ">")

    @property
    def setting(self) -> str:
        return self._task.setting

    @property
    def outputs(self) -> int:
        """Predicted parameters per instance."""
        return self._task.outputs

    @property
    def decision_size(self) -> int:
        return self._task.decision_size

    @property
    def predictor(self) -> str:
        """The kind of predictor that is trained on it."""
        return self._task.predictor

    @property
    def metric(self) -> str:
        return "relative" if self._task.relative else "absolute"

    @property
    def training(self) -> Rows:
        return Rows(**self._task.training)

    @property
    def validation(self) -> Rows:
        return Rows(**self._task.validation)

    @property
    def test(self) -> Rows:
        return Rows(**self._task.test)

    def decide(self, predictions: ArrayLike, instances: Optional[ArrayLike] = None) -> np.ndarray:
        """Decisions for predicted parameters, [rows × outputs] to [rows × decision_size]; NaN: no decision.

        instances: which instance each row is, for problems whose instances carry known data; None: 0, 1, 2, ...
        """
        return self._task.decide(as_table(predictions, "predictions"), _numbers(instances))

    def cost(self, decisions: ArrayLike, truth: ArrayLike, instances: Optional[ArrayLike] = None) -> np.ndarray:
        """What decisions really cost, [rows]. Lower is better; problems that maximise give the negated value."""
        return self._task.cost(np.asarray(decisions, float), as_table(truth, "truth"), _numbers(instances))


def _numbers(instances: Optional[ArrayLike]) -> Optional[list[int]]:
    return None if instances is None else [int(number) for number in np.asarray(instances)]


def named(name: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A problem's name and options; the name of a task file stands for the problem "own"."""
    return ("own", {"task_file": name, **options}) if name.endswith(".toml") else (name, options)


def problem(name: str, *, seed: int = 0, data: Optional[str] = None, **options: Any) -> Problem:
    """A built-in problem with its data: problem("shortest-path", degree=8).training.features.

    The name of a task file ("blending.toml") gives the task that it describes.
    """
    kind, settings = named(name, options)
    return Problem(kind, _core.Task(kind, option_texts(settings), seed_of(seed), data))
