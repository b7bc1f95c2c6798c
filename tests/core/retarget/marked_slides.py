"""Contacts that people marked in the clips, how far feet slide over them, and how calmly legs turn."""

from __future__ import annotations

import numpy as np
from annotated_clips import AnnotatedClip

from core.analysis.contacts import ContactSpans
from core.motion.motion import Motion
from core.numerics import quaternion, runs
from core.numerics.quaternion import Array
from core.solve.contact_lock.windows import contact_frames


def slides_of(clip: AnnotatedClip, motion: Motion, *, besides: ContactSpans | None = None) -> Array:
    """(N,) for every marked contact, the way that the slower of ankle and toe makes, added up from frame to frame.

    A foot rolls over heel and toes, so that one of the two rests while it is down.

    Args:
        clip: Its contacts count.
        motion: Of the clip's frames, with the clip's names of feet and toes.
        besides: Only what a foot does where neither ankle nor toe is in these contacts counts.
    """
    slides = []
    for limb in clip.body.legs:
        names = [clip.motion.skeleton.names[joint] for joint in (limb.end, limb.digits[0][0])]
        places = motion.poses.positions[:, [motion.skeleton.index[name] for name in names]]
        for run in runs(clip.foot_contacts(limb.side.value)[: len(motion)]):
            steps = np.linalg.norm(np.diff(places[run], axis=0), axis=2).min(axis=1)
            slides.append(float(steps[_uncovered(besides, names, motion.times[run])].sum()))
    return np.array(slides)


def marked_contacts(clip: AnnotatedClip, motion: Motion) -> ContactSpans:
    """The marked contacts in the frames of a motion, all of them on the ankles."""
    return ContactSpans(
        {
            motion.skeleton.names[limb.end]: tuple(
                (float(motion.times[run.start]), float(motion.times[run.stop - 1]))
                for run in runs(clip.foot_contacts(limb.side.value)[: len(motion)])
                if run.stop - run.start > 1
            )
            for limb in clip.body.legs
        }
    )


def added_turning(clip: AnnotatedClip, motion: Motion, result: Motion) -> float:
    """Degrees a second that a joint of the legs turns faster than in another motion of the clip's joints."""
    joints = [joint for limb in clip.body.legs for joint in limb.chain]
    steps = [
        quaternion.angle_between(each.rotations[1:, joints], each.rotations[:-1, joints]) for each in (motion, result)
    ]
    return float(np.degrees((steps[1] - steps[0]).max()) * motion.rate)


def _uncovered(contacts: ContactSpans | None, names: list[str], times: Array) -> Array:
    """(F - 1,) steps from or to a frame without contact; all without contacts."""
    if contacts is None:
        return np.ones(len(times) - 1, dtype=bool)
    free = ~np.any([contact_frames(contacts, name, times) for name in names], axis=0)
    return free[1:] | free[:-1]
