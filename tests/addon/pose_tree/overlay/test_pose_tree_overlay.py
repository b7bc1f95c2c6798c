"""What is drawn of pose trees: targets, links, cursors, words, figures."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing.scene_theme import scene_palette
from motion_editing.motion_editing_addon.interface.drawing.shapes import LINES, TRIANGLES
from motion_editing.motion_editing_addon.pose_tree import live, model, spaces
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay, overlay_painter, overlay_screen
from motion_editing.motion_editing_addon.pose_tree.overlay.overlay_data import ACTIVE, PLAIN, SELECTED, spaces_seen
from motion_editing.motion_editing_addon.pose_tree.poses import capture
from motion_editing.motion_editing_addon.pose_tree.solution.evaluation import weights_of
from rigs import chain_armature
from seen_tree import (
    CORNERS,
    drawing_ends_with_the_file,
    front_view,
    move,
    node_of,
    scene,
    screen,
    texts,
    tree_of_four_poses,
    wide_letters,
)


@pytest.fixture(autouse=True)
def no_tree_left() -> Iterator[None]:
    yield from drawing_ends_with_the_file()


@pytest.fixture
def tree() -> bpy.types.Object:
    return tree_of_four_poses()


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
    from motion_editing.motion_editing_addon.pose_tree.overlay.overlay_scene import target_colours

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
    figures = {space.identity: overlay_painter._figures_of(space) for space in shown.spaces}
    found = overlay_screen.figures_on_screen(shown.spaces, figures, front_view(), scene_palette(bpy.context))
    assert len(found.boxes) == 4
    seen = overlay_screen.on_screen(shown.spaces[0], front_view())
    for left, low, right, _top in found.boxes:
        above = (seen.pixels[:, 0] > left) & (seen.pixels[:, 0] < right) & (seen.pixels[:, 1] < low)
        assert above.any()


def test_a_figure_is_the_pose_in_small(tree):
    (space,) = scene().spaces
    figures = overlay_painter._figures_of(space)
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
