"""What training gives: a predictor, and the decisions it leads to."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import as_feature_table, as_table, check_same_rows, column_names, in_order
from ._core import InputError
from ._problem import Problem, problem, problems

Decide = Callable[..., ArrayLike]  # (predictions[, known]) -> decisions
Cost = Callable[..., ArrayLike]  # (decisions, truth[, known]) -> costs


@dataclass(frozen=True)
class Evaluation:
    """Decisions held against what turned out to be true."""

    costs: np.ndarray  # [rows], realised; lower is better
    mean_cost: float
    # In the model's metric, over the rows that have a reference; None where truth has no column per predicted parameter.
    mean_regret: Optional[float]
    failed: float = 0.0  # share of rows without a decision
    reference_failed: Optional[float] = None  # share of rows without a reference; None where there is no regret


@dataclass(frozen=True)
class Rule:
    """How a model's predictions become decisions, and what they cost."""

    decide: Decide
    cost: Optional[Cost]  # None: decision . truth
    sense: str
    metric: str

    def decisions(self, predictions: np.ndarray, known: Any) -> np.ndarray:
        extra = () if known is None else (known,)
        decided = np.asarray(self.decide(predictions, *extra), dtype=float)
        return decided[:, np.newaxis] if decided.ndim == 1 else decided

    def costs(self, decisions: np.ndarray, truth: np.ndarray, known: Any) -> np.ndarray:
        extra = () if known is None else (known,)
        if self.cost is None:
            values = np.einsum("ij,ij->i", decisions, truth)
        else:
            values = np.asarray(self.cost(decisions, truth, *extra), dtype=float).reshape(len(decisions))
        return -values if self.sense == "max" else values


class Model:
    """A trained predictor. `result` is the run's result.json, `run` its directory (None: it was not kept)."""

    def __init__(
        self,
        core: _core.Model,
        rule: Union[Rule, Callable[[], Rule], None],
        result: dict[str, Any],
        run: Optional[Path],
        tensor_names: Optional[list[str]] = None,
    ) -> None:
        self._core = core
        self._rule = rule
        self._tensor_names = tensor_names
        self.result = result
        self.run = run

    def __repr__(self) -> str:
        return f"<Model {self._core.kind}, {self._core.row_features} features to {self._core.outputs} outputs>"

    @property
    def test_regret(self) -> Optional[float]:
        """Mean regret on the test rows; None where it cannot be told."""
        return self.result["test_regret"]

    @property
    def test_cost(self) -> float:
        return self.result["test_cost"]

    @property
    def test_failed(self) -> Optional[float]:
        """Share of test rows without a decision; they are charged the failure cost."""
        return self.result.get("test_failed")

    @property
    def reference_failed(self) -> Optional[float]:
        """Share of test rows without a reference, left out of regret; None where there is no regret."""
        return self.result.get("reference_failed")

    @property
    def parameters(self) -> np.ndarray:
        """All parameters of the predictor as one vector."""
        return self._core.parameters

    def state_dict(self) -> dict[str, np.ndarray]:
        """The predictor's tensors by name: those of the state dict it was made from, where it was."""
        tensors = self._core.tensors()
        return dict(zip(self._tensor_names or tensors, tensors.values()))

    def predict(self, features: ArrayLike) -> np.ndarray:
        """Predicted parameters, [rows × outputs]. Columns of a data frame are found by name, those of an array by place."""
        names = column_names(features, "features")
        table = as_feature_table(features, "features")[0]
        return self._core.predict(in_order(table, names, self._core.feature_names, "features"))

    def decide(self, features: ArrayLike, known: Any = None) -> np.ndarray:
        """Decisions, [rows × decision size]; a row of NaN is no decision."""
        return self._need_rule().decisions(self.predict(features), known)

    def evaluate(self, features: ArrayLike, truth: ArrayLike, known: Any = None) -> Evaluation:
        """Decides the rows and tells what that really costs. A row without a decision costs the failure cost.

        Raises InputError where no row was decided, or none has a reference although truth tells them.
        """
        predictions = self.predict(features)
        true_rows = as_table(truth, "truth")
        check_same_rows("truth", true_rows, "features", predictions)
        costs, failed = self._costs(predictions, true_rows, known)
        _require_some_solved(failed, "decisions")
        regret = reference_failed = None
        if true_rows.shape[1] == predictions.shape[1]:
            optimal, missing = self._costs(true_rows, true_rows, known)
            _require_some_solved(missing, "references")
            regret = self._mean_regret(costs[~missing], optimal[~missing], failed[~missing])
            reference_failed = float(missing.mean())
        return Evaluation(costs, float(costs.mean()), regret, float(failed.mean()), reference_failed)

    def _costs(self, predictions: np.ndarray, truth: np.ndarray, known: Any) -> tuple[np.ndarray, np.ndarray]:
        """Costs of the rows, and which of them have no decision."""
        rule = self._need_rule()
        decisions = rule.decisions(predictions, known)
        decided = ~np.isnan(decisions).any(axis=1)
        costs = np.full(len(decisions), self._core.failure_cost)
        known_rows = None if known is None else np.asarray(known)[decided]
        if decided.any():
            costs[decided] = rule.costs(decisions[decided], truth[decided], known_rows)
        failed = ~decided | ~np.isfinite(costs)
        costs[failed] = self._core.failure_cost
        return costs, failed

    def _mean_regret(self, costs: np.ndarray, optimal: np.ndarray, failed: np.ndarray) -> float:
        # Of a row that is dearer than all that the failure cost was measured on, failing must not look like a gain.
        regret = np.where(failed & (costs <= optimal), 2 * np.abs(optimal) + 1, costs) - optimal
        if self._need_rule().metric == "absolute":
            return float(regret.mean())
        size = np.abs(optimal)
        return float(np.where(size > 0, regret / np.where(size > 0, size, 1), regret > 0).mean())

    def _need_rule(self) -> Rule:
        if self._rule is None:
            raise InputError(
                f"the run of problem '{self.result['problem']}' was decided by Python callables, which are not saved; "
                "give load(run, decide=..., cost=...)"
            )
        if not isinstance(self._rule, Rule):
            self._rule = self._rule()  # reads the data of a built-in problem, which predicting does not need
        return self._rule


