"""Two characters that are edited together: hands that shake stay together, both actions change in one step."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon import scope
from rigs import all_keys

FRAME, SPAN = 20, (15, 25)
LEFT, RIGHT = "Left", "Right"


def arm(name: str, x: float, *, frames: int = 40, swing: float = 0.3, slot_of: bpy.types.Action | None = None):
    """Three bones, one unit each, that swing towards the middle; keyed on every frame."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for number, bone_name in enumerate(("upper", "lower", "hand")):
        bone = data.edit_bones.new(bone_name)
        bone.head, bone.tail = (0.0, 0.1 * number, number), (0.0, 0.1 * (number + 1), number + 1)
        bone.parent = parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.location = (x, 0.0, 0.0)
    for frame in range(1, frames + 1):
        for bone in armature.pose.bones:
            bone.rotation_mode = "QUATERNION"
            turn = swing * np.sin(0.1 * frame + x)
            bone.rotation_quaternion = (np.cos(turn), 0.3 * np.sin(turn), 0.0, np.sin(turn) * 0.95)
            for path in ("location", "rotation_quaternion"):
                bone.keyframe_insert(path, frame=frame)
    return armature


def pose_both(*armatures):
    """All in pose mode, the first one active."""
    bpy.ops.object.mode_set(mode="OBJECT")
    for armature in armatures:
        armature.select_set(True)
    bpy.context.view_layer.objects.active = armatures[0]
    bpy.ops.object.mode_set(mode="POSE")


@pytest.fixture
def pair():
    """Two arms in pose mode, the left one active."""
    found = arm(LEFT, 0.0), arm(RIGHT, 1.5)
    pose_both(*found)
    return found


def path(armature, bone="hand"):
    clip = scope.read_clip(bpy.context, armature)
    return clip.motion.poses.positions[:, clip.motion.skeleton.index[bone]]


def between(pair, rows=slice(SPAN[0] - 1, SPAN[1])):
    return np.linalg.norm(path(pair[0])[rows] - path(pair[1])[rows], axis=1)


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


def shake(kind="POSITION", target=RIGHT, **options):
    """The left hand meets the right one."""
    span = {"start": SPAN[0], "end": SPAN[1]}
    options = {"target_object": target, "target_bone": "hand", **span, **options}
    assert bpy.ops.motion_editing.add_constraint(kind=kind, bone="hand", **options) == {"FINISHED"}
    return listed(bpy.context.object)[-1]


def keys(*armatures):
    return [all_keys(armature.animation_data.action) for armature in armatures]


def solve(**options):
    return bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", **{"spacing": 3, **options})


# Solving


def test_hands_meet_and_both_change(pair):
    before = [path(each) for each in pair]
    assert between(pair).max() > 0.3
    item = shake()
    assert solve() == {"FINISHED"}
    assert between(pair).max() < 3e-4 or item.missed == pytest.approx(between(pair).max(), rel=0.6)
    for each, old in zip(pair, before, strict=True):
        assert np.linalg.norm(path(each) - old, axis=1)[FRAME - 1] > 0.05


def test_hands_are_a_distance_apart_and_both_change(pair):
    before = [path(each) for each in pair]
    item = shake("DISTANCE")
    item.distance = 0.4
    solve()
    np.testing.assert_allclose(between(pair), 0.4, atol=2e-3)
    assert item.missed == pytest.approx(np.abs(between(pair) - 0.4).max(), abs=3e-4)
    for each, old in zip(pair, before, strict=True):
        assert np.abs(path(each) - old).max() > 0.05


@pytest.mark.parametrize("distance", [0.0, 0.05])
def test_short_distances_are_met(pair, distance):
    shake("DISTANCE").distance = distance
    solve()
    np.testing.assert_allclose(between(pair), distance, atol=2e-3)


def test_hands_near_each_other_stay_so_while_one_is_dragged_far(pair):
    """Much further than they are apart, in a few moves of the mouse."""
    from motion_editing.motion_editing_addon.constraints.solving import Constrained, Pull, SolveOptions
    from motion_editing.motion_editing_addon.constraints.together import members_of

    shake("DISTANCE").distance = 0.05
    solve()
    constrained = Constrained(
        members_of([scope.read_clip(bpy.context, each) for each in pair]), SolveOptions(spacing=3)
    )
    pull = Pull(constrained, constrained.handle("hand", FRAME, (0.0, 0.0, 0.0)), slice(10, 30))
    for share in (0.3, 0.6, 1.0, 1.0, 1.0):
        motions = pull.to(share * np.array([-0.5, 0.4, -0.6]))
    hands = [motion.poses.positions[FRAME - 11, motion.skeleton.index["hand"]] for motion in motions]
    assert np.linalg.norm(hands[0] - hands[1]) == pytest.approx(0.05, abs=5e-3)


