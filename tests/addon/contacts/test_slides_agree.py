"""How far feet slide: whatever tells it about the same motion tells the same."""

from __future__ import annotations

import re

import bpy
import pytest
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from retarget_figures import make_active

WALK = "dev/cmu_07_01_walk"
CASES = (
    (WALK, "odd/makehuman_zombieWalk1_zup_fingers"),
    ("corpus/cmu_07_05", "dev/rokoko_jesse_dance_fingers"),
    ("corpus/cmu_02_04", WALK),
    ("corpus/cmu_07_05", WALK),
)


def imported(path) -> bpy.types.Object:
    bpy.ops.motion_editing.import_bvh(filepath=str(path))
    return bpy.context.object


def told(capfd, pattern: str) -> tuple[str, ...]:
    """The lengths that the last report tells."""
    found = re.search(pattern.replace("LENGTH", r"([\d.]+ m?m)"), capfd.readouterr().out)
    assert found is not None
    return found.groups()


def retarget(capfd, clips_folder, source: str, target: str, **choices) -> str:
    """Retarget a clip to a clip's skeleton; the slide that is told."""
    walker, figure = (imported(clips_folder / f"{name}.bvh") for name in (source, target))
    make_active(figure)
    capfd.readouterr()
    bpy.ops.motion_editing.retarget_motion(source=walker.name, **choices)
    return told(capfd, "feet slide LENGTH")[0]


@pytest.mark.parametrize(("source", "target"), CASES)
def test_the_next_tools_tell_the_slide_that_retargeting_told(clips_folder, capfd, source, target):
    slide = retarget(capfd, clips_folder, source, target)
    bpy.ops.motion_editing.smooth(keep_contacts=False)
    before, after = told(capfd, "foot slide LENGTH before, LENGTH after")
    assert (before, after != before) == (slide, True)
    bpy.ops.motion_editing.lock_feet()
    unlocked, locked = told(capfd, "slide LENGTH -> LENGTH")
    assert unlocked == after
    bpy.ops.motion_editing.low_pass(cutoff=3.0)
    assert told(capfd, "foot slide LENGTH before, LENGTH after")[0] == locked


def test_feet_that_were_not_held_slide_as_the_next_tool_says(clips_folder, capfd):
    slide = retarget(capfd, clips_folder, "corpus/cmu_02_04", WALK, keep_contacts=False)
    report = bpy.context.object.motion_editing_retarget.report
    assert report.slide_before == report.slide > 0.0
    bpy.ops.motion_editing.lock_feet()
    assert told(capfd, "slide LENGTH -> LENGTH")[0] == slide


def test_contacts_that_a_filter_held_count_for_the_next_tool(clips_folder, capfd):
    imported(clips_folder / "corpus/cmu_07_05.bvh")
    bpy.ops.motion_editing.smooth(keep_contacts=True)
    after = told(capfd, "foot slide LENGTH before, LENGTH after")[1]
    bpy.ops.motion_editing.lock_feet()
    assert told(capfd, "slide LENGTH -> LENGTH")[0] == after


def test_a_loop_slides_as_the_next_tool_says(clips_folder, capfd):
    imported(clips_folder / f"{WALK}.bvh")
    bpy.ops.motion_editing.make_loop()
    slide = told(capfd, "foot slide LENGTH")[0]
    bpy.ops.motion_editing.lock_feet()
    assert told(capfd, "slide LENGTH -> LENGTH")[0] == slide


def test_contacts_of_hands_count_too():
    """A hand that is listed as standing and does not is told by a filter as by Lock Feet."""
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    settings = scope.action_of(armature).motion_editing_contacts
    settings.new(armature, "hand.L", 10.0, 40.0)
    facts = ClipTake(scope.read_clip(bpy.context, armature))
    assert facts.slide_of(facts.clip.motion) > 0.05
