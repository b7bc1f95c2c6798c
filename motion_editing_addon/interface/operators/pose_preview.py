"""Showing an edited motion on the rig while a tool runs; no key is touched.

Bones get the values of the edited motion at the current frame. Blender overwrites them when the
frame changes, so a handler puts them on again for as long as a preview is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.motion import Motion, Retimed
from ....core.numerics import quaternion
from ...border.action_io.channel_values import rotation_values
from ...border.armature import rotation_property, why_sampled
from ...border.rigs import rig_channels
from ...document import scope
from .preview_trails import PreviewTrails, ShownMotion
from .running_tools import is_gone
from .shape_preview import ShapePreview

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Scene

    from ...border.action_io import Clip
    from ...border.rigs.rig_channels import ByProperty

_shown: list[PosePreview] = []


class PosePreview:
    """The rig of one clip, posed by motions that are not keyed. End it with `restore`."""

    def __init__(self, clip: Clip, *, trails: bool = False) -> None:
        """Prepare; nothing changes before the first `show`. Trails of the bones that change can be shown too."""
        self.clip = clip
        # Joint positions of rigs with constraints would have to be sampled: too slow while a mouse moves.
        self._trails = PreviewTrails(clip) if trails and why_sampled(clip.armature) is None else None
        holders = (clip.armature, *clip.armature.pose.bones)
        self._modes = np.array([holder.rotation_mode for holder in holders])
        self._rotation_names = {holder.rotation_mode: rotation_property(holder) for holder in holders}
        self._keyed = rig_channels.keyed(clip)
        self._clock = _Clock(clip)
        self._face = ShapePreview(clip)
        self._motion: ShownMotion | Retimed | None = None
        # The pose without the preview, the pose with it, and the channels in which they differ.
        self._ground = self._written = rig_channels.read(clip.armature)
        self._covered = {name: np.zeros(values.shape, dtype=np.bool_) for name, values in self._ground.items()}

    def show(self, motion: ShownMotion | Retimed) -> int:
        """Pose the rig as the motion does at the scene's frame; gives how many joints differ from the clip.

        Args:
            motion: Joints as in the clip and times on the same clock; its frames may be others.
        """
        _follow_frames(self)
        self._motion = motion
        return self._pose(bpy.context.scene)

    def restore(self) -> None:
        """Bring back the pose that the F-curves and the properties without keys give; stop following frames."""
        _stop_following(self)
        self._motion = None
        if self._is_rig_there():
            self._pose(bpy.context.scene)
        else:
            self._leave_trails(None)

    def _is_rig_there(self) -> bool:
        """Whether the rig is still the one whose channels are known."""
        return not is_gone(self.clip.armature) and len(self.clip.armature.pose.bones) == len(self._modes) - 1

    def frame_changed(self, scene: Scene) -> None:
        """Blender has set the keyed channels anew: they are no longer covered."""
        if not self._is_rig_there():
            self.restore()
            return
        self._covered = {name: covered & ~self._keyed[name] for name, covered in self._covered.items()}
        self._face.frame_changed()
        self._pose(scene)

    def _pose(self, scene: Scene) -> int:
        there = rig_channels.read(self.clip.armature)
        self._ground = {
            name: np.where(self._still_covered(name, there), self._ground[name], there[name]) for name in there
        }
        wanted = {name: values.copy() for name, values in self._ground.items()}
        motion = self._motion
        time = self._clock.time_at(scene) if motion else None
        before = after = None
        if motion is not None and time is not None:
            before, after = self.clip.motion.at(time), motion.at(time)
        count = 0 if before is None or after is None else self._put_in(wanted, before, after)
        self._face.show(before, after)
        self._covered = {name: values != self._ground[name] for name, values in wanted.items()}
        self._written = wanted
        rig_channels.write(self.clip.armature, wanted, there)
        self._leave_trails(time)
        return count

    def _leave_trails(self, time: float | None) -> None:
        if self._trails is None:
            return
        if self._motion is None or time is None or isinstance(self._motion, Retimed):
            self._trails.hide()
        else:
            self._trails.show(self._motion, time)

    def _still_covered(self, name: str, there: ByProperty) -> np.ndarray:
        """Channels that hold what the preview put there, not what Blender or the user has set since."""
        return self._covered[name] & (there[name] == self._written[name])

    def _put_in(self, channels: ByProperty, before: Motion, after: Motion) -> int:
        """Set the channels of the joints that differ; gives their number."""
        moved = (before.locations[0] != after.locations[0]).any(axis=-1)
        scaled = (before.scales[0] != after.scales[0]).any(axis=-1)
        old, new = before.rotations[0], after.rotations[0]
        turned = (new != old).any(axis=-1) & (new != -old).any(axis=-1)
        channels["location"][moved] = after.locations[0, moved]
        channels["scale"][scaled] = after.scales[0, scaled]
        for mode in dict.fromkeys(self._modes[turned].tolist()):
            chosen = turned & (self._modes == mode)
            values = channels[self._rotation_names[mode]]
            values[chosen] = _near(mode, new[chosen], values[chosen])
        return int((moved | scaled | turned).sum())


class _Clock:
    """From the scene's frame, whole or not, to the time of a clip; they differ in NLA tweak mode."""

    def __init__(self, clip: Clip) -> None:
        frames = scope.to_scene(clip.armature, clip.frames)
        order = np.argsort(frames)  # A strip may run backward.
        self._frames, self._times = frames[order], clip.motion.times[order]
        # Beyond the last key its pose is held, as Blender does; a range within the keys ends where it ends.
        ends = np.array([keys[[0, -1], 0] for keys in clip.keys.values() if len(keys)])
        held = [ends[:, 0].min() >= clip.frames[0], ends[:, 1].max() <= clip.frames[-1]]
        self._held_before, self._held_after = held if order[0] <= order[-1] else reversed(held)

    def time_at(self, scene: Scene) -> float | None:
        """The clip's time; None where an edit of the clip has no say."""
        frame = scene.frame_current_final
        if frame < self._frames[0] and not self._held_before:
            return None
        if frame > self._frames[-1] and not self._held_after:
            return None
        return float(np.interp(frame, self._frames, self._times))


def _near(mode: str, rotations: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Rotations (N, 4) as channels of the mode, each near to the present ones."""
    if mode == "QUATERNION":
        return quaternion.aligned(rotations, present)
    return rotation_values(mode, rotations[None], present)[0]


# Following the frame


def _follow_frames(preview: PosePreview) -> None:
    if preview not in _shown:
        _shown.append(preview)
    if _on_frame_change not in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.append(_on_frame_change)


def _stop_following(preview: PosePreview) -> None:
    if preview in _shown:
        _shown.remove(preview)
    if not _shown and _on_frame_change in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.remove(_on_frame_change)


def _on_frame_change(scene: Scene, _depsgraph: Depsgraph | None = None) -> None:
    for preview in list(_shown):
        preview.frame_changed(scene)


def stop_all() -> None:
    """End every preview: for switching the add-on off while a tool runs."""
    for preview in list(_shown):
        preview.restore()
