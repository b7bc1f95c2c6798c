"""The demo's step about faces: shape keys blended in a control space, five expressions and all between them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import Shown, run
from motion_editing.core.timeline.pose_picture import Canvas, draw_text

if TYPE_CHECKING:
    from bpy.types import Object

# Expressions: where they lie in the space, and the values of their shape keys.
EXPRESSIONS = {
    "Calm": ((0.0, 0.0), {}),
    "Joy": ((1.0, 1.0), {"Smile": 1.0, "Open": 0.45, "Brows": 0.5}),
    "Surprise": ((-1.0, 1.0), {"Open": 1.0, "Brows": 1.0, "Eyes": 1.0}),
    "Anger": ((-1.0, -1.0), {"Smile": -0.6, "Frown": 1.0, "Eyes": -0.5}),
    "Sleep": ((1.0, -1.0), {"Eyes": -1.0, "Brows": -0.4, "Smile": 0.25}),
}
STEPS = 5  # faces along each side of the picture
CELL, MARGIN, SCALE = 116.0, 20.0, 40.0  # pixels
BACKGROUND, INK, LINE, ACCENT = (0.972, 0.968, 0.955), (0.20, 0.22, 0.27), (0.80, 0.79, 0.76), (0.88, 0.42, 0.20)


def blend_a_face() -> Shown:
    """Blend a face: five expressions in a control space."""
    sample = bpy.context.object
    face = made_face()
    run(bpy.ops.motion_editing.add_pose_tree, name="Face", live=False)
    cursor = face.motion_editing_tree.nodes[0].cursor
    for name, (place, values) in EXPRESSIONS.items():
        cursor.location = (place[0], 0.0, place[1])
        set_values(face, values)
        run(bpy.ops.motion_editing.add_tree_pose, name=name)
    run(bpy.ops.motion_editing.live_pose_tree, state="ON")
    faces = {place: blended(face, cursor, place) for place in places()}
    error = max(largest_error(face, cursor, *expression) for expression in EXPRESSIONS.values())
    bpy.context.view_layer.objects.active = sample
    count = len(key_blocks(face))
    lines = [
        f"{len(EXPRESSIONS)} expressions of {count} shape keys, {len(faces)} places of the cursor",
        f"at an expression's place its values are met within {error:.0e}",
    ]
    return Shown(lines, [], {"face.png": picture_of(faces)})


# The face: lines in the plane of x and z


def made_face() -> Object:
    """A face of lines with shape keys, active, beside the figures."""
    mesh = bpy.data.meshes.new("Face")
    shapes = {name: outline(**{name.lower(): 1.0}) for name in ("Smile", "Open", "Brows", "Frown", "Eyes")}
    calm = outline()
    ends = np.cumsum([len(line) for line in calm])
    edges = [(n, n + 1) for n in range(ends[-1] - 1) if n + 1 not in ends]
    mesh.from_pydata(np.concatenate(calm).tolist(), edges, [])
    face = bpy.data.objects.new("Face", mesh)
    bpy.context.scene.collection.objects.link(face)
    bpy.context.view_layer.objects.active = face
    face.location = (-2.5, 0.0, 1.2)
    face.shape_key_add(name="Basis", from_mix=False)
    for name, lines in shapes.items():
        block = face.shape_key_add(name=name, from_mix=False)
        block.slider_min = -1.0
        block.points.foreach_set("co", np.concatenate(lines).astype(np.float32).ravel())
    return face


def outline(
    *, smile: float = 0.0, open: float = 0.0, brows: float = 0.0, frown: float = 0.0, eyes: float = 0.0
) -> list[np.ndarray]:
    """Lines (N, 3) of head, eyes, brows, nose and lips; each number moves some of them."""
    around = np.linspace(0.0, 2.0 * np.pi, 33)
    across = np.linspace(-1.0, 1.0, 13)
    lines = [_flat(0.95 * np.cos(around), 1.2 * np.sin(around) - 0.1 * open * (np.sin(around) < 0.0))]
    for side in (-1.0, 1.0):
        lines.append(_flat(side * 0.38 + 0.17 * np.cos(around), 0.28 + 0.1 * (1.0 + 0.9 * eyes) * np.sin(around)))
        inner = 0.5 - 0.5 * side * across  # one at the end towards the nose
        height = 0.55 + 0.05 * (1.0 - across**2) + 0.16 * brows - 0.2 * frown * inner
        lines.append(_flat(side * 0.38 + 0.24 * across, height))
    lines.append(_flat([0.02, -0.07, 0.06], [0.2, -0.12, -0.14]))
    corners = 0.2 * smile * (across**2 - 0.4)
    width = 0.36 + 0.08 * smile - 0.08 * open
    for lip, drop in ((0.03, 0.04), (-0.05, 0.34)):
        lines.append(_flat(width * across, -0.5 + corners + (lip - drop * open) * (1.0 - across**2)))
    return lines


def _flat(right: object, up: object) -> np.ndarray:
    right, up = np.asarray(right, dtype=np.float64), np.asarray(up, dtype=np.float64)
    return np.column_stack([right, np.zeros_like(right), up])


def key_blocks(face: Object) -> list[bpy.types.ShapeKey]:
    """All shape keys but the first."""
    return list(face.data.shape_keys.key_blocks)[1:]


def set_values(face: Object, values: dict[str, float]) -> None:
    """Set all shape keys; those that are not named to zero."""
    for block in key_blocks(face):
        block.value = values.get(block.name, 0.0)


# Blending


def places() -> list[tuple[float, float]]:
    """Where the cursor is looked at, rows from the top."""
    steps = np.linspace(-1.0, 1.0, STEPS).tolist()
    return [(across, up) for up in reversed(steps) for across in steps]


def blended(face: Object, cursor: Object, place: tuple[float, float]) -> list[np.ndarray]:
    """The face's lines while the cursor is at a place."""
    cursor.location = (place[0], 0.0, place[1])
    bpy.context.view_layer.update()
    calm = np.concatenate(outline())
    points = calm.copy()
    for block in key_blocks(face):
        points += block.value * (np.concatenate(outline(**{block.name.lower(): 1.0})) - calm)
    return np.split(points, np.cumsum([len(line) for line in outline()])[:-1])


