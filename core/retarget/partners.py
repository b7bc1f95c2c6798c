"""Characters that touch each other, adapted together (motion editing chapter, 1.7.2.4).

Each is retargeted on its own, on one common scale of the ground. Then all of them change together,
as little and as smoothly as can be, until their hands meet again; feet are held, and what is left is
closed by the arms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..analysis.contacts import ContactSpans
from ..body import Body
from ..errors import TimeOrderError
from ..motion import Motion, Skeleton
from ..solve.spacetime import Distance, Spacetime, SplineBasis
from .correspondence.mapping import JointMapping
from .draft import Draft
from .held_distance import KeptDistance, closed, misses, target_limb
from .options import RetargetOptions
from .report import Retargeted

# Share of the first character's height by which a meeting may be missed without a word.
_KEPT = 1e-4
# Seconds of the quickest half wave of the common change, and constraints in each of them.
_SPACING, _IN_EACH = 0.25, 3


@dataclass(frozen=True, eq=False)
class Partner:
    """One of the characters; everything as for `retarget`."""

    motion: Motion
    target_skeleton: Skeleton
    mapping: JointMapping
    source_body: Body
    target_body: Body
    contacts: ContactSpans | None = None
    options: RetargetOptions = field(default_factory=RetargetOptions)


@dataclass(frozen=True)
class Meeting:
    """Joints of two characters that are together for a time.

    Attributes:
        first: Name of the source joint, end of a limb, of one character.
        second: Of the other one.
        start: Seconds.
        end: Seconds.
        characters: Places of the two among the partners.
        scale: Factor on their distance; 1 keeps it.
    """

    first: str
    second: str
    start: float
    end: float
    characters: tuple[int, int] = (0, 1)
    scale: float = 1.0


def retarget_together(partners: Sequence[Partner], meetings: Sequence[Meeting]) -> tuple[Retargeted, ...]:
    """Retarget characters that touch each other.

    Args:
        partners: Their motions in one scene, with the same times. Where no scale of the way is given,
            all share the mean of their legs' scales, so that nobody drifts away.
        meetings: Joints whose distance in the sources is kept.

    Returns:
        One result for each; the report of each lists the meetings that could not be kept.

    Raises:
        TimeOrderError: The motions are not sampled at the same times.
    """
    _check_times(partners)
    drafts = _drafts(partners)
    standing = [draft.settled(draft.carried)[0] for draft in drafts]
    kept = [_kept(drafts, standing, meeting) for meeting in meetings]
    changed = _together(standing, kept)
    settled = [draft.settled(motion) for draft, motion in zip(drafts, changed, strict=True)]
    final = closed([motion for motion, _ in settled], kept, fade=partners[0].options.fade if partners else 0.0)
    return tuple(
        draft.finished(motion, holding, misses(final, [each for each in kept if number in each.owners]))
        for number, (draft, motion, (_, holding)) in enumerate(zip(drafts, final, settled, strict=True))
    )


def _check_times(partners: Sequence[Partner]) -> None:
    for each in partners[1:]:
        if not np.array_equal(each.motion.times, partners[0].motion.times):
            raise TimeOrderError("Partners must be sampled at the same times; resample one of them first")


def _drafts(partners: Sequence[Partner]) -> list[Draft]:
    """Drafts of all on one scale of the ground."""
    alone = [_draft(each) for each in partners]
    if len({float(draft.ground.path_scale[0]) for draft in alone}) == 1:
        return alone
    common = float(np.exp(np.mean([np.log(draft.ground.scale[0]) for draft in alone])))
    return [_draft(each, common if each.options.path_scale is None else None) for each in partners]


def _draft(partner: Partner, way_scale: float | None = None) -> Draft:
    options = partner.options if way_scale is None else replace(partner.options, way_scale=way_scale)
    return Draft.build(
        partner.motion,
        partner.target_skeleton,
        partner.mapping,
        bodies=(partner.source_body, partner.target_body),
        contacts=partner.contacts,
        options=options,
    )


def _kept(drafts: Sequence[Draft], motions: Sequence[Motion], meeting: Meeting) -> KeptDistance:
    ends = [
        (drafts[who].source, motions[who], drafts[who].ground, name)
        for who, name in zip(meeting.characters, (meeting.first, meeting.second), strict=True)
    ]
    limbs = [target_limb(motion, source, ground, name) for source, motion, ground, name in ends]
    first, second = (source.poses.positions[:, source.skeleton.index[name]] for source, _, _, name in ends)
    times = motions[0].times
    return KeptDistance(
        meeting.characters,
        (limbs[0], limbs[1]),
        meeting.scale * np.linalg.norm(second - first, axis=1),
        np.asarray((times >= meeting.start - 1e-9) & (times <= meeting.end + 1e-9)),
        _KEPT * float(drafts[meeting.characters[0]].body.height or 1.0),
    )


def _together(motions: Sequence[Motion], kept: Sequence[KeptDistance]) -> Sequence[Motion]:
    """All motions changed as little and smoothly as can be until the distances are nearly kept."""
    constraints = [_constraint(each, motions[0].rate) for each in kept if each.active.any()]
    if not constraints:
        return motions
    frames = len(motions[0])
    spacing = min(max(2.0, _SPACING * motions[0].rate), max(frames - 1.0, 2.0))
    problem = Spacetime(motions, constraints, basis=SplineBasis.build(frames, spacing=spacing))
    return problem.solve().motions


def _constraint(kept: KeptDistance, rate: float) -> Distance:
    inside: NDArray[np.intp] = np.flatnonzero(kept.active)
    step = max(1, int(_SPACING * rate / _IN_EACH))
    chosen = np.unique(np.append(inside[::step], inside[-1]))
    return Distance(
        frames=chosen,
        joint=kept.limbs[0].end,
        other_joint=kept.limbs[1].end,
        distance=kept.wanted[chosen],
        character=kept.owners[0],
        other_character=kept.owners[1],
    )
