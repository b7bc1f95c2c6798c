"""The sample figure: 24 bones, 1.75 m tall, z up, facing -y, arms out to the sides at rest.

Every bone's own y axis runs along it, as in Blender. The x axis is the hinge of knees,
ankles and elbows; left and right bones mirror each other.
"""

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array, quaternion

HIPS_HEIGHT = 0.945
LEG_LENGTH = 0.83
ANKLE_HEIGHT = 0.085
BALL_HEIGHT = 0.025
# Along the foot, from the ankle: the ball lies in front, the heel behind.
BALL_AHEAD = 0.125
HEEL_BEHIND = 0.045
HIP_WIDTH = 0.09

_BACK, _FRONT, _DOWN = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)
# Name, parent, head, tip, direction of the z axis. Sided bones are given for the left.
_Bone = tuple[str, str, tuple[float, ...], tuple[float, ...], tuple[float, ...]]
_MIDDLE: tuple[_Bone, ...] = (
    ("hips", "", (0.0, 0.0, HIPS_HEIGHT), (0.0, 0.0, 1.05), _FRONT),
    ("spine", "hips", (0.0, 0.0, 1.05), (0.0, 0.01, 1.17), _FRONT),
    ("chest", "spine", (0.0, 0.01, 1.17), (0.0, 0.015, 1.30), _FRONT),
    ("upper_chest", "chest", (0.0, 0.015, 1.30), (0.0, 0.005, 1.45), _FRONT),
    ("neck", "upper_chest", (0.0, 0.005, 1.45), (0.0, -0.015, 1.53), _FRONT),
    ("head", "neck", (0.0, -0.015, 1.53), (0.0, -0.025, 1.75), _FRONT),
)
_ANKLE = (HIP_WIDTH, 0.0, ANKLE_HEIGHT)
_BALL = (HIP_WIDTH, -BALL_AHEAD, BALL_HEIGHT)
_LEFT: tuple[_Bone, ...] = (
    ("shoulder", "upper_chest", (0.025, 0.0, 1.42), (0.175, 0.01, 1.425), _BACK),
    ("upper_arm", "shoulder", (0.175, 0.01, 1.425), (0.46, 0.01, 1.425), _BACK),
    ("forearm", "upper_arm", (0.46, 0.01, 1.425), (0.715, 0.01, 1.425), _BACK),
    ("hand", "forearm", (0.715, 0.01, 1.425), (0.80, 0.01, 1.425), _BACK),
    ("fingers", "hand", (0.80, 0.01, 1.425), (0.885, 0.01, 1.42), _BACK),
    ("thigh", "hips", (HIP_WIDTH, 0.0, 0.915), (HIP_WIDTH, -0.004, 0.49), _BACK),
    ("shin", "thigh", (HIP_WIDTH, -0.004, 0.49), _ANKLE, _BACK),
    ("foot", "shin", _ANKLE, _BALL, _DOWN),
    ("toe", "foot", _BALL, (HIP_WIDTH, -0.195, 0.02), _DOWN),
)
# Share of the body's mass, half way along each bone, after common tables of body segments.
_MASSES = {
    "hips": 0.142,
    "spine": 0.10,
    "chest": 0.13,
    "upper_chest": 0.125,
    "neck": 0.015,
    "head": 0.066,
    "upper_arm": 0.028,
    "forearm": 0.016,
    "hand": 0.006,
    "thigh": 0.10,
    "shin": 0.0465,
    "foot": 0.0145,
}


def sample_skeleton() -> Skeleton:
    """The figure's bones at rest."""
    bones = [*_MIDDLE, *_sided("L", 1.0), *_sided("R", -1.0)]
    names = [bone[0] for bone in bones]
    heads, ends = (np.array([bone[place] for bone in bones], dtype=np.float64) for place in (2, 3))
    along = ends - heads
    rotations = _bone_axes(along, np.array([bone[4] for bone in bones], dtype=np.float64))
    return Skeleton.build(
        names,
        [names.index(bone[1]) if bone[1] else -1 for bone in bones],
        heads,
        rest_rotations=rotations,
        tips=np.linalg.norm(along, axis=1)[:, None] * [0.0, 1.0, 0.0],
        connected=[_connected(bone, bones) for bone in bones],
    )


def _sided(side: str, sign: float) -> list[_Bone]:
    own = {bone[0] for bone in _LEFT}
    return [
        (
            f"{name}.{side}",
            f"{parent}.{side}" if parent in own else parent,
            (sign * head[0], *head[1:]),
            (sign * tip[0], *tip[1:]),
            normal,
        )
        for name, parent, head, tip, normal in _LEFT
    ]


def _connected(bone: _Bone, bones: list[_Bone]) -> bool:
    return any(other[0] == bone[1] and other[3] == bone[2] for other in bones)


def _bone_axes(along: Array, normals: Array) -> Array:
    y = along / np.linalg.norm(along, axis=1, keepdims=True)
    x = np.cross(y, normals)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return quaternion.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def center_of_mass(motion: Motion) -> Array:
    """(F, 3) centre of mass of the sample figure, in scene space."""
    names = motion.skeleton.names
    masses = np.array([_MASSES.get(name.split(".")[0], 0.0) for name in names])
    middles = 0.5 * (motion.poses.positions + motion.poses.tips)
    centre: Array = np.einsum("fjc,j->fc", middles, masses / masses.sum())
    return centre
