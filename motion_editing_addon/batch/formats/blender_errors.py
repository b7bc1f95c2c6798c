"""What Blender's operators say when they fail, in one line."""

from __future__ import annotations

import re

from ...border.translation import told_by

_OF_SYSTEM = re.compile(r"\w*Error: \[Errno \d+\] ")
# A body part that a tool needs; the panel in which it is chosen is not there where there is no window.
_MISSING_PART = re.compile(r"^(No (.+) (?:is|are) set): choose (it|them) in the Character panel$")
# Parts that are set through limbs, with what their bones may be called.
_LEG, _ARM = ("left leg", "thigh.L, shin.L, foot.L"), ("left arm", "upper_arm.L, forearm.L, hand.L")
_LIMBS = {"legs": _LEG, "feet": _LEG, "arms": _ARM, "hands": _ARM}


def reason_of(error: Exception) -> str:
    """What an operator reported, without Blender's words around it; of a defect what went wrong at last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["it failed without a reason"]
    if "Traceback" in lines[0]:
        # Blender adds where in its own files it was called.
        last = next(line for line in reversed(lines) if not line.startswith("Location:"))
        # Exporters in Python meet full disks too; that is nothing unexpected.
        return _OF_SYSTEM.sub("", last) if _OF_SYSTEM.match(last) else f"unexpected {last}"
    refused = lines[0].partition(".poll() ")[2].removeprefix("failed, ")
    return _MISSING_PART.sub(_set_by_a_step, refused or told_by(lines[0]))


def _set_by_a_step(missing: re.Match[str]) -> str:
    """How a recipe sets a body part."""
    said, part, it = missing.groups()
    role, bones = _LIMBS.get(part, (part, "Name"))
    step = f'edit = "set_role" and with = {{ role = "{role}", bones = "{bones}" }}'
    return f"{said}: set {it} by a step before, such as {step}"
