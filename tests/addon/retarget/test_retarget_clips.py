"""Captured walks on other captured skeletons, as Blender shows them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.analysis.contacts import ContactSpans, detect_contacts
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from retarget_figures import make_active, retargeted, shown

FRAMES = 240
TARGETS = ("dev/fair1_jumping_zup", "dev/rokoko_jesse_dance_fingers", "odd/makehuman_zombieWalk1_zup_fingers")


def imported(path) -> bpy.types.Object:
    bpy.ops.motion_editing.import_bvh(filepath=str(path))
    return bpy.context.object


@pytest.mark.parametrize("target", TARGETS)
def test_a_captured_walk_does_not_skate_on_another_skeleton(clips_folder, target):
    walker = imported(clips_folder / "dev/cmu_07_01_walk.bvh")
    figure = imported(clips_folder / f"{target}.bvh")
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 2, FRAMES
    scene.frame_set(1)
    make_active(figure)
    made = retargeted(source=walker.name, range="PREVIEW")
    report = figure.motion_editing_retarget.report
    assert made.motion_editing.source_rate == pytest.approx(scope.action_of(walker).motion_editing.source_rate)
    assert report.bones > 18
    source = action_io.read(walker, rate=120.0, start=2, end=FRAMES)
    walks = action_io.read(figure, rate=120.0)
    contacts = detect_contacts(source.motion, body_of(walker, source))
    partner = {pair.source: pair.bone for pair in figure.motion_editing_retarget.pairs if pair.source}
    held = ContactSpans({partner[name]: contacts.of(name) for name in contacts.joints if name in partner})
    slides = [slide for own in foot_slide(walks.motion, held).values() for slide in own]
    assert len(slides) > 2
    assert max(slides) < 0.01 * report.leg_length
    head, foot = (walks.motion.poses.positions[:, joint, 2] for joint in upright_ends(figure))
    assert (head - foot > 1.2 * report.leg_length).all()
    assert np.isfinite(walks.motion.rotations).all()


def test_soles_lie_as_they_do_in_the_own_action_also_the_second_time(clips_folder):
    """The dancer's rest pose is folded, and its first frame has both heels up."""
    walker = imported(clips_folder / "dev/cmu_07_01_walk.bvh")
    figure = imported(clips_folder / "dev/rokoko_jesse_dance_fingers.bvh")
    shows = []
    for _ in range(2):
        retargeted(source=walker.name)
        report = figure.motion_editing_retarget.report
        assert report.lowered < 0.06 * report.leg_length
        shows.append(shown(figure, 100))
    np.testing.assert_allclose(*shows, atol=1e-5)


def upright_ends(figure: bpy.types.Object) -> tuple[int, int]:
    body = body_of(figure)
    return body.head, body.feet[0]
