"""A warp as an edit of the stack: shown on the strip, changed tomorrow."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.guided_warp.lane import lane_data
from motion_editing.motion_editing_addon.guided_warp.lane.keytimes_on_strip import KeytimesOnStrip
from timed_sample import load_timed_sample, time_of


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


def last_frame(armature):
    return round(scope.action_of(armature).frame_range[1])


def parameters(armature):
    return scope.action_of(armature).motion_editing_stack.entries[-1].warp_time_parameters


def shown(armature):
    return lane_data.of(bpy.context, armature, None)


def test_a_warp_stays_on_the_strip(sample):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    data = shown(sample)
    assert [keytime.old_frame for keytime in data.keytimes] == [1.0, 355.0]
    assert data.keytimes[-1].new_frame == pytest.approx(last_frame(sample), abs=0.01)
    assert np.max(data.plot_speed) > 1.5
    flight = next(span for span in data.spans if span.name == "Flight")
    assert flight.new_frames == pytest.approx(flight.old_frames, abs=0.6)


def test_its_end_can_be_dragged_to_another_length(sample):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    KeytimesOnStrip().drag(bpy.context, 1, 320.0, final=True)
    assert last_frame(sample) == 320
    assert parameters(sample).length == pytest.approx(319.0 / 354.0, abs=1e-6)
    assert len(scope.action_of(sample).motion_editing_stack.entries) == 1


def test_keytimes_go_with_the_edit_and_can_be_moved(sample):
    bpy.ops.motion_editing.add_keytime(frame=200)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=180)
    bpy.ops.motion_editing.warp_time()
    assert not len(time_of(sample).keytimes)
    assert [round(keytime.new_frame) for keytime in shown(sample).keytimes] == [1, 180, 355]
    provider = KeytimesOnStrip()
    provider.drag(bpy.context, 1, 215.0, final=True)
    assert [round(keytime.new_frame) for keytime in shown(sample).keytimes] == [1, 215, 355]
    data = shown(sample)
    place = int(np.abs(np.asarray(data.plot_frames) - 215.0).argmin())
    assert data.map_old_frames[place] == pytest.approx(200.0, abs=0.6)


def test_moments_can_be_held_moved_and_let_go(sample):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    provider = KeytimesOnStrip()
    before = np.interp(100.0, shown(sample).plot_frames, shown(sample).map_old_frames)
    provider.add(bpy.context, 100.0)
    assert shown(sample).keytimes[1].old_frame == pytest.approx(before, abs=0.01)
    provider.grab(bpy.context, 200.0, 190.0, final=True)
    assert [round(keytime.new_frame) for keytime in shown(sample).keytimes] == [1, 100, 190, 284]
    provider.remove(bpy.context, 1)
    assert [round(keytime.new_frame) for keytime in shown(sample).keytimes] == [1, 190, 284]


def test_a_span_can_be_let_go_tomorrow(sample):
    bpy.ops.motion_editing.warp_time(length=0.4, use_keytimes=False)
    data = shown(sample)
    number = next(place for place, span in enumerate(data.spans) if span.name == "Flight")
    KeytimesOnStrip().toggle(bpy.context, number)
    flight = next(span for span in shown(sample).spans if span.name == "Flight")
    assert flight.kind == "ELASTIC"
    assert flight.new_frames < 0.9 * flight.old_frames


def test_new_keytimes_come_first(sample):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    bpy.ops.motion_editing.add_keytime(frame=100)
    assert [round(keytime.old_frame) for keytime in shown(sample).keytimes] == [1, 100, 284]


def test_a_muted_warp_is_not_shown(sample):
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    scope.action_of(sample).motion_editing_stack.entries[-1].is_muted = True
    assert not lane_data.is_wanted(sample)


def test_damaged_keytimes_are_told(sample):
    with pytest.raises(RuntimeError, match="keytimes of this edit are damaged"):
        bpy.ops.motion_editing.warp_time("EXEC_DEFAULT", keytimes="nothing")