def _require_some_solved(failed: np.ndarray, what: str) -> None:
    if len(failed) and failed.all():
        raise InputError(f"{what}: the solver failed on all of {len(failed)} rows, expected at least one to be solved")


def rule_of(built_in: Problem) -> Rule:
    """The rule of a built-in problem; `known` are its instance numbers."""
    return Rule(built_in.decide, built_in.cost, "min", built_in.metric)


def load(
    run: Union[str, "os.PathLike[str]"],
    *,
    decide: Optional[Decide] = None,
    cost: Optional[Cost] = None,
    data: Optional[str] = None,
) -> Model:
    """Reads a finished run back, one of Python or of the command line.

    decide, cost: the callables of a run that was trained with some; without them the model only predicts.
    data: where the benchmark data of a built-in problem are, if not where the run found them.
    """
    directory = Path(run)
    name, options = _core.problem_of(os.fspath(directory))
    result_file = directory / "result.json"
    if not result_file.exists():
        raise InputError(f"{directory} holds an unfinished run, expected a finished one; go on with resume=True")
    result = json.loads(result_file.read_text())
    core = _core.Model(os.fspath(directory / "model.bin"))
    if name in problems():
        return Model(core, lambda: rule_of(problem(name, seed=result["seed"], data=data, **options)), result, directory)
    rule = None
    if decide is not None:
        if (cost is None) != (options.get("objective") == "linear"):
            raise InputError(
                f"load: {directory} was trained with {'a linear objective' if cost else 'a cost of its own'}, "
                f"expected {'no cost' if cost else 'cost=...'}"
            )
        rule = Rule(decide, cost, str(options["sense"]), str(options["metric"]))
    names = str(options.get("tensors", ""))
    return Model(core, rule, result, directory, names.split(",") if names else None)
