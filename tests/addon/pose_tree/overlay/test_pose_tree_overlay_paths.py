"""What is drawn of paths in pose trees, and that nothing is built twice."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing.scene_theme import scene_palette
from motion_editing.motion_editing_addon.interface.drawing.screen_places import ScreenView
from motion_editing.motion_editing_addon.interface.drawing.shapes import TRIANGLES
from motion_editing.motion_editing_addon.pose_tree import model
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay_painter, overlay_screen
from rigs import key_bones
from seen_tree import (
    SIZE,
    drawing_ends_with_the_file,
    front_view,
    move,
    node_of,
    scene,
    screen,
    texts,
    tree_of_four_poses,
    view_at,
)


@pytest.fixture(autouse=True)
def no_tree_left() -> Iterator[None]:
    yield from drawing_ends_with_the_file()


@pytest.fixture
def tree() -> bpy.types.Object:
    return tree_of_four_poses()


# Paths


@pytest.fixture
def path_tree(tree) -> bpy.types.Object:
    """The same with a motion of 50 frames embedded, a pose of it changed, and the branch from that."""
    key_bones(tree, [1, 20, 35, 50])
    bpy.context.view_layer.objects.active = tree
    assert bpy.ops.motion_editing.embed_action(action=tree.animation_data.action.name, count=8) == {"FINISHED"}
    bpy.ops.motion_editing.pick_path_pose(frame=25)
    picked = next(each for each in model.targets_of(node_of(tree)) if each.motion_editing_control.frame == 25)
    move(picked, tuple(x + 0.4 for x in picked.location))
    bpy.ops.motion_editing.make_tree_branch(margin=10)
    bpy.context.view_layer.update()
    return tree


def test_paths_and_branches_are_lines_through_their_places(path_tree):
    (space,) = scene().spaces
    original, branch = space.paths
    assert (original.is_branch, branch.is_branch) == (False, True)
    matrix = node_of(path_tree).space.matrix_world
    own = model.places_of_path(node_of(path_tree).paths[0])
    np.testing.assert_allclose(original.places[7], matrix @ matrix.to_translation().__class__(own[7]), atol=1e-6)
    lines = scene().parts["paths"].shapes
    colours = scene_palette(bpy.context)
    by_colour = {tuple(np.round(shape.colours[0, :3], 4)): shape for shape in lines}
    assert set(by_colour) == {tuple(np.round(c[:3], 4)) for c in (colours.path, colours.branch, colours.edited)}
    assert len(by_colour[tuple(np.round(colours.path[:3], 4))]) == 2 * (len(own) - 1)
    first, last = branch.span
    assert len(by_colour[tuple(np.round(colours.branch[:3], 4))]) == 2 * (last - first)


def test_edited_poses_are_marked_on_the_path(path_tree):
    (space,) = scene().spaces
    assert [frame for frame, _place in space.paths[0].edits] == [25]
    colours = scene_palette(bpy.context)
    dots = screen().dots.shapes
    marked = [shape for shape in dots if np.allclose(shape.colours[:, :3], colours.edited[:3])]
    pixels = front_view().pixels(space.paths[0].places[25:26])[0, :2]
    np.testing.assert_allclose(marked[0].places[0], pixels)


def test_dots_get_sparse_rather_than_crowded():
    line = np.column_stack([np.arange(100.0), np.zeros(100)])
    assert overlay_screen.tick_step(line) == 10
    assert overlay_screen.tick_step(20 * line) == 1
    assert overlay_screen.tick_step(0.01 * line) == 1000
    assert overlay_screen.tick_step(line, 2.0) == 20


def test_a_suggestion_is_a_dashed_cube_with_words(tree):
    bpy.ops.motion_editing.suggest_tree_place(follow=False)
    bpy.context.view_layer.update()
    shown = scene()
    assert shown.spaces[0].ghost is not None
    solid = [shape for shape in shown.parts["targets"].shapes if shape.kind == TRIANGLES]
    assert sum(map(len, solid)) == 5 * 36
    assert "Suggested Place" in texts()
    bpy.ops.motion_editing.end_suggesting()
    assert scene().spaces[0].ghost is None


# Nothing twice


def builds() -> dict[str, int]:
    kept = ("pictures", "_figures", "_links", "_standing", "_labels")
    return {name: getattr(overlay_painter, name).builds for name in kept}


def test_a_redraw_with_nothing_changed_builds_nothing(path_tree):
    first, seen = scene(), screen()
    before = builds()
    again, seen_again = scene(), screen()
    assert builds() == before
    assert all(again.parts[name] is picture for name, picture in first.parts.items())
    assert (seen_again.figures, seen_again.dots) == (seen.figures, seen.dots)


def test_moving_the_cursor_builds_only_links(path_tree):
    first, seen = scene(), screen()
    move(node_of(path_tree).cursor, (0.3, 0.1, 0.2))
    after, seen_after = scene(), screen()
    changed = {name for name, picture in first.parts.items() if after.parts[name] is not picture}
    assert changed == {"links"}
    assert (seen_after.figures, seen_after.dots) == (seen.figures, seen.dots)


def test_turning_the_view_builds_nothing_in_the_scene(path_tree):
    scene(), screen()
    before = builds()
    middle = node_of(path_tree).space.matrix_world.translation
    screen(ScreenView.of(view_at(*middle, turn=0.1), SIZE))
    after = builds()
    assert after["pictures"] == before["pictures"] + 2, "the dots on paths and in cursors only"
    assert after["_figures"] == before["_figures"]


def test_a_replaced_pose_is_seen_in_its_figure(tree):
    (space,) = scene().spaces
    before = overlay_painter._figures_of(space).lines.copy()
    target = model.targets_of(node_of(tree))[0]
    bpy.context.view_layer.objects.active = target
    for bone in tree.pose.bones:
        bone.rotation_quaternion = (1.0, -0.7, 0.0, 0.0)
    assert bpy.ops.motion_editing.replace_tree_pose() == {"FINISHED"}
    (space,) = scene().spaces
    assert not np.allclose(overlay_painter._figures_of(space).lines, before)


def test_undo_forgets_what_was_built(tree):
    bpy.ops.ed.undo_push(message="before")
    scene(), screen()
    bpy.ops.motion_editing.add_tree_pose("EXEC_DEFAULT", True, name="More")
    assert len(scene().spaces[0].targets.names) == 5
    bpy.ops.ed.undo()
    assert len(scene().spaces[0].targets.names) == 4


# Pixels


@pytest.mark.skipif(bpy.app.version < (5, 2, 0), reason="Blender draws without a window from 5.2 on")
def test_batches_are_built_once(path_tree):
    import gpu
    from motion_editing.motion_editing_addon.interface.drawing import painter
    from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement

    gpu.init()
    target = gpu.types.GPUOffScreen(*SIZE)
    counts = []
    try:
        with target.bind():
            for _redraw in range(3):
                for name, picture in scene().parts.items():
                    painter.paint_in_scene(f"pose tree test {name}", picture, 1.0, depth="LESS_EQUAL")
                for name in ("figures", "dots"):
                    painter.paint_flat(
                        f"pose tree test {name}", getattr(screen(), name), Placement((0, 0), (1, 1)), width=800
                    )
                counts.append(painter.kept.builds)
            move(node_of(path_tree).cursor, (0.3, 0.1, 0.2))
            for name, picture in scene().parts.items():
                painter.paint_in_scene(f"pose tree test {name}", picture, 1.0, depth="LESS_EQUAL")
            counts.append(painter.kept.builds)
    finally:
        target.free()
    assert counts[0] == counts[1] == counts[2]
    assert counts[3] == counts[2] + 1, "the links"
    kept = len(painter.kept)
    overlay_painter.forget()
    assert len(painter.kept) == kept - 4 - 3, "four in the scene, the figures, and the dots by place and by size"
