"""What a time edit can go by: markers as events, ranges as reference, some bones only."""

import bpy
import numpy as np
import pytest
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.guided_warp import kept_maps
from rigs import all_keys, chain_armature, key_bones
from timed_sample import RATE, load_timed_sample, time_of


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


# Markers as events


def with_markers(armature, markers):
    for name, frame in markers.items():
        armature.animation_data.action.pose_markers.new(name).frame = frame


def test_like_named_markers_of_two_actions_are_matched(sample):
    bpy.ops.motion_editing.load_sample_motion()
    other = bpy.context.object
    bpy.context.view_layer.objects.active = sample
    with_markers(sample, {"hit": 220, "land": 137, "lonely": 180})
    with_markers(other, {"hit": 240, "land": 130, "someone": 30})
    bpy.context.scene.timeline_markers.new("music", frame=50)
    assert bpy.ops.motion_editing.keytimes_from_events(source=other.name, kind="MARKERS") == {"FINISHED"}
    found = [(round(item.old), round(item.new)) for item in time_of(sample).keytimes][1:-1]
    assert found == [(137, 130), (220, 240)]


def test_without_markers_in_the_other_action_those_of_the_scene_are_used(sample):
    with_markers(sample, {"hit": 220})
    bpy.context.scene.timeline_markers.new("hit", frame=230)
    bpy.context.scene.timeline_markers.new("applause", frame=231)
    assert bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS") == {"FINISHED"}
    assert [(round(item.old), round(item.new)) for item in time_of(sample).keytimes][1:-1] == [(220, 230)]


def test_footfalls_go_to_markers_where_the_action_has_none(sample):
    steps = [1 + round(RATE * time) for _, time in sample_events().steps[1:4]]
    for frame in steps:
        bpy.context.scene.timeline_markers.new("beat", frame=frame + 4)
    assert bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS") == {"FINISHED"}
    assert {round(item.new) for item in time_of(sample).keytimes} >= {frame + 4 for frame in steps}


def test_missing_markers_are_said(sample):
    with pytest.raises(RuntimeError, match="no markers"):
        bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS")


# Ranges as reference


def test_steps_follow_a_range_that_was_slowed_and_the_jump_stays(sample):
    events = sample_events()
    bpy.ops.motion_editing.add_keytime(frame=16)
    bpy.ops.motion_editing.add_keytime(frame=64)
    bpy.ops.motion_editing.move_keytime(keytime=2, frame=16 + 72, ripple=True)
    bpy.ops.motion_editing.warp_time(influence=0.0)
    bpy.ops.motion_editing.warp_time(
        use_keytimes=False, length=1.0, reference="RANGE", reference_start=16, reference_end=88,
        free_length=True, keep_as="Slower",
    )  # fmt: skip
    kept, longer = kept_maps.load(sample, "Slower"), 24

    def lasts(start, end):
        new = kept.map_key_times((1 + RATE * np.array([start, end]) + longer) / RATE)
        return float(new[1] - new[0]) / (end - start)

    walking = [time for _, time in events.steps if 5.0 < time < 6.5]
    assert lasts(*walking) == pytest.approx(1.5, rel=0.15)
    assert lasts(*events.flight) == pytest.approx(1.0, abs=0.1)
    assert lasts(7.3, 9.9) == pytest.approx(1.0, abs=0.05)


def test_a_camera_can_be_its_own_range(empty_scene):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.view_layer.objects.active = camera
    for frame in range(1, 101):
        camera.location = (np.sin(frame / 8.0), 0, 1)
        camera.keyframe_insert("location", frame=frame)
    assert bpy.ops.motion_editing.warp_time(
        length=0.9, use_keytimes=False, reference="RANGE", reference_start=1, reference_end=60
    ) == {"FINISHED"}


# Some bones only


def key_frames(armature, bone):
    curves = [curve for curve in action_io.channelbag(armature).fcurves if f'"{bone}"' in curve.data_path]
    return {frame for curve in curves for frame in (key.co[0] for key in curve.keyframe_points)}


def test_baked_bones_stay_baked_however_short_they_become(sample, capfd):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name in {"upper_arm.L", "forearm.L"})
    others = {key: value for key, value in all_keys(sample.animation_data.action).items() if "arm.L" not in key[1]}
    bpy.ops.motion_editing.warp_time(length=0.4, use_keytimes=False, influence=0.0)
    assert "Retimed 2 bones from 355 to 143 frames" in capfd.readouterr().out
    bpy.ops.motion_editing.warp_time(length=0.9, use_keytimes=False, influence=0.0)
    assert "Retimed 2 bones from 143 to 129 frames" in capfd.readouterr().out
    assert key_frames(sample, "upper_arm.L") == set(range(1, 130))
    after = all_keys(sample.animation_data.action)
    assert all(after[key] == value for key, value in others.items())


@pytest.mark.parametrize("snap", [True, False])
def test_sparse_keys_of_some_bones_are_snapped_if_asked(snap):
    armature = chain_armature(3)
    key_bones(armature, [1, 8, 17, 31])
    bpy.ops.object.mode_set(mode="POSE")
    chosen = armature.pose.bones[1].name
    for bone in armature.pose.bones:
        select(bone, bone.name == chosen)
    bpy.ops.motion_editing.warp_time(length=0.77, use_keytimes=False, influence=0.0, snap=snap, breakdowns=False)
    frames = sorted(key_frames(armature, chosen))
    assert [frame == round(frame) for frame in frames] == ([True] * 4 if snap else [True, False, False, True])
    assert key_frames(armature, armature.pose.bones[0].name) == {1, 8, 17, 31}


def test_errors_are_told_with_their_units(empty_scene, capfd):
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, value in ((1, 0.0), (41, 1.0), (81, 0.0)):
        bone.location[0], bone.rotation_euler[0] = value, value
        bone.keyframe_insert("location", index=0, frame=frame)
        bone.keyframe_insert("rotation_euler", index=0, frame=frame)
    bpy.ops.motion_editing.add_keytime(frame=20)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=40)
    bpy.ops.motion_editing.warp_time(influence=0.0)
    text = capfd.readouterr().out
    assert "breakdown keys added, largest error" in text
    assert "° , " not in text
    assert text.split("largest error ")[1].split(")")[0].endswith(" mm")
    assert "°, " in text.split("largest error ")[1]


def test_a_reference_must_be_of_the_same_kind(sample):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    for frame in (1, 50):
        camera.location[0] = frame
        camera.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.objects.active = camera
    with pytest.raises(RuntimeError, match="same kind of object"):
        bpy.ops.motion_editing.warp_time(
            length=0.9, use_keytimes=False, reference="ACTION", reference_action=sample.animation_data.action.name
        )
    assert scope.action_of(camera).frame_range[1] == 50
