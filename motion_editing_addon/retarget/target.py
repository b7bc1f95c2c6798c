"""The target of a retargeting: its skeleton where it stands, and the new action that it gets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.body import find_body
from ...core.errors import DamagedDataError, MotionEditError
from ...core.motion import Motion, with_still_object
from ...core.numerics import quaternion
from ...core.retarget import sole_pitch, standing_pose, with_flat_soles
from ...core.rig import with_number
from ..border import action_io
from ..border.action_io.curves.channels import bone_of_path
from ..border.action_io.curves.numbers import put_number
from ..border.armature import skeleton_of, why_moved
from ..border.key_options import REDUCED, KeyOptions
from ..border.rigs.rig_pose import read_pose
from ..border.saved_state import POSE_BEFORE, put, take
from ..border.steps import finish
from ..document import scope
from ..document.action_users import layered_animation
from .figure import rigged_figure
from .source import body_in_space
from .stage import Stage

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...core.body import Body
    from ...core.motion import Skeleton
    from ...core.retarget import JointMapping
    from ...core.rig import RiggedFigure
    from ..border.action_io import Clip

# The bone that carries a whole rig; its scale is the rig's size.
_ROOT = "root"


@dataclass(frozen=True, eq=False)
class Target:
    """Who gets a motion.

    Attributes:
        armature: The object.
        stage: How it stands in the space of the comparison.
        skeleton: Its bones there, of a control rig the figure inside; joint 0 is the object.
        body: Its parts there.
        rigged: Of a control rig: how controls move the figure.
    """

    armature: Object
    stage: Stage
    skeleton: Skeleton
    body: Body
    rigged: RiggedFigure | None = None

    @classmethod
    def of(cls, armature: Object, *, in_scene: bool) -> Target:
        """Look at an armature; see `source.read_source` for the space."""
        stage = Stage.of_object(armature)
        stage = stage if in_scene else stage.level
        skeleton = stage.placed(skeleton_of(armature))
        rigged = rigged_figure(armature)
        if rigged is not None:
            figure = rigged.figure.placed(skeleton).plain
            return cls(armature, stage, figure, find_body(figure), rigged)
        return cls(armature, stage, skeleton, body_in_space(armature, skeleton))

    @property
    def has_controls(self) -> bool:
        """Whether the figure's motion has to be laid on controls."""
        return self.rigged is not None

    def standing_pose(self, choice: str) -> Motion | None:
        """The pose that is compared with the source's, as one frame; None for the rest pose.

        Args:
            choice: One of `RetargetMotion.stands`.
        """
        if self.has_controls or choice == "REST":
            return None
        posed = self._placed(pose_before_result(self.armature, self.skeleton))
        if choice != "AUTO":
            return posed
        if standing_pose(self.skeleton, self.body, None, posed).at_rest:
            return None
        return posed if self.soles is None else with_flat_soles(posed, self.body, self.soles)

    @cached_property
    def soles(self) -> float | None:
        """Radians by which feet that stand point down, as its own action shows it; None if it shows nothing."""
        if plays_result(self.armature):
            return _kept_pose(self.armature).get("soles_before")
        if self.has_controls or scope.action_of(self.armature) is None:
            return None
        try:
            own = scope.read_clip(bpy.context, self.armature).motion
        except MotionEditError:  # broken keys of an action that is not edited are nobody's concern here
            return None
        return sole_pitch(self._placed(replace(own, skeleton=self.skeleton)), self.body)

    def _placed(self, motion: Motion) -> Motion:
        """A motion in the armature's own units as one of the skeleton; its object does nothing."""
        return with_still_object(motion.with_locations(self.stage.scale * motion.locations))

    def shown_by_controls(self, mapping: JointMapping) -> JointMapping:
        """A mapping without pairs that no control of the target can show, such as the halves of a rig's pelvis."""
        if self.rigged is None:
            return mapping
        names = np.array(self.skeleton.names)[self.rigged.shown_joints(self._rest_pose(1))]
        return replace(mapping, pairs=tuple(pair for pair in mapping.pairs if pair.target in {*names}))

    def _rest_pose(self, frames: int) -> Motion:
        """Channels of a control rig at rest."""
        skeleton = skeleton_of(self.armature)
        return Motion.build(skeleton, quaternion.identity(frames, len(skeleton)), rate=1.0)

    def on_bones(self, contacts: ContactSpans) -> ContactSpans:
        """Contacts of the figure as those of bones of the armature."""
        if self.rigged is None:
            return contacts
        bones = dict(zip(self.skeleton.names, self.rigged.figure.skeleton.names, strict=True))
        return ContactSpans({bones[name]: contacts.of(name) for name in contacts.joints})

    def switches(self, limbs: str) -> dict[str, float]:
        """Values of the rig's switches between IK and FK, by data path.

        Args:
            limbs: One of `RetargetMotion.limbs`.
        """
        if self.rigged is None or limbs == "AS_IS":
            return {}
        return {each.name: each.value(limbs) for each in self.rigged.limb_switches(self._rest_pose(1))}

    @property
    def remark(self) -> str:
        """What is to say about an armature that something else moves too."""
        reason = None if self.has_controls else why_moved(self.armature)
        constrained = "" if reason is None else f"; {reason}, on top of this motion: look at the result"
        layered = layered_animation(self.armature)
        return constrained + ("" if layered is None else f". {layered}")

    def own_channels(self, motion: Motion, limbs: str) -> Motion:
        """A motion of the skeleton as one of all bones, in the armature's own units.

        Args:
            motion: Of the skeleton.
            limbs: Which controls of a rig show it, one of `RetargetMotion.limbs`.
        """
        if self.rigged is None:
            return replace(motion, locations=motion.locations / self.stage.scale)
        rest = replace(self._rest_pose(len(motion)), times=motion.times, rate=motion.rate)
        for name, value in self.switches(limbs).items():
            rest = with_number(rest, name, value)
        root, sizes = rest.skeleton.index.get(_ROOT), self._sizes(motion)
        if root is not None:
            scales = np.array(rest.scales)
            scales[:, root] = sizes[:, None]
            rest = replace(rest, scales=scales)
        nothing = np.zeros(len(rest.skeleton), dtype=np.bool_)
        return self.rigged.fit(rest, self._poses(motion), nothing).motion

    def _sizes(self, motion: Motion) -> np.ndarray:
        """(F,) the figure's size over its own."""
        root = self.body.require("root")
        sizes: np.ndarray = motion.scales[:, [root, *motion.skeleton.ancestors(root)], 0].prod(axis=1)
        return sizes

    def _poses(self, motion: Motion) -> np.ndarray:
        """(F, K, 4, 4) of the figure's bones in the space of the armature."""
        back = quaternion.conjugate(self.stage.rotation)
        turns = quaternion.multiply(back, motion.poses.rotations[:, 1:])
        places = quaternion.rotate(back, motion.poses.positions[:, 1:] - self.stage.place) / self.stage.scale
        poses = np.zeros((*turns.shape[:2], 4, 4))
        poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = quaternion.to_matrix(turns), places, 1.0
        return poses


