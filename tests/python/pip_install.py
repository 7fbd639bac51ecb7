"""Installs the package with pip into a temporary place, without a network, and uses it from there.

pip_install.py SOURCE_DIRECTORY BUILD_DIRECTORY
"""

import os
import subprocess
import sys
import tempfile

USE = """
import sys
import numpy as np
import polystepor
assert polystepor.__file__.startswith(sys.argv[1]), polystepor.__file__
features = np.random.default_rng(0).normal(size=(60, 2))
model = polystepor.train(features, features @ [[1.0], [2.0]], decide=np.round, steps=3,
                         cost=lambda decisions, truth: np.abs(decisions - truth)[:, 0])
assert model.decide(features).shape == (60, 1)
with open(polystepor.__path__[0] + "/py.typed"):
    print("polystepor", polystepor.__version__)
"""


def main(source: str, build: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
        subprocess.run(
            [*pip, "--no-build-isolation", "--no-deps", "--target", place, source],
            check=True,
            env={**os.environ, "POLYSTEPOR_BUILD_DIRECTORY": build},
        )
        elsewhere = {**os.environ, "PYTHONPATH": place}
        subprocess.run([sys.executable, "-c", USE, place], check=True, cwd=place, env=elsewhere)


if __name__ == "__main__":
    main(*sys.argv[1:])
