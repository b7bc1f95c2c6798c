"""Control spaces beside SciPy's interpolator and the paper's swarm, and in Blender: `bench_pose_tree.py`.

Turns are taken alternately and the fastest of each counts, since a shared machine has slow moments.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "core" / "pose_tree"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "addon"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from made_motion import Motion, random_skeleton
from quiet import quietly
from scipy.interpolate import RBFInterpolator
from slow_pose_tree import swarm_place
from stopwatch import each_in_turn

from core.motion import chosen
from core.numerics import quaternion
from core.pose_tree import ControlSpace, Node, PoseTree, suggest_place
from core.pose_tree.radial_basis import RadialBasis

BONES, DIMENSIONS = 60, 300


def made_space(count: int, seed: int = 0) -> tuple[ControlSpace, Motion]:
    """Poses that three hidden numbers bend, near the places of those numbers, and one pose more."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(count + 1, 3))
    bends = (hidden @ random.normal(size=(3, 3 * BONES)) * 0.2).reshape(count + 1, BONES, 3)
    poses = Motion.build(random_skeleton(BONES), quaternion.exp(bends), rate=30.0)
    places = hidden[:count] + 0.2 * random.normal(size=(count, 3))
    return ControlSpace.build(places, chosen(poses, range(count))), chosen(poses, [count])


def radial_basis() -> None:
    """Solution and single evaluation on the same data."""
    print(f"Solution and evaluation of one place, {DIMENSIONS} numbers a pose, ms; ratio to SciPy's RBFInterpolator\n")
    print("| targets | solve | SciPy | ratio | evaluate | SciPy | ratio |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for count, turns in ((50, 200), (500, 20), (2000, 5)):
        random = np.random.default_rng(count)
        places, values = random.normal(size=(count, 3)), random.normal(size=(count, DIMENSIONS))
        cursor = random.normal(size=(1, 3))
        ours, theirs = RadialBasis.fit(places, values), RBFInterpolator(places, values, kernel="linear", degree=1)
        assert np.allclose(ours(cursor), theirs(cursor), atol=1e-8)
        solved = each_in_turn(
            {
                "ours": lambda places=places, values=values: RadialBasis.fit(places, values),
                "theirs": lambda places=places, values=values: RBFInterpolator(
                    places, values, kernel="linear", degree=1
                ),
            },
            turns,
        )
        asked = each_in_turn(
            {"ours": lambda ours=ours, cursor=cursor: ours(cursor), "theirs": lambda t=theirs, c=cursor: t(c)}, 200
        )
        rows = (*solved.values(), solved["ours"] / solved["theirs"], *asked.values(), asked["ours"] / asked["theirs"])
        print(f"| {count} | " + " | ".join(f"{number:.3f}" for number in rows) + " |")


def cursor_moves() -> None:
    """From a cursor to the pose of all bones, alone and with children that move."""
    print(f"\nOne move of a cursor to the pose of {BONES} bones, ms\n")
    print("| targets | pose | three children that move too |")
    print("|---:|---:|---:|")
    for count in (50, 500, 2000):
        space, _ = made_space(count)
        small, _ = made_space(20, seed=1)
        nodes = [Node("top", space.places, space.target_poses)]
        for child in range(3):
            place = space.places[child] + 0.1
            nodes.append(Node(f"{child}", small.places, small.target_poses, parent="top", place_in_parent=place))
        tree = PoseTree(nodes)
        cursors = {name: np.array([[0.1, 0.2, 0.3]]) for name in tree.order}
        times = each_in_turn(
            {
                "one": lambda space=space: space.at([[0.1, 0.2, 0.3]]),
                "tree": lambda tree=tree, cursors=cursors: tree.evaluate(cursors),
            },
            100,
        )
        print(f"| {count} | {times['one']:.3f} | {times['tree']:.3f} |")


def suggestions() -> None:
    """Place and time of the search, beside the swarm of a hundred rounds."""
    print("\nSuggested place of a new pose; root mean square distance of the joints that is left\n")
    print("| targets | ours (ms) | swarm (ms) | times faster | ours leaves | swarm leaves |")
    print("|---:|---:|---:|---:|---:|---:|")
    for count in (50, 500):
        space, new = made_space(count)
        times = each_in_turn(
            {
                "ours": lambda space=space, new=new: suggest_place(space, new),
                "swarm": lambda space=space, new=new: swarm_place(space, new),
            },
            3,
        )
        left = suggest_place(space, new).distance, swarm_place(space, new)[1]
        ratio = times["swarm"] / times["ours"]
        print(f"| {count} | {times['ours']:.1f} | {times['swarm']:.0f} | {ratio:.0f} | {left[0]:.2e} | {left[1]:.2e} |")


def moves_in_blender() -> None:
    """A cursor is moved and Blender evaluates the scene: the rig follows through the extension."""
    import bpy
    from workshop import checkout_as_extension

    extension = checkout_as_extension.load()
    extension.register()
    print(f"\nOne move of a cursor in Blender with a rig of {BONES} bones, ms; 'still' moves an Empty beside it\n")
    print("| targets | best | median | still, best |")
    print("|---:|---:|---:|---:|")
    for count in (50, 500):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        cursor, other = rig_in_blender(count)
        places = np.random.default_rng(1).normal(size=(200, 3))
        moved, still = (sorted(times_of_moves(thing, places)) for thing in (cursor, other))
        print(f"| {count} | {moved[0]:.2f} | {moved[len(moved) // 2]:.2f} | {still[0]:.2f} |")
    extension.unregister()


@quietly()
def rig_in_blender(count: int) -> tuple[Any, Any]:
    """A live tree with targets of random poses; gives its cursor, and an Empty that is nothing to it."""
    import bpy
    import rigs
    from motion_editing.motion_editing_addon.pose_tree import live, spaces
    from motion_editing.motion_editing_addon.pose_tree.poses import capture

    armature = rigs.chain_armature(BONES, connected=False)
    bpy.ops.motion_editing.add_pose_tree(live=False)
    random = np.random.default_rng(count)
    for number in range(count):
        turns = quaternion.exp(0.2 * random.normal(size=(BONES, 3)))
        armature.pose.bones.foreach_set("rotation_quaternion", turns.ravel())
        spaces.add_target(armature, 1, f"Pose {number}", random.normal(size=3), capture.from_rig(armature))
    live.changed(armature)
    bpy.ops.motion_editing.live_pose_tree(state="ON")
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    return armature.motion_editing_tree.nodes[0].cursor, other


def times_of_moves(thing: Any, places: np.ndarray) -> list[float]:
    """Milliseconds from a new location to an evaluated scene."""
    import bpy

    times = []
    for place in places:
        thing.location = place
        start = time.perf_counter()
        bpy.context.view_layer.update()
        times.append(1e3 * (time.perf_counter() - start))
    return times


def main() -> None:
    """Print the tables."""
    radial_basis()
    cursor_moves()
    suggestions()
    moves_in_blender()


if __name__ == "__main__":
    main()
