"""What a random session happens to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np


@dataclass
class World:
    """The open file, and the chance that decides.

    Attributes:
        random: All that is chosen comes from here.
        rig: Kind of rig that the file began with.
        folder: For files that are saved on the way.
    """

    random: np.random.Generator
    rig: str
    folder: Path

    def pick(self, choices: Any) -> Any:
        """One of them."""
        choices = list(choices)
        return choices[int(self.random.integers(len(choices)))]

    def chance(self, share: float) -> bool:
        """Yes or no."""
        return bool(self.random.random() < share)

    @property
    def armatures(self) -> list[bpy.types.Object]:
        """The armatures that can be chosen, by name."""
        things = filter(None, bpy.context.view_layer.objects)
        return sorted((thing for thing in things if thing.type == "ARMATURE"), key=lambda each: each.name)

    @property
    def armature(self) -> bpy.types.Object:
        """The active armature; one is made active if none is."""
        if bpy.context.object is None or bpy.context.object.type != "ARMATURE":
            self.activate(self.armatures[0])
        return bpy.context.object

    @property
    def action(self) -> bpy.types.Action | None:
        """The active armature's action."""
        data = self.armature.animation_data
        return data.action if data else None

    @property
    def curves(self) -> list[bpy.types.FCurve]:
        """The curves of that action."""
        layers = self.action.layers if self.action else ()
        return [curve for each in layers for strip in each.strips for bag in strip.channelbags for curve in bag.fcurves]

    def activate(self, thing: bpy.types.Object) -> None:
        """Make an armature the active and only selected object."""
        if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for each in filter(None, bpy.context.view_layer.objects):
            each.select_set(each == thing)
        bpy.context.view_layer.objects.active = thing

    def mode(self, name: str) -> None:
        """Put the armature into a mode."""
        bpy.context.view_layer.objects.active = self.armature
        bpy.ops.object.mode_set(mode=name)

    def frame(self) -> int:
        """A frame of the scene."""
        scene = bpy.context.scene
        return int(self.random.integers(scene.frame_start, max(scene.frame_end, scene.frame_start + 1) + 1))
