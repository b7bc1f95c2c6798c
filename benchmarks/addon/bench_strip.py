"""The strip with 40 pose icons, and searching for what is like a window: `python benchmarks/addon/bench_strip.py`.

Prints tables in Markdown, of Blender's own Python and headless: what is drawn goes into a picture in memory.
Times are of the wall clock, the best of several as in the other benchmarks, which other work on the machine
disturbs least; redraws have their median besides. The driver's part depends on the graphics card: without one
the processor does its work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from stopwatch import milliseconds
from workshop import checkout_as_extension, environments, places

DRAWS_HEADLESS = "5.2"  # the first Blender that can draw without a window
CLIP = "cmu_13_18_boxing_aggressive"  # 3,001 frames
ICONS, REPEATS = 40, 25
WIDTH, HEIGHT, PIXELS_PER_FRAME = 8192, 160, 28.0
STEP = (26.0, 39.0)  # frames of a step of the sample
REDRAW, LOOKUP = 5.0, 20.0  # milliseconds


class Driver:
    """Adds up the time that the graphics driver takes."""

    spent = 0.0

    def timed(self, work: Callable[..., None]) -> Callable[..., None]:
        """The same work, its time taken."""

        def in_time(*values: object) -> None:
            begin = time.perf_counter()
            work(*values)
            self.spent += time.perf_counter() - begin

        return in_time


class TimedBatch:
    """A batch whose drawing counts as the driver's."""

    def __init__(self, batch: Any, driver: Driver) -> None:
        self.draw = driver.timed(batch.draw)


@contextmanager
def timed_driver(painter: Any) -> Iterator[Driver]:
    """Take the time of everything that is handed to the driver."""
    driver, build, write = Driver(), painter._batch, painter.blf.draw
    painter._batch = lambda *content: TimedBatch(build(*content), driver)
    painter.blf.draw = driver.timed(write)
    yield driver
    painter._batch, painter.blf.draw = build, write


@contextmanager
def canvas() -> Iterator[None]:
    """A picture in memory, its lower left corner at pixel (0, 0)."""
    import gpu
    from mathutils import Matrix

    gpu.init()
    target = gpu.types.GPUOffScreen(WIDTH, HEIGHT)
    with target.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_matrix(Matrix.Identity(4))
        scale = Matrix.Diagonal((2.0 / WIDTH, 2.0 / HEIGHT, 1.0, 1.0))
        gpu.matrix.load_projection_matrix(Matrix.Translation((-1.0, -1.0, 0.0)) @ scale)
        yield
    target.free()


class Strip:
    """The lane of pose icons of the active armature, drawn as the strip does."""

    def __init__(self) -> None:
        from motion_editing.motion_editing_addon.interface.drawing import painter, theme
        from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
        from motion_editing.motion_editing_addon.interface.strip.lanes import all_lanes

        self.painter = painter
        self.lane = next(lane for lane in all_lanes() if lane.name == "icons")
        self._palette = theme.palette
        self._placement = Placement((0.0, 0.0), (PIXELS_PER_FRAME, 1.0), 1.0)

    def redraw(self) -> None:
        """One redraw: ask what is to be shown, then draw it."""
        self.lane.update(bpy.context, self._palette(bpy.context))
        for number, picture in enumerate(self.lane.pictures(self._placement)):
            self.painter.paint_flat(f"benchmark {number}", picture, self._placement, width=WIDTH)

    def figures(self) -> int:
        """Icons and tick boxes that are drawn."""
        return len(self.lane.pictures(self._placement)[1].figures)

    def measure(self, before: Callable[[int], None]) -> tuple[float, float, float]:
        """Milliseconds of a redraw after a change: the best, the median, and the best without the driver."""
        whole, own = [], []
        with timed_driver(self.painter) as driver:
            self.painter.kept.clear()
            self.painter.figure_batches.clear()
            self.redraw()
            for repeat in range(REPEATS):
                driver.spent, begin = 0.0, time.perf_counter()
                before(repeat)
                self.redraw()
                whole.append(1e3 * (time.perf_counter() - begin))
                own.append(whole[-1] - 1e3 * driver.spent)
            self.painter.kept.clear()
            self.painter.figure_batches.clear()
        return min(whole), float(np.median(whole)), min(own)


def timeline() -> Any:
    """The pose timeline of the active action."""
    return bpy.context.object.animation_data.action.motion_editing_timeline


def find_similar(start: float, end: float) -> None:
    """Search through the operator."""
    bpy.ops.motion_editing.find_similar(start=start, end=end)


