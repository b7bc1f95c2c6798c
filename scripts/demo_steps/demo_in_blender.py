"""Runs inside headless Blender, started by demo.py: plays the add-on's edits on the sample motion.

Writes demo.blend, demo.png, a picture with strips of poses for every step that has something to
show, warp.png, the speed of a guided warp, punches.png, one punch edited and then all of them,
constraints.png, a hand that reaches up in the walk, bodies.png, the walk on other bodies, reach.png,
a reach that follows its changed contact pose, and face.png, expressions blended in space.
A capability adds itself to the demo with a function in STEPS.

Usage: python demo_in_blender.py OUTPUT_FOLDER
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

sys.path.append(str(Path(__file__).resolve().parents[1]))
from workshop import checkout_as_extension

extension = checkout_as_extension.load()

# Only now: the package exists since the line above.
import numpy as np  # noqa: E402
from demo_bodies import walk_on_other_bodies  # noqa: E402
from demo_cleaning import clean_the_capture  # noqa: E402
from demo_constraints import reach_while_walking  # noqa: E402
from demo_face import blend_a_face  # noqa: E402
from demo_reach import reach_for_another_place  # noqa: E402
from demo_scene import RATE, Row, Shown, current_motion, key_count, run  # noqa: E402
from demo_timeline import edit_one_change_all  # noqa: E402
from demo_warp import shorter_with_the_jump  # noqa: E402
from motion_editing.core.numerics import quaternion  # noqa: E402
from motion_editing.core.sample_motion import sample_events  # noqa: E402
from motion_editing.core.timeline.pose_picture import StripStyle, pose_strip, write_png  # noqa: E402

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion

FIGURE_HEIGHT = 160.0  # pixels
POSES_SHOWN = 0.48  # part of the poses that are found
RAISED = radians(-40.0)  # by which the fix turns the upper arm
LATE = 0.03  # seconds that the forearm is late when the arms are loosened


def telling_moments() -> tuple[float, ...]:
    """Seconds of the sample motion that are worth looking at."""
    events = sample_events()
    start, end = events.flight
    steps = [moment for _foot, moment in events.steps[:3]]
    punches = [moment for _hand, moment in events.punches]
    return (0.0, *steps, events.crouches[0], (start + end) / 2, events.crouches[1], *punches, events.duration)


def around(moment: float) -> tuple[float, ...]:
    """Every second frame of the time around a moment, in seconds."""
    return tuple(moment + frame / RATE for frame in range(-12, 13, 2))


def row_of_now(label: str, moments: Sequence[float] | None = None) -> Row:
    """The motion as it is now; where no moments are given, at the telling ones."""
    return Row(label, current_motion(), telling_moments() if moments is None else moments)


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
    return Shown(lines, [row_of_now("The sample motion, a key on every frame")])


def body_parts() -> Shown:
    """Find the character's body parts."""
    from motion_editing.motion_editing_addon.document.character.saved_body import body_of

    run(bpy.ops.motion_editing.find_character)
    body = body_of(bpy.context.object)
    names = body.skeleton.names
    limbs = [f"{limb.side.value} {limb.kind.value}: {names[limb.chain[0]]} to {names[limb.end]}" for limb in body.limbs]
    return Shown([f"height {body.height:.2f} m, {body.up.value} is up", *limbs])


def staggered_poses() -> Shown:
    """Extract the staggered poses."""
    before = current_motion()
    run(bpy.ops.motion_editing.extract_poses, share=1.0)
    found = len(poses())
    staggered().share = POSES_SHOWN
    lines = [
        f"{found} poses in {len(before)} frames, the {len(poses())} most telling ones kept for editing",
        f"largest change of the motion {largest_turn(before, current_motion()):.4f} degrees",
        f"joints pass a pose within {timing_spread():.1f} frames of each other on average",
    ]
    return Shown(lines, [row_of_now(f"Its {len(poses())} most telling poses", [pose.frame / RATE for pose in poses()])])


def fix_a_pose() -> Shown:
    """Un-stagger, fix, re-stagger: raise the first punch."""
    hand, moment = sample_events().punches[0]
    number = nearest_pose(moment)
    moments = around(moment)
    rows = [row_of_now("The first punch, every joint with its own timing", moments)]
    before, spreads = current_motion(), [timing_spread()]
    run(bpy.ops.motion_editing.unstagger, all_poses=True)
    spreads.append(timing_spread())
    rows.append(row_of_now("Un-staggered: all joints arrive at once", moments))
    arm = f"upper_arm.{hand[0].upper()}"
    turn_in_pose(number, arm, RAISED)
    run(bpy.ops.motion_editing.restagger, all_poses=True)
    spreads.append(timing_spread())
    rows.append(row_of_now("Fixed and re-staggered: the punch is higher, timing and detail are back", moments))
    return Shown(fixing_in_numbers(before, number, arm, spreads), rows)


def fixing_in_numbers(before: Motion, number: int, arm: str, spreads: list[float]) -> list[str]:
    """What the fix changed, and what it left."""
    after, joint = current_motion(), before.skeleton.index[arm]
    turns = np.degrees(quaternion.angle_between(before.rotations, after.rotations))
    changed = np.flatnonzero(turns[:, joint] > 1e-3)
    return [
        f"pose {number + 1}: {arm} turned by {np.degrees(abs(RAISED)):.0f} degrees,"
        f" which changes frames {changed[0]} to {changed[-1]}",
        f"largest change of unedited joints {np.delete(turns, joint, axis=1).max():.4f} degrees",
        "timing spread {:.1f} frames before, {:.1f} un-staggered, {:.1f} re-staggered".format(*spreads),
    ]


