"""A stack of six edits on 60 bones and 1,000 frames: `python benchmarks/addon/bench_stack.py`.

Prints a table in Markdown, of Blender's own Python and headless. Of each edit one value is changed: how long it takes
until the rig could show what comes of it, as while a number is dragged, and until all keys are written. Beside it is
what an animator would do without a stack: bring back the original keys and use the six tools again. Times are
processor times of one thread, the best of several.
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
from quiet import quietly
from stopwatch import PROCESSOR, milliseconds
from workshop import checkout_as_extension

BONES, FRAMES, TURNS = 60, 1000, 4
LEAST, LONGEST = 10.0, 300.0  # updates a second while a value is dragged, milliseconds until keys are written
# Tools, their values, and the value that is changed.
EDITS = (
    ("low_pass", {"cutoff": 3.0}, "cutoff"),
    ("exaggerate_motion", {"amount": 1.2}, "amount"),
    ("shift_time", {"offset": 0.5}, "offset"),
    ("soft_limit", {"softness": 0.4}, "softness"),
    ("smooth", {"radius": 0.1}, "radius"),
    ("lock_feet", {"fade": 0.2}, "fade"),
)


def figure() -> bpy.types.Object:
    """The sample's walker with fingers, whose motion goes to and fro; a key on every frame for every channel."""
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    add_fingers(armature)
    fill(armature)
    return armature


def add_fingers(armature: bpy.types.Object) -> None:
    """Chains of bones at both hands until there are enough."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    hands = [bone.name for bone in bones if bone.name.startswith("hand")]
    last: dict[tuple[str, int], str] = {}
    for number in range(BONES - len(bones)):
        hand, chain = hands[number % 2], number // 2 % 5
        parent = bones[last.get((hand, chain), hand)]
        bone = bones.new(f"finger {chain}.{number}")
        along = bones[hand].tail - bones[hand].head
        bone.head, bone.tail = parent.tail, parent.tail + 0.3 * along
        bone.parent = parent
        last[hand, chain] = bone.name
    bpy.ops.object.mode_set(mode="OBJECT")


def fill(armature: bpy.types.Object) -> None:
    """Repeat what is keyed, to and fro; all else swings a little."""
    from motion_editing.motion_editing_addon.border.action_io import channelbag
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import generated_keys, write_keys

    random, frames, bag = np.random.default_rng(2), np.arange(1, FRAMES + 1), channelbag(armature)
    length = max(len(curve.keyframe_points) for curve in bag.fcurves)
    rows = np.arange(FRAMES) % (2 * length - 2)
    rows = np.where(rows < length, rows, 2 * length - 2 - rows)
    for curve in bag.fcurves:
        values = np.array([curve.evaluate(frame) for frame in range(1, length + 1)])
        write_keys(curve, generated_keys(frames, values[rows]))
        curve.update()
    for bone in armature.pose.bones:
        for name, size in (("rotation_quaternion", 4), ("location", 3)):
            for index in range(size):
                path = f'pose.bones["{bone.name}"].{name}'
                if bag.fcurves.find(path, index=index) is None:
                    wave = 0.1 * np.sin(frames * random.uniform(0.01, 0.1)) * (size == 4)
                    curve = bag.fcurves.new(path, index=index)
                    write_keys(curve, generated_keys(frames, float((size, index) == (4, 0)) + wave))
                    curve.update()


def edit_all(values: list[dict[str, Any]]) -> None:
    """Use the six tools."""
    for (tool, _own, _name), chosen in zip(EDITS, values, strict=True):
        getattr(bpy.ops.motion_editing, tool)(**chosen)


class Changes:
    """Values that are others each time."""

    def __init__(self, armature: bpy.types.Object) -> None:
        self._armature, self._count = armature, 0

    def set(self, number: int) -> None:
        """Change a value of an edit, and do nothing more."""
        from motion_editing.motion_editing_addon.document.stack import settings
        from motion_editing.motion_editing_addon.document.stack.parameters import group_of

        _tool, values, name = EDITS[number]
        self._count += 1
        stack = self._armature.animation_data.action.motion_editing_stack
        with settings.resting():
            setattr(group_of(stack.entries[number]), name, values[name] * (1.0 + 0.002 * self._count))

    def shown(self, number: int) -> Callable[[], object]:
        """What happens at every move of the mouse."""
        from motion_editing.motion_editing_addon.document.stack import replay

        def show() -> None:
            self.set(number)
            replay.shown(self._armature)

        return show

    def written(self, number: int) -> Callable[[], object]:
        """What happens at its end."""
        from motion_editing.motion_editing_addon.document.stack import replay

        def write() -> None:
            self.set(number)
            replay.work_out(self._armature)

        return write


def anew() -> None:
    """What there is to do without a stack."""
    bpy.ops.motion_editing.restore_original()
    edit_all([values for _tool, values, _name in EDITS])


def main() -> None:
    """Print the table."""
    extension = checkout_as_extension.load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    print(f"Blender {bpy.app.version_string}, {BONES} bones, {FRAMES} frames\n")
    with quietly():
        armature = figure()
        bpy.context.scene.frame_set(FRAMES // 2)
        edit_all([values for _tool, values, _name in EDITS])
        again = milliseconds(anew, TURNS, clock=PROCESSOR)
        changes = Changes(armature)
        rows = []
        for number, (tool, _values, name) in enumerate(EDITS):
            written = milliseconds(changes.written(number), TURNS, clock=PROCESSOR)
            shown = milliseconds(changes.shown(number), TURNS, clock=PROCESSOR)
            changes.written(number)()
            rows.append((tool, name, shown, written))
    print(f"Original keys brought back and all six tools used again: {again:.0f} ms\n")
    print("| changed | shown after, ms | updates a second | written after, ms | times as fast as all again |")
    print("|---|---:|---:|---:|---:|")
    for tool, name, shown, written in rows:
        print(f"| {name} of {tool} | {shown:.0f} | {1e3 / shown:.1f} | {written:.0f} | {again / written:.1f} |")
    held = all(1e3 / shown >= LEAST and written <= LONGEST for _tool, _name, shown, written in rows)
    print(f"\nAt least {LEAST:.0f} updates a second and at most {LONGEST:.0f} ms: {'yes' if held else 'no'}")
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