def drawing() -> None:
    """Print what redraws and drags of the strip take, on the sample motion."""
    with quietly():
        bpy.ops.motion_editing.load_sample_motion()
        find_similar(*STEP)
    timeline().icons = ICONS
    strip = Strip()
    provider, context = strip.lane._provider, bpy.context
    icon = next(icon.identifier for icon in provider.data(context).icons if STEP[0] + 2 < icon.frame < STEP[1] - 2)
    # Every repeat changes something, the first one too.
    drags = {
        "nothing changed": lambda _repeat: None,
        "a tick turned over": lambda repeat: setattr(timeline().windows[0], "ticked", repeat % 2 == 1),
        "one icon more or fewer": lambda repeat: setattr(timeline(), "icons", ICONS - (repeat + 1) % 2),
        "end of the window dragged": lambda repeat: provider.drag_window_end(context, 0, 40.0 + repeat, final=False),
        "pose dragged": lambda repeat: provider.drag_icon(context, icon, 30.0 + 0.3 * repeat, final=False),
    }
    with canvas():
        strip.redraw()
        print(f"A redraw with {strip.figures()} icons and tick boxes\n")
        print("| change | ms | median (ms) | without the driver (ms) |\n|---|---:|---:|---:|")
        results = {}
        for name, before in drags.items():
            results[name] = strip.measure(before)
            provider.cancel(context)
            print(f"| {name} | {' | '.join(f'{each:.1f}' for each in results[name])} |", flush=True)
    whole, _median, own = results["nothing changed"]
    kept = "kept" if whole <= 1.2 * REDRAW else "MISSED"
    print(f"\nA redraw in about {REDRAW:.0f} ms: {kept} ({whole:.1f} ms, {own:.1f} ms without the driver).\n")


def searching(name: str, spans: list[tuple[float, float]]) -> float:
    """Print what searching takes on the active armature; milliseconds of the slowest repeated search.

    Args:
        name: Of the motion.
        spans: First and last frames of windows.
    """
    from motion_editing.core.timeline import propagation_windows
    from motion_editing.motion_editing_addon.border import action_io
    from motion_editing.motion_editing_addon.border.steps import finish
    from motion_editing.motion_editing_addon.document import scope
    from motion_editing.motion_editing_addon.timeline import web
    from motion_editing.motion_editing_addon.timeline.subject import look_at

    web.forget()
    with quietly():
        first = milliseconds(lambda: find_similar(*spans[0]), 1)
        again = [milliseconds(lambda span=span: find_similar(*span), 3) for span in spans]
    armature = bpy.context.object
    subject = finish(look_at(bpy.context, scope.read_clip(bpy.context, armature)))
    woven = finish(web.web_of(subject, action_io.fingerprint(armature)))
    origin = subject.clip.frames[0]
    lookups = [milliseconds(lambda s=s: propagation_windows(woven, s[0] - origin, s[1] - origin), 3) for s in spans]
    frames = len(subject.clip.frames)
    print(f"| {name} | {frames} | {first:.0f} | {max(again):.0f} | {max(lookups):.1f} |", flush=True)
    return max(lookups)


def searches() -> None:
    """Print what searches take on the sample and on a captured clip."""
    print("Find Similar, the operator from start to end\n")
    print("| motion | frames | first search (ms) | another window (ms) | look-up alone (ms) |")
    print("|---|---:|---:|---:|---:|")
    with quietly():
        bpy.ops.motion_editing.load_sample_motion()
    slowest = [searching("sample", [STEP, (52.0, 64.0), (176.0, 189.0), (172.0, 188.0)])]
    path = places.clips_folder() / "dev" / f"{CLIP}.bvh"
    if path.is_file():
        with quietly():
            bpy.ops.motion_editing.import_bvh(filepath=str(path))
        first = bpy.context.object.animation_data.action.frame_range[0]
        starts = first + np.linspace(100.0, 2800.0, 8)
        slowest.append(searching(CLIP, [(float(start), float(start) + 60.0) for start in starts]))
    kept = "kept" if max(slowest) <= LOOKUP else "MISSED"
    print(f"\nA look-up in at most {LOOKUP:.0f} ms: {kept}.")


def main() -> None:
    """Print the tables; where this Blender cannot draw without a window, with one that can."""
    if bpy.app.version < tuple(map(int, DRAWS_HEADLESS.split("."))):
        python = environments.ensure(environments.BLENDERS[DRAWS_HEADLESS])
        sys.exit(subprocess.run([str(python), __file__], check=False).returncode)
    extension = checkout_as_extension.load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    print(f"Blender {bpy.app.version_string}\n")
    drawing()
    searches()
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
