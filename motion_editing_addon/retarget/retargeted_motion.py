"""A motion on its target: alone, by other structure, or together with a partner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.errors import MotionEditError
from ...core.numerics import runs
from ...core.retarget import (
    HeldDistance,
    Meeting,
    Partner,
    Retargeted,
    RetargetOptions,
    follow_paths,
    retarget,
    retarget_together,
)
from ..document import scope

if TYPE_CHECKING:
    from ...core.retarget import JointMapping
    from .choices import RetargetChoices
    from .source import Source
    from .target import Target

# Share of the character's size by which a bone may be off its path and still counts as being on it.
_HELD = 1e-4


@dataclass(frozen=True, eq=False)
class Cast:
    """Who plays what.

    Attributes:
        source: Whose motion is taken.
        target: Who gets it.
        mapping: Which of their bones correspond.
        proposed: Nobody has seen the mapping yet.
    """

    source: Source
    target: Target
    mapping: JointMapping
    proposed: bool = False

    def contacts_of(self, made: Made) -> ContactSpans | None:
        """What of the target stands and when, to be listed with its action; None if that is to be found in it.

        Contacts that are marked in the source go along; those that were found there, if they were held.
        """
        marked, partner = self.source.contacts, self.mapping.target_of
        if self.target.has_controls:
            return None
        if marked is not None:
            return ContactSpans({partner[name]: marked.of(name) for name in marked.joints if name in partner})
        held = made.result.report.contacts
        return held if any(map(held.of, held.joints)) else None

    def as_partner(self, choices: RetargetChoices, options: RetargetOptions) -> Partner:
        """As core takes one of several."""
        source, target = self.source, self.target
        contacts = source.contacts if choices.keep_contacts else ContactSpans()
        options = replace(options, target_pose=target.standing_pose(choices.stands))
        return Partner(
            source.motion, target.skeleton, self.mapping, source.body, target.body, contacts=contacts, options=options
        )


@dataclass(frozen=True, eq=False)
class Made:
    """A result, and what of it is not reached that the report does not know: by bone, how far from its path."""

    result: Retargeted
    off_paths: dict[str, float]


def make(cast: Cast, choices: RetargetChoices) -> Made:
    """Retarget one character."""
    source, target = cast.source, cast.target
    bodies = {"source_body": source.body, "target_body": target.body}
    contacts = source.contacts if choices.keep_contacts else ContactSpans()
    options = replace(options_of(choices, len(source.motion)), target_pose=target.standing_pose(choices.stands))
    if choices.structure == "OTHER":
        if choices.way == "LEGS":
            # The source was given the target's proportions already.
            options = replace(options, way_scale=1.0)
        followed = follow_paths(
            source.motion, target.skeleton, cast.mapping, **bodies, contacts=contacts, options=options
        )
        report = replace(
            followed.adapted.report,
            unmatched_source=cast.mapping.unmatched_source,
            unmatched_target=cast.mapping.unmatched_target,
            contacts=ContactSpans(),  # Those of the source's own structure are no joints of the target.
        )
        size = float(np.ptp(target.skeleton.rest_positions, axis=0).max())
        off_paths = {bone: away for bone, away in followed.errors.items() if away > _HELD * size}
        return Made(Retargeted(followed.motion, report), off_paths)
    held = _held(source, choices)
    return Made(
        retarget(source.motion, target.skeleton, cast.mapping, **bodies, contacts=contacts, held=held, options=options),
        {},
    )


def make_together(casts: tuple[Cast, Cast], choices: RetargetChoices) -> tuple[Made, Made]:
    """Retarget two characters, so that their hands meet where those of the sources do.

    Raises:
        MotionEditError: Their motions have no frames in common, or the hands never meet.
    """
    one, other = _in_step(casts)
    meetings = _meetings(one.source, other.source, choices.touch)
    if not meetings:
        raise MotionEditError(_why_no_meeting(one.source, other.source, choices.touch))
    options = options_of(choices, len(one.source.motion))
    first, second = retarget_together([cast.as_partner(choices, options) for cast in (one, other)], meetings)
    return Made(first, {}), Made(second, {})


def options_of(choices: RetargetChoices, frames: int) -> RetargetOptions:
    """What was chosen, as core takes it."""
    return RetargetOptions(
        scale_root=choices.way != "KEPT",
        way_scale=choices.way_scale if choices.way == "CHOSEN" else None,
        size=np.linspace(choices.size, choices.size_end if choices.changes_size else choices.size, frames),
        lowering=choices.lowering,
        fade=choices.fade,
    )


def _held(source: Source, choices: RetargetChoices) -> list[HeldDistance]:
    """What the source carries."""
    if choices.carry == "NONE":
        return []
    armature, rate, times = source.clip.armature, source.motion.rate, source.motion.times
    names = _both_hands(source) if choices.carry == "HANDS" else (choices.carry_first, choices.carry_second)
    missing = [name for name in names if name not in source.motion.skeleton.index or not name]
    if missing:
        raise MotionEditError(f"The source has no bone '{missing[0]}' to carry with: choose two bones of it")
    if names[0] == names[1]:
        raise MotionEditError(f"Nothing can be carried between '{names[0]}' and itself: choose two bones of the source")
    start, end = times[0], times[-1]
    if not choices.carry_throughout:
        start, end = (scope.from_scene(armature, frame) / rate for frame in (choices.carry_start, choices.carry_end))
        _refuse_empty(choices, (times[0], times[-1]), (start, end))
    return [HeldDistance(*names, float(start), float(end), scale=choices.carry_scale)]


def _refuse_empty(choices: RetargetChoices, motion: tuple[float, float], held: tuple[float, float]) -> None:
    if not (held[0] <= held[1] and held[0] <= motion[1] and held[1] >= motion[0]):
        raise MotionEditError(
            f"Nothing is carried from frame {choices.carry_start} until {choices.carry_end}:"
            " choose frames of the source's motion, or Throughout"
        )


def _both_hands(source: Source) -> tuple[str, str]:
    hands = source.body.hands
    if len(hands) != 2:
        raise MotionEditError(
            f"'{source.clip.armature.name}' has {len(hands)} known hands, not two: set them in the panel Character,"
            " or choose Between Bones"
        )
    names = source.motion.skeleton.names
    return names[hands[0]], names[hands[1]]


def _in_step(casts: tuple[Cast, Cast]) -> tuple[Cast, Cast]:
    """Both cut to the frames that they share."""
    motions = [cast.source.motion for cast in casts]
    if motions[0].rate != motions[1].rate:
        raise MotionEditError(
            f"The sources run at {motions[0].rate:g} and {motions[1].rate:g} samples a second: give them one rate"
        )
    frames = [np.round(cast.source.clip.frames, 3) for cast in casts]
    shared = np.intersect1d(*frames)
    if not shared.size:
        raise MotionEditError("The motions of the two sources have no frames in common: move one of them in time")
    one, other = (_cut(cast, np.isin(own, shared)) for cast, own in zip(casts, frames, strict=True))
    return one, other


def _cut(cast: Cast, kept: np.ndarray) -> Cast:
    if kept.all():
        return cast
    first, last = np.flatnonzero(kept)[[0, -1]]
    source = cast.source
    clip = replace(source.clip, frames=source.clip.frames[first : last + 1])
    return replace(cast, source=replace(source, clip=clip, motion=source.motion.part(first, last + 1)))


def _meetings(one: Source, other: Source, touch: float) -> list[Meeting]:
    """When hands of the two are near each other."""
    found = []
    for (mine, theirs), apart in _distances(one, other).items():
        names = one.motion.skeleton.names[mine], other.motion.skeleton.names[theirs]
        found += [Meeting(*names, *map(float, one.motion.times[run][[0, -1]])) for run in runs(apart < touch)]
    return found


def _distances(one: Source, other: Source) -> dict[tuple[int, int], np.ndarray]:
    """By hands of the two, (F,) how far they are apart, in body heights."""
    height = float(one.body.height or other.body.height or 1.0)
    places = one.motion.poses.positions, other.motion.poses.positions
    return {
        (mine, theirs): np.linalg.norm(places[0][:, mine] - places[1][:, theirs], axis=1) / height
        for mine in one.body.hands
        for theirs in other.body.hands
    }


def _why_no_meeting(one: Source, other: Source, touch: float) -> str:
    distances = _distances(one, other)
    if not distances:
        return "The sources have no hands that could meet: set them in the panel Character, or retarget one by one"
    nearest = min(float(apart.min()) for apart in distances.values())
    return (
        f"No hands of the two sources come nearer than {touch:g} body heights, the nearest are {nearest:.2f} apart:"
        " raise Touch, or retarget them one by one"
    )
