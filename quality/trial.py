"""One trial: a tool on a staged character, measured before and after. Runs inside Blender."""

from __future__ import annotations

import contextlib
import hashlib
import time
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .clips import Clip
from .laws import LAWS, RETURN, WORKS, Case, Finding, KeyChange, Request
from .recording import Recording, angles_between, by_roles
from .scenes import curves, seen, staging
from .tools import TOOLS, Plan, Subject

DONE, REFUSED, UNCHANGED, RAISED, NOTHING = "done", "refused", "unchanged", "raised", "nothing to ask"
# Share of a request that has to come true.
_ENOUGH = 0.9
# What two opposite edits may be off: degrees, and millimetres on a figure of 1.75 m.
_BACK_TURN, _BACK_WAY = 0.1, 1.0
_MOST_FRAMES = 1500


@dataclass
class Outcome:
    """What came of a trial."""

    tool: str
    clip: str
    rig: str
    seed: int
    half: str
    outcome: str
    message: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    met: float | None = None
    laws: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0

    def judge(self, law: str, finding: Finding | None) -> None:
        """Note what a law found."""
        if finding is not None:
            self.laws[law] = {**asdict(finding), "broken": finding.broken}


_seen_before: dict[str, Recording] = {}


def run(tool: str, clip: Clip, rig: str, seed: int, cache: Path) -> Outcome:
    """Try a tool on a clip on a rig; the seed decides what is asked for."""
    started = time.perf_counter()
    result = Outcome(tool, clip.name, rig, seed, clip.half, NOTHING)
    bpy.ops.wm.open_mainfile(filepath=str(staging.staged(clip, rig, cache)))
    armature = bpy.data.objects["subject"]
    chance = np.random.default_rng(zlib.crc32(f"{tool}/{clip.name}/{rig}/{seed}".encode()))
    subject = Subject(armature, rig, chance)
    subject.before = _recorded(subject)
    plan = TOOLS[tool](subject)
    if plan is not None:
        _try(subject, plan, result)
    result.seconds = round(time.perf_counter() - started, 2)
    return result


def _try(subject: Subject, plan: Plan, result: Outcome) -> None:
    result.parameters = plan.parameters
    if plan.needs_clock:
        seen.set_clock(subject.armature, is_sparse=subject.is_sparse)
        _mark(subject)
    try:
        if plan.prepare is not None:
            plan.prepare()
        before, places = _recorded(subject), _places(subject)
        keys = curves.all_keys(subject.armature)
        request = plan.request(before)
        plan.run()
    except RuntimeError as error:
        _refused(result, str(error))
        return
    if plan.result is not None:
        _judge_other(subject, plan, before, request, result)
        return
    after_keys = curves.all_keys(subject.armature)
    change = KeyChange(
        keys,
        after_keys,
        {curve: curves.bone_of(curve[0]) for curve in keys | after_keys},
        subject.unseen if subject.is_control_rig else frozenset(),
        subject.is_sparse,
        {kind: (places[kind], found) for kind, found in _places(subject).items() if places.get(kind)},
    )
    case = Case(before, _recorded(subject), request, change, loops=subject.rig == "loop")
    changed = bool(change.changed())
    result.outcome, result.met = DONE if changed else UNCHANGED, plan.met(case) if plan.met else None
    worked = changed if result.met is None else result.met >= _ENOUGH
    result.judge(WORKS, Finding(0.0 if worked else 1.0, 0.0, "" if worked else _shortfall(result)))
    for name, law in LAWS.items():
        result.judge(name, law(case))
    if plan.back is not None and changed:
        _go_back(subject, plan, case, result)


def _judge_other(subject: Subject, plan: Plan, before: Recording, request: Request, result: Outcome) -> None:
    """The result is on another figure: compare what both have, at the same height."""
    other = Subject(plan.result(), subject.rig, subject.random)
    after = by_roles(_recorded(other))
    case = Case(by_roles(before, height=after.height), after, request, KeyChange({}, {}, {}), is_other_figure=True)
    result.outcome = DONE
    result.judge(WORKS, Finding(0.0, 0.0))
    for name, law in LAWS.items():
        result.judge(name, law(case))


def _shortfall(result: Outcome) -> str:
    return "changed nothing" if result.outcome == UNCHANGED else f"{100 * (result.met or 0.0):.0f} % of the request met"


def _refused(result: Outcome, text: str) -> None:
    """A refusal is one line; a traceback is a crash."""
    result.outcome = RAISED if "Traceback" in text else REFUSED
    lines = [line for line in text.strip().splitlines() if line.strip()]
    result.message = (lines[-1] if result.outcome == RAISED else lines[0])[:200]
    result.judge(WORKS, Finding(1.0, 0.0, f"{result.outcome}: {result.message}"))


def _go_back(subject: Subject, plan: Plan, case: Case, result: Outcome) -> None:
    try:
        plan.back()
    except RuntimeError as error:
        result.judge(RETURN, Finding(float("inf"), 1.0, f"refused: {str(error).strip().splitlines()[0][:120]}"))
        return
    if plan.is_exact:
        again = curves.all_keys(subject.armature)
        off = KeyChange(case.keys.before, again, case.keys.bones).changed()
        result.judge(RETURN, Finding(float(len(off)), 0.0, "curves are not what they were"))
        return
    found, before = _recorded(subject), case.before
    if len(found.frames) != len(before.frames):
        result.judge(RETURN, Finding(float("inf"), 1.0, f"{len(before.frames)} frames became {len(found.frames)}"))
        return
    turned = angles_between(found.turns, before.turns).max()
    moved = np.max(before.millimetres(np.linalg.norm(found.places - before.places, axis=-1)))
    ratio = max(turned / _BACK_TURN, moved / _BACK_WAY)
    result.judge(RETURN, Finding(float(ratio), 1.0, f"of the bound; {turned:.2f}° and {moved:.1f} mm off"))


def _recorded(subject: Subject) -> Recording:
    """The figure over all frames of its keys; the same keys of the same file are played once."""
    first, last = subject.ends
    frames = np.arange(first, min(last, first + _MOST_FRAMES) + 1, dtype=float)
    name = hashlib.sha256(bpy.data.filepath.encode())
    for curve, (keys, rest) in sorted(curves.all_keys(subject.armature).items()):
        name.update(repr(curve).encode() + keys.tobytes() + rest)
    if name.hexdigest() not in _seen_before:
        if len(_seen_before) > 8:
            _seen_before.clear()
        _seen_before[name.hexdigest()] = seen.record(subject.armature, subject.figure, frames)
    return _seen_before[name.hexdigest()]


def _mark(subject: Subject) -> None:
    """Contacts and markers that must follow."""
    action = subject.armature.animation_data.action
    for share in (0.3, 0.6):
        action.pose_markers.new(f"at {share}").frame = subject.frame(share)
    if subject.figure.legs:
        # Without contacts there is nothing that could stay behind.
        with contextlib.suppress(RuntimeError):
            bpy.ops.motion_editing.find_contacts()


def _places(subject: Subject) -> dict[str, list[float]]:
    """Frames of what belongs to the motion."""
    action = subject.armature.animation_data.action
    spans = [item for item in action.motion_editing_contacts.spans if item.end > item.start]
    places = {
        "markers": [float(marker.frame) for marker in action.pose_markers],
        "contacts": [edge for item in spans for edge in (item.start, item.end)],
    }
    if action.use_frame_range:
        places["range"] = [action.frame_start, action.frame_end]
    return places
