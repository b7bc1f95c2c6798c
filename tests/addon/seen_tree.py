"""A pose tree of four poses, and what is drawn of it as seen from the front."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from motion_editing.motion_editing_addon.interface.drawing.scene_theme import scene_palette
from motion_editing.motion_editing_addon.interface.drawing.screen_places import ScreenView
from motion_editing.motion_editing_addon.pose_tree import live, model, spaces
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay, overlay_painter
from motion_editing.motion_editing_addon.pose_tree.poses import capture
from rigs import chain_armature

CORNERS = ((-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0))
SIZE = (800, 600)


def drawing_ends_with_the_file() -> Iterator[None]:
    """Handlers are there only while there is a tree."""
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert overlay.handled_stages() == set()


def tree_of_four_poses() -> bpy.types.Object:
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


def scene() -> overlay_painter.Scene:
    return overlay_painter.scene_of(bpy.context, overlay.owner_names(), scene_palette(bpy.context))


def front_view() -> ScreenView:
    """Looks along y at the first space, 100 pixels for a unit."""
    middle = node_of(model.owners()[0]).space.matrix_world.translation
    return ScreenView.of(view_at(*middle), SIZE)


def view_at(x: float, _y: float, z: float, *, turn: float = 0.0) -> list[tuple[float, ...]]:
    return [(0.25, turn, 0, -0.25 * x), (0, 0, 1 / 3, -z / 3), (0, 0.01, 0, 0), (0, 0, 0, 1)]


def wide_letters(text: str, size: float) -> float:
    return 0.6 * size * len(text)


def screen(view: ScreenView | None = None) -> overlay_painter.Screen:
    colours = scene_palette(bpy.context)
    return overlay_painter.screen_of(scene(), "region", view or front_view(), colours, wide_letters)


def texts() -> set[str]:
    return {label.text for label in screen().labels}