def test_one_that_is_not_in_pose_mode_is_a_target_that_stays(pair):
    pose_both(pair[0])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.select_all(action="DESELECT")
    before = keys(pair[1])
    shake()
    solve()
    assert keys(pair[1]) == before
    assert between(pair)[[0, -1]].max() < 1e-3


def test_what_the_partner_has_to_hold_is_held_too(pair):
    """The partner's own list counts: its hand is where it has to be at one frame, and the other one comes there."""
    shake()
    pose_both(pair[1], pair[0])
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand", start=FRAME, end=FRAME)
    aim = path(pair[1])[FRAME - 1] + (0.1, 0.1, -0.2)
    listed(pair[1])[0].point = aim
    solve()
    for each in pair:
        np.testing.assert_allclose(path(each)[FRAME - 1], aim, atol=2e-3)


def test_a_tie_in_the_list_of_the_one_that_is_not_active_counts(pair):
    shake()
    pose_both(pair[1], pair[0])
    solve()
    assert between(pair).max() < 2e-3


def test_hands_that_are_together_already_change_no_key(pair):
    shake()
    solve()
    listed(pair[0])[0].kind = "DISTANCE"
    listed(pair[0])[0].distance, listed(pair[0])[0].start = float(between(pair)[5]), FRAME
    listed(pair[0])[0].end = FRAME
    before = keys(*pair)
    solve()
    assert keys(*pair) == before


def test_one_undo_takes_both_back(pair):
    shake()
    bpy.ops.ed.undo_push(message="before")
    before = keys(*pair)
    solve()
    bpy.ops.ed.undo_push(message="solved")
    assert all(now != then for now, then in zip(keys(*pair), before, strict=True))
    bpy.ops.ed.undo()
    assert keys(*(bpy.data.objects[name] for name in (LEFT, RIGHT))) == before


def test_a_locked_partner_leaves_both_as_they_were(pair):
    shake()
    bag = pair[1].animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        curve.lock = True
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="locked"):
        solve()
    assert keys(*pair) == before


def test_a_linked_partner_is_a_target_that_stays(pair, tmp_path):
    file = str(tmp_path / "partner.blend")
    bpy.data.libraries.write(file, {pair[1].animation_data.action})
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.actions = [pair[1].animation_data.action.name]
    linked = next(action for action in bpy.data.actions if action.library is not None)
    data = pair[1].animation_data
    data.action = linked
    data.action_slot = linked.slots[0]
    shake()
    before = keys(*pair)
    solve()
    after = keys(*pair)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_the_partner_may_have_fewer_frames(pair):
    """After its last key the partner stands still; only the own frames of each get keys."""
    short = arm("Short", 1.5, frames=22)
    pose_both(pair[0], short)
    shake(target="Short")
    ends = short.animation_data.action.frame_range[:]
    solve()
    assert short.animation_data.action.frame_range[:] == ends
    assert between((pair[0], short), slice(SPAN[0] - 1, 21)).max() < 0.02


def test_frames_that_do_not_meet_are_refused(pair):
    bag = pair[1].animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        for key in curve.keyframe_points:
            key.co.x *= 0.8
        curve.update()
    shake()
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="on other frames than"):
        solve()
    assert keys(*pair) == before


def test_frames_outside_the_range_stay_on_both(pair):
    shake()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 10, 30
    before = [path(each) for each in pair]
    solve(range="PREVIEW")
    for each, old in zip(pair, before, strict=True):
        now = path(each)
        np.testing.assert_array_equal(now[:10], old[:10])
        np.testing.assert_array_equal(now[29:], old[29:])
        assert np.abs(now - old).max() > 0.05


def test_two_slots_of_one_action_are_two_characters(pair):
    """Both lists are on the one action; each item is about its own slot."""
    action = pair[0].animation_data.action
    other = arm("Third", 1.5)
    data = other.animation_data
    old = data.action
    data.action = action
    data.action_slot = action.slots.new(id_type="OBJECT", name="Third")
    for frame in range(1, 41):
        bpy.context.scene.frame_set(1)
        for bone in other.pose.bones:
            bone.rotation_quaternion = (np.cos(0.01 * frame), 0.0, 0.0, np.sin(0.01 * frame))
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.data.actions.remove(old)
    pose_both(pair[0], other)
    shake(target="Third")
    before = [path(each) for each in (pair[0], other)]
    solve()
    assert between((pair[0], other)).max() < 5e-3
    for each, then in zip((pair[0], other), before, strict=True):
        assert np.abs(path(each) - then).max() > 0.02


# Dragging


def drag(move, **options):
    options = {"frame": FRAME, "keying": "EVERY_FRAME", "spacing": 3, **options}
    return bpy.ops.motion_editing.drag_joint(bone="hand", move=move, **options)


