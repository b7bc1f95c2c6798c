"""Limbs that hold contacts turn calmly: they do not flip their side, nor dash into a contact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, CONTACTS, HEIGHT, UP, WALK, largest_miss, with_root_moved, with_root_turned

from core.analysis.contacts import ContactSpans, detect_contacts
from core.body import Axis, Body, Limb, LimbKind, Side
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.solve.contact_lock import ground_under, hold_contacts

# Degrees a second by which holding contacts may make a joint turn faster than it did.
CALM = 700.0


def added_turning(before: Motion, after: Motion, held: Motion) -> float:
    """Degrees a second that some joint turns faster than in the motion and in the edit."""
    steps = [quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) for motion in (before, after, held)]
    return float(np.degrees((steps[2] - np.maximum(steps[0], steps[1])).max() * before.rate))


def swaying_fore_leg() -> tuple[Motion, Body]:
    """A leg bent at the elbow, whose knee sways from one side of straight to the other."""
    skeleton = Skeleton.build(
        ["root", "shoulder", "elbow", "knee", "hoof"],
        [-1, 0, 1, 2, 3],
        [[0, 0, 2.1], [0, 0, 2.0], [0, 0.25, 1.5], [0, 0.0, 0.8], [0, 0.0, 0.0]],
    )
    vectors = np.zeros((60, 5, 3))
    vectors[:, 3, 0] = 0.5 * np.sin(np.arange(60) / 6.0)
    motion = Motion.build(skeleton, quaternion.exp(vectors), rate=30.0)
    limb = Limb(LimbKind.FORE_LEG, Side.LEFT, (1, 2, 3, 4), 4)
    return motion, Body(skeleton, root=0, limbs=(limb,), up=Axis.PLUS_Z, height=2.1)


def test_a_long_limb_bends_at_the_joint_that_keeps_its_side():
    before, body = swaying_fore_leg()
    after = with_root_moved(before, body, [0.0, 0.0, -0.25], middle=1.0, width=20.0)
    stands = ContactSpans({"hoof": ((0.0, 2.0),)})
    held, report = hold_contacts(before, after, body, stands, giving=0.0)
    assert report.missed == ()
    assert largest_miss(before, held, stands) < 1e-9
    assert added_turning(before, after, held) < 200.0
    np.testing.assert_array_equal(held.rotations[:, 3], after.rotations[:, 3])


def test_a_longer_fade_dashes_less():
    after = with_root_moved(WALK, BODY, -0.12 * HEIGHT * UP, middle=4.6)
    short, long = (
        added_turning(WALK, after, hold_contacts(WALK, after, BODY, CONTACTS, fade=fade, giving=0.0)[0])
        for fade in (0.05, 0.15)
    )
    assert long < 0.8 * short


@pytest.mark.clips
def test_real_clips_are_not_made_to_dash(clips_folder: Path) -> None:
    for clip in annotated_clips(clips_folder):
        if clip.name.startswith("quad"):
            continue  # Legs of horses sway from side to side at their joints: stretched, they flip.
        before, body = clip.motion, clip.body
        contacts, up, way = detect_contacts(before, body), body.up.vector, 0.06 * float(body.height)
        # On the spot feet hurry from one contact to the next by themselves.
        most = 1.1 * CALM if ground_under(before, contacts, body).any() else CALM
        for place in (0.25, 0.75):
            middle = before.times[int(place * len(before))]
            moved = (with_root_moved(before, body, way * to, middle=middle) for to in (up, -up))
            turned = with_root_turned(before, body, 0.3 * np.roll(up, 1), middle=middle)
            for after in (*moved, turned):
                held, report = hold_contacts(before, after, body, contacts)
                assert report.missed == (), clip.name
                assert added_turning(before, after, held) < most, clip.name
