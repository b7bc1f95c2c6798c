"""Who is edited: the figure that is seen, the controls that an animator moves, and the way between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....core.analysis.contacts import ContactSpans
from ....core.body import is_mechanism
from ....core.numerics import Recent
from ....core.rig import Figure, Locks, RiggedFigure
from ....core.rig import constraints as kinds
from ...border.armature import pose_bones, skeleton_of, why_bones_move, why_elsewhere
from ...border.rigs.rig_model import rig_of
from ...border.rigs.rig_pose import read_pose
from .. import scope
from ..action_users import layered_animation

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

    from ....core.body import Body
    from ....core.motion import Mask, Motion
    from ....core.rig import BodyOrder, ControlFit, Rig
    from ...border.action_io import Clip

# Constraints that leave to a bone what its own channels do.
_LEAVING = (kinds.FollowBones, kinds.ChildOf, kinds.LimitLocation, kinds.LimitRotation, kinds.LimitScale)
# How near what is worked out has to be to what Blender shows, in parts of the figure's size.
_EXACT = 1e-3
# Part of the rig's size within which two bones begin at the same place.
_SAME_PLACE = 0.005
# Rounds in which controls get scales, each of which may change what the next one inherits.
_LENGTH_ROUNDS = 2
# Controls for the last touch: an edit leaves them alone unless they have keys.
_FINE = "tweak"


@dataclass(frozen=True, eq=False)
class Character:
    """An armature as an animator sees it.

    Attributes:
        rigged: Its figure and its controls; None for a plain skeleton, where both are the same bones.
    """

    rigged: RiggedFigure | None
    _found: dict[str, bool] = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)

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

    def is_known(self, clip: Clip) -> bool:
        """Whether core tells what is seen of a control rig; compared with Blender once for every rig."""
        if self.rigged is None or why_elsewhere(clip.armature) is not None:
            return False
        if layered_animation(clip.armature) is not None or self.unknown(clip.motion):
            return False
        if "exact" not in self._found:
            self._found["exact"] = _is_seen(clip.armature, self.rigged, clip.motion)
        return self._found["exact"]

    def seen(self, motion: Motion) -> Motion:
        """What the figure does with a motion of the channels."""
        return motion if self.rigged is None else self.rigged.motion(motion)

    def bone_seen(self, name: str) -> str:
        """The bone of the figure that begins where a bone does; the bone itself of a plain skeleton."""
        return name if self.rigged is None else self.rigged.bone_at(name)

    def bone_moved(self, name: str, motion: Motion) -> str:
        """The same, and of a control that begins elsewhere the first bone that goes where it goes; empty if none does.

        Args:
            name: Of a bone of the rig.
            motion: Of the channels.
        """
        if self.rigged is None:
            return name
        if name not in self._moved:
            self._moved[name] = self.rigged.bone_moved(name, motion.rows([0]))
        return self._moved[name]

    def order(self, motion: Motion) -> BodyOrder | None:
        """How controls come one after another down the body; None where the bones themselves do, or nobody knows."""
        return None if self.rigged is None or self.unknown(motion) else self.rigged.order(motion)

    def on_figure(self, contacts: ContactSpans) -> ContactSpans:
        """Contacts of controls as those of the bones of the figure that they place."""
        names = {name: self.bone_seen(name) for name in contacts.joints}
        return ContactSpans({shown: contacts.of(name) for name, shown in names.items() if shown})

    def laid(self, clip: Clip, motion: Motion, wanted: Motion) -> Motion:
        """Channels with which the figure does what is wanted.

        Args:
            clip: Which channels have keys.
            motion: Of the channels, which all but controls keep.
            wanted: Motion of the figure.
        """
        return wanted if self.rigged is None else self.fit(clip, motion, wanted).motion

    def laid_with_lengths(self, clip: Clip, motion: Motion, wanted: Motion) -> Motion:
        """The same with controls of limbs scaled where bones of the figure are stretched."""
        laid = self.laid(clip, motion, wanted)
        if self.rigged is None:
            return laid
        for _round in range(_LENGTH_ROUNDS):
            laid = self.laid(clip, self.rigged.stretched(laid, wanted, _keyed(clip)), wanted)
        return laid

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
    """The figure inside a rig; None if it is none, and for a skeleton whose own channels move all that is seen."""
    rig, bones = rig_of(armature), pose_bones(armature)
    deforming = np.array([False, *(bone.bone.use_deform for bone in bones)])
    deforming &= ~_is_reached_for(rig, deforming)
    figure = Figure.of(skeleton_of(armature), deforming)
    if not _is_led(rig, figure) or not _is_whole(figure.body()):
        return None
    usable = np.array([False, *(_is_usable(bone, rig) for bone in bones)])
    spared = np.array([_FINE in name.lower() for name in rig.names])
    return RiggedFigure(rig, figure, usable, spared, _locks(bones))


def _is_whole(body: Body) -> bool:
    """Whether a body is that of a person or an animal, and not of a part or a machine."""
    return body.root is not None and sum(limb.end is not None for limb in body.limbs) > 1


def _is_reached_for(rig: Rig, deforming: Mask) -> Mask:
    """(J,) bones that limbs reach for where another bone of the figure begins: they are no part of it."""
    found = np.zeros(len(rig.names), dtype=np.bool_)
    size = float(np.ptp(rig.rest[:, :3, 3], axis=0).max())
    for target in (goal.target.joint for chain in rig.chains for goal in chain.goals):
        others = [joint for joint in np.flatnonzero(deforming) if joint != target]
        away = np.linalg.norm(rig.rest[others, :3, 3] - rig.rest[target, :3, 3], axis=1)
        found[target] = bool((away < _SAME_PLACE * size).any())
    return found


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


def _is_seen(armature: Object, rigged: RiggedFigure, like: Motion) -> bool:
    """Whether Blender shows the figure, as it is posed now, where core has it."""
    bpy.context.view_layer.update()
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    places = np.array([shown[name].head for name in rigged.figure.skeleton.names[1:]])
    away = rigged.places(read_pose(armature, like))[0] - places
    return bool(np.abs(away).max() < _EXACT * rigged.size)


def _keyed(clip: Clip) -> Mask:
    """(J,) bones with keys of their own."""
    curves = {prop for prop, _index in clip.channels.curves}
    return np.array([not curves.isdisjoint(properties) for properties in clip.channels.joints])
