"""What is drawn of pose trees: every part of it, where it is, and that nothing is built twice."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.drawing.scene_shapes import cube_edges, cubes, dashed, dimmed
from motion_editing.motion_editing_addon.drawing.scene_theme import scene_palette
from motion_editing.motion_editing_addon.drawing.screen_places import ScreenView, free_boxes
from motion_editing.motion_editing_addon.drawing.shapes import LINES, TRIANGLES, Picture
from motion_editing.motion_editing_addon.pose_tree import (
    capture,
    live,
    model,
    overlay,
    overlay_painting,
    overlay_screen,
    spaces,
)
from motion_editing.motion_editing_addon.pose_tree.evaluation import weights_of
from motion_editing.motion_editing_addon.pose_tree.overlay_data import ACTIVE, PLAIN, SELECTED, spaces_seen
from rigs import chain_armature, key_bones

CORNERS = ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0))
SIZE = (800, 600)


@pytest.fixture(autouse=True)
def no_tree_left() -> Iterator[None]:
    """Handlers are there only while there is a tree."""
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert overlay.handled_stages() == set()


@pytest.fixture
def tree() -> bpy.types.Object:
    """A chain with a tree of four poses; the cursor in the middle."""
    armature = chain_armature()
    number = spaces.add_tree(bpy.context.scene, armature, "Body")
    for count, place in enumerate(CORNERS):
        for bone in armature.pose.bones:
            bone.rotation_quaternion = (1.0, 0.3 * count, 0.1, 0.0)
        spaces.add_target(armature, number, f"Pose {count}", place, capture.from_rig(armature))
    live.changed(armature)
    bpy.context.view_layer.update()
    return armature


def node_of(owner: bpy.types.Object, number: int = 1) -> bpy.types.PropertyGroup:
    return model.node_by_number(owner, number)


def move(thing: bpy.types.Object, place: tuple[float, ...]) -> None:
    thing.location = place
    bpy.context.view_layer.update()


def scene() -> overlay_painting.Scene:
    return overlay_painting.scene_of(bpy.context, overlay.owner_names(), scene_palette(bpy.context))


def front_view() -> ScreenView:
    """Looks along y at the first space, 100 pixels for a unit."""
    middle = node_of(model.owners()[0]).space.matrix_world.translation
    return ScreenView.of(view_at(*middle), SIZE)


def view_at(x: float, _y: float, z: float, *, turn: float = 0.0) -> list[tuple[float, ...]]:
    return [(0.25, turn, 0, -0.25 * x), (0, 0, 1 / 3, -z / 3), (0, 0.01, 0, 0), (0, 0, 0, 1)]


def wide_letters(text: str, size: float) -> float:
    return 0.6 * size * len(text)


def screen(view: ScreenView | None = None) -> overlay_painting.Screen:
    colours = scene_palette(bpy.context)
    return overlay_painting.screen_of(scene(), "region", view or front_view(), colours, wide_letters)


def texts() -> set[str]:
    return {label.text for label in screen().labels}


# Shapes


def test_cubes_are_lit_from_outside_and_keep_their_winding_when_mirrored():
    matrix, mirrored = np.eye(4), np.diag([-1.0, 1.0, 1.0, 1.0])
    for each in (matrix, mirrored):
        shape = cubes([each], (1.0, 1.0, 1.0, 0.5))
        triangles = shape.places.reshape(-1, 3, 3)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        assert ((normals * triangles.mean(axis=1)).sum(axis=1) > 0.0).all(), "every face looks outwards"
        assert len(triangles) == 12
        top = shape.colours.reshape(-1, 3, 4)[normals[:, 2] > 0.1, 0, 0]
        assert (top == shape.colours[:, 0].max()).all()


def test_a_cube_has_twelve_edges_of_its_side():
    matrix = np.diag([0.5, 0.5, 0.5, 1.0])
    ends = cube_edges([matrix, matrix], (1.0, 1.0, 1.0, 1.0)).places.reshape(-1, 2, 3)
    np.testing.assert_allclose(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), np.ones(24))


def test_dashes_begin_and_end_the_line():
    shape = dashed([(0, 0, 0), (0, 1, 0)], [(10, 0, 0), (0, 1, 0.1)], (1.0, 1.0, 1.0, 1.0), dash=0.5)
    ends = shape.places.reshape(-1, 2, 3)
    assert ends[0, 0].tolist() == [0, 0, 0]
    np.testing.assert_allclose(ends[9, 1], [10, 0, 0])
    np.testing.assert_allclose(ends[10], [(0, 1, 0), (0, 1, 0.1)])
    assert len(ends) == 11
    drawn = np.linalg.norm(ends[:10, 1] - ends[:10, 0], axis=1).sum()
    np.testing.assert_allclose(drawn, 10 * 10 / 19)


def test_dimmed_shapes_are_the_same_with_less_alpha():
    picture = Picture((cubes([np.eye(4)], (1.0, 0.5, 0.0, 0.8)),))
    faint = dimmed(picture, 0.25)
    np.testing.assert_array_equal(faint.shapes[0].places, picture.shapes[0].places)
    np.testing.assert_array_equal(faint.shapes[0].colours[:, :3], picture.shapes[0].colours[:, :3])
    np.testing.assert_allclose(faint.shapes[0].colours[:, 3], 0.2)


def test_pixels_and_lengths_agree_with_each_other():
    view = ScreenView.of(view_at(0, 0, 0.6), SIZE)
    pixels = view.pixels([(0, 0, 0), (1, 0, 0), (0, 5, 1)])
    np.testing.assert_allclose(pixels[:, :2], [(400, 240), (500, 240), (400, 340)])
    np.testing.assert_allclose(view.lengths([(0, 5, 1)], [1.0]), [100.0])
    assert pixels[2, 2] > pixels[0, 2], "farther away"
    behind = ScreenView.of([(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 1, 0, 0)], SIZE)
    assert not np.isfinite(behind.pixels([(0, -1, 0)])).any()


def test_the_first_ones_get_the_best_free_place():
    box, beside, far = (0, 0, 10, 10), (11, 0, 21, 10), (50, 0, 60, 10)
    assert free_boxes([[box, beside], [box, beside], [box, beside], [far]]) == [0, 1, None, 0]
    assert free_boxes([[box]], [(5, 5, 6, 6)]) == [None]
    assert free_boxes([[box], [beside]], gap=2.0) == [0, None]


# Handlers


def test_nothing_is_drawn_without_a_tree():
    chain_armature()
    assert overlay.handled_stages() == set()


def test_handlers_come_and_go_with_trees(tree):
    assert overlay.handled_stages() == {"POST_VIEW", "POST_PIXEL"}
    assert overlay.owner_names() == [tree.name]
    bpy.ops.motion_editing.remove_pose_tree()
    assert overlay.handled_stages() == set()


def test_disabling_the_extension_stops_drawing(tree, registered_addon):
    registered_addon.unregister()
    try:
        assert overlay.handled_stages() == set()
    finally:
        registered_addon.register()
    assert overlay.handled_stages() == {"POST_VIEW", "POST_PIXEL"}


def test_a_deleted_owner_draws_nothing(tree):
    bpy.data.objects.remove(tree)
    assert scene().spaces == []


# What is seen


def test_targets_have_the_places_sizes_and_selection_of_their_empties(tree):
    objects = model.targets_of(node_of(tree))
    bpy.ops.object.select_all(action="DESELECT")
    objects[0].select_set(True)
    objects[2].select_set(True)
    bpy.context.view_layer.objects.active = objects[2]
    (space,) = spaces_seen(bpy.context, [tree.name])
    assert space.targets.names == tuple(each.name for each in objects)
    assert space.targets.states == (SELECTED, PLAIN, ACTIVE, PLAIN)
    for matrix, each in zip(space.targets.matrices, objects, strict=True):
        corner = matrix @ (1, 1, 1, 1)
        size = each.empty_display_size
        np.testing.assert_allclose(corner, [*(each.matrix_world @ each.location.__class__((size,) * 3)), 1], atol=1e-6)


def test_hidden_targets_and_nodes_are_left_out(tree):
    model.targets_of(node_of(tree))[1].hide_set(True)
    assert len(scene().spaces[0].targets.names) == 3
    node_of(tree).shown = False
    assert scene().spaces == []


def test_cubes_have_the_colours_of_selection_and_of_what_they_are(tree):
    child = spaces.add_node(bpy.context.scene, tree, "Arm", parent=1, place=(0.0, 0.0, 0.5))
    spaces.add_target(tree, child, "Bent", (0, 0, 0), capture.from_rig(tree))
    live.changed(tree)
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    colours = scene_palette(bpy.context)
    body = next(space for space in scene().spaces if space.number == 1)
    from motion_editing.motion_editing_addon.pose_tree.overlay_scene import target_colours

    found = target_colours(body, colours).tolist()
    assert found == [list(colours.target)] * 4 + [list(colours.child)]
    assert body.targets.names[-1] == "Arm"
    solid = scene().parts["targets"].parts
    assert [shape.kind for shape in solid] == [TRIANGLES, LINES], "one batch of faces, one of edges over them"
    assert len(solid[0]) == 6 * 36
    assert len(scene().parts["relations"].parts) == 1, "a line from the child's space to its place"


def test_links_are_as_thick_as_their_weights(tree):
    cursor = node_of(tree).cursor
    move(cursor, (0.9, 0.0, 0.8))
    shown = scene()
    (links,) = shown.links.values()
    expected = weights_of(tree, node_of(tree)).targets
    names = shown.spaces[0].targets.names
    assert {names[link.target]: link.weight for link in links} == {
        name: weight for name, weight in expected.items() if abs(weight) >= 0.01
    }
    assert names[links[0].target] == max(expected, key=expected.get), "the strongest comes first"
    shapes = sorted(shown.parts["links"].shapes, key=lambda shape: shape.size)
    thickest = shapes[-1].places
    np.testing.assert_allclose(thickest[0], cursor.matrix_world.translation, atol=1e-6)
    way, left = thickest[1] - thickest[0], links[0].place - thickest[1]
    np.testing.assert_allclose(np.cross(way, left), 0.0, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(left), links[0].size, rtol=1e-5)
    assert shapes[-1].colours[1, 3] > shapes[0].colours[1, 3]


def test_a_cursor_has_a_dot_in_the_colour_of_its_selection(tree):
    colours, cursor = scene_palette(bpy.context), node_of(tree).cursor
    bpy.ops.object.select_all(action="DESELECT")
    assert np.allclose(screen().cursors.shapes[-1].colours, colours.text_strong)
    cursor.select_set(True)
    assert np.allclose(screen().cursors.shapes[-1].colours, colours.selected)
    bpy.context.view_layer.objects.active = cursor
    assert np.allclose(screen().cursors.shapes[-1].colours, colours.active)
    pixels = front_view().pixels([cursor.matrix_world.translation])[0, :2]
    np.testing.assert_allclose(screen().cursors.shapes[-1].places[0], pixels, atol=1e-3)


def test_at_a_target_there_is_only_its_link(tree):
    move(node_of(tree).cursor, CORNERS[2])
    (links,) = scene().links.values()
    assert [(scene().spaces[0].targets.names[link.target], round(link.weight, 6)) for link in links] == [("Pose 2", 1)]
    assert "Pose 2  100 %" in texts()


# Words


def test_names_and_percentages_are_shown_where_there_is_room(tree):
    words = texts()
    assert "Body" in words
    assert {text.split("  ")[0] for text in words} == {"Body", "Pose 0", "Pose 1", "Pose 2", "Pose 3"}
    assert sum("%" in text for text in words) == 4


def test_crowded_names_give_way_to_the_nearest_to_the_cursor(tree):
    for number in range(30):
        place = (0.01 * number, 0.0, 0.6)
        spaces.add_target(tree, 1, f"Crowd {number}", place, capture.from_rig(tree))
    live.changed(tree)
    move(node_of(tree).cursor, (-1.0, 0.0, -0.98))
    found = screen().labels
    names = [label.text for label in found]
    assert any(name.startswith("Pose 0") for name in names)
    assert len([name for name in names if name.startswith("Crowd")]) < 12
    boxes = [(*label.place, label.place[0] + wide_letters(label.text, label.size)) for label in found]
    for number, (left, low, right) in enumerate(boxes):
        for other_left, other_low, other_right in boxes[:number]:
            apart = right <= other_left or other_right <= left or abs(low - other_low) >= 11.0
            assert apart, "no two labels over each other"


# Figures


def test_every_target_has_a_figure_that_stands_above_it(tree):
    shown = scene()
    figures = {space.identity: overlay_painting._figures_of(space) for space in shown.spaces}
    found = overlay_screen.figures_on_screen(shown.spaces, figures, front_view(), scene_palette(bpy.context))
    assert len(found.boxes) == 4
    seen = overlay_screen.on_screen(shown.spaces[0], front_view())
    for left, low, right, _top in found.boxes:
        above = (seen.pixels[:, 0] > left) & (seen.pixels[:, 0] < right) & (seen.pixels[:, 1] < low)
        assert above.any()


def test_a_figure_is_the_pose_in_small(tree):
    (space,) = scene().spaces
    figures = overlay_painting._figures_of(space)
    assert figures.lines.shape == (4, 4, 2, 2), "four poses of four bones"
    lengths = np.linalg.norm(figures.lines[:, :, 1] - figures.lines[:, :, 0], axis=-1)
    straight = lengths[figures.number["Pose 0"]].sum()
    curled = figures.lines[figures.number["Pose 3"], ..., 1].max()
    assert figures.lines[..., 1].min() == 0.0
    assert figures.lines[..., 1].max() == pytest.approx(1.0)
    assert curled < straight


def test_figures_are_thinned_out_where_they_are_crowded(tree):
    for number in range(200):
        spaces.add_target(tree, 1, f"Crowd {number}", (0.001 * number, 0.0, 0.0), capture.from_rig(tree))
    live.changed(tree)
    bpy.context.view_layer.update()
    figures = screen().figures
    lines = sum(len(shape) for shape in figures.shapes)
    assert 0 < lines < 10 * 4 * 2 * 3


def test_an_object_without_bones_has_cubes_but_no_figures():
    thing = bpy.data.objects.new("Face", None)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    thing["smile"] = 0.0
    number = spaces.add_tree(bpy.context.scene, thing, "Face")
    for count in range(2):
        thing["smile"] = float(count)
        spaces.add_target(thing, number, f"Smile {count}", (count, 0, 0), capture.from_rig(thing))
    live.changed(thing)
    bpy.context.view_layer.update()
    assert len(scene().parts["targets"].parts) == 2
    assert not screen().figures.parts


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
    matrix = model.matrix_of(node_of(path_tree))
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
    return {name: getattr(overlay_painting, name).builds for name in kept}


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
    before = overlay_painting._figures_of(space).lines.copy()
    target = model.targets_of(node_of(tree))[0]
    bpy.context.view_layer.objects.active = target
    for bone in tree.pose.bones:
        bone.rotation_quaternion = (1.0, -0.7, 0.0, 0.0)
    assert bpy.ops.motion_editing.replace_tree_pose() == {"FINISHED"}
    (space,) = scene().spaces
    assert not np.allclose(overlay_painting._figures_of(space).lines, before)


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
    from motion_editing.motion_editing_addon.drawing import painter
    from motion_editing.motion_editing_addon.drawing.shapes import Placement

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
    overlay_painting.forget()
    assert len(painter.kept) == kept - 4 - 3, "four in the scene, the figures, and the dots by place and by size"
