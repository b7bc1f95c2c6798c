"""Runs inside headless Blender, started by demo.py: plays the add-on's edits on the sample motion.

Writes demo.blend and demo.png, a picture with a strip of poses for every step that changed
the motion. A capability adds itself to the demo with a function in STEPS.

Usage: python demo_in_blender.py OUTPUT_FOLDER
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import checkout_as_extension

extension = checkout_as_extension.load()

# Only now: the package exists since the line above.
import numpy as np  # noqa: E402
from motion_editing.core.pose_picture import StripStyle, pose_strip, write_png  # noqa: E402
from motion_editing.core.quaternion import angle_between  # noqa: E402
from motion_editing.core.sample_motion import sample_events  # noqa: E402
from motion_editing.motion_editing_addon import action_io, scope  # noqa: E402

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion

RATE = 30.0
FIGURE_HEIGHT = 170.0  # pixels


def telling_moments() -> tuple[float, ...]:
    """Seconds of the sample motion that are worth looking at."""
    events = sample_events()
    start, end = events.flight
    steps = [moment for _foot, moment in events.steps[:3]]
    punches = [moment for _hand, moment in events.punches]
    return (0.0, *steps, events.crouches[0], (start + end) / 2, events.crouches[1], *punches, events.duration)


@dataclass
class Shown:
    """What a step has to show.

    Attributes:
        lines: What it did, with numbers; printed.
        label: Name of its row in the picture; without one it gets no row.
        moments: Seconds of the poses in that row.
    """

    lines: list[str] = field(default_factory=list)
    label: str = ""
    moments: tuple[float, ...] = field(default_factory=telling_moments)


@dataclass
class Picture:
    """Rows of poses, one for every step that has something to show."""

    motions: list[Motion] = field(default_factory=list)
    frames: list[list[int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def add_row(self, shown: Shown) -> None:
        """Keep the motion as it is now, at the step's moments."""
        motion = current_motion()
        self.motions.append(motion)
        self.frames.append([int(np.abs(motion.times - moment).argmin()) for moment in shown.moments])
        self.labels.append(shown.label)

    def write(self, path: Path) -> None:
        """Draw the rows below each other."""
        style = StripStyle(figure_height=FIGURE_HEIGHT)
        write_png(path, pose_strip(self.motions, self.frames, labels=self.labels, style=style))


def sample_motion() -> Shown:
    """Load the sample motion."""
    run(bpy.ops.motion_editing.load_sample_motion, rate=RATE)
    bpy.context.scene.render.fps = round(RATE)
    motion = current_motion()
    steps, punches = len(sample_events().steps), len(sample_events().punches)
    lines = [
        f"{len(motion)} frames, {motion.times[-1] - motion.times[0]:.1f} s, {len(bones())} bones, {key_count()} keys",
        f"{steps} steps, a jump and {punches} punches",
    ]
    return Shown(lines, label="Before: the sample motion")


def body_parts() -> Shown:
    """Find the character's body parts."""
    from motion_editing.motion_editing_addon.character.saved import body_of

    run(bpy.ops.motion_editing.find_character)
    body = body_of(bpy.context.object)
    names = body.skeleton.names
    limbs = [f"{limb.side.value} {limb.kind.value}: {names[limb.chain[0]]} to {names[limb.end]}" for limb in body.limbs]
    return Shown([f"height {body.height:.2f} m, {body.up.value} is up", *limbs])


def few_keys() -> Shown:
    """Convert the keys to few Bézier keys."""
    before, motion = key_count(), current_motion()
    run(bpy.ops.motion_editing.convert_keys, keying="REDUCED")
    after, reduced = key_count(), current_motion()
    turned = np.degrees(angle_between(reduced.rotations, motion.rotations).max())
    moved = np.linalg.norm(reduced.poses.positions - motion.poses.positions, axis=-1).max()
    lines = [
        f"{before} keys became {after}: {before / after:.1f} times fewer",
        f"largest error of a bone's rotation {turned:.2f} degrees, of a joint's place {1000 * moved:.0f} mm",
    ]
    return Shown(lines, label=f"After: {before} keys became {after}")


# In the order in which they are played; each goes on from what the one before left.
STEPS: tuple[Callable[[], Shown], ...] = (sample_motion, body_parts, few_keys)


def run(operator: Callable[..., set[str]], **properties: object) -> None:
    """Call an operator as a button does; the demo ends where it refuses."""
    if operator(**properties) != {"FINISHED"}:
        raise SystemExit(f"error: {operator.idname_py()} did not finish")


def current_motion() -> Motion:
    """The active armature's motion as it is now."""
    armature = bpy.context.object
    return action_io.read(armature, rate=scope.source_rate(bpy.context, armature)).motion


def bones() -> list[bpy.types.PoseBone]:
    """The active armature's bones."""
    return list(bpy.context.object.pose.bones)


def key_count() -> int:
    """All keys of the active armature."""
    return sum(len(curve.keyframe_points) for curve in action_io.channelbag(bpy.context.object).fcurves)


def play() -> Picture:
    """Play all steps, say what they do, and collect the rows of the picture."""
    picture = Picture()
    for number, step in enumerate(STEPS, start=1):
        started = time.perf_counter()
        shown = step()
        print(f"\n{number}. {step.__doc__} ({time.perf_counter() - started:.2f} s)")
        for line in shown.lines:
            print(f"   {line}")
        if shown.label:
            picture.add_row(shown)
    return picture


def main() -> None:
    """Play the demo and write what it made into the output folder."""
    output = Path(sys.argv[1])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    play().write(output / "demo.png")
    bpy.ops.wm.save_as_mainfile(filepath=str(output / "demo.blend"))
    print(f"\nwritten: {output / 'demo.png'}\nwritten: {output / 'demo.blend'}")
    extension.unregister()
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
