"""Whatever tool is used, all that goes with the motion is where the motion now is, and comes back with it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from batch_calls import CALLS, Call, call
from batch_scenes import BY_HAND
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import motion_changes, scope
from motion_editing.motion_editing_addon.interface.operators.operator import MotionEditOperator, StackStep
from tracks import SOME, open_marked_sample, tracks_of

# Values with which tools that would change nothing, or another action, change this one.
VALUES = {
    "warp_time": {"use_keytimes": False, "length": 0.8},
    "make_loop": {"result": "THIS"},
    "append_transition": {"action": "Other", "result": "THIS"},
}
# Tracks that a tool itself edits or uses up.
OWN = {
    "warp_time": {"keytimes"},
    "repair_flaws": {"flaws"},
    "retime_layer": {"layers"},
    "retime_pose": {"poses", "windows", "window"},  # windows stay, so that the edit can be carried to others
}
# Tools whose result is another action, or that need another rig.
ELSEWHERE = {"retarget_motion", "bake_pose_tree", "switch_limbs"}
# What is there already.
MARKS = {"extract_poses", "find_similar", "find_contacts", "add_constraint", "add_keytime", "find_flaws"}
# Frames by which something may be off: markers lie on whole ones.
NEAR, NEAR_WHOLE = 0.06, 0.51


def tools() -> list[str]:
    found, classes = [], [MotionEditOperator]
    while classes:
        cls = classes.pop()
        classes += cls.__subclasses__()
        if getattr(cls, "bl_idname", "") and not issubclass(cls, StackStep):
            found.append(cls.bl_idname.rpartition(".")[2].rpartition("_OT_")[2])
    # Other tests have operators of their own, which are gone by now.
    return sorted({*found} & {*dir(bpy.ops.motion_editing)} - ELSEWHERE)


def test_every_tool_takes_all_tracks_along_and_restoring_brings_them_back():
    """One test for all: which tools there are is known only when the add-on is registered."""
    names = tools()
    assert len(names) > 50
    wrong = [f"{name}: {text}" for name in names for text in try_tool(name)]
    assert not wrong, "\n".join(wrong)


def try_tool(name: str) -> list[str]:
    """What is wrong after a tool was used."""
    armature, original = prepared(name)
    before, motion, changes = tracks_of(armature), scope.read_clip(bpy.context, armature).motion, []
    with motion_changes.following(changes.append):
        assert call(name, VALUES.get(name, CALLS.get(name, Call()).properties)) == {"FINISHED"}, name
    wrong = [*misplaced(before, tracks_of(armature), changes, OWN.get(name, set())), *untold(armature, motion, changes)]
    if scope.own_action(armature).motion_editing.original is not None:
        call("restore_original")
        back = tracks_of(armature)
        wrong += [f"{kind} are not back: {back[kind][:6]}" for kind in back if not same(original, back, kind)]
    return wrong


def prepared(name: str) -> tuple[bpy.types.Object, dict]:
    """The sample with what a tool needs, and its tracks before any edit."""
    armature, wanted = open_marked_sample(), CALLS.get(name, Call())
    original = tracks_of(armature)
    if wanted.by_hand in ("other action", "curve", "sound", "preview range"):
        BY_HAND[wanted.by_hand]()
    for earlier, properties in wanted.before:
        if earlier not in MARKS and not (earlier == "add_layer" and properties["name"] == "Low"):
            call(earlier, properties)
    return armature, original


def same(before: dict, back: dict, kind: str) -> bool:
    one, other = before[kind], back[kind]
    return len(one) == len(other) and all(
        mine[0] == theirs[0] and np.allclose(mine[1:], theirs[1:], rtol=0.0, atol=1e-3)
        for mine, theirs in zip(one, other, strict=True)
    )


def misplaced(before: dict, after: dict, changes: list, own: set[str]) -> list[str]:
    """Tracks that are not where the changes that were told have led their moments, on the side where these are."""
    found = []
    for kind in before.keys() - own:
        near = NEAR_WHOLE if kind == "markers" else NEAR
        for item in before[kind]:
            name, frames = moved(item, changes)
            if np.isnan(frames).any():
                continue  # cut away
            if not any(each[0] == name and np.allclose(each[1:], frames, rtol=0.0, atol=near) for each in after[kind]):
                found.append(f"{kind} {item} should be {name} {frames}: {after[kind][:6]}")
        if len(after[kind]) > len(before[kind]) and kind != "contacts":
            found.append(f"{kind} that nobody made: {after[kind]}")
    return found


def moved(item: tuple, changes: list) -> tuple[str, np.ndarray]:
    name, frames = item[0], np.array(item[1:], dtype=np.float64)
    for change in changes:
        rate = change.clip.motion.rate
        if change.time_map is not None:
            frames = np.sort(change.time_map.first_seen(frames / rate) * rate)
        name = change.partners.get(name, name)
    return name, frames


def untold(armature: bpy.types.Object, before, changes: list) -> list[str]:
    """Whether the motion has a timing that nobody was told of: other ends, or other poses at the marked moments."""
    after = scope.read_clip(bpy.context, armature)
    if not changes:
        ends = action_io.key_ends(armature)
        return [] if ends == (1.0, 178.0) else [f"ends are {ends}, which nobody was told"]
    if any(change.time_map is None or change.new_ends is not None for change in changes):
        return []
    _name, frames = moved(("", *SOME), changes)
    frames, rate = frames[np.isfinite(frames)], changes[0].clip.motion.rate
    then = [before.at(frame / rate).rotations[0] for frame in SOME][-len(frames) :]
    now = [after.motion.at(frame / after.motion.rate).rotations[0] for frame in frames]
    order = changes[-1].time_map.direction
    apart = quaternion.angle_between(np.array(then), np.array(now)[::order]).mean(axis=1).max()
    return [] if apart < 0.05 else [f"poses are off by {apart:.3f} rad"]


@pytest.mark.parametrize("first", ["shift_time", "conform_rate", "reverse_time"])
def test_strips_and_the_scene_come_back_when_an_edit_of_time_is_left_out(first):
    armature = open_marked_sample()
    scene = bpy.context.scene
    scene.motion_editing_scene_follows = True
    scene.frame_start, scene.frame_end = 35, 130
    scene.timeline_markers.new("hit", frame=61)
    before = tracks_of(armature)
    call(first, CALLS.get(first, Call()).properties)
    assert tracks_of(armature)["strips"] != before["strips"]
    assert scene.timeline_markers[0].frame != 61
    entries = scope.own_action(armature).motion_editing_stack.entries
    entries[-1].is_muted = True
    assert same(before, tracks_of(armature), "strips")
    assert (scene.frame_start, scene.frame_end, scene.timeline_markers[0].frame) == (35, 130, 61)
    entries[-1].is_muted = False
    call("restore_original")
    assert same(before, tracks_of(armature), "strips")
    assert (scene.frame_start, scene.frame_end, scene.timeline_markers[0].frame) == (35, 130, 61)
