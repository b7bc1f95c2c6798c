"""The kinds of constraints, a row of the table for each; panel, list, strip, scripts and recipes take them from here.

NumPy and core are imported within what makes constraints: enabling the extension stays quick.
"""

from __future__ import annotations

from math import pi, radians
from typing import TYPE_CHECKING

from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty

from ... import core
from ...core.errors import MotionEditError
from ...core.solve import spacetime
from ..border.lazy_modules import np
from . import from_pose
from .constraint_kind import ConstraintKind, Span

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ...core.solve.spacetime import Constraint
    from .constraint_list import Subject

# A plane of an object that is scaled to nothing has no direction.
_FLAT = 1e-12


def _position(subject: Subject) -> Constraint:
    item, thing = subject.item, subject.target()
    if thing is None:
        target = np.array(item.point, dtype=np.float64)
    elif thing == subject.clip.armature:
        raise MotionEditError(f"'{item.name}' holds a bone to its own armature: use Distance, or another target")
    elif thing.type == "CURVE" and item.target != "OBJECT":
        target = subject.targets.along_curve(thing, subject.rows, item.start, item.end)
    else:
        target = subject.matrices()[:, :3, 3]
    return spacetime.Position(target=target, offset=subject.offset, **subject.own)


def _keep(subject: Subject) -> Constraint:
    own = subject.own
    return spacetime.keep(subject.clip.motion, own.pop("joint"), own.pop("frames"), offset=subject.offset, **own)


def _no_skid(subject: Subject) -> Constraint:
    if len(subject.rows) < 2:
        raise MotionEditError(f"'{subject.item.name}' stands still over two frames or more: make its span longer")
    return spacetime.NoSkid(offset=subject.offset, **subject.own)


def _orientation(subject: Subject) -> Constraint:
    if subject.target() is None:
        return spacetime.Orientation(target=subject.turned(np.array(subject.item.turn)), **subject.own)
    turned = subject.matrices()[:, :3, :3]
    turns = core.numerics.quaternion.from_matrix(turned / np.linalg.norm(turned, axis=1)[:, None])
    return spacetime.Orientation(target=subject.turned(turns), **subject.own)


def _above_plane(subject: Subject) -> Constraint:
    if subject.target() is None:
        return spacetime.AbovePlane(height=subject.item.height, offset=subject.offset, **subject.own)
    matrices = subject.matrices()
    upward = matrices[:, :3, 2]
    normals = upward / np.maximum(np.linalg.norm(upward, axis=1), _FLAT)[:, None]
    heights = (normals * matrices[:, :3, 3]).sum(axis=1)
    return spacetime.AbovePlane(height=heights, normal=normals, offset=subject.offset, **subject.own)


def _distance(subject: Subject) -> Constraint:
    if subject.target() in (None, subject.clip.armature):
        other, character = subject.joint_of(subject.item.target_bone), 0
        if other == subject.joint:
            raise MotionEditError(f"'{subject.item.name}' needs another bone or a target object to be away from")
    else:
        other, character = 0, subject.with_companion(subject.matrices()[:, :3, 3])
    own = {"distance": subject.item.distance, "other_joint": other, "other_character": character}
    return spacetime.Distance(offset=subject.offset, **own, **subject.own)


def _joint_limit(subject: Subject) -> Constraint:
    return spacetime.JointLimit(largest=subject.item.angle, **subject.own)


def _joint_range(subject: Subject) -> Constraint:
    item = subject.item
    if item.largest < item.smallest:
        raise MotionEditError(f"'{item.name}' has a largest angle below its smallest one: change them")
    axis = np.eye(3)["XYZ".index(item.axis)]
    return spacetime.JointRange(axis=axis, smallest=item.smallest, largest=item.largest, **subject.own)


def _floor_from_pose(context: Context, armature: Object, item: PropertyGroup) -> None:
    item.height = from_pose.floor_of(context, armature)


def _distance_from_pose(_context: Context, armature: Object, item: PropertyGroup) -> None:
    if item.target_bone or item.target_object:
        from_pose.measure_distance(armature, item)


def _range_from_pose(context: Context, armature: Object, item: PropertyGroup) -> None:
    item.axis, item.smallest, item.largest = from_pose.bending_of(context, armature, item.bone)


