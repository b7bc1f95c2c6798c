"""Import the checkout inside Blender as Blender imports the installed extension.

Blender loads the extension as a package under a name of its own. Loading the project root as
`motion_editing` does the same without installing: relative imports from the add-on to core
work, and core exists only once, as `motion_editing.core`.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from .places import PROJECT

PACKAGE = "motion_editing"


def load() -> ModuleType:
    """Import the project root as the package `motion_editing`; the second time gives the same."""
    if PACKAGE in sys.modules:
        return sys.modules[PACKAGE]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, PROJECT / "__init__.py", submodule_search_locations=[str(PROJECT)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    return module
