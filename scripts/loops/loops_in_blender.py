"""Runs inside headless Blender, started by render_loops.py: renders the frames of loops.

Usage: python loops_in_blender.py FOLDER [NAME ...]; each loop becomes FOLDER/NAME/before and after, with loop.json.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

sys.path.append(str(Path(__file__).resolve().parents[1]))
from workshop import checkout_as_extension

extension = checkout_as_extension.load()

import loop_stage  # noqa: E402
from loop_table import LOOPS, Loop  # noqa: E402
from workshop.command_line import say, stop_with  # noqa: E402

RATE = 30


def make(loop: Loop, folder: Path) -> None:
    """Play the edit once to see how much room both motions need, then render them."""
    kept = folder / f"{loop.name}.blend"
    _load(loop)
    before = loop_stage.room_of(bpy.context.object, loop.frames)
    _save(kept)
    loop.edit()
    room = loop_stage.both(before, loop_stage.room_of(bpy.context.object, loop.frames))
    loop_stage.set_up(room, loop.view, loop.room)
    loop_stage.render(loop.frames, folder / loop.name / "after")
    bpy.ops.wm.open_mainfile(filepath=str(kept))
    loop_stage.set_up(room, loop.view, loop.room)
    loop_stage.render(loop.frames, folder / loop.name / "before")
    told = {"before": loop.before, "after": loop.after, "milliseconds": round(1000 * loop_stage.EVERY / RATE)}
    (folder / loop.name / "loop.json").write_text(json.dumps(told), encoding="utf-8")


def _load(loop: Loop) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    handlers = bpy.app.handlers.load_post
    for left in [each for each in handlers if each.__module__.startswith("rigify")]:
        handlers.remove(left)  # Rigify leaves it behind, and it fails in every file with an armature
    if loop.character == "RIGIFY":
        bpy.ops.preferences.addon_enable(module="rigify")
    bpy.context.scene.render.fps = RATE
    bpy.ops.motion_editing.load_sample_motion(character=loop.character)
    loop.prepare()


def _save(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Blender tells of every picture; that goes to nowhere."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def main() -> None:
    """Render the loops that are asked for."""
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    unknown = set(names) - {loop.name for loop in LOOPS}
    if unknown:
        stop_with(f"no loop is named {', '.join(sorted(unknown))}")
    extension.register()
    try:
        for loop in LOOPS:
            if not names or loop.name in names:
                say(f"{loop.name}: {loop.before} | {loop.after}")
                with _quiet():
                    make(loop, folder)
    finally:
        extension.unregister()


if __name__ == "__main__":
    main()
