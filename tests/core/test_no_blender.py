"""core runs without Blender and with NumPy alone, and refers to itself by relative imports only."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
CORE = PROJECT / "core"
FORBIDDEN = {"bpy", "bpy_extras", "mathutils", "gpu", "gpu_extras", "blf", "bl_math", "bmesh", "scipy"}
DYNAMIC = {"import_module", "__import__"}


def imported_names(source: str) -> set[str]:
    """First part of every absolutely imported module's name, wherever in the file it is imported."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and _called(node) in DYNAMIC:
            names.update(str(a.value).split(".")[0] for a in node.args if isinstance(a, ast.Constant))
    return names


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def refused(source: str) -> set[str]:
    return {name for name in imported_names(source) if name in FORBIDDEN | {"core", "motion_editing_addon"}}


MODULES = sorted(CORE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_module_imports_nothing_of_blender(path):
    assert not refused(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "import bpy",
        "import numpy, mathutils.geometry",
        "from gpu.types import GPUShader",
        "def later():\n    import scipy.signal as signal",
        "try:\n    from bl_math import clamp\nexcept ImportError:\n    pass",
        "from core.numerics.quaternion import dot",
        "import core.motion",
        "import importlib\nimportlib.import_module('bpy.types')",
    ],
)
def test_check_finds_what_it_looks_for(source):
    assert refused(source)


def test_check_lets_relative_imports_and_numpy_pass():
    assert not refused("import numpy as np\nfrom . import quaternion\nfrom .core import x")


def test_every_module_loads_with_numpy_alone():
    """Load core in a fresh Python in which everything of Blender and SciPy is blocked."""
    names = [".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in MODULES]
    program = (
        f"import sys, importlib\nfor name in {sorted(FORBIDDEN)}: sys.modules[name] = None\n"
        f"for name in {names}: importlib.import_module(name.removesuffix('.__init__'))\nprint('loaded')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "loaded", done.stderr
