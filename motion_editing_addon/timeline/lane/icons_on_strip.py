"""Pose icons and windows on the strip: what the lane shows, and what dragging and dropping does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from .... import core
from ....core.errors import MotionEditError
from ...border import armature as rig
from ...border.action_io.curves import channels
from ...border.translation import told_by
from ...document import scope, watched_keys
from ...document.character import joint_positions, saved_body
from ...interface.operators.long_work import deferred
from ..features import painted_bones
from ..settings import has_window
from .content import lane_data, quick_look, sound

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from .content.icons import Gallery
    from .content.lane_data import Shown
    from .icon_data import IconLaneData
    from .strip_drag import TimelineDrag

_OPERATORS = {
    "ALIGNMENT": ("align_windows", {}),
    "MEAN_ROTATION": ("transfer_mean", {}),
    "ROTATION_VARIANCE": ("transfer_variance", {}),
    "TRAJECTORY": ("transfer_trajectory", {}),
    "JOINT_COORDINATION": ("transfer_coordination", {"shift": "JOINT_COORDINATION"}),
    "LIMB_COORDINATION": ("transfer_coordination", {"shift": "LIMB_COORDINATION"}),
    "LIMB_AND_JOINT_COORDINATION": ("transfer_coordination", {"shift": "LIMB_AND_JOINT_COORDINATION"}),
}


class IconsOnStrip:
    """Feeds the icon lane of the strip with the active armature's poses and windows.

    Window 0 of the lane is the operation window, the propagation windows follow in the order of the list.
    """

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, Shown | None] | None = None
        self._data: tuple[object, IconLaneData] | None = None
        self._sound: tuple[object, dict[str, Any]] = (None, {})
        self._drag: TimelineDrag | None = None

    def data(self, context: Context) -> IconLaneData | None:
        """The icons as they are, or as a drag would make them; kept until something changes."""
        armature = scope.edited_object(context)
        action = scope.action_of(armature)
        if not scope.is_armature(armature) or action is None or not action.motion_editing_timeline.icons:
            return None

        shown = self._looked_at(context, armature)
        if shown is None:
            return None
        sound = self._heard(context, armature)
        edit = self._drag.edit if self._drag is not None else None
        key = (id(shown), id(sound), id(edit), _settings_key(armature))
        if self._data is None or self._data[0] != key:
            self._data = key, lane_data.data_of(armature, _second(armature), shown, edit, sound)
        return self._data[1]

    def _looked_at(self, context: Context, armature: Object) -> Shown | None:
        """The poses, worked out anew only where keys, view or second character changed."""
        key = _poses_key(context, armature)
        if self._drag is None and (self._shown is None or self._shown[0] != key):
            self._shown = key, quick_look.shown_now(context, armature)
        return self._shown[1] if self._shown is not None else None

    def _heard(self, context: Context, armature: Object) -> dict[str, Any]:
        name = scope.own_action(armature).motion_editing_timeline.sound_strip
        key = sound.sound_key(context, name)
        if self._sound[0] != key:
            self._sound = key, sound.sound_of(context, name)
        return self._sound[1]

    # Windows

    def set_window(self, context: Context, start: float, end: float) -> bool:
        """Dragged across the ground: look for what is like it."""
        return self._hand_over(context, "find_similar", start=start, end=end)

    def toggle_window(self, _context: Context, window: int) -> None:
        """The tick box was clicked."""
        _run("tick_window", window=window - 1, state="TOGGLE")

    def drag_window_end(self, context: Context, window: int, frame: float, *, final: bool) -> bool:
        """Change the duration of all windows; keys follow when it is let go."""
        if final:
            return self._hand_over(context, "stretch_windows", end_frame=frame, window=window - 1, ease=_ease(context))
        self._dragging(context).show_end(window - 1, frame)
        return False

    # Icons

    def drag_icon(self, context: Context, icon: int, frame: float, *, final: bool) -> bool:
        """Retime a pose; keys follow when it is let go."""
        if icon >= lane_data.SECOND:
            _refuse_second(context)
        if final:
            start = self._frame_of(context, icon)
            return self._hand_over(context, "move_pose", frame=start, to_frame=frame, ease=_ease(context))
        self._dragging(context).show_pose(icon, frame)
        return False

    def _frame_of(self, context: Context, icon: int) -> float:
        """Scene frame at which a pose is seen without any drag."""
        gallery = self._gallery
        assert gallery is not None
        frames = gallery.subject.clip.frames
        return float(scope.to_scene(scope.known_object(context), frames[icon : icon + 1])[0])

    @property
    def _gallery(self) -> Gallery | None:
        """The active character's poses, if they are shown."""
        shown = self._shown[1] if self._shown is not None else None
        return shown.gallery if shown is not None else None

    def paint(self, context: Context, icon: int, joint: int) -> None:
        """Turn a joint's painting over."""
        if icon >= lane_data.SECOND:
            _refuse_second(context)
        gallery = self._gallery
        assert gallery is not None
        name = gallery.subject.motion.skeleton.names[gallery.figure.joints[joint]]
        _run("paint_bones", how="TOGGLE", bone=name)

    # Features

    def menu(self, context: Context, _window: int) -> tuple[tuple[str, str], ...]:
        """What the painting allows to be carried elsewhere."""
        gallery, armature = self._gallery, scope.known_object(context)
        body = gallery.subject.body if gallery is not None else saved_body.body_of(armature)
        painting = core.timeline.painting_of(body, painted_bones.painted_mask(armature, body.skeleton))
        return tuple(
            (each.name, each.label) for each in core.timeline.feature_menu(painting.joints, painting.effectors)
        )

    def drop(self, context: Context, identifier: str, source_window: int, target_window: int | None) -> bool:
        """Carry a feature of one window to another, or to all that are ticked."""
        operator, options = _OPERATORS[identifier]
        target = core.timeline.ALL if target_window is None else target_window - 1
        source = {"reference": "WINDOW", "source_window": source_window - 1}
        return self._hand_over(context, operator, target=target, ease=_ease(context), **source, **options)

    # Dragging

    def _hand_over(self, context: Context, name: str, **options: Any) -> bool:
        """End a gesture with its operator; True if that goes on by itself. Until it begins, the drag stays in sight."""
        if bpy.app.background:  # without events
            self.cancel(context)
            return "RUNNING_MODAL" in _run(name, **options)
        with deferred(lambda: self.cancel(context)):
            return "RUNNING_MODAL" in _run(name, "INVOKE_DEFAULT", **options)

    def cancel(self, _context: Context) -> None:
        """Everything as before the drag."""
        drag, self._drag = self._drag, None
        if drag is not None:
            drag.end()

    def _dragging(self, context: Context) -> TimelineDrag:
        if self._drag is not None and not self._drag.is_of(scope.known_object(context)):
            self.cancel(context)  # the motion was undone, or a character deleted: start from what is there now
        if self._drag is None:
            self._drag = quick_look.begin_drag(context, scope.known_object(context))
        return self._drag


