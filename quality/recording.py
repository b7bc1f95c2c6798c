"""A figure as Blender shows it, frame by frame, and what is measured on it. No Blender is needed here."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .figures import Figure


@dataclass(frozen=True)
class Recording:
    """What was seen of a figure.

    Attributes:
        figure: Its bones and parts.
        frames: (F,) scene frames, one after the other.
        rate: Frames per second.
        matrices: (F, J, 4, 4) of every bone in the world.
        tips: (F, J, 3) ends of the bones in the world.
        height: The figure's height in units of the scene.
        clock: (F,) the time of the motion before the edit that is shown at every frame, in frames.
        soles: (F, legs) height of the lowest point of every foot's skin; no column where there is no skin.
    """

    figure: Figure
    frames: np.ndarray
    rate: float
    matrices: np.ndarray
    tips: np.ndarray
    height: float
    clock: np.ndarray
    soles: np.ndarray

    @property
    def places(self) -> np.ndarray:
        """(F, J, 3) heads of the bones in the world."""
        return self.matrices[..., :3, 3]

    @property
    def turns(self) -> np.ndarray:
        """(F, J, 3, 3) rotations of the bones against their parents in the figure."""
        own = orthonormal(self.matrices[..., :3, :3])
        parents = np.array(self.figure.parents)
        against = np.where((parents >= 0)[:, None, None], own[:, parents], np.eye(3))
        return against.swapaxes(-1, -2) @ own

    def of(self, bone: str) -> np.ndarray:
        """(F, 3) way of one bone's head."""
        return self.places[:, self.figure.index(bone)]

    def tip_of(self, bone: str) -> np.ndarray:
        """(F, 3) way of one bone's end."""
        return self.tips[:, self.figure.index(bone)]

    def millimetres(self, length: np.ndarray | float) -> np.ndarray | float:
        """A length as it were if the figure was 1.75 m tall."""
        return length / self.height * 1750.0

    def at_clock(self, times: np.ndarray) -> np.ndarray:
        """(F',) index of the frame that shows each of these times, the nearest one."""
        return np.abs(self.clock[None, :] - np.asarray(times)[:, None]).argmin(axis=1)


def by_roles(recording: Recording, *, height: float | None = None) -> Recording:
    """The joints that every person has, under names that are the same for all, at another size if one is given.

    So two figures with other bones can be compared: rotations by their steps, places as shares of the height.
    """
    figure = recording.figure
    limbs = [*zip(("leg", "leg"), figure.legs, strict=True), *zip(("arm", "arm"), figure.arms, strict=True)]
    names, bones, parents = ["pelvis", "head"], [figure.pelvis, figure.head], [-1, 0]
    renamed: dict[str, list[tuple[str, ...]]] = {"leg": [], "arm": []}
    for kind, limb in limbs:
        count = 3 if kind == "arm" else 4
        own = tuple(f"{kind} {len(renamed[kind]) + 1} {part + 1}" for part in range(min(len(limb), count)))
        for part, bone in enumerate(limb[:count]):
            parents.append(len(names) - 1 if part else 0)
            names.append(own[part])
            bones.append(bone)
        renamed[kind].append(own)
    chosen = [figure.index(bone) for bone in bones]
    factor = 1.0 if height is None else height / recording.height
    matrices = recording.matrices[:, chosen].copy()
    matrices[..., :3, 3] *= factor
    same = Figure(tuple(names), tuple(parents), "pelvis", "head", tuple(renamed["leg"]), tuple(renamed["arm"]))
    return replace(
        recording,
        figure=same,
        matrices=matrices,
        tips=recording.tips[:, chosen] * factor,
        height=recording.height * factor,
        soles=recording.soles * factor,
    )


def orthonormal(matrices: np.ndarray) -> np.ndarray:
    """Rotations without the scale: the columns made perpendicular, one after the other."""
    first = _unit(matrices[..., 0])
    second = _unit(matrices[..., 1] - first * (first * matrices[..., 1]).sum(-1, keepdims=True))
    return np.stack([first, second, np.cross(first, second)], axis=-1)


def angles_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Degrees from one rotation matrix to the other, by the chord between both: exact for small angles too."""
    chord = np.linalg.norm(first - second, axis=(-2, -1)) / np.sqrt(8.0)
    return np.degrees(2.0 * np.arcsin(np.clip(chord, 0.0, 1.0)))


def bend(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Degrees between two limb parts, 180 when the limb is straight."""
    cosine = (_unit(upper) * _unit(lower)).sum(-1)
    return 180.0 - np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 1e-12, lengths, 1.0)
