"""`list`: every edit with its parameters, units and defaults, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from ....core.errors import MotionEditError
from .catalog import Edit, Parameter, edits
from .recipe_check import nearest
from .value_check import expected


def list_text(names: Sequence[str] = (), *, as_json: bool = False) -> str:
    """The edits with these names, or all.

    Raises:
        MotionEditError: There is no such edit.
    """
    known = edits()
    for name in names:
        if name not in known:
            raise MotionEditError(f"there is no edit '{name}'{nearest(name, known)}")
    chosen = [known[name] for name in names] or list(known.values())
    if as_json:
        return json.dumps([asdict(edit) for edit in chosen], indent=1, ensure_ascii=False)
    return "\n\n".join("\n".join(_lines(edit)) for edit in chosen)


def _lines(edit: Edit) -> Iterable[str]:
    yield f"{edit.name}: {edit.label}"
    if edit.description:
        yield f"  {edit.description}"
    for parameter in edit.parameters:
        yield f"    {parameter.name} = {_written(parameter)}  # {_remark(parameter)}"


def _remark(parameter: Parameter) -> str:
    return f"{expected(parameter)}. {parameter.description or parameter.label}"


def _written(parameter: Parameter) -> str:
    """The default as a recipe writes it."""
    return json.dumps(parameter.default, ensure_ascii=False)
