"""Models of poses that know when these happen: an edit of one window is carried to others as new times of its poses.

Whoever keeps such a model names the module that carries it, so that windows need not know of it. The module has two
functions, `remembered` and `carried`, with the arguments of those here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.body import Body
    from ..border.action_io import Clip, KeyOptions, WriteReport

_modules: list[str] = []


def add_model(module: str) -> None:
    """Ask this module from now on; it is imported when it is first needed."""
    _modules.append(module)


def remove_model(module: str) -> None:
    """Ask it no more."""
    _modules.remove(module)


def remembered(armature: Object) -> dict[str, Any]:
    """When the poses of all models happen, to be kept until the edit is carried."""
    return {name: value for each in _modules for name, value in import_module(each).remembered(armature).items()}


def carried(
    clip: Clip,
    before: Mapping[str, Any],
    span: tuple[float, float],
    others: Sequence[Any],
    *,
    amount: float,
    body: Body,
) -> Callable[[KeyOptions], WriteReport] | None:
    """What writes the other windows with the poses retimed as those of the span were since `before`.

    None where no model knows the edit: then it is more than new times, and carried frame by frame.
    """
    found = (import_module(each).carried(clip, before, span, others, amount=amount, body=body) for each in _modules)
    return next((each for each in found if each is not None), None)
