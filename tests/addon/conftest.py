"""Run the add-on inside headless Blender (bpy as a Python module).

The checkout is loaded as the package `motion_editing`, as Blender loads the installed
extension under a name of its own: relative imports from the add-on to core work, and core
exists only once. Tests import `motion_editing.core...`, never a second, top-level `core`.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import bpy
import pytest
from workshop import checkout_as_extension

# Before any test module is imported, so that those can import from the package.
_extension = checkout_as_extension.load()


# What stands next to Blender, whose interface changes from version to version, and calls of every operator. The version
# between the oldest and the newest runs these alone.
_NEXT_TO_BLENDER = ("border", "bring_in", "clip", "document", "interface", "batch/formats", "batch/recipes")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what an older Blender would only repeat: the newest one alone reads captured clips."""
    if bpy.app.version >= (5, 2):
        return
    repeated = [item for item in items if item.get_closest_marker("clips")]
    if bpy.app.version >= (5, 0):
        repeated += [item for item in items if not _place_of(item).startswith(_NEXT_TO_BLENDER)]
    config.hook.pytest_deselected(items=repeated)
    left = set(items) - set(repeated)
    items[:] = [item for item in items if item in left]


def _place_of(test: pytest.Item) -> str:
    """Where its file is, seen from here."""
    return test.path.relative_to(Path(__file__).parent).as_posix()


@pytest.fixture(scope="session", autouse=True)
def registered_addon() -> Iterator[ModuleType]:
    """The extension, registered for the whole session.

    It must be unregistered at the end: a handler left behind hangs the exit of Blender 4.5's
    Python module.
    """
    _extension.register()
    yield _extension
    _extension.unregister()


@pytest.fixture(autouse=True)
def empty_scene() -> None:
    """Start every test from a factory scene without objects or actions."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Rigify leaves a handler behind that fails in each file with an armature once Rigify is disabled.
    handlers = bpy.app.handlers.load_post
    for left in [each for each in handlers if each.__module__.startswith("rigify")]:
        handlers.remove(left)


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bpy.types.Object]:
    """Makes Rigify control rigs; each kind is generated once and then loaded from a file."""
    folder = tmp_path_factory.mktemp("rigs")

    def rig(kind: str) -> bpy.types.Object:
        path = folder / f"{kind}.blend"
        if path.exists():
            bpy.ops.wm.open_mainfile(filepath=str(path))
        else:
            _generate(kind)
            bpy.ops.wm.save_as_mainfile(filepath=str(path))
        return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.name == "rig")

    return rig


@pytest.fixture
def walker() -> bpy.types.Object:
    """The walking sample, a source for retargeting."""
    from retarget_figures import load_walker

    return load_walker()


@pytest.fixture
def small(walker: bpy.types.Object) -> bpy.types.Object:
    """A figure like the walker, of 60 % size, as target."""
    from retarget_figures import figure_like

    return figure_like(walker, 0.6)


def _generate(kind: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Rigify talks a lot while it builds.
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.preferences.addon_enable(module="rigify")
        getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
        bpy.ops.pose.rigify_generate()


_exit_status = 0


def pytest_sessionfinish(exitstatus: int) -> None:
    """Remember how the session ended."""
    global _exit_status
    _exit_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave without tearing Blender down: its module may crash or hang when Python exits."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_exit_status)
