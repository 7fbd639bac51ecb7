"""train: decision-focused training on arrays and callables, or on a built-in problem."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import option_texts, seed_of, whole_number
from ._core import InputError
from ._interrupts import DeferredInterrupt
from ._model import Cost, Decide, Model, Rule, load
from ._own_task import check_choice, deal, decision_size, fingerprint, read_predictor, read_split
from ._problem import methods, named

MOST_THREADS = 4096

RunPlace = Union[str, "os.PathLike[str]"]


def train(
    features: ArrayLike,
    truth: ArrayLike,
    *,
    decide: Decide,
    cost: Optional[Cost] = None,
    sense: str = "min",
    known: Optional[ArrayLike] = None,
    validation: Optional[Sequence[ArrayLike]] = None,
    test: Optional[Sequence[ArrayLike]] = None,
    split: tuple[float, float] = (0.2, 0.2),
    predictor: Union[str, Mapping[str, Any]] = "linear",
    hidden: Sequence[int] = (32,),
    outputs: Optional[int] = None,
    metric: Optional[str] = None,
    predicts_constraints: bool = False,
    method: str = "polystepor",
    preset: Optional[str] = None,
    seed: int = 0,
    threads: int = 1,
    budget: Optional[str] = None,
    max_seconds: Optional[float] = None,
    out: Optional[RunPlace] = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
    checkpoint_seconds: float = 5.0,
    batch_rows: int = 4096,
    name: str = "callables",
    setting: str = "",
    **options: Any,
) -> Model:
    """Trains a predictor by what its decisions really cost.

    features: [rows × features], or [rows × outputs × features] for predictors shared by outputs. The model remembers
        the names of a data frame's columns; data frames that it is given later may have them in any order.
    truth: [rows × outputs], what the predicted parameters turned out to be; `cost` may use further columns if
        `outputs` says how many are predicted.
    decide: predictions [n × outputs] to decisions [n × k], for any n. A row of NaN is no decision.
    cost: decisions and their rows of truth to realised costs [n]. None: the objective is linear, decision . truth.
    sense: "min" or "max", what is wanted of the cost.
    known: [rows × ...], what is known of each row when it is decided. Rows of it are then the last argument of both
        callables.
    validation, test: (features, truth) or (features, truth, known) of rows of their own. Where one is None, `split`
        says which share of the rows is dealt to it at random; a test share of 0 tests on the validation rows.
    predictor: "linear", "shared-linear", "mlp", "shared-mlp", or a state dict of Linear layers (name -> array) to
        start from, with rectified units between them.
    hidden: units of each hidden layer of an "mlp" or "shared-mlp".
    metric: of regret, "relative" or "absolute"; None: relative for linear objectives.
    predicts_constraints: predictions are coefficients or sides of constraints, not of the objective; preset "best" is
        another one then.
    budget: such as "seconds=60" or "solves=1e6"; the settings are then chosen to fit.
    out: run directory, as the command line writes it. None: no files are kept.
    resume: go on with the run in `out`; its result is the same, bit for bit, as if it had not stopped.
    batch_rows: about how many rows the callables are given at once.
    name, setting: what results and comparisons call the problem and this variant of it.
    options: of the method, such as steps=200; methods() lists them.

    Where nothing was solved (no training row by the untrained predictor, no test row, or no reference), InputError
    is raised and there is no result.

    What a callable raises comes out of here as it is, and Ctrl-C as KeyboardInterrupt after the current step; the run
    directory then has a checkpoint.
    """
    check_choice("sense", sense, ("min", "max"))
    metric = metric or ("relative" if cost is None else "absolute")
    check_choice("metric", metric, ("relative", "absolute"))
    if batch_rows < 1:
        raise InputError(f"batch_rows: found {batch_rows}, expected at least 1")
    rows, slots = read_split("", features, truth, known)
    parts = deal(rows, validation, test, split, seed)
    trained = read_predictor(predictor, hidden, rows, slots, outputs)
    rule = Rule(decide, cost, sense, metric)
    task = _core.CallableTask(
        name=name,
        setting=setting,
        decide=decide,
        cost=cost,
        known=None if rows.known is None else np.concatenate([part.known for part in parts]),
        maximise=sense == "max",
        relative=metric == "relative",
        predicts_constraints=predicts_constraints,
        batch_rows=batch_rows,
        decision_size=decision_size(rule, parts[0], trained.shape.outputs),
        predictor=trained.shape,
        start=trained.start,
        splits=[(part.features, part.truth) for part in parts],
        tensor_names=",".join(trained.tensor_names),
        fingerprint=fingerprint(parts, trained.start),
        feature_names=rows.names,
    )
    known_options = methods()[method].options if method in methods() else {}
    implied = {key: value for key, value in trained.options.items() if key.replace("_", "-") in known_options}
    settings = _settings(name, method, preset, seed, threads, budget, max_seconds, None, {**implied, **options})
    run = _Run(settings, out, resume, force, progress, checkpoint_seconds)
    return run.train(task, rule, trained.tensor_names or None)


def train_problem(
    name: str,
    *,
    method: Optional[str] = None,
    preset: Optional[str] = None,
    seed: int = 0,
    threads: int = 1,
    budget: Optional[str] = None,
    max_seconds: Optional[float] = None,
    data: Optional[str] = None,
    out: Optional[RunPlace] = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
    checkpoint_seconds: float = 5.0,
    **options: Any,
) -> Model:
    """Trains on a built-in problem: train_problem("shortest-path", degree=8). The same run as the command line's.

    name: of the problem, or of a task file: train_problem("blending.toml").
    method: None takes what the command line would take for this problem.
    options: of the problem and the method; problems() and methods() list them.
    """
    problem, given = named(name, options)
    settings = _settings(problem, method, preset, seed, threads, budget, max_seconds, data, given)
    run = _Run(settings, out, resume, force, progress, checkpoint_seconds)
    return run.train(None, None, None)


@dataclass
class _Run:
    settings: _core.RunSettings
    out: Optional[RunPlace]
    resume: bool
    force: bool
    progress: bool
    checkpoint_seconds: float

    def train(self, task: Optional[_core.CallableTask], rule: Optional[Rule], names: Optional[list[str]]) -> Model:
        if self.out is not None:
            return self._train_in(Path(self.out), task, rule, names)
        if self.resume:
            raise InputError("resume: found no run directory, expected out=... of the run to go on with")
        with tempfile.TemporaryDirectory(prefix="polystepor-") as place:
            model = self._train_in(Path(place), task, rule, names)
        model.run = None
        return model

    def _train_in(
        self, place: Path, task: Optional[_core.CallableTask], rule: Optional[Rule], names: Optional[list[str]]
    ) -> Model:
        self.settings.out = os.fspath(place)
        self.settings.resume = self.resume
        self.settings.force = self.force
        with DeferredInterrupt() as interrupt:
            result = _core.train(
                self.settings, task, self.checkpoint_seconds, self.progress, lambda: interrupt.requested
            )
        if result is None:
            raise KeyboardInterrupt
        if rule is None:
            return load(place, data=self.settings.data)
        return Model(_core.Model(os.fspath(place / "model.bin")), rule, json.loads(result), place, names)


def _settings(
    problem: str,
    method: Optional[str],
    preset: Optional[str],
    seed: int,
    threads: int,
    budget: Optional[str],
    max_seconds: Optional[float],
    data: Optional[str],
    options: dict[str, Any],
) -> _core.RunSettings:
    settings = _core.RunSettings()
    settings.problem = problem
    settings.method = method
    settings.preset = preset
    settings.seed = seed_of(seed)
    settings.threads = whole_number(threads, "threads", 1, MOST_THREADS)
    settings.budget = budget
    settings.max_seconds = max_seconds
    settings.data = data
    settings.options = option_texts(options)
    return settings