# In the order of the menu. Files have the number of a row: new ones go to the end, and none goes away.
TABLE = (
    ConstraintKind(
        "POSITION",
        "Position",
        "Hold the bone at a location, object, bone or curve",
        "CON_LOCLIKE",
        (9, "select"),
        _position,
        {
            "point": FloatVectorProperty(
                name="Place", description="Location of the bone in the scene", subtype="XYZ", unit="LENGTH"
            )
        },
        targets={"PLACE": "Place", "OBJECT": "Object", "CURVE": "Curve", "BONE": "Bone"},
        place="point",
        ties=True,
    ),
    ConstraintKind(
        "KEEP",
        "Keep",
        "Keep the bone on its present path",
        "PINNED",
        (3, "select"),
        _keep,
        span=Span.FROM_NOW,
        stands=True,
    ),
    ConstraintKind(
        "NO_SKID",
        "No Skid",
        "Stop the bone from sliding, wherever it is",
        "CON_LOCLIMIT",
        (14, "active"),
        _no_skid,
        span=Span.FROM_NOW,
        stands=True,
    ),
    ConstraintKind(
        "ORIENTATION",
        "Orientation",
        "Keep the orientation of the bone, or match that of an object",
        "CON_ROTLIKE",
        (6, "active"),
        _orientation,
        {
            "turn": FloatVectorProperty(
                name="Orientation",
                description="Orientation of the bone in the scene",
                size=4,
                default=(1.0, 0.0, 0.0, 0.0),
                subtype="QUATERNION",
            )
        },
        holds_point=False,
        targets={"PLACE": "As Given", "OBJECT": "Object", "BONE": "Bone"},
        place="turn",
        is_angle=True,
    ),
    ConstraintKind(
        "ABOVE_PLANE",
        "Above Plane",
        "Keep the bone above the floor or the plane of an object",
        "CON_FLOOR",
        (13, "select"),
        _above_plane,
        {"height": FloatProperty(name="Height", description="Height of the floor in the scene", unit="LENGTH")},
        targets={"PLACE": "Floor", "OBJECT": "Plane of Object"},
        place="height",
        span=Span.ALWAYS,
        lets_stand=True,
        from_pose=_floor_from_pose,
    ),
    ConstraintKind(
        "DISTANCE",
        "Distance",
        "Keep the distance of the bone from another bone or object",
        "CON_DISTLIMIT",
        (11, "active"),
        _distance,
        {"distance": FloatProperty(name="Distance", description="Distance to hold", min=0.0, unit="LENGTH")},
        targets={"BONE": "Bone", "OBJECT": "Object"},
        ties=True,
        from_pose=_distance_from_pose,
    ),
    ConstraintKind(
        "JOINT_LIMIT",
        "Rotation Limit",
        "Limit the rotation of the bone from its rest pose",
        "CON_ROTLIMIT",
        (7, "active"),
        _joint_limit,
        {
            "angle": FloatProperty(
                name="Angle",
                description="Largest rotation from the rest pose",
                default=radians(90.0),
                min=0.0,
                subtype="ANGLE",
            )
        },
        holds_point=False,
        span=Span.ALWAYS,
        is_angle=True,
    ),
    ConstraintKind(
        "JOINT_RANGE",
        "Bend Range",
        "Limit the bend about one axis, as of elbows and knees",
        "DRIVER_ROTATIONAL_DIFFERENCE",
        (5, "active"),
        _joint_range,
        {
            "axis": EnumProperty(
                name="Axis",
                description="Axis of the bone that it bends about",
                items=(
                    ("X", "X", "Across the bone"),
                    ("Y", "Y", "Along the bone"),
                    ("Z", "Z", "Across the bone, at right angles to X"),
                ),
            ),
            "smallest": FloatProperty(
                name="Smallest", description="Smallest angle from the rest pose", min=-pi, max=pi, subtype="ANGLE"
            ),
            "largest": FloatProperty(
                name="Largest",
                description="Largest angle from the rest pose",
                default=radians(150.0),
                min=-pi,
                max=pi,
                subtype="ANGLE",
            ),
        },
        holds_point=False,
        span=Span.ALWAYS,
        is_angle=True,
        from_pose=_range_from_pose,
    ),
)
KINDS = {kind.identifier: kind for kind in TABLE}
ITEMS = tuple((kind.identifier, kind.label, kind.tooltip, kind.icon, number) for number, kind in enumerate(TABLE))
