"""What a drag shows at every move of the mouse: the rigs, trails and ghosts."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ...interface.drawing import viewport
from ...interface.drawing.theme import faded, palette
from ...interface.drawing.trails import Ghost, Trail
from ...interface.operators.pose_preview import PosePreview
from ...interface.operators.preview_trails import frames_around
from ..figure_clip import FigureClip
from ..solve.seen import as_keyed, keyed
from .pull import Pull

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.solve.spacetime import Position
    from ..solve.spacetime_solve import Constrained

_NAME = "dragged joint"
_BEFORE_ALPHA, _GHOST_ALPHA = 0.7, 0.25
# Seconds from one ghost to the next, on both sides of the frame.
_GHOST_EVERY, _GHOSTS = 0.25, 2
# Seconds beside a contact up to which holding it changes a limb.
_LONGEST_FADE = 0.35


class DragPicture:
    """The characters while a joint of the first one is dragged. End it with `restore`."""

    def __init__(self, constrained: Constrained, handle: Position) -> None:
        """Prepare; nothing is shown yet.

        Args:
            constrained: The characters and what they have to hold.
            handle: What is dragged.

        Raises:
            MotionEditError: A character has no limbs or feet whose contacts could be held.
        """
        self._handle = handle
        self._times = [float(motion.times[handle.at[0]]) for motion in constrained.motions]
        # Beside what is drawn: how contacts are held there depends on a little more than that.
        closes = constrained.tool.keep_contacts or any(constrained.standing)
        shown = _rows_around(constrained.motions[0], self._times[0], _LONGEST_FADE if closes else 0.0)
        self._pull = Pull(constrained, handle, shown)
        self._way_before = _near(self._pull.before[0], self._times[0]).poses.positions[:, handle.joint]
        self._clips = [member.clip for member in constrained.members]
        self._previews = [PosePreview(keyed(clip)) for clip in self._clips]

    def show(self, context: Context, move: tuple[float, float, float]) -> None:
        """Pose the rigs and draw trails and ghosts for a move."""
        self._draw(context, self._pull.to(move))

    def settle(self, context: Context, *, until: float) -> None:
        """Come nearer to what letting go gives, up to a moment of `time.monotonic`; show it once it is found."""
        while not self._pull.is_settled and monotonic() < until:
            motions = self._pull.settle()
            if motions is not None:
                self._draw(context, motions)

    def _draw(self, context: Context, motions: list[Motion]) -> None:
        for preview, clip, motion, time in zip(self._previews, self._clips, motions, self._times, strict=True):
            # Controls are found frame by frame, so only for the one that is seen.
            preview.show(as_keyed(clip, motion.at(time) if isinstance(clip, FigureClip) else motion))
        parts = [_near(motion, time) for motion, time in zip(motions, self._times, strict=True)]
        ghosts = [
            ghost for part, time in zip(parts, self._times, strict=True) for ghost in _ghosts(context, part, time)
        ]
        viewport.show(_NAME, trails=self._trails(context, parts[0]), ghosts=ghosts)

    def restore(self) -> None:
        """Bring back the poses and show nothing."""
        viewport.hide(_NAME)
        for preview in self._previews:
            preview.restore()

    def _trails(self, context: Context, part: Motion) -> list[Trail]:
        colours = palette(context)
        now = int(np.abs(part.times - self._times[0]).argmin())
        return [
            Trail(self._way_before, faded(colours.text_strong, _BEFORE_ALPHA), 1.5),
            Trail(part.poses.positions[:, self._handle.joint], colours.key_selected, 2.0, ticks=(now,)),
        ]


def _near(motion: Motion, time: float) -> Motion:
    """The frames that trails and ghosts show; at least one."""
    near = frames_around(motion, time)
    start = min(near.start, len(motion) - 1)
    return motion.part(start, max(near.stop, start + 1))


def _rows_around(motion: Motion, time: float, beside: float) -> slice:
    """The frames that are shown, and some more seconds on both sides."""
    near = frames_around(motion, time)
    more = round(beside * motion.rate)
    return slice(max(near.start - more, 0), min(near.stop + more, len(motion)))


def _ghosts(context: Context, part: Motion, time: float) -> list[Ghost]:
    """The figure a little before and after a time."""
    colour, parents = faded(palette(context).text, _GHOST_ALPHA), part.skeleton.parents.copy()
    if part.skeleton.has_placement:
        parents[parents == 0] = -1
    steps = [step for step in range(-_GHOSTS, _GHOSTS + 1) if step]
    rows = {int(np.abs(part.times - time - _GHOST_EVERY * step).argmin()) for step in steps}
    return [Ghost(part.poses.positions[row], parents, colour, 1.5) for row in sorted(rows)]
