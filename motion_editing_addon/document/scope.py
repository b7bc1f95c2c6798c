"""What an edit may touch: which armatures, which bones, which frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import MotionEditError
from ..border import action_io
from ..border.compatibility import is_hidden, is_selected
from ..border.lazy_modules import np
from ..border.rigs import skins
from ..border.translation import label_text
from .given_scope import Given
from .refusals import why_linked, why_no_action
from .settings import HIGHEST_RATE, LOWEST_RATE
from .take.reference_pose import frames_left_out

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeGuard

    from bpy.types import Action, ActionSlot, AnimData, Context, Object

    from ..border.action_io import Clip

RANGES = (
    ("ACTION", "Whole Action", "All frames of the action"),
    ("SCENE", "Scene Range", "Frames from the scene's start to its end"),
    ("PREVIEW", "Preview Range", "Frames of the preview range"),
    ("KEYS", "Selected Keys", "Frames from the first to the last selected key"),
    ("MARKERS", "Between Markers", "Frames between the first and the last selected marker"),
)


_given: Given | None = None


@contextmanager
def as_given(given: Given) -> Iterator[None]:
    """Let this be the scope meanwhile."""
    global _given
    before, _given = _given, given
    try:
        yield
    finally:
        _given = before


# Ranges that are not the whole action.
LIMITED = ("SCENE", "PREVIEW", "KEYS", "MARKERS")


def action_of(armature: Object | None) -> Action | None:
    """The action that animates the object, if there is one with a slot for it."""
    data = armature.animation_data if armature else None
    return data.action if data and data.action and data.action_slot else None


def animation_of(thing: Object) -> AnimData:
    """The animation data of an object that has some."""
    data = thing.animation_data
    assert data is not None
    return data


def own_action(armature: Object) -> Action:
    """The action of an object that has one."""
    action = animation_of(armature).action
    assert action is not None
    return action


def own_slot(armature: Object) -> ActionSlot:
    """The slot that animates an object which has an action."""
    slot = animation_of(armature).action_slot
    assert slot is not None
    return slot


def slot_handle(armature: Object) -> int:
    """The handle of that slot, which never changes."""
    return own_slot(armature).handle


def saved_place(armature: Object) -> tuple[Action, str]:
    """Where models of an object that has an action are saved: the action, and its slot's identifier."""
    return own_action(armature), own_slot(armature).identifier


def active_bone(armature: Object) -> str:
    """Name of the active bone; empty if there is none."""
    if _given is not None:
        return _given.active
    bones: Any = armature.data
    active = bones.bones.active if is_armature(armature) else None
    return active.name if active else ""


def is_armature(thing: Object | None) -> TypeGuard[Object]:
    """Whether it is an armature object."""
    return thing is not None and thing.type == "ARMATURE"


def armature_in_scene(condition: Callable[[Object], bool]) -> Object | None:
    """The first armature of the scene for which something holds."""
    return next((each for each in bpy.context.scene.objects if is_armature(each) and condition(each)), None)


def edited_object(context: Context) -> Object | None:
    """What tools edit: the active object, or the armature of a character whose mesh is active."""
    return skins.edited_for(context.object) if context.object is not None else None


def known_object(context: Context) -> Object:
    """What tools edit, for what is only asked where there is something."""
    thing = edited_object(context)
    assert thing is not None
    return thing


def selected_objects(context: Context) -> list[Object]:
    """The selected objects, each once, after the armatures of those that are meshes of a character."""
    selected = context.selected_objects or ()
    return list(dict.fromkeys(each for thing in selected for each in (skins.edited_for(thing), thing)))


def armatures(context: Context, *, any_object: bool = False) -> list[Object]:
    """Armatures to edit: all in pose mode, else the active one or that of the active mesh, the active one first.

    With any_object an active camera or prop will do as well.
    """
    if _given is not None:
        return [_given.armature]
    active = edited_object(context)
    if not is_armature(active):
        return [active] if any_object and active is not None else []
    others = context.objects_in_mode if active.mode == "POSE" and active == context.object else []
    return [active, *(other for other in others if other != active and is_armature(other))]


def edited_armatures(context: Context, *, any_object: bool = False) -> list[Object]:
    """Armatures that an edit changes: where bones are picked, only those that have some of them."""
    chosen = armatures(context, any_object=any_object)
    return [each for each in chosen if picked_bones(each)] or chosen


def why_not(context: Context, *, any_object: bool = False) -> str | None:
    """Why no motion can be edited now, or None; cheap enough for every redraw."""
    chosen = armatures(context, any_object=any_object)
    if not chosen:
        return "Select an animated object" if any_object else "Select an armature"
    if chosen[0].motion_editing_posing.action is not None:
        return "A pose is being edited: apply or cancel it first"
    action = action_of(chosen[0])
    if action is None:
        return why_no_action(chosen[0])
    if not chosen[0].is_editable:
        return why_linked(chosen[0])
    if not action.is_editable:
        return label_text("Action '{action}' is linked: make it local first", action=action.name)
    return None


