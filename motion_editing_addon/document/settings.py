"""What the add-on saves in the file: with the action, with the armature, and its preferences."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..border.compatibility import notice_deletions
from ..border.registration import attaching

# Samples per second that a motion can have.
LOWEST_RATE, HIGHEST_RATE = 0.1, 10_000.0


def _set_by_hand(settings: PropertyGroup, _context: bpy.types.Context) -> None:
    """A number of reference frames that somebody sets is not compared with the keys."""
    settings.found_frames = 0


class MOTIONEDIT_PG_action(PropertyGroup):
    """Facts about an action that Blender does not keep."""

    version: IntProperty(description="Version of the saved data", default=1)
    source_rate: FloatProperty(
        name="Source Rate",
        description=("Samples per second of the recording; 0 is the scene's frame rate"),
        default=0.0,
        min=0.0,
        max=HIGHEST_RATE,
        soft_max=240.0,
        precision=3,
    )
    stated_rate: FloatProperty(description="Samples per second stated by the file; 0 if none", min=0.0)
    source_rate_reason: StringProperty(name="Reason", description="Where the source rate comes from")
    examined: BoolProperty(description="Source rate and reference frames were examined", default=False)
    skipped_frames: IntProperty(
        name="Skip at Start",
        description="Frames at the start with a reference pose; tools skip them",
        default=0,
        min=0,
        update=_set_by_hand,
    )
    found_frames: IntProperty(description="Number of reference frames that were found, 0 if set by hand", default=0)
    # Of files from before it was kept: no key comes before this one.
    found_first: IntProperty(description="Frame of the first of them", default=-1048574)
    retimed: BoolProperty(description="Timing or sides of the motion are others than in the original keys")
    original: PointerProperty(
        name="Original",
        description="Keys from before the first edit",
        type=bpy.types.Action,
        update=notice_deletions,
    )


class MOTIONEDIT_PG_armature(PropertyGroup):
    """The character set-up, saved with the armature object."""

    version: IntProperty(description="Version of the saved data", default=1)
    body: StringProperty(description="Body roles by bone name, as JSON")


class MOTIONEDIT_Preferences(bpy.types.AddonPreferences):
    """Preferences of the extension."""

    bl_idname = __package__.rsplit(".", 2)[0]

    keep_original: BoolProperty(
        name="Keep the Original Keys",
        description="Save a copy of an action before its first edit, to restore it",
        default=True,
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """Lay out the preferences."""
        self.layout.prop(self, "keep_original")


def preferences(context: bpy.types.Context) -> MOTIONEDIT_Preferences | None:
    """The user's preferences; None where the package is not loaded as an extension, as in tests."""
    addon = context.preferences.addons.get(MOTIONEDIT_Preferences.bl_idname)
    return addon.preferences if addon else None


classes = (MOTIONEDIT_PG_action, MOTIONEDIT_PG_armature, MOTIONEDIT_Preferences)

register, unregister = attaching(
    classes,
    {
        (bpy.types.Action, "motion_editing"): PointerProperty(type=MOTIONEDIT_PG_action),
        (bpy.types.Object, "motion_editing"): PointerProperty(type=MOTIONEDIT_PG_armature),
        (bpy.types.Scene, "motion_editing_scene_follows"): BoolProperty(
            name="Scene Follows",
            description="Move the scene's range and markers with a motion that is retimed",
            default=False,
        ),
    },
)