def largest_error(face: Object, cursor: Object, place: tuple[float, float], values: dict[str, float]) -> float:
    """How far any shape key is from its value in an expression while the cursor is there."""
    blended(face, cursor, place)
    return max(abs(block.value - values.get(block.name, 0.0)) for block in key_blocks(face))


# What is shown


def picture_of(faces: dict[tuple[float, float], list[np.ndarray]]) -> np.ndarray:
    """The faces where they are in the space; expressions that were given have their names."""
    size = round(STEPS * CELL + 2.0 * MARGIN)
    canvas = Canvas(size, size, BACKGROUND)
    names = {place: name for name, (place, _values) in EXPRESSIONS.items()}
    for number, (place, lines) in enumerate(faces.items()):
        middle = MARGIN + CELL * (np.array([number % STEPS, number // STEPS]) + 0.5)
        _draw(canvas, lines, middle - [0.0, 6.0], ACCENT if place in names else INK)
        if place in names:
            draw_text(canvas, names[place], (middle[0], middle[1] + 57.0), size=8.0, colour=ACCENT, align=0.5)
    return canvas.rgba()


def _draw(canvas: Canvas, lines: list[np.ndarray], middle: np.ndarray, colour: tuple[float, float, float]) -> None:
    for number, line in enumerate(lines):
        flat = middle + SCALE * line[:, [0, 2]] * [1.0, -1.0]
        for start, end in pairwise(flat):
            canvas.stroke(start, end, 1.2, LINE if number == 0 else colour)
