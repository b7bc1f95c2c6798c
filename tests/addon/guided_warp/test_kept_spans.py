"""Spans of the time lane: found, toggled, kept, followed, and what a warp makes of them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.guided_warp.lane import lane_data
from motion_editing.motion_editing_addon.guided_warp.warp.warp_take import WarpTake
from timed_sample import RATE, load_timed_sample


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


def spans_of(armature):
    return list(scope.action_of(armature).motion_editing_time.spans)


def span_named(armature, name):
    return next(number for number, span in enumerate(spans_of(armature)) if span.name == name)


def jump_of(armature):
    """First and last frame of the jump as it is found."""
    take = WarpTake(scope.read_clip(bpy.context, armature))
    (flight,) = (span for span in take.found_spans if span.name == "Flight")
    return np.array([flight.start, flight.end]) * take.motion.rate


def test_events_are_found_and_told(sample, capfd):
    assert bpy.ops.motion_editing.find_events() == {"FINISHED"}
    assert "1 jump" in capfd.readouterr().out
    kinds = {span.name: span.kind for span in spans_of(sample)}
    assert kinds["Flight"] == kinds["Strike"] == "PROTECTED"
    assert kinds["Idle"] == "ELASTIC"


def test_a_report_says_that_the_jump_kept_its_frames(sample, capfd):
    before = np.diff(jump_of(sample))[0]
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    assert f"1 jump kept its {round(before)} frames" in capfd.readouterr().out
    assert np.diff(jump_of(sample))[0] == pytest.approx(before, abs=1.0)


def test_a_report_says_what_had_to_give_way(sample, capfd):
    bpy.ops.motion_editing.warp_time(length=0.27, use_keytimes=False)
    assert "had to give way, to" in capfd.readouterr().out


def test_a_jump_that_is_let_go_gets_shorter(sample):
    bpy.ops.motion_editing.find_events()
    number = span_named(sample, "Flight")
    assert bpy.ops.motion_editing.toggle_span(span=number) == {"FINISHED"}
    assert spans_of(sample)[number].kind == "ELASTIC"
    before = np.diff(jump_of(sample))[0]
    bpy.ops.motion_editing.warp_time(length=0.4, use_keytimes=False)
    span = spans_of(sample)[span_named(sample, "Flight")]
    assert span.end - span.start < 0.9 * before
    bpy.ops.motion_editing.toggle_span(span=number)
    assert spans_of(sample)[number].kind == "PROTECTED"


def test_a_number_without_a_span_is_refused(sample):
    bpy.ops.motion_editing.find_events()
    with pytest.raises(RuntimeError, match="no such span"):
        bpy.ops.motion_editing.toggle_span(span=99)


@pytest.mark.parametrize("by", ["frames", "preview range", "current frame"])
def test_keep_this_protects_with_its_run_out(sample, by):
    scene = bpy.context.scene
    given = {"start": 150.0, "end": 162.0} if by == "frames" else {}
    if by == "preview range":
        scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 150, 162
    if by == "current frame":
        scene.frame_set(152)
    assert bpy.ops.motion_editing.keep_this(**given) == {"FINISHED"}
    kept = spans_of(sample)[span_named(sample, "Kept")]
    assert kept.kind == "PROTECTED"
    first, last = (137.0, 167.0) if by == "current frame" else (150.0, 162.0)
    assert kept.start == pytest.approx(first, abs=0.01)
    assert kept.end == pytest.approx(last + 0.25 * RATE, abs=0.01)
    length = kept.end - kept.start
    bpy.ops.motion_editing.warp_time(length=0.6, use_keytimes=False)
    kept = spans_of(sample)[span_named(sample, "Kept")]
    assert kept.end - kept.start == pytest.approx(length, abs=0.01)


def test_what_lies_outside_of_the_motion_cannot_be_kept(sample):
    with pytest.raises(RuntimeError, match="nothing of the motion"):
        bpy.ops.motion_editing.keep_this(start=900.0, end=920.0)


def test_spans_are_forgotten_and_found_again(sample):
    bpy.ops.motion_editing.keep_this(start=10.0, end=20.0)
    assert bpy.ops.motion_editing.clear_spans() == {"FINISHED"}
    settings = scope.action_of(sample).motion_editing_time
    assert not settings.has_spans
    assert WarpTake(scope.read_clip(bpy.context, sample)).spans is None


def test_finding_once_more_keeps_what_somebody_kept(sample):
    bpy.ops.motion_editing.keep_this(start=10.0, end=20.0)
    bpy.ops.motion_editing.find_events()
    bpy.ops.motion_editing.find_events()
    assert [span.name for span in spans_of(sample)].count("Kept") == 1
    assert [span.name for span in spans_of(sample)].count("Flight") == 1


def test_spans_follow_other_edits_of_time_a_reversal_too(sample):
    bpy.ops.motion_editing.keep_this(start=100.0, end=120.0, run_out=0.0)
    bpy.ops.motion_editing.shift_time(offset=0.5)
    kept = spans_of(sample)[span_named(sample, "Kept")]
    assert (kept.start, kept.end) == pytest.approx((115.0, 135.0), abs=0.01)
    first, last = action_io.key_ends(sample)
    bpy.ops.motion_editing.reverse_time()
    kept = spans_of(sample)[span_named(sample, "Kept")]
    assert (kept.start, kept.end) == pytest.approx((first + last - 135.0, first + last - 115.0), abs=0.01)


def test_restoring_the_original_brings_the_spans_back(sample):
    bpy.ops.motion_editing.keep_this(start=100.0, end=120.0, run_out=0.0)
    bpy.ops.motion_editing.warp_time(length=0.7, use_keytimes=False)
    bpy.ops.motion_editing.restore_original()
    kept = spans_of(sample)[span_named(sample, "Kept")]
    assert (kept.start, kept.end) == pytest.approx((100.0, 120.0), abs=0.01)


def test_the_lane_shows_spans_without_keytimes(sample):
    assert not lane_data.is_wanted(sample)
    bpy.ops.motion_editing.find_events()
    assert lane_data.is_wanted(sample)
    data = lane_data.of(bpy.context, sample, None)
    flight = next(span for span in data.spans if span.name == "Flight")
    assert (flight.new_start, flight.new_end) == pytest.approx((flight.old_start, flight.old_end), abs=0.01)
    np.testing.assert_allclose(data.plot_speed, 1.0, atol=1e-6)


def test_the_lane_shows_where_spans_will_be(sample):
    bpy.ops.motion_editing.set_length(value=80.0)
    data = lane_data.of(bpy.context, sample, None)
    flight = next(span for span in data.spans if span.name == "Flight")
    assert flight.new_frames == pytest.approx(flight.old_frames, abs=0.01)
    assert flight.new_start < flight.old_start - 3.0


def test_a_loop_is_warped_as_a_loop(sample):
    action = scope.action_of(sample)
    action.use_frame_range = action.use_cyclic = True
    take = WarpTake(scope.read_clip(bpy.context, sample))
    assert take.is_cyclic
    assert all(span.is_firm for span in take.found_spans)


@pytest.mark.parametrize("length", [0.8, 1.0])
def test_time_can_be_warped_backward(sample, length):
    before = scope.read_clip(bpy.context, sample).motion
    bpy.ops.motion_editing.warp_time(length=length, use_keytimes=False, reverse=True)
    after = scope.read_clip(bpy.context, sample).motion
    assert len(after) == pytest.approx(length * len(before), abs=1.5)
    np.testing.assert_allclose(after.poses.positions[0], before.poses.positions[-1], atol=1e-3)
    np.testing.assert_allclose(after.poses.positions[-1], before.poses.positions[0], atol=1e-3)
