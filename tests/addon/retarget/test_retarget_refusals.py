"""What retargeting refuses or warns of, and that undo, files and disabling leave everything right."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.retarget.reports import is_worrying, result_text
from motion_editing.motion_editing_addon.retarget.settings import sources_for
from retarget_figures import make_active, places, refused, retargeted


def test_a_broken_curve_is_named(walker, small):
    curve = next(c for c in action_io.channelbag(walker).fcurves if "spine" in c.data_path)
    curve.keyframe_points[5].co[1] = float("nan")
    refused("'spine' has a NaN", source="Sample")
    assert scope.action_of(small) is None


def test_a_source_without_action_is_refused(walker, small):
    walker.animation_data.action = None
    refused("'Sample' has no action", source="Sample")


def test_a_source_that_plays_strips_is_refused_with_the_way_to_its_action(walker, small):
    data, action = walker.animation_data, walker.animation_data.action
    data.nla_tracks.new().strips.new("strip", 1, action)
    data.action = None
    refused("'Sample' plays NLA strips: select one in the Nonlinear Animation editor and press Tab", source="Sample")


def test_a_source_that_was_deleted_in_the_viewport_is_neither_offered_nor_taken(walker, small):
    small.motion_editing_retarget.source = walker
    with bpy.context.temp_override(selected_objects=[walker]):
        bpy.ops.object.delete()
    assert "Sample" in bpy.data.objects
    assert sources_for(small) == []
    refused("Choose the armature that the motion is taken from")


def test_a_source_that_is_switched_off_in_viewports_moves_all_the_same(walker, small):
    walker.pose.bones["head"].constraints.new("LIMIT_SCALE")
    retargeted(source="Sample")
    seen = places(small, "foot.L")
    walker.hide_viewport = True
    retargeted(source="Sample")
    assert small.motion_editing_retarget.report.lowered > 0.0
    np.testing.assert_allclose(places(small, "foot.L"), seen, atol=1e-6)


@pytest.mark.parametrize("moves", [False, True])
def test_what_moves_a_target_besides_its_keys_is_told_but_not_where_it_stands(walker, small, moves, capfd):
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.collection.objects.link(holder)
    holder.scale, small.parent, small.delta_location = (0.5, 0.5, 0.5), holder, (1.0, 0.0, 0.0)
    if moves:
        holder.keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    retargeted(source="Sample")
    told = "Its parent 'Holder' moves, on top of this motion: look at the result" in capfd.readouterr().out
    assert told == moves


def test_tweak_mode_is_refused(walker, small):
    retargeted(source="Sample")
    data = small.animation_data
    strip = data.nla_tracks.new().strips.new("strip", 1, data.action)
    data.action = None
    strip.select = True
    data.nla_tracks[0].select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    refused("Leave the tweak mode", source="Sample")


def test_poll_says_what_is_missing(walker, small):
    assert bpy.ops.motion_editing.propose_mapping.poll() is False
    with pytest.raises(RuntimeError, match="Choose the source"):
        bpy.ops.motion_editing.propose_mapping()
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.motion_editing.retarget_motion()


def test_a_linked_target_is_refused(walker, small, tmp_path):
    path = str(tmp_path / "rig.blend")
    bpy.data.libraries.write(path, {small})
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    linked = next(each for each in bpy.data.objects if each.library is not None)
    bpy.context.collection.objects.link(linked)
    make_active(linked)
    refused("is linked", source="Sample")


@pytest.mark.parametrize("has_list", [False, True])
def test_an_override_gets_the_motion_and_keeps_list_and_choices(walker, small, tmp_path, has_list):
    if has_list:
        retargeted(source="Sample")
        small.animation_data_clear()
    library, shot = (str(tmp_path / name) for name in ("rig.blend", "shot.blend"))
    bpy.data.libraries.write(library, {small})
    bpy.data.objects.remove(small)
    with bpy.data.libraries.load(library, link=True) as (_there, here):
        here.objects = ["Small"]
    linked = next(each for each in bpy.data.objects if each.library is not None and each.name == "Small")
    bpy.context.collection.objects.link(linked)
    make_active(linked.override_create(remap_local_usages=True))
    made = retargeted(source="Sample").name
    bpy.ops.motion_editing.propose_mapping()
    bpy.ops.motion_editing.set_pair(bone="neck", source_bone="head")
    bpy.context.object.motion_editing_retarget.lowering = 0.35
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    bpy.ops.wm.open_mainfile(filepath=shot)
    make_active(next(each for each in bpy.data.objects if each.override_library is not None))
    settings = bpy.context.object.motion_editing_retarget
    assert (settings.report.action, settings.source.name) == (made, "Sample")
    assert settings.lowering == pytest.approx(0.35)
    assert [pair.bone for pair in settings.pairs] == bpy.context.object.pose.bones.keys()
    assert {pair.bone: pair.source for pair in settings.pairs if pair.bone in ("neck", "head")} == {
        "neck": "head",
        "head": "",
    }
    retargeted(source="Sample")
    bpy.ops.motion_editing.clear_mapping(everything=True)
    assert not any(pair.source for pair in settings.pairs)


def test_one_undo_takes_everything_back(walker, small):
    bpy.ops.ed.undo_push(message="before")
    retargeted(source="Sample")
    bpy.ops.ed.undo_push(message="after")
    assert "Sample Small" in bpy.data.actions
    bpy.ops.ed.undo()
    assert "Sample Small" not in bpy.data.actions
    assert scope.action_of(bpy.data.objects["Small"]) is None
    assert not len(bpy.data.objects["Small"].motion_editing_retarget.pairs)
    bpy.ops.ed.redo()
    assert scope.action_of(bpy.data.objects["Small"]).name == "Sample Small"


def test_everything_is_saved_with_the_file(walker, small, tmp_path):
    retargeted(source="Sample")
    settings = small.motion_editing_retarget
    settings.pairs[3].source = ""
    settings.way, settings.partner = "KEPT", None
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    small = bpy.data.objects["Small"]
    settings = small.motion_editing_retarget
    assert settings.source.name == "Sample"
    assert (settings.way, settings.pairs[3].source, settings.pairs[0].source) == ("KEPT", "", "hips")
    assert settings.report.action == "Sample Small"
    retargeted()


def test_disabled_and_enabled_again(walker, small, registered_addon):
    retargeted(source="Sample")
    registered_addon.unregister()
    registered_addon.register()
    assert bpy.data.objects["Small"].motion_editing_retarget.source == walker
    retargeted()


def test_an_uneven_source_is_refused(walker, small):
    walker.matrix_world = Matrix.Diagonal((1.0, 2.0, 1.0, 1.0))
    bpy.context.view_layer.update()
    refused("'Sample' is scaled unevenly", source="Sample")


def test_hardly_any_pairs_are_worth_a_warning(walker, small):
    bpy.ops.motion_editing.retarget_motion(source="Sample")
    for pair in small.motion_editing_retarget.pairs[1:]:
        pair.source = ""
    retargeted()
    report = small.motion_editing_retarget.report
    assert is_worrying(report)
    assert "pair bones in the list by hand" in result_text(report)


def test_bones_that_cannot_leave_their_parents_are_named(walker, small):
    bpy.ops.object.mode_set(mode="EDIT")
    small.data.edit_bones["head"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame, out in ((1, 0.0), (60, 0.1)):
        walker.pose.bones["head"].location = (0.0, out, 0.0)
        walker.pose.bones["head"].keyframe_insert("location", frame=frame)
    retargeted(source="Sample")
    assert small.motion_editing_retarget.report.stuck == "head"


def test_carrying_outside_the_motion_is_refused(walker, small):
    frames = {"carry_throughout": False, "carry_start": 5000, "carry_end": 6000}
    refused("Nothing is carried from frame 5000 until 6000", source="Sample", carry="HANDS", **frames)
