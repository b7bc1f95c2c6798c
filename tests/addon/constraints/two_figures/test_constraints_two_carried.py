"""Two characters of which one or both are carried: hands meet in the scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from on_a_carrier import carrier, shown
from two_arms import FRAME, LEFT, RIGHT, SPAN, arm, keys, pose_both, shake, solve

# An arm is 3 units long.
HELD = 3e-4


def carried_pair(who, **options):
    """Two arms in pose mode, the left one active; those that are named are carried."""
    pair = arm(LEFT, 0.0), arm(RIGHT, 1.5, **options)
    if LEFT in who:
        pair[0].parent = carrier()
    if RIGHT in who:
        pair[1].delta_location, pair[1].delta_rotation_euler = (1.0, 0.5, 0.3), (0.2, 0.0, 0.4)
        pair[1].constraints.new("COPY_LOCATION").target = carrier(name="Leader")
        pair[1].constraints[0].use_offset = True
    pose_both(*pair)
    bpy.context.scene.frame_set(FRAME)
    return pair


def apart(pair, span=SPAN):
    """The largest distance of the hands in a span."""
    frames = range(span[0], span[1] + 1)
    return max(np.linalg.norm(shown(pair[0], "hand", each) - shown(pair[1], "hand", each)) for each in frames)


@pytest.mark.parametrize("who", [[LEFT], [RIGHT], [LEFT, RIGHT]])
def test_hands_meet_in_the_scene_and_stay_together_when_one_is_dragged(who):
    pair = carried_pair(who)
    before = keys(*pair)
    assert apart(pair) > 0.3
    item = shake()
    assert solve() == {"FINISHED"}
    assert apart(pair) < 10 * HELD
    assert item.missed == pytest.approx(apart(pair), abs=HELD)
    assert all(one != other for one, other in zip(keys(*pair), before, strict=True))
    place, move = shown(pair[0], "hand", FRAME), (0.1, 0.15, -0.1)
    bpy.ops.motion_editing.drag_joint(bone="hand", move=move, frame=FRAME, keying="EVERY_FRAME", spacing=3)
    np.testing.assert_allclose(shown(pair[0], "hand", FRAME) - place, move, atol=HELD)
    assert apart(pair) < 10 * HELD


def test_one_that_has_no_keys_any_more_is_still_carried():
    """After its last key its bones stay, and what carries it goes on: what is missed then is told as it is seen."""
    pair = carried_pair([RIGHT], frames=12)
    before = apart(pair, (14, 18))
    item = shake(start=14, end=18)
    solve()
    assert apart(pair, (14, 18)) < 0.2 * before
    frames = range(14, 19)
    missed = max(np.abs(shown(pair[0], "hand", each) - shown(pair[1], "hand", each)).max() for each in frames)
    assert item.missed == pytest.approx(missed, abs=HELD)


def test_one_that_carries_the_other_is_solved_by_itself():
    pair = carried_pair([])
    pair[1].parent, pair[1].parent_type, pair[1].parent_bone = pair[0], "BONE", "upper"
    bpy.context.scene.frame_set(FRAME)
    shake()
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="'Right' is carried by one that changes too: solve for one at a time"):
        solve()
    assert keys(*pair) == before
