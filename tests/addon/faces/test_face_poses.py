"""The face among staggered poses: rows of the strip that can be dragged, and poses found by what it does."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.staggered import session
from motion_editing.motion_editing_addon.staggered.lane.poses_on_strip import PosesOnStrip
from talking_mannequin import FRAMES, RATE, SHAPES, activate, all_keys, shape_action, shape_values, talking_mannequin

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def posed():
    armature, mesh = talking_mannequin()
    activate(mesh)
    OPERATORS.extract_poses(share=0.2)
    return armature, mesh


def lane():
    return PosesOnStrip().data(bpy.context)


def column(data, name):
    return data.joint_names.index(name)


def test_shape_keys_are_a_row_of_the_strip(posed):
    data = lane()
    row = next(number for number, each in enumerate(data.rows) if each.name == "Face")
    assert data.shape_names == SHAPES
    assert tuple(data.joint_names[joint] for joint in np.flatnonzero(data.joint_rows == row)) == SHAPES
    np.testing.assert_allclose(data.knot_frames[:, column(data, "smile")], data.pose_frames)


def test_a_shape_key_is_dragged_alone_and_stays_so(posed):
    armature, mesh = posed
    provider = PosesOnStrip()
    data = provider.data(bpy.context)
    smile, pose = column(data, "smile"), len(data.pose_frames) // 2
    frame, before = data.pose_frames[pose], all_keys(armature.animation_data.action)
    values = {name: shape_values(mesh, name, [frame]) for name in SHAPES}
    provider.drag_knot(bpy.context, pose, smile, frame + 3.0, final=False)
    assert provider.data(bpy.context).knot_frames[pose, smile] == pytest.approx(frame + 3.0)
    provider.drag_knot(bpy.context, pose, smile, frame + 3.0, final=True)
    assert shape_values(mesh, "smile", [frame + 3.0]) == pytest.approx(values["smile"], abs=1e-3)
    assert shape_values(mesh, "jaw_open", [frame]) == pytest.approx(values["jaw_open"], abs=1e-6)
    assert all_keys(armature.animation_data.action) == before
    session.forget()  # as after loading the file
    data = lane()
    assert data.knot_frames[pose, smile] == pytest.approx(frame + 3.0)
    assert data.knot_frames[pose, column(data, "jaw_open")] == pytest.approx(frame)


def test_a_dragged_shape_key_is_unstaggered_and_staggered_again(posed):
    _armature, mesh = posed
    data = lane()
    pose = len(data.pose_frames) // 2
    frame = data.pose_frames[pose]
    OPERATORS.retime_pose(pose=pose, frame=frame + 3.0, shape_key="smile")
    late = shape_values(mesh, "smile", range(1, FRAMES))
    OPERATORS.unstagger(all_poses=True)
    assert lane().knot_frames[pose, column(data, "smile")] == pytest.approx(frame)
    OPERATORS.restagger(all_poses=True)
    assert lane().knot_frames[pose, column(data, "smile")] == pytest.approx(frame + 3.0)
    np.testing.assert_allclose(shape_values(mesh, "smile", range(1, FRAMES)), late, atol=1e-5)


def test_a_mirrored_motion_exchanges_when_both_eyes_close(posed):
    data = lane()
    pose = len(data.pose_frames) // 2
    OPERATORS.retime_pose(pose=pose, frame=data.pose_frames[pose] + 3.0, shape_key="blink.L")
    OPERATORS.mirror_motion()
    data = lane()
    late = data.knot_frames[pose] - data.pose_frames[pose]
    assert late[[column(data, "blink.L"), column(data, "blink.R")]] == pytest.approx([0.0, 3.0], abs=1e-4)


def test_an_unknown_shape_key_is_refused(posed):
    with pytest.raises(RuntimeError, match="no animated shape key 'frown'"):
        OPERATORS.retime_pose(pose=1, frame=20.0, shape_key="frown")


def test_without_the_face_poses_are_those_of_the_body_alone():
    armature, mesh = talking_mannequin()
    OPERATORS.extract_poses()
    with_face = lane()
    mesh.data.shape_keys.animation_data_clear()
    OPERATORS.extract_poses()
    np.testing.assert_array_equal(lane().pose_frames, with_face.pose_frames)
    assert armature == scope.edited_object(bpy.context)


def test_with_the_face_expressions_of_a_still_body_are_poses():
    armature, mesh = talking_mannequin()
    clear_motion(armature)
    smile = mesh.data.shape_keys.key_blocks["smile"]
    mesh.data.shape_keys.animation_data_clear()
    for frame in range(1, FRAMES + 1):
        smile.value = float(np.exp(-0.5 * ((frame - 100.0) / 4.0) ** 2))
        smile.keyframe_insert("value", frame=frame)
    OPERATORS.extract_poses()
    assert not any(abs(frame - 100.0) < 4.0 for frame in lane().pose_frames)
    OPERATORS.extract_poses(face=True)
    assert min(abs(lane().pose_frames - 100.0)) <= 1.0


def clear_motion(armature):
    """Every bone holds its first pose, with a key on each frame."""
    for curve in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", values)
        values[1::2] = values[1]
        curve.keyframe_points.foreach_set("co", values)
        curve.update()


def test_with_the_face_shape_keys_have_their_own_times():
    _armature, mesh = talking_mannequin()
    OPERATORS.extract_poses(face=True)
    data = lane()
    knots = data.knot_frames[1:-1, [column(data, name) for name in SHAPES]]
    late = knots - data.pose_frames[1:-1, None]
    assert (np.abs(late) > 0.5).any(axis=0).all()
    assert np.abs(late).max() < 0.25 * RATE + 0.01
    moved = [(name, knot) for index, name in enumerate(SHAPES) for knot in knots[np.abs(late[:, index]) > 0.5, index]]
    for name, knot in moved:
        before, there, after = shape_values(mesh, name, [knot - 3.0, knot, knot + 3.0])
        assert (there - before) * (after - there) < 0.0  # it turns round there


def test_the_face_follows_a_drag_and_is_put_back(posed):
    _armature, mesh = posed
    provider = PosesOnStrip()
    data = provider.data(bpy.context)
    pose = len(data.pose_frames) // 2
    bpy.context.scene.frame_set(round(data.pose_frames[pose]))
    blocks = mesh.data.shape_keys.key_blocks
    before = {block.name: block.value for block in blocks}
    provider.drag_knot(bpy.context, pose, column(data, "smile"), data.pose_frames[pose] + 4.0, final=False)
    now = {block.name: block.value for block in blocks}
    assert now["smile"] != before["smile"]
    assert {**now, "smile": 0.0} == {**before, "smile": 0.0}
    provider.cancel(bpy.context)
    assert {block.name: block.value for block in blocks} == before


def hand_keyed(every):
    """Bones with a key on every twelfth frame, and shape keys with keys of their own."""
    armature, mesh = talking_mannequin(every=every)
    for curve in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for key in [key for key in reversed(curve.keyframe_points) if (round(key.co[0]) - 1) % 12]:
            curve.keyframe_points.remove(key)
    activate(mesh)
    OPERATORS.extract_poses()
    return armature, mesh


def test_a_hand_set_shape_key_is_a_dot_that_is_moved_alone():
    armature, mesh = hand_keyed(every=15)
    data = lane()
    smile, pose = column(data, "smile"), int(np.argmin(abs(data.pose_frames - 49.0)))
    found = data.knot_frames[:, smile]
    # Keys in the middle of two poses belong to neither.
    assert found[np.isfinite(found)].tolist() == pytest.approx([1, 16, 46, 61, 76, 106, 121, 136, 166])
    before, value = all_keys(armature.animation_data.action), shape_values(mesh, "smile", [46.0])
    OPERATORS.retime_pose(pose=pose, frame=48.0, shape_key="smile")
    assert shape_values(mesh, "smile", [48.0]) == pytest.approx(value)
    assert all_keys(armature.animation_data.action) == before
    assert shape_action(mesh).motion_editing.original is not None
    assert lane().knot_frames[pose, smile] == pytest.approx(48.0)


def test_a_hand_set_shape_key_goes_with_its_pose():
    _armature, mesh = hand_keyed(every=15)
    value = shape_values(mesh, "smile", [16.0])
    OPERATORS.retime_pose(pose=1, frame=10.0, keep_contacts=False)
    assert lane().pose_frames[1] == pytest.approx(10.0)
    assert shape_values(mesh, "smile", [13.0]) == pytest.approx(value)