def _run(name: str, mode: str = "EXEC_DEFAULT", **options: Any) -> set[str]:
    """Run an operator of the timeline; what it refuses is raised, for the strip to show."""
    try:
        return set(getattr(bpy.ops.motion_editing, name)(mode, **options))
    except RuntimeError as error:
        raise MotionEditError(told_by(error)) from error


def _refuse_second(context: Context) -> None:
    second = scope.own_action(scope.known_object(context)).motion_editing_timeline.second
    raise MotionEditError(f"Make '{second.name}' the active object to edit its poses")


def _ease(context: Context) -> float:
    return float(scope.own_action(scope.known_object(context)).motion_editing_timeline.ease)


def _second(armature: Object) -> Object | None:
    """The second character, if it has a motion."""
    second = scope.own_action(armature).motion_editing_timeline.second
    return second if second != armature and scope.action_of(second) is not None else None


def _poses_key(context: Context, armature: Object) -> object:
    """Changes whenever other poses would be shown; asked at every redraw."""
    second = _second(armature)
    characters = [armature] if second is None else [armature, second]
    return scope.own_action(armature).motion_editing_timeline.view, tuple(
        (
            each.session_uid,
            scope.own_action(each).session_uid,
            watched_keys.fingerprint(each),
            scope.source_rate(context, each),
            scope.own_action(each).motion_editing.skipped_frames,
            each.motion_editing.body,
            _contacts_key(each),
            _is_sampled(each),
            second is not None and place_key(each),
        )
        for each in characters
    )


def _contacts_key(armature: Object) -> object:
    contacts = scope.own_action(armature).motion_editing_contacts
    return contacts.known, tuple((span.bone, span.start, span.end) for span in contacts.spans)


def place_key(armature: Object) -> object:
    """Where an object without keys of its own stands: characters that are moved touch elsewhere."""
    if channels.is_placed_by_keys(armature):
        return None
    return tuple(value for row in armature.matrix_basis for value in row)


def _is_sampled(armature: Object) -> int:
    """Changes when positions of a control rig have been sampled."""
    return 0 if rig.why_sampled(armature) is None else joint_positions.sampled_so_far()


def _settings_key(armature: Object) -> object:
    settings = scope.own_action(armature).motion_editing_timeline
    return (
        settings.icons,
        has_window(armature) and (settings.start, settings.end),
        tuple((item.start, item.end, item.ticked, item.similarity) for item in settings.windows),
        tuple(item.name for item in settings.painted),
    )