def source_rate(context: Context, armature: Object) -> float:
    """Samples per second of the armature's action: its own, or the scene's frame rate."""
    return rate_of(context, action_of(armature))


def rate_of(context: Context, action: Action | None) -> float:
    """Samples per second of an action: its own if that can be, or the scene's frame rate."""
    rate = action.motion_editing.source_rate if action else 0.0
    return rate if LOWEST_RATE <= rate <= HIGHEST_RATE else scene_rate(context)


def scene_rate(context: Context) -> float:
    """Frames per second of the scene."""
    return context.scene.render.fps / context.scene.render.fps_base


def read_clip(context: Context, armature: Object, *, choice: str = "ACTION") -> Clip:
    """Read the frames of the chosen range, reference frames at the start left out."""
    start, end = frame_range(context, armature, choice)
    return action_io.read(armature, rate=source_rate(context, armature), start=start, end=end)


def frame_range(context: Context, armature: Object, choice: str) -> tuple[float | None, float | None]:
    """First and last action frame of the chosen range; None stands for the action's own end."""
    if _given is not None and _given.frames is not None and choice in LIMITED:
        return _given.frames
    scene = context.scene
    if choice == "SCENE":
        return _to_action(armature, scene.frame_start, scene.frame_end)
    if choice == "PREVIEW":
        if not scene.use_preview_range:
            raise MotionEditError("The preview range is off: set one in the Timeline, or choose another range")
        return _to_action(armature, scene.frame_preview_start, scene.frame_preview_end)
    if choice == "MARKERS":
        frames = sorted(marker.frame for marker in scene.timeline_markers if marker.select)
        if len(frames) < 2:
            raise MotionEditError("Select two markers in the Timeline, or choose another range")
        return _to_action(armature, frames[0], frames[-1])
    if choice == "KEYS":
        return _selected_key_range(armature)
    if choice == "ALL":  # reference frames too: for judging the file itself
        return None, None
    return _without_reference(armature), None


def _without_reference(armature: Object) -> float | None:
    """The first frame after the reference pose; None if there is none."""
    action = action_of(armature)
    return motion_start(armature) if action is not None and action.motion_editing.skipped_frames else None


def motion_start(armature: Object) -> float | None:
    """The first whole frame of the motion, after its reference pose; None where nothing has keys."""
    ends = action_io.key_ends(armature)
    if ends is None:
        return None
    return float(np.floor(ends[0])) + frames_left_out(armature)


def _to_action(armature: Object, first: float, last: float) -> tuple[float, float]:
    """A range of scene frames as action frames."""
    low, high = sorted(from_scene(armature, frame) for frame in (first, last))
    return low, high


def action_frame(context: Context, armature: Object) -> float:
    """The current frame as a frame of the action."""
    if _given is not None:
        return _given.frame
    return from_scene(armature, float(context.scene.frame_current_final))


def from_scene(armature: Object, frame: float) -> float:
    """A scene frame as a frame of the action; they differ in NLA tweak mode."""
    data = animation_of(armature)
    return data.nla_tweak_strip_time_to_scene(frame, invert=True) if data.use_tweak_mode else frame


def to_scene(armature: Object, frames: np.ndarray) -> np.ndarray:
    """Action frames as scene frames."""
    data = armature.animation_data
    if data is None or not data.use_tweak_mode:
        return frames
    return np.array([data.nla_tweak_strip_time_to_scene(float(frame)) for frame in frames])


def _selected_key_range(armature: Object) -> tuple[float, float]:
    frames = action_io.selected_key_frames(armature)
    if len(frames) < 2:
        raise MotionEditError("Select keys at two frames or more, or choose another range")
    return float(frames[0]), float(frames[-1])


def picked_bones(armature: Object) -> set[str]:
    """Names of the visible bones that are selected in pose mode."""
    if _given is not None:
        return {bone.name for bone in armature.pose.bones if bone.name in _given.bones} if armature.pose else set()
    if armature.mode != "POSE":
        return set()
    return {bone.name for bone in armature.pose.bones if is_selected(bone) and is_visible(bone)}


def chosen_bones(armature: Object) -> set[str]:
    """Names of the picked bones, of all visible ones if none is picked."""
    bones = armature.pose.bones if armature.pose else ()
    return picked_bones(armature) or {bone.name for bone in bones if is_visible(bone)}


def is_visible(bone: bpy.types.PoseBone) -> bool:
    """Whether a pose bone can be seen: neither hidden itself nor in hidden collections only."""
    collections = bone.bone.collections
    return not is_hidden(bone) and (not collections or any(each.is_visible_effectively for each in collections))
