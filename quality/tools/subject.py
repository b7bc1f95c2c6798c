"""The character that a tool is tried on, and what was chosen to be tried."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import bpy
import numpy as np

from .. import events
from ..figures import Figure
from ..laws import Case, Request
from ..recording import Recording
from ..scenes import curves, seen

_ARM = {"left": r"^Left.*(Arm|Hand)|(arm|hand).*[._][lL]$", "right": r"^Right.*(Arm|Hand)|(arm|hand).*[._][rR]$"}
_LEG = {"left": r"^Left.*(Leg|Foot|Toe)|(thigh|shin|leg|calf|foot|toe).*[._][lL]$"}


@dataclass
class Subject:
    """A staged character.

    Attributes:
        armature: The object.
        rig: Its kind.
        random: What is chosen by chance comes from here.
    """

    armature: bpy.types.Object
    rig: str
    random: np.random.Generator
    before: Recording = field(init=False)

    @cached_property
    def figure(self) -> Figure:
        """The figure inside."""
        return seen.figure_in(self.armature)

    @property
    def is_sparse(self) -> bool:
        """Whether an animator set its keys."""
        return self.rig == "keyed"

    @property
    def is_control_rig(self) -> bool:
        """Whether controls move the figure."""
        return self.rig in ("control", "rigify", "quadruped")

    @property
    def ends(self) -> tuple[int, int]:
        """First and last frame of its keys."""
        return curves.ends(self.armature)

    @property
    def length(self) -> int:
        """Frames from the first to the last."""
        first, last = self.ends
        return last - first

    def frame(self, share: float) -> int:
        """The whole frame at a share of the motion."""
        first, last = self.ends
        return first + round(share * (last - first))

    def uniform(self, low: float, high: float) -> float:
        """A number by chance, with few digits so that it can be typed again."""
        return float(f"{self.random.uniform(low, high):.3g}")

    def chance(self, share: float = 0.5) -> bool:
        """Yes or no."""
        return bool(self.random.random() < share)

    def pick(self, *choices: Any) -> Any:
        """One of them."""
        return choices[int(self.random.integers(len(choices)))]

    @cached_property
    def keyed_bones(self) -> list[str]:
        """Bones that have keys and can be selected."""
        names = {curves.bone_of(path) for (path, _index), _curve in curves.curves(self.armature)}
        bones = self.armature.pose.bones
        return [bone.name for bone in bones if bone.name in names and bone.name not in self.unseen]

    @cached_property
    def unseen(self) -> frozenset[str]:
        """Bones that nobody can select."""
        shown = {
            bone.name
            for bone in self.armature.data.bones
            if not bone.hide and (not bone.collections or any(each.is_visible_effectively for each in bone.collections))
        }
        return frozenset(bone.name for bone in self.armature.data.bones if bone.name not in shown)

    def arm(self, side: str = "left") -> list[str]:
        """Keyed bones of an arm; of animals those of some limb."""
        found = [name for name in self.keyed_bones if re.search(_ARM[side], name)]
        return found or self.keyed_bones[len(self.keyed_bones) // 2 :][:3]

    def figure_arm(self, side: str = "left") -> frozenset[str]:
        """Bones of the figure that belong to that arm, and what hangs on it."""
        arms = self.figure.arms
        if not arms:
            return frozenset(self.figure.bones)
        top = arms[0 if side == "left" else 1][0]
        return frozenset(self.figure.bones[joint] for joint in self.figure.below(top))

    def select(self, names: list[str] | None) -> None:
        """Some bones in pose mode, or no bone in object mode."""
        bpy.context.view_layer.objects.active = self.armature
        bpy.ops.object.mode_set(mode="POSE" if names else "OBJECT")
        for bone in self.armature.pose.bones:
            chosen = bool(names) and bone.name in names
            if hasattr(bone, "select"):
                bone.select = chosen
            else:
                bone.bone.select = chosen
        if names:
            self.armature.data.bones.active = self.armature.data.bones[names[0]]

    def make_curve(self) -> str:
        """A curve on the ground, about as long as the motion's own way, that bends."""
        way = self.before.of(self.figure.pelvis)
        travel = max(float(np.linalg.norm(way[-1, :2] - way[0, :2])), self.before.height)
        data = bpy.data.curves.new("way", "CURVE")
        data.dimensions = "3D"
        spline = data.splines.new("POLY")
        angles = np.linspace(0.0, 1.2, 24)
        points = np.column_stack([np.sin(angles), 1.0 - np.cos(angles)]) * travel / 1.2 + way[0, :2]
        spline.points.add(len(points) - 1)
        for point, place in zip(spline.points, points, strict=True):
            point.co = (*place, 0.0, 1.0)
        thing = bpy.data.objects.new("way", data)
        bpy.context.scene.collection.objects.link(thing)
        return thing.name


@dataclass
class Plan:
    """One use of a tool.

    Attributes:
        parameters: What is told of it, enough to do it again by hand.
        run: Does it.
        request: What was asked for, for the laws; called with the figure before, once that is recorded.
        prepare: What comes first and changes no motion; done before anything is measured.
        met: Share of the request that came true, by what is seen.
        back: Undoes it by another use of tools, None if there is no way back.
        is_exact: Whether the way back must give every key bit for bit.
        needs_clock: Whether it edits time, which is then read off a clock.
        result: The armature that has the result, if that is another one.
    """

    parameters: dict[str, Any]
    run: Callable[[], object]
    request: Callable[[Recording], Request]
    prepare: Callable[[], object] | None = None
    met: Callable[[Case], float] | None = None
    back: Callable[[], object] | None = None
    is_exact: bool = False
    needs_clock: bool = False
    result: Callable[[], bpy.types.Object] | None = None


def operator(name: str, **parameters: Any) -> Callable[[], object]:
    """A call of one of the extension's operators."""
    return lambda: getattr(bpy.ops.motion_editing, name)(**parameters)


def neighbourhood(before: Recording, seconds: float) -> np.ndarray:
    """(F, J) how far every joint gets away from where it is within some time, in heights.

    What only smooths or shifts in time cannot move a joint farther.
    """
    reach = max(1, int(np.ceil(seconds * before.rate)))
    places, farthest = before.places, np.zeros(before.places.shape[:2])
    for step in range(-reach, reach + 1):
        rows = np.clip(np.arange(len(places)) + step, 0, len(places) - 1)
        farthest = np.maximum(farthest, np.linalg.norm(places[rows] - places, axis=-1))
    return farthest / before.height


def has_contacts(subject: Subject) -> bool:
    """Whether feet stand in it, by the judge's own rule."""
    return bool(events.contacts(subject.before))
