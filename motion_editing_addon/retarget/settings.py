"""What retargeting keeps with the target: its source, which bones correspond, what was chosen, the last report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ...core.retarget import RetargetMotion
from ..border.hidden_objects import is_deleted
from ..border.registration import attaching
from ..border.tool_properties import properties_of
from ..interface.shared_options import BONE, PARTNER
from . import figure

CHOSEN = "chosen"
# What is chosen is saved with library overrides too.
KEPT = {"LIBRARY_OVERRIDABLE"}
KEPT_LIST = {*KEPT, "USE_INSERTION"}

# True while the list is filled; only what a person changes is marked as chosen.
_filling = False


@contextmanager
def filling() -> Iterator[None]:
    """While the list is filled, changes are not those of a person."""
    global _filling
    before, _filling = _filling, True
    try:
        yield
    finally:
        _filling = before


def empty_list(settings: PropertyGroup) -> None:
    """Remove all pairs; those of a linked original stay in the list of its override, without partners."""
    with filling():
        settings.pairs.clear()
        for pair in settings.pairs:
            pair.source, pair.confidence, pair.reason = "", 0.0, ""


def keep_with_override(armature: bpy.types.Object) -> None:
    """Let the settings of a library override be saved.

    Blender 5.2 gives them back only where the linked original has such settings too; looking at them makes them.
    """
    if armature.override_library is not None and armature.override_library.reference is not None:
        _looked_at = armature.override_library.reference.motion_editing_retarget.report


def _is_other_armature(settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE" and thing != settings.id_data and not is_deleted(thing)


def _is_source(settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    data = thing.animation_data
    return _is_other_armature(settings, thing) and data is not None and data.action is not None


def sources_for(target: bpy.types.Object) -> list[str]:
    """Names of all armatures that could be the source of one."""
    return [thing.name for thing in bpy.data.objects if _is_source(target.motion_editing_retarget, thing)]


def chosen_source(target: bpy.types.Object) -> str:
    """Name of the source that a target's panel shows."""
    source = target.motion_editing_retarget.source
    return "" if source is None or is_deleted(source) else source.name


def bones_of_source(settings: PropertyGroup) -> list[str]:
    """Names of the source's bones that can be partners."""
    return [] if settings.source is None else [name for name in figure.figure_of(settings.source).names if name]


def _found_bones(pair: PropertyGroup, _context: bpy.types.Context, _text: str) -> list[str]:
    """What the field of a pair offers."""
    return bones_of_source(pair.id_data.motion_editing_retarget)


def _pair_chosen(pair: PropertyGroup, _context: bpy.types.Context) -> None:
    """A bone of the source follows one bone only: whoever had it before is free again; following none is a choice."""
    if _filling:
        return
    with filling():
        pair.confidence, pair.reason = 1.0 if pair.source else 0.0, CHOSEN
        for other in pair.id_data.motion_editing_retarget.pairs:
            if pair.source and other.source == pair.source and other.bone != pair.bone:
                other.source, other.confidence, other.reason = "", 0.0, ""


class MOTIONEDIT_PG_retarget_pair(PropertyGroup):
    """A bone of the target and the bone of the source that it follows."""

    bone: StringProperty(**BONE, override=KEPT)
    source: StringProperty(
        name="Source Bone",
        description="Bone of the source to follow; none if empty",
        search=_found_bones,
        update=_pair_chosen,
        override=KEPT,
    )
    confidence: FloatProperty(
        name="Confidence", description="Confidence of the proposal", min=0.0, max=1.0, override=KEPT
    )
    reason: StringProperty(name="Reason", description="How the pair was found", override=KEPT)


class MOTIONEDIT_PG_retarget_report(PropertyGroup):
    """What came of the last retargeting; lengths in units of the scene."""

    action: StringProperty(name="New Action", description="The new action", override=KEPT)
    frames: IntProperty(name="Frames", description="Number of frames", override=KEPT)
    bones: IntProperty(name="Mapped Bones", description="Number of mapped bones", override=KEPT)
    unmatched_source: StringProperty(
        name="Source Only", description="Bones of the source that are not mapped", override=KEPT
    )
    unmatched_target: StringProperty(
        name="Target Only", description="Bones of the target that are not mapped", override=KEPT
    )
    lost_contacts: StringProperty(
        name="Lost Contacts", description="Bones whose contacts cannot be held", override=KEPT
    )
    stuck: StringProperty(
        name="Stuck",
        description="Bones that cannot move or scale as those of the source do",
        override=KEPT,
    )
    leg_length: FloatProperty(name="Leg", description="Length of the leg", override=KEPT)
    slide_before: FloatProperty(
        name="Slide Before", description="Foot sliding before contacts were held", override=KEPT
    )
    slide: FloatProperty(name="Slide", description="Foot sliding after contacts were held", override=KEPT)
    missed: IntProperty(
        name="Missed Contacts", description="Number of contacts and distances that could not be kept", override=KEPT
    )
    missed_text: StringProperty(name="Worst", description="Contact or distance with the largest error", override=KEPT)
    lowered: FloatProperty(name="Root Lowered", description="Largest distance that the root went down", override=KEPT)
    error: FloatProperty(name="Remaining Error", description="Largest remaining distance", override=KEPT)


class MOTIONEDIT_PG_retarget(PropertyGroup):
    """Where an armature takes motions from, and how."""

    version: IntProperty(description="Version of the saved data", default=1, override=KEPT)
    source: PointerProperty(
        name="Source",
        description="Armature to take the motion from",
        type=bpy.types.Object,
        poll=_is_source,
        override=KEPT,
    )
    partner: PointerProperty(**PARTNER, type=bpy.types.Object, poll=_is_other_armature, override=KEPT)
    pairs: CollectionProperty(type=MOTIONEDIT_PG_retarget_pair, override=KEPT_LIST)
    active: IntProperty(name="Pair", description="Active pair of the list", override=KEPT)
    only_unmatched: BoolProperty(
        name="Unmatched Only", description="List only bones that are not mapped", override=KEPT
    )
    report: PointerProperty(type=MOTIONEDIT_PG_retarget_report, override=KEPT)
    result_keys: StringProperty(description="Fingerprint of the last result", override=KEPT)


MOTIONEDIT_PG_retarget.__annotations__ |= properties_of(RetargetMotion, override=KEPT)

classes = (MOTIONEDIT_PG_retarget_pair, MOTIONEDIT_PG_retarget_report, MOTIONEDIT_PG_retarget)

register, unregister = attaching(
    classes,
    {(bpy.types.Object, "motion_editing_retarget"): PointerProperty(type=MOTIONEDIT_PG_retarget, override=KEPT)},
)