def loosen_the_arms() -> Shown:
    """Loosen the arms: succession from both upper arms."""
    before, lateness = current_motion(), [lateness_of("hand.R", "upper_arm.R")]
    for side in "LR":
        start = {"bone": f"upper_arm.{side}", "all_poses": True}
        run(bpy.ops.motion_editing.succession, offset=LATE, power=1.5, **start)
    lateness.append(lateness_of("hand.R", "upper_arm.R"))
    arms = [name.startswith(("forearm", "hand", "fingers")) for name in before.skeleton.names]
    turns = np.degrees(quaternion.angle_between(before.rotations, current_motion().rotations))
    lines = [
        "lateness of the right hand against its upper arm: {:+.1f} frames, then {:+.1f} frames".format(*lateness),
        f"largest change of unedited joints {turns[:, ~np.array(arms)].max():.4f} degrees",
    ]
    moments = around(sample_events().punches[0][1])
    return Shown(lines, [row_of_now("Loosened: forearms and hands drag behind", moments)])


def few_keys() -> Shown:
    """Convert the keys to few Bézier keys."""
    before, motion = key_count(), current_motion()
    run(bpy.ops.motion_editing.convert_keys, keying="REDUCED")
    after, reduced = key_count(), current_motion()
    turned = largest_turn(motion, reduced)
    moved = np.linalg.norm(reduced.poses.positions - motion.poses.positions, axis=-1).max()
    lines = [
        f"{before} keys became {after}: {before / after:.1f} times fewer",
        f"largest error of a bone's rotation {turned:.2f} degrees, of a joint's place {1000 * moved:.0f} mm",
    ]
    return Shown(lines, [row_of_now(f"Few keys: {before} became {after}, the same motion")])


# In the order in which they are played; each goes on from what the one before left. The noise, the warp, the
# raised punches and the dragged hand are taken back, since the others speak of the sample as it was; other figures
# are beside it.
STEPS: tuple[Callable[[], Shown], ...] = (
    sample_motion,
    body_parts,
    clean_the_capture,
    shorter_with_the_jump,
    edit_one_change_all,
    reach_while_walking,
    walk_on_other_bodies,
    reach_for_another_place,
    blend_a_face,
    staggered_poses,
    fix_a_pose,
    loosen_the_arms,
    few_keys,
)


def staggered() -> bpy.types.PropertyGroup:
    """The active action's staggered poses as the panel shows them."""
    return bpy.context.object.animation_data.action.motion_editing_staggered


def poses() -> bpy.types.bpy_prop_collection:
    """Rows of the panel's list of poses."""
    return staggered().poses


def nearest_pose(moment: float) -> int:
    """Number of the pose nearest to a moment in seconds."""
    return int(np.abs(np.array([pose.frame for pose in poses()]) / RATE - moment).argmin())


def timing_spread() -> float:
    """Frames between a pose's earliest and latest joint, the mean of all poses."""
    return float(np.mean([pose.spread for pose in poses()]))


def turn_in_pose(number: int, bone: str, angle: float) -> None:
    """Edit an extreme pose as an animator does: show it on the rig, turn a bone, apply."""
    run(bpy.ops.motion_editing.edit_staggered_pose, kind="EXTREME", pose=number)
    posed = bpy.context.object.pose.bones[bone]
    turn = quaternion.from_axis_angle([1.0, 0.0, 0.0], angle)
    posed.rotation_quaternion = quaternion.multiply(np.array(posed.rotation_quaternion), turn)
    run(bpy.ops.motion_editing.apply_staggered_pose)


def lateness_of(bone: str, other: str) -> float:
    """Frames by which a bone passes the poses after another, the mean of all poses."""
    from motion_editing.motion_editing_addon.staggered import refit

    model = refit.require(bpy.context, bpy.context.object).model
    joint, first = (model.source.skeleton.index[name] for name in (bone, other))
    times = model.timing.extreme_times
    return float((times[:, joint] - times[:, first]).mean() * RATE)


def largest_turn(before: Motion, after: Motion) -> float:
    """Largest difference of a joint's rotation on any frame, in degrees."""
    return float(np.degrees(quaternion.angle_between(before.rotations, after.rotations).max()))


def bones() -> list[bpy.types.PoseBone]:
    """The active armature's bones."""
    return list(bpy.context.object.pose.bones)


def play(output: Path) -> list[Row]:
    """Play all steps, say what they do, write their own pictures, and collect the rows of the large one."""
    rows: list[Row] = []
    for number, step in enumerate(STEPS, start=1):
        started = time.perf_counter()
        shown = step()
        print(f"\n{number}. {step.__doc__} ({time.perf_counter() - started:.2f} s)")
        for line in shown.lines:
            print(f"   {line}")
        for name, picture in shown.pictures.items():
            write_png(output / name, picture)
            print(f"   written: {output / name}")
        rows += shown.rows
    return rows


def write_picture(path: Path, rows: list[Row]) -> None:
    """Draw the rows below each other."""
    motions, frames, labels = ([getattr(row, name) for row in rows] for name in ("motion", "frames", "label"))
    write_png(path, pose_strip(motions, frames, labels=labels, style=StripStyle(figure_height=FIGURE_HEIGHT)))


def main() -> None:
    """Play the demo and write what it made into the output folder."""
    output = Path(sys.argv[1])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    write_picture(output / "demo.png", play(output))
    bpy.ops.wm.save_as_mainfile(filepath=str(output / "demo.blend"))
    print(f"\nwritten: {output / 'demo.png'}\nwritten: {output / 'demo.blend'}")
    extension.unregister()
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
