"""The stage that loops are rendered on: a floor with squares, soft light, and a camera that sees both motions."""

from __future__ import annotations

from math import ceil, cos, floor, radians, sin
from pathlib import Path

import bpy
from mathutils import Vector

WIDTH, HEIGHT = 360, 400  # pixels of one picture
EVERY = 2  # frames from one picture to the next
_MARGIN = 1.08
_TILE = 0.5  # metres
_BEYOND = 40  # squares around the room
_FLOOR = ((0.30, 0.32, 0.35, 1.0), (0.22, 0.24, 0.27, 1.0))
_SKY = (0.29, 0.31, 0.34)

Box = tuple[Vector, Vector]


def skin_of(armature: bpy.types.Object) -> bpy.types.Object:
    """The mesh that an armature moves."""
    return next(thing for thing in armature.children if thing.type == "MESH")


def room_of(armature: bpy.types.Object, frames: tuple[int, int]) -> Box:
    """Lowest and highest corner of what the figure takes up over frames."""
    scene, skin = bpy.context.scene, skin_of(armature)
    corners = []
    for frame in range(frames[0], frames[1] + 1, 3):
        scene.frame_set(frame)
        seen = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
        corners += [seen.matrix_world @ Vector(corner) for corner in seen.bound_box]
    return _box(corners)


def _box(points: list[Vector]) -> Box:
    return tuple(Vector([pick(point[axis] for point in points) for axis in range(3)]) for pick in (min, max))


def both(first: Box, second: Box) -> Box:
    """The room that two motions take up together."""
    return _box([*first, *second])


def set_up(room: Box, view: tuple[float, float], across: float) -> None:
    """Light, floor and camera for a room."""
    scene = bpy.context.scene
    _set_look(scene)
    _add_floor(room)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    _aim(camera, room, view, across)


def _set_look(scene: bpy.types.Scene) -> None:
    render, shading = scene.render, scene.display.shading
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y, render.resolution_percentage = WIDTH, HEIGHT, 100
    render.image_settings.file_format = "PNG"
    scene.display.render_aa = "5"
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    shading.show_cavity, shading.show_shadows, shading.shadow_intensity = True, True, 0.35
    shading.background_type, shading.background_color = "VIEWPORT", _SKY
    scene.display.light_direction = (0.3, 0.25, 0.9)
    scene.view_settings.view_transform = "Standard"


def _add_floor(room: Box) -> None:
    """Squares of two greys, so that feet that slide are seen to slide."""
    spans = [(floor(room[0][axis] / _TILE) - _BEYOND, ceil(room[1][axis] / _TILE) + _BEYOND) for axis in (0, 1)]
    tiles = [(x, y) for x in range(*spans[0]) for y in range(*spans[1])]
    around = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = [(_TILE * (x + a), _TILE * (y + b), -0.001) for x, y in tiles for a, b in around]
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata(corners, [], [tuple(range(4 * n, 4 * n + 4)) for n in range(len(tiles))])
    for colour in _FLOOR:
        material = bpy.data.materials.new("Floor")
        material.diffuse_color, material.roughness = colour, 1.0
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", [(x + y) % 2 for x, y in tiles])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Floor", mesh))


def _aim(camera: bpy.types.Object, room: Box, view: tuple[float, float], across: float) -> None:
    """Look at the middle of the room from a side, with all of it in sight."""
    aside, up = (radians(angle) for angle in view)
    away = Vector((sin(aside) * cos(up), -cos(aside) * cos(up), sin(up)))
    middle = 0.5 * (room[0] + room[1])
    camera.data.type = "ORTHO"
    camera.location = middle + 12.0 * away
    camera.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()
    turn = camera.rotation_euler.to_matrix().inverted()
    corners = [turn @ (Vector((x, y, z)) - middle) for x, y, z in _corners(room)]
    wide, tall = (2.0 * max(abs(corner[axis]) for corner in corners) for axis in (0, 1))
    camera.data.sensor_fit = "VERTICAL"
    camera.data.ortho_scale = (across * HEIGHT / WIDTH) or _MARGIN * max(tall, wide * HEIGHT / WIDTH)


def _corners(room: Box) -> list[tuple[float, float, float]]:
    (x, y, z), (a, b, c) = room
    return [(i, j, k) for i in (x, a) for j in (y, b) for k in (z, c)]


def render(frames: tuple[int, int], folder: Path) -> None:
    """A picture of every second frame, numbered."""
    scene = bpy.context.scene
    folder.mkdir(parents=True)
    for number, frame in enumerate(range(frames[0], frames[1] + 1, EVERY)):
        scene.frame_set(frame)
        scene.render.filepath = str(folder / f"{number:04d}.png")
        bpy.ops.render.render(write_still=True)
