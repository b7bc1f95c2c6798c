"""Who is edited: the figure that is seen, the controls that an animator moves, and the way between them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.body import is_mechanism
from ....core.numerics import Recent
from ....core.rig import Figure, Locks, RiggedFigure
from ....core.rig import constraints as kinds
from ...border.armature import pose_bones, skeleton_of, why_bones_move
from ...border.rigs.rig_model import rig_of
from .. import scope

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

    from ....core.motion import Mask, Motion
    from ....core.rig import ControlFit, Rig
    from ...border.action_io import Clip

# Constraints that leave to a bone what its own channels do.
_LEAVING = (kinds.FollowBones, kinds.ChildOf, kinds.LimitLocation, kinds.LimitRotation, kinds.LimitScale)
# Controls for the last touch: an edit leaves them alone unless they have keys.
_FINE = "tweak"


@dataclass(frozen=True, eq=False)
class Character:
    """An armature as an animator sees it.

    Attributes:
        rigged: Its figure and its controls; None for a plain skeleton, where both are the same bones.
    """

    rigged: RiggedFigure | None

    @classmethod
    def of(cls, armature: Object) -> Character:
        """Look at an armature; what was found is kept while nothing about the rig changes."""
        if why_bones_move(armature) is None:
            return _PLAIN
        key = _key(armature)
        return _known.get(key) or _known.keep(key, cls(_rigged(armature)))

    @property
    def has_controls(self) -> bool:
        """Whether what is seen follows from controls."""
        return self.rigged is not None

    def unknown(self, motion: Motion) -> str:
        """Why the figure cannot be told from a motion of the channels; empty if it can."""
        return "" if self.rigged is None else self.rigged.unknown(motion)

    def seen(self, motion: Motion) -> Motion:
        """What the figure does with a motion of the channels."""
        return motion if self.rigged is None else self.rigged.motion(motion)

    def laid(self, clip: Clip, motion: Motion, wanted: Motion) -> Motion:
        """Channels with which the figure does what is wanted.

        Args:
            clip: Which channels have keys.
            motion: Of the channels, which all but controls keep.
            wanted: Motion of the figure.
        """
        return wanted if self.rigged is None else self.fit(clip, motion, wanted).motion

    def fit(self, clip: Clip, motion: Motion, wanted: Motion) -> ControlFit:
        """The same for a control rig, with how near the figure comes."""
        if self.rigged is None:
            raise ValueError("A plain skeleton has no controls")
        return self.rigged.laid(motion, wanted, _keyed(clip))


_PLAIN = Character(None)
_known: Recent[str, Character] = Recent(8)


def forget() -> None:
    """Know no rigs."""
    _known.clear()


def _key(armature: Object) -> str:
    """All that a character follows from."""
    skeleton = skeleton_of(armature)
    digest = blake2b(skeleton.content, digest_size=16)
    data: Any = armature.animation_data
    bones = [
        (bone.name, scope.is_visible(bone), tuple(bone.lock_location), tuple(bone.lock_rotation), bone.rotation_mode)
        for bone in armature.pose.bones
    ]
    constraints = [
        (bone.name, each.name, each.type, each.mute, each.influence, getattr(each, "subtarget", ""))
        for bone in armature.pose.bones
        for each in bone.constraints
    ]
    numbers = [(bone.name, *_numbers(bone)) for bone in (armature, *armature.pose.bones) if bone.keys()]
    drivers = [(each.data_path, each.driver.expression) for each in (data.drivers if data else ())]
    digest.update(repr((armature.session_uid, bones, constraints, numbers, drivers)).encode())
    return digest.hexdigest()


def _numbers(holder: Any) -> list[Any]:
    """Custom properties, which may be switches of the rig."""
    return [(name, value) for name, value in holder.items() if isinstance(value, (bool, int, float))]


def _rigged(armature: Object) -> RiggedFigure | None:
    """The figure inside a rig; None if it has none, and for a skeleton whose own channels move all that is seen."""
    rig, bones = rig_of(armature), pose_bones(armature)
    deforming = np.array([False, *(bone.bone.use_deform for bone in bones)])
    figure = Figure.of(skeleton_of(armature), deforming)
    if not _is_led(rig, figure):
        return None
    usable = np.array([False, *(_is_usable(bone, rig) for bone in bones)])
    spared = np.array([_FINE in name.lower() for name in rig.names])
    return RiggedFigure(rig, figure, usable, spared, _locks(bones))


def _is_led(rig: Rig, figure: Figure) -> bool:
    """Whether constraints move bones of the figure."""
    chained = {joint for chain in rig.chains for joint in chain.joints}
    return any(rig.constraints[joint] or joint in chained for joint in figure.joints[1:].tolist())


def _is_usable(bone: PoseBone, rig: Rig) -> bool:
    if not scope.is_visible(bone) or is_mechanism(bone.name):
        return False
    return all(isinstance(each, _LEAVING) for each in rig.constraints[rig.index[bone.name]])


def _locks(bones: list[PoseBone]) -> Locks:
    places = np.array([(True,) * 3, *(tuple(bone.lock_location) for bone in bones)])
    connected = np.array([False, *(bool(bone.parent) and bone.bone.use_connect for bone in bones)])
    turns = np.array([True, *(all(bone.lock_rotation) for bone in bones)])
    return Locks(places | connected[:, None], turns)


def _keyed(clip: Clip) -> Mask:
    """(J,) bones with keys of their own."""
    curves = {prop for prop, _index in clip.channels.curves}
    return np.array([not curves.isdisjoint(properties) for properties in clip.channels.joints])
