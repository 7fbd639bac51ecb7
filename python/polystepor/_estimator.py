"""An estimator in the manner of scikit-learn, which is not needed to use it."""

from __future__ import annotations

import inspect
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import column_names
from ._core import InputError
from ._model import Cost, Decide, Model
from ._training import train


class PolyStepRegressor:
    """Predicts the parameters of an optimisation problem so that the decisions made from them are cheap.

        estimator = PolyStepRegressor(solver, cost).fit(features, truth)
        estimator.predict(features), estimator.decide(features), estimator.score(features, truth)

    solver: predictions [n × outputs] to decisions [n × k], as `decide` of polystepor.train.
    validation_share: of the rows given to `fit`, held out to choose the best parameters by.
    options: of the method, such as {"steps": 200}.
    The other parameters are those of polystepor.train. The score is the negated mean realised cost: higher is better.
    """

    _estimator_type = "regressor"

    def __init__(
        self,
        solver: Decide,
        cost: Optional[Cost] = None,
        *,
        sense: str = "min",
        predictor: Union[str, Mapping[str, Any]] = "linear",
        hidden: Sequence[int] = (32,),
        metric: Optional[str] = None,
        method: str = "polystepor",
        preset: Optional[str] = None,
        validation_share: float = 0.2,
        seed: int = 0,
        threads: int = 1,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.solver = solver
        self.cost = cost
        self.sense = sense
        self.predictor = predictor
        self.hidden = hidden
        self.metric = metric
        self.method = method
        self.preset = preset
        self.validation_share = validation_share
        self.seed = seed
        self.threads = threads
        self.options = options

    def __repr__(self) -> str:
        name = getattr(self.solver, "__name__", "...")
        return f"PolyStepRegressor({name}, method={self.method!r}, preset={self.preset!r})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _parameter_names()}

    def set_params(self, **parameters: Any) -> "PolyStepRegressor":
        for name, value in parameters.items():
            if name not in _parameter_names():
                raise InputError(
                    f"set_params: found {name!r}, expected one of {', '.join(_parameter_names())}"
                )
            setattr(self, name, value)
        return self

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PolyStepRegressor":
        self.model_: Model = train(
            X,
            y,
            decide=self.solver,
            cost=self.cost,
            sense=self.sense,
            split=(self.validation_share, 0.0),
            predictor=self.predictor,
            hidden=self.hidden,
            metric=self.metric,
            method=self.method,
            preset=self.preset,
            seed=self.seed,
            threads=self.threads,
            **dict(self.options or {}),
        )
        self.n_features_in_ = np.shape(X)[-1]
        names = column_names(X, "X")
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predicted parameters, [rows × outputs]."""
        return self._fitted().predict(X)

    def decide(self, X: ArrayLike) -> np.ndarray:
        """Decisions, [rows × k]."""
        return self._fitted().decide(X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The negated mean realised cost of deciding the rows."""
        return -self._fitted().evaluate(X, y).mean_cost

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise InputError("PolyStepRegressor: found no fitted model, expected a call of fit first")
        return self.model_


def _parameter_names() -> list[str]:
    return [name for name in inspect.signature(PolyStepRegressor.__init__).parameters if name != "self"]
