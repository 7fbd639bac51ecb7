"""PolyStepOR: trains predictors by the cost of the decisions they lead to.

    model = polystepor.train(features, truth, decide=decide, cost=cost)
    model.predict(new_features), model.decide(new_features)

numpy in, numpy out. docs/python.md is a walk through.
"""

from ._comparison import Comparison, compare, sign_flip_test, wilcoxon_signed_rank
from ._core import InputError, Option, StepReport
from ._core import version as __version__
from ._estimator import PolyStepRegressor
from ._model import Evaluation, Model, load
from ._optimizer import PolyStep
from ._problem import Method, Problem, ProblemKind, Rows, methods, problem, problems
from ._training import train, train_problem

__all__ = [
    "Comparison",
    "Evaluation",
    "InputError",
    "Method",
    "Model",
    "Option",
    "PolyStep",
    "PolyStepRegressor",
    "Problem",
    "ProblemKind",
    "Rows",
    "StepReport",
    "compare",
    "load",
    "methods",
    "problem",
    "problems",
    "sign_flip_test",
    "train",
    "train_problem",
    "wilcoxon_signed_rank",
    "__version__",
]
