"""Which features of a part can be carried elsewhere, by what is painted (pose timeline paper, table 1)."""

from collections.abc import Container, Sequence
from enum import Enum

from ..motion import Skeleton
from ..solve import Limb
from .moving_part import MovingPart


class Feature(Enum):
    """What a part of a motion can give to another; the value is what it does, as a user reads it."""

    ALIGNMENT = "Take over timing and duration"
    MEAN_ROTATION = "Hold the painted bones like the reference"
    ROTATION_VARIANCE = "Move the painted bones as strongly as the reference"
    JOINT_COORDINATION = "Shift the painted bones in time against all others, which stay"
    TRAJECTORY = "Lead the painted hand or foot along the reference's path"
    LIMB_COORDINATION = "Shift the painted hand or foot in time against the rest of the body, which stays"
    LIMB_AND_JOINT_COORDINATION = "Shift the painted hand or foot in time against the painted bones, which stay"

    @property
    def label(self) -> str:
        """Name in a menu."""
        return _LABELS[self]

    @property
    def is_coordination(self) -> bool:
        """It is carried by `transfer_coordination`, for the parts that `coordination_parts` gives."""
        return self in _COORDINATIONS


_LABELS = {
    Feature.ALIGNMENT: "Timing",
    Feature.MEAN_ROTATION: "Mean Rotation",
    Feature.ROTATION_VARIANCE: "Rotation Variance",
    Feature.JOINT_COORDINATION: "Coordination of Bones",
    Feature.TRAJECTORY: "Trajectory",
    Feature.LIMB_COORDINATION: "Coordination of Limb",
    Feature.LIMB_AND_JOINT_COORDINATION: "Coordination of Limb and Bones",
}
_COORDINATIONS = (Feature.JOINT_COORDINATION, Feature.LIMB_COORDINATION, Feature.LIMB_AND_JOINT_COORDINATION)
_FOR_JOINTS = (Feature.MEAN_ROTATION, Feature.ROTATION_VARIANCE, Feature.JOINT_COORDINATION)
_FOR_EFFECTORS = (Feature.TRAJECTORY, Feature.LIMB_COORDINATION)


def feature_menu(painted_joints: Sequence[int], painted_effectors: Sequence[Limb]) -> tuple[Feature, ...]:
    """The features that the painting allows, in the order of a menu.

    Args:
        painted_joints: Painted joints that are no ends of limbs.
        painted_effectors: Limbs whose ends are painted.
    """
    both = (Feature.LIMB_AND_JOINT_COORDINATION,) if painted_joints and painted_effectors else ()
    for_joints = _FOR_JOINTS if painted_joints else ()
    for_effectors = _FOR_EFFECTORS if painted_effectors else ()
    return (Feature.ALIGNMENT, *for_joints, *for_effectors, *both)


def coordination_parts(
    feature: Feature,
    skeleton: Skeleton,
    painted_joints: Sequence[int],
    painted_effectors: Sequence[Limb],
    *,
    reference: Skeleton | None = None,
) -> tuple[MovingPart, MovingPart]:
    """The fixed and the free part that a coordination means.

    Args:
        feature: One of the three coordinations.
        skeleton: Of the motion that is edited.
        painted_joints: Painted joints that are no ends of limbs.
        painted_effectors: Limbs whose ends are painted.
        reference: Skeleton that the coordination is taken from, if it is another one: of the joints
            that nobody painted, those that it lacks tell no time.
    """
    known = (reference or skeleton).index
    joints, limbs = MovingPart(joints=tuple(painted_joints)), MovingPart(effectors=tuple(painted_effectors))
    if feature is Feature.JOINT_COORDINATION:
        return _others(skeleton, set(joints.joints), known), joints
    if feature is Feature.LIMB_COORDINATION:
        return _others(skeleton, _below(skeleton, limbs), known), limbs
    if feature is Feature.LIMB_AND_JOINT_COORDINATION:
        below = _below(skeleton, limbs)
        return MovingPart(joints=tuple(joint for joint in painted_joints if joint not in below)), limbs
    raise ValueError(f"{feature.name} is no coordination")


def _others(skeleton: Skeleton, left_out: set[int], known: Container[str]) -> MovingPart:
    """All joints with known names but those left out."""
    others = (joint for joint, name in enumerate(skeleton.names) if joint not in left_out and name in known)
    return MovingPart(joints=tuple(others))


def _below(skeleton: Skeleton, limbs: MovingPart) -> set[int]:
    """Joints that move with the limbs."""
    uppers = [limb.upper for limb in limbs.effectors]
    return {*uppers, *(joint for upper in uppers for joint in skeleton.descendants(upper))}
