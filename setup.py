"""Builds the compiled module of the Python package with CMake; pyproject.toml says the rest.

POLYSTEPOR_BUILD_DIRECTORY names a build directory that is configured already, to build on what is there.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def project_version() -> str:
    return re.search(r"project\(polystepor VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        given = os.environ.get("POLYSTEPOR_BUILD_DIRECTORY")
        build = Path(given) if given else ROOT / "build" / "pip"
        if not given:
            launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            generator = ["-GNinja"] if shutil.which("ninja") else []
            switches = ["-DPOLYSTEP_TESTS=OFF", "-DPOLYSTEP_BENCHMARKS=OFF", "-DCMAKE_BUILD_TYPE=Release"]
            switches.append(f"-DPython3_EXECUTABLE={sys.executable}")
            subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, *launcher, *switches], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "_core", "--parallel"], check=True)
        module = next((build / "python" / "polystepor").glob("_core*.so"))
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, target)


setup(
    version=project_version(),
    ext_modules=[Extension("polystepor._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