def test_shaking_hands_stay_together_when_one_is_dragged(pair):
    shake()
    solve()
    before = [path(each) for each in pair]
    assert drag((0.1, 0.15, -0.1)) == {"FINISHED"}
    np.testing.assert_allclose(path(pair[0])[FRAME - 1] - before[0][FRAME - 1], (0.1, 0.15, -0.1), atol=2e-3)
    assert between(pair).max() < 3e-3
    assert np.linalg.norm(path(pair[1]) - before[1], axis=1)[FRAME - 1] > 0.1


def test_what_is_shown_of_both_is_what_is_written(pair):
    """While the mouse moves both rigs follow and no key changes; after Esc all is as it was."""
    from motion_editing.motion_editing_addon.constraints.drag_picture import DragPicture
    from motion_editing.motion_editing_addon.constraints.solving import Constrained, SolveOptions
    from motion_editing.motion_editing_addon.constraints.together import members_of

    shake()
    solve()
    bpy.context.scene.frame_set(FRAME)
    clips = [scope.read_clip(bpy.context, each) for each in pair]
    constrained = Constrained(members_of(clips), SolveOptions(spacing=3))
    picture = DragPicture(constrained, constrained.handle("hand", FRAME, (0.0, 0.0, 0.0)))
    before, poses = keys(*pair), [shown_hand(each) for each in pair]
    for share in np.linspace(0.0, 1.0, 9):
        picture.show(bpy.context, (0.1 * share, 0.15 * share, -0.1 * share))
    shown = [shown_hand(each) for each in pair]
    assert keys(*pair) == before
    assert np.linalg.norm(shown[0] - shown[1]) < 0.02
    picture.restore()
    np.testing.assert_array_equal([shown_hand(each) for each in pair], poses)
    drag((0.1, 0.15, -0.1))
    for each, place in zip(pair, shown, strict=True):
        np.testing.assert_allclose(path(each)[FRAME - 1], place, atol=0.02)


def shown_hand(armature):
    bpy.context.view_layer.update()
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(posed.matrix_world @ posed.pose.bones["hand"].head)


def test_a_drag_that_is_refused_changes_neither(pair):
    shake()
    bpy.ops.motion_editing.add_constraint(kind="KEEP", bone="hand", start=10, end=30)
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="held here by 'Keep hand'"):
        drag((0.1, 0.0, 0.0))
    assert keys(*pair) == before


def test_a_drag_leaves_others_in_pose_mode_alone(pair):
    before = keys(pair[1])
    assert drag((0.0, 0.1, 0.0)) == {"FINISHED"}
    assert keys(pair[1]) == before


@pytest.mark.clips
def test_a_captured_handshake_stays_one_when_a_hand_is_dragged(clips_folder):
    """The two captured hands stay as far apart as they are, and both people move."""
    people = []
    for name in ("cmu_18_01_handshake_A", "cmu_19_01_handshake_B"):
        bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / f"{name}.bvh"))
        people.append(bpy.context.object)
    pose_both(*people)
    clips = [scope.read_clip(bpy.context, each) for each in people]
    hands = [clip.motion.poses.positions[:, clip.motion.skeleton.index["RightHand"]] for clip in clips]
    count = min(map(len, hands))
    apart = np.linalg.norm(hands[0][:count] - hands[1][:count], axis=1)
    row = int(apart.argmin())
    frame, height = float(clips[0].frames[row]), np.ptp(clips[0].motion.poses.positions[row, 1:], axis=0).max()
    rows = slice(row - 12, row + 13)
    options = {"start": frame - 12, "end": frame + 12, "target_object": people[1].name, "target_bone": "RightHand"}
    bpy.context.scene.frame_set(int(frame))
    bpy.ops.motion_editing.add_constraint(kind="DISTANCE", bone="RightHand", **options)
    item = listed(people[0])[-1]
    away = hands[0][row] - hands[1][row]
    move = 0.08 * height * away / np.linalg.norm(away)
    drag = {"bone": "RightHand", "frame": frame, "move": move, "spacing": 3, "keying": "EVERY_FRAME"}
    assert bpy.ops.motion_editing.drag_joint(**drag) == {"FINISHED"}
    after = [path(each, "RightHand") for each in people]
    np.testing.assert_allclose(after[0][row] - hands[0][row], move, atol=1e-3 * height)
    assert np.linalg.norm(after[1][row] - hands[1][row]) > 0.02 * height
    held = np.abs(np.linalg.norm(after[0][rows] - after[1][rows], axis=1) - item.distance).max()
    # Either held or told.
    assert held < 1e-4 * height or item.missed == pytest.approx(held, rel=0.05)
    assert held < 0.01 * height
