"""Who plays what, and how it is played with what was chosen: alone, by other structure, or together with a partner."""

from dataclasses import dataclass, replace

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Body
from ...errors import MotionEditError
from ...motion import Motion, Skeleton
from ...numerics import Array, runs
from ..correspondence.mapping import JointMapping
from ..held_distance import HeldDistance
from ..options import RetargetOptions
from ..partners import Meeting, Partner, retarget_together
from ..paths import follow_paths
from ..report import Retargeted
from ..transfer import retarget
from .retarget_tool import RetargetMotion

# Share of the character's size by which a bone may be off its path and still counts as being on it.
_HELD = 1e-4


@dataclass(frozen=True, eq=False)
class Casting:
    """Whose motion goes to whom.

    Attributes:
        name: Of the source.
        motion: Of the source.
        body: The source's parts.
        skeleton: Who gets the motion.
        target_body: Its parts.
        mapping: Which joints correspond.
        contacts: Those that are marked in the source; None if they are to be found.
        target_pose: How the target stands where the source is at rest; see `RetargetOptions`.
        carried: Seconds from when until when something is carried, if that is not throughout.
    """

    name: str
    motion: Motion
    body: Body
    skeleton: Skeleton
    target_body: Body
    mapping: JointMapping
    contacts: ContactSpans | None = None
    target_pose: Motion | None = None
    carried: tuple[float, float] = (0.0, 0.0)

    def as_partner(self, tool: RetargetMotion) -> Partner:
        """With what was chosen, as it is retargeted."""
        contacts = self.contacts if tool.keep_contacts else ContactSpans()
        size = np.linspace(tool.size, tool.size_end if tool.changes_size else tool.size, len(self.motion))
        options = RetargetOptions(
            scale_root=tool.way != "KEPT",
            way_scale=tool.way_scale if tool.way == "CHOSEN" else None,
            target_pose=self.target_pose,
            size=size,
            lowering=tool.lowering,
            fade=tool.fade,
        )
        bodies = self.body, self.target_body
        return Partner(self.motion, self.skeleton, self.mapping, *bodies, contacts=contacts, options=options)


def played(casting: Casting, tool: RetargetMotion) -> Retargeted:
    """Retarget one character."""
    asked = casting.as_partner(tool)
    if tool.structure == "OTHER":
        return _by_paths(asked, scale_with_legs=tool.way == "LEGS")
    return retarget(
        asked.motion,
        asked.target_skeleton,
        asked.mapping,
        source_body=asked.source_body,
        target_body=asked.target_body,
        contacts=asked.contacts,
        held=_held(casting, tool),
        options=asked.options,
    )


def played_together(one: Casting, other: Casting, tool: RetargetMotion) -> tuple[Retargeted, Retargeted]:
    """Retarget two characters, so that their hands meet where those of the sources do.

    Raises:
        MotionEditError: The hands never meet.
    """
    meetings = _meetings(one, other, tool.touch)
    if not meetings:
        raise MotionEditError(_why_no_meeting(one, other, tool.touch))
    first, second = retarget_together([each.as_partner(tool) for each in (one, other)], meetings)
    return first, second


def _by_paths(asked: Partner, *, scale_with_legs: bool) -> Retargeted:
    # The source was given the target's proportions already.
    options = replace(asked.options, way_scale=1.0) if scale_with_legs else asked.options
    followed = follow_paths(
        asked.motion,
        asked.target_skeleton,
        asked.mapping,
        source_body=asked.source_body,
        target_body=asked.target_body,
        contacts=asked.contacts,
        options=options,
    )
    size = float(np.ptp(asked.target_skeleton.rest_positions, axis=0).max())
    report = replace(
        followed.adapted.report,
        unmatched_source=asked.mapping.unmatched_source,
        unmatched_target=asked.mapping.unmatched_target,
        contacts=ContactSpans(),  # Those of the source's own structure are no joints of the target.
        off_paths={bone: away for bone, away in followed.errors.items() if away > _HELD * size},
    )
    return Retargeted(followed.motion, report)


def _held(casting: Casting, tool: RetargetMotion) -> list[HeldDistance]:
    """What the source carries."""
    if tool.carry == "NONE":
        return []
    names = _both_hands(casting) if tool.carry == "HANDS" else (tool.carry_first, tool.carry_second)
    missing = [name for name in names if name not in casting.motion.skeleton.index or not name]
    if missing:
        raise MotionEditError(f"The source has no bone '{missing[0]}' to carry with: choose two bones of it")
    if names[0] == names[1]:
        raise MotionEditError(f"Nothing can be carried between '{names[0]}' and itself: choose two bones of the source")
    first, last = casting.motion.times[[0, -1]]
    start, end = (first, last) if tool.carry_throughout else casting.carried
    if not (start <= end and start <= last and end >= first):
        raise MotionEditError(
            f"Nothing is carried from frame {tool.carry_start} until {tool.carry_end}:"
            " choose frames of the source's motion, or Throughout"
        )
    return [HeldDistance(*names, float(start), float(end), scale=tool.carry_scale)]


def _both_hands(casting: Casting) -> tuple[str, str]:
    hands, names = casting.body.hands, casting.motion.skeleton.names
    if len(hands) != 2:
        raise MotionEditError(
            f"'{casting.name}' has {len(hands)} known hands, not two: set them in the panel Character,"
            " or choose Between Bones"
        )
    return names[hands[0]], names[hands[1]]


def _meetings(one: Casting, other: Casting, touch: float) -> list[Meeting]:
    """When hands of the two are near each other."""
    found = []
    for (mine, theirs), apart in _distances(one, other).items():
        names = one.motion.skeleton.names[mine], other.motion.skeleton.names[theirs]
        for run in runs(apart < touch):
            start, end = map(float, one.motion.times[run][[0, -1]])
            found.append(Meeting(*names, start, end))
    return found


def _distances(one: Casting, other: Casting) -> dict[tuple[int, int], Array]:
    """By hands of the two, (F,) how far they are apart, in body heights."""
    height = float(one.body.height or other.body.height or 1.0)
    places = one.motion.poses.positions, other.motion.poses.positions
    return {
        (mine, theirs): np.linalg.norm(places[0][:, mine] - places[1][:, theirs], axis=1) / height
        for mine in one.body.hands
        for theirs in other.body.hands
    }


def _why_no_meeting(one: Casting, other: Casting, touch: float) -> str:
    distances = _distances(one, other)
    if not distances:
        return "The sources have no hands that could meet: set them in the panel Character, or retarget one by one"
    nearest = min(float(apart.min()) for apart in distances.values())
    return (
        f"No hands of the two sources come nearer than {touch:g} body heights, the nearest are {nearest:.2f} apart:"
        " raise Touch, or retarget them one by one"
    )
