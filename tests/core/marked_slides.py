"""Foot slide over the contacts that people marked in the clips."""

from __future__ import annotations

import numpy as np
from annotated_clips import AnnotatedClip

from core.contact_lock.windows import runs
from core.motion import Motion
from core.quaternion import Array


def slides_of(clip: AnnotatedClip, motion: Motion) -> Array:
    """(N,) for every marked contact, the way that the slower of ankle and toe makes, added up from frame to frame.

    A foot rolls over heel and toes, so that one of the two rests while it is down.

    Args:
        clip: Its contacts count.
        motion: Of the clip's frames, with the clip's names of feet and toes.
    """
    slides = []
    for limb in clip.body.legs:
        names = [clip.motion.skeleton.names[joint] for joint in (limb.end, limb.digits[0][0])]
        places = motion.poses.positions[:, [motion.skeleton.index[name] for name in names]]
        for run in runs(clip.foot_contacts(limb.side.value)[: len(motion)]):
            steps = np.linalg.norm(np.diff(places[run], axis=0), axis=2)
            slides.append(float(steps.min(axis=1).sum()))
    return np.array(slides)
