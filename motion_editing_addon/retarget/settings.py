"""What retargeting keeps with the target: its source, which bones correspond, what was chosen, the last report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..hidden_objects import is_deleted
from ..registering import attaching
from .choices import KEPT, RetargetChoices

# Raise it when the meaning of saved data changes, and convert older data where it is read.
VERSION = 1
CHOSEN = "chosen"
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


def bones_of_source(settings: PropertyGroup) -> list[str]:
    """Names of the source's bones that can be partners."""
    from .shown_bones import figure_of

    return [] if settings.source is None else [name for name in figure_of(settings.source).names if name]


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

    bone: StringProperty(name="Bone", description="Bone of this armature", override=KEPT)
    source: StringProperty(
        name="Source Bone",
        description="Bone of the source that it follows; empty for none",
        search=_found_bones,
        update=_pair_chosen,
        override=KEPT,
    )
    confidence: FloatProperty(
        name="Confidence", description="How sure the proposal is", min=0.0, max=1.0, override=KEPT
    )
    reason: StringProperty(name="Reason", description="How the pair was found", override=KEPT)


class MOTIONEDIT_PG_retarget_report(PropertyGroup):
    """What came of the last retargeting; lengths in units of the scene."""

    action: StringProperty(name="Action", description="The new action", override=KEPT)
    frames: IntProperty(name="Frames", override=KEPT)
    bones: IntProperty(name="Bones", description="Bones with a partner", override=KEPT)
    unmatched_source: StringProperty(
        name="Source Only", description="Bones of the source without a partner", override=KEPT
    )
    unmatched_target: StringProperty(
        name="Target Only", description="Bones of the target without a partner", override=KEPT
    )
    lost_contacts: StringProperty(
        name="Lost Contacts", description="Bones whose contacts nothing can hold", override=KEPT
    )
    stuck: StringProperty(
        name="Stuck",
        description="Bones that stay at their parents, or as large as they are, though the source's do not",
        override=KEPT,
    )
    leg_length: FloatProperty(name="Leg", override=KEPT)
    slide_before: FloatProperty(name="Slide Before", description="Of feet, before contacts were held", override=KEPT)
    slide: FloatProperty(name="Slide", description="Of feet, afterwards", override=KEPT)
    missed: IntProperty(name="Missed", description="Contacts and distances that could not be kept", override=KEPT)
    missed_text: StringProperty(name="Worst", description="What is missed most", override=KEPT)
    lowered: FloatProperty(name="Root Lowered", description="Most that the root went down", override=KEPT)
    error: FloatProperty(name="Remaining Error", description="The largest distance that is missed", override=KEPT)


class MOTIONEDIT_PG_retarget(RetargetChoices, PropertyGroup):
    """Where an armature takes motions from, and how."""

    version: IntProperty(default=VERSION, override=KEPT)
    source: PointerProperty(
        name="Source",
        description="The armature that the motion is taken from",
        type=bpy.types.Object,
        poll=_is_source,
        override=KEPT,
    )
    partner: PointerProperty(
        name="Partner",
        description="Another target, with a source of its own, that is adapted together with this one",
        type=bpy.types.Object,
        poll=_is_other_armature,
        override=KEPT,
    )
    pairs: CollectionProperty(type=MOTIONEDIT_PG_retarget_pair, override=KEPT_LIST)
    active: IntProperty(name="Pair", description="The pair that is active in the list", override=KEPT)
    only_unmatched: BoolProperty(name="Unmatched Only", description="List only bones without a partner", override=KEPT)
    report: PointerProperty(type=MOTIONEDIT_PG_retarget_report, override=KEPT)
    result_keys: StringProperty(description="Fingerprint of the keys that were made last", override=KEPT)


classes = (MOTIONEDIT_PG_retarget_pair, MOTIONEDIT_PG_retarget_report, MOTIONEDIT_PG_retarget)

register, unregister = attaching(
    classes,
    {(bpy.types.Object, "motion_editing_retarget"): PointerProperty(type=MOTIONEDIT_PG_retarget, override=KEPT)},
)
