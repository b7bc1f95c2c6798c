"""Takes the manual's picture of pose trees.

After a change of the panel or of what is drawn: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui`,
look at it, then copy test_results/gui/docs_pictures_tree/*.png to docs/pictures/.
"""

from __future__ import annotations

import bpy
from harness import Window, check
from manual_pictures import picture, prepare_sample, show_figure
from tree_in_window import POSES, drag, look_at_the_character, make_active, node, owner, tree
from window_input import REDRAW_PAUSE, Steps


def scenario(window: Window) -> Steps:
    """Four poses with the cursor among them."""
    yield from prepare_sample(window, "Pose Tree")
    yield from four_poses(window)


def four_poses(window: Window) -> Steps:
    """Poses of the sample's frames as targets, and the cursor held between them."""
    make_active(owner())
    bpy.ops.motion_editing.add_pose_tree(live=False)
    for name, (frame, place) in POSES.items():
        bpy.context.scene.frame_set(frame)
        node().cursor.location = place
        bpy.context.view_layer.update()
        bpy.ops.motion_editing.add_tree_pose(name=name)
    show_figure(window, POSES["Walk"][0])
    bpy.ops.motion_editing.live_pose_tree(state="ON")
    yield from look_at_the_character(window)
    yield from drag(window, (0.55, 0.0, 0.35))
    check(tree().live, "the cursor should pose the rig")
    yield 2 * REDRAW_PAUSE
    yield from picture(window, "pose-tree", view_only(window))
    yield from window.press("ESC")


def view_only(window: Window) -> tuple[int, int, int, int]:
    """Figure, space and panel, without the tools at the left, the tabs and what a drag says above."""
    view = window.region("VIEW_3D")
    return view.x + 70, view.y + 21, view.width - 99, view.height - 158
