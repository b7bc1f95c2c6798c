"""What happens at every move of the mouse and at every redraw: `python benchmarks/addon/bench_interface.py`.

Prints a table in Markdown, of Blender's own Python and headless. Each row compares with what Blender or a plain
script would do in its place, measured by turns in the same run; times are the best of several.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import bpy
import numpy as np
from bench_drag import BONES, FRAMES, figure
from quiet import quietly
from stopwatch import milliseconds
from workshop import checkout_as_extension

REPEATS = 15


def row(name: str, ours: Callable[[], Any], peer_name: str, peer: Callable[[], Any]) -> None:
    """Print what something takes beside its peer."""
    best = [
        min(each)
        for each in zip(*((milliseconds(ours, 1), milliseconds(peer, 1)) for _ in range(REPEATS)), strict=True)
    ]
    print(f"| {name} | {best[0]:.3f} | {peer_name} | {best[1]:.3f} | {best[1] / best[0]:.1f} |", flush=True)


def previews(armature: bpy.types.Object) -> None:
    """The rig follows a motion that was never keyed, beside Blender's own step to another frame."""
    from motion_editing.core.numerics import quaternion
    from motion_editing.motion_editing_addon.border import action_io
    from motion_editing.motion_editing_addon.interface.operators.pose_preview import PosePreview

    scene, clip = bpy.context.scene, action_io.read(armature, rate=24.0)
    turns = [quaternion.from_axis_angle([1.0, 0.0, 0.0], 0.01 * number) for number in range(1, 4)]
    turned = [clip.motion.with_rotations(quaternion.multiply(clip.motion.rotations, turn)) for turn in turns]
    for trails in (False, True):
        preview, count = PosePreview(clip, trails=trails), [0]

        def update(preview: Any = preview, count: list[int] = count) -> None:
            count[0] += 1
            preview.show(turned[count[0] % len(turned)])
            bpy.context.view_layer.update()

        def step(count: list[int] = count) -> None:
            scene.frame_set(100 + count[0] % 2)

        row(f"live preview of {BONES} bones{', with trails' * trails}", update, "Blender goes to another frame", step)
        preview.restore()


def models(armature: bpy.types.Object) -> None:
    """Models saved with the action, beside lists in its custom properties; and whether keys have changed since."""
    from motion_editing.motion_editing_addon.border import action_io, saved_state
    from motion_editing.motion_editing_addon.document import watched_keys

    action, slot = armature.animation_data.action, armature.animation_data.action_slot.identifier
    bulk = np.random.default_rng(0).normal(size=(FRAMES, BONES, 4))
    seen = action_io.fingerprint(armature)
    kind = saved_state.Kind("bulk", 1, "Damaged", "Newer", {"bulk": saved_state.array("f8", "_", "_", "4")})
    saved_state.save(action, slot, kind, {"bulk": bulk}, seen)

    def save_list() -> None:
        action["bulk"] = bulk.ravel().tolist()

    save_list()
    save = lambda: saved_state.save(action, slot, kind, {"bulk": bulk}, seen)  # noqa: E731
    row("a model of 1.9 MB saved", save, "as a list of numbers", save_list)
    row(
        "and loaded",
        lambda: saved_state.load(action, slot, kind),
        "as a list",
        lambda: np.array(action["bulk"].to_list()),
    )
    watched_keys.state(armature, kind)
    look = lambda: watched_keys.state(armature, kind)  # noqa: E731
    row("whether keys have changed", look, "reading them", lambda: action_io.fingerprint(armature))


def pictures() -> None:
    """Shapes of the strip and of trails, beside copying their numbers one by one."""
    from motion_editing.motion_editing_addon.guided_warp.lane.time_data import KeyTime, TimeLaneData
    from motion_editing.motion_editing_addon.guided_warp.lane.time_picture import TimePicture
    from motion_editing.motion_editing_addon.interface.drawing import viewport
    from motion_editing.motion_editing_addon.interface.drawing.shapes import merged
    from motion_editing.motion_editing_addon.interface.drawing.theme import palette

    frames = np.arange(10_000.0)
    flags = tuple(KeyTime(200.0 * number, 190.0 * number) for number in range(50))
    data = TimeLaneData(flags, frames, 1.0 + 0.5 * np.sin(frames / 9.0), frames, speed_limit=2.0)
    colours, values = palette(bpy.context), np.stack([frames, frames], axis=1)
    draw = lambda: merged(TimePicture(data, colours).content.shapes)  # noqa: E731
    row("warp plot of 10,000 frames", draw, "its points as tuples", lambda: [tuple(each) for each in values])
    walk = np.cumsum(np.random.default_rng(0).normal(size=(1000, 3)), axis=0)
    trails = [(walk, (1.0, 1.0, 1.0, 1.0), 1.0)] * 20
    show = lambda: viewport.show("drag", trails=trails)  # noqa: E731
    row(
        "20 trails of 1,000 frames",
        show,
        "their points as tuples",
        lambda: [tuple(each) for _ in trails for each in walk],
    )
    viewport.hide("drag")


def main() -> None:
    """Print the table."""
    extension = checkout_as_extension.load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    print(f"Blender {bpy.app.version_string}, {BONES} bones, {FRAMES} frames\n")
    print("| what | ms | peer | ms | times faster |\n|---|---:|---|---:|---:|")
    with quietly():
        armature = figure("Figure")
    bpy.context.scene.frame_set(100)
    previews(armature)
    models(armature)
    pictures()
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