def pose_before_result(armature: Object, skeleton: Skeleton) -> Motion:
    """The pose that the armature has, or had before it got the result that it plays now, as one frame.

    Else every result would be compared with the one before.
    """
    rest = Motion.build(skeleton, quaternion.identity(1, len(skeleton)), rate=1.0)
    kept = np.array(_kept_pose(armature).get("pose_before", ()), dtype=np.float64)
    if not plays_result(armature) or kept.size != 10 * len(skeleton):
        return read_pose(armature, rest)
    channels = kept.reshape(1, len(skeleton), 10)
    return Motion.build(
        skeleton,
        quaternion.normalize(channels[..., :4]),
        rate=1.0,
        locations=channels[..., 4:7],
        scales=channels[..., 7:],
    )


def plays_result(armature: Object) -> bool:
    """Whether the armature plays what it got from retargeting last."""
    played = scope.action_of(armature)
    return played is not None and played.name == armature.motion_editing_retarget.report.action


def keep_pose(target: Target) -> None:
    """Keep the pose for `pose_before_result`, and how its soles lie."""
    settings, soles = target.armature.motion_editing_retarget, target.soles
    pose = pose_before_result(target.armature, skeleton_of(target.armature))
    channels = np.concatenate([pose.rotations, pose.locations, pose.scales], axis=2)
    kept = {"pose_before": channels.astype(np.float32), "soles_before": soles}
    put(settings, POSE_BEFORE, {name: value for name, value in kept.items() if value is not None})


def _kept_pose(armature: Object) -> dict[str, Any]:
    """What is kept of the pose from before; nothing where it is damaged: the pose that there is serves too."""
    try:
        return take(armature.motion_editing_retarget, POSE_BEFORE)
    except DamagedDataError:
        return {}


def refuse_protected(armature: Object) -> None:
    """Raise if the armature cannot get a new action."""
    if not armature.is_editable:
        raise MotionEditError(f"'{armature.name}' is linked: make it local, or a library override, first")
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise MotionEditError(f"Leave the tweak mode of the NLA strip: '{armature.name}' gets a new action")


def give_action(
    target: Target, motion: Motion, clip: Clip, *, name: str, options: KeyOptions, switches: dict[str, float]
) -> Action:
    """A new action with a motion of all bones, at the frames and the rate of the clip that it was taken from.

    The action that the armature had is kept with the file, even if nothing else uses it.

    Args:
        switches: Numbers of the rig that get a key, by data path.
    """
    armature = target.armature
    _keep_action(armature)
    keep_pose(target)
    action = action_io.write_bones(armature, motion, clip.frames, name=name)
    action.motion_editing.source_rate = clip.motion.rate
    action.motion_editing.source_rate_reason = "as the motion that it was taken from"
    action.motion_editing.examined = True
    for path, value in switches.items():
        put_number(armature, path, value)
        armature.keyframe_insert(path, frame=float(clip.frames[0]), group=bone_of_path(path) or "")
    if options.keys == REDUCED:
        _reduce(armature, clip.motion.rate, options)
    armature.motion_editing_retarget.result_keys = action_io.fingerprint(armature)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return action


def _keep_action(armature: Object) -> None:
    """Keep what the armature plays, unless it is a result that nobody has touched: that can be made again."""
    action = armature.animation_data.action if armature.animation_data else None
    if action is None or action.users > 1:
        return
    made, settings = armature.motion_editing_retarget.report.action, armature.motion_editing_retarget
    if action.name != made or settings.result_keys != action_io.fingerprint(armature):
        action.use_fake_user = True


def _reduce(armature: Object, rate: float, options: KeyOptions) -> None:
    dense = action_io.read(armature, rate=rate)
    finish(action_io.plan_rekey(dense, np.ones(len(dense.motion.skeleton), dtype=bool), options)).carry_out()
