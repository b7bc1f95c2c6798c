"""Filters and key reduction beside Blender's own, on captured clips with known noise: needs the clips.

A clip without what is faster than 6 Hz is the clean motion. Every joint gets random turns on top, and every way
has to come back to the clean motion; each has the setting, of several, that brings it nearest.
Prints a table. `python benchmarks/addon/bench_filter_comparison.py --docs` also writes it into docs/clean_filter.md.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
PROJECT = Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from bench_key_reduction import decimate, graph_editor, import_clip  # noqa: E402
from manual_table import write_table  # noqa: E402
from quiet import quietly  # noqa: E402
from workshop import checkout_as_extension, places  # noqa: E402

if TYPE_CHECKING:
    from motion_editing.core.analysis.contacts import ContactSpans
    from motion_editing.core.motion import Motion

HEADING = "## Beside Blender's own filters"
CLIPS = {"walk": "cmu_07_01_walk", "cartwheel": "cmu_49_06_cartwheel"}
RATE = 120  # samples per second of the clips
NOISE, ROOT_NOISE = np.radians(0.5), 0.002  # standard deviation for each axis, in radians and metres
WIDTHS = (0.008, 0.012, 0.016, 0.024, 0.032, 0.048)  # seconds
CUTOFFS = (4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0)  # hertz
MARGIN = np.radians(0.5)  # of key reduction
TAIL = 4.0  # reach of Blender's Gaussian in standard deviations
ENDS = 0.25  # seconds: the first and last pose stay as they are, with their noise
SWING = 0.05  # metres: turning points nearer to each other are no swing

# What a way does to the active armature's keys, given a setting.
Way = Callable[[float], object]


@dataclass
class Scene:
    """The armature, its noisy action, and what that was made of."""

    armature: bpy.types.Object
    noisy: bpy.types.Action
    clean: Motion
    contacts: ContactSpans

    @classmethod
    def of_clip(cls, folder: Path, name: str) -> Scene:
        """Import the clip and add noise to its keys."""
        from motion_editing.motion_editing_addon.border import action_io
        from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of

        armature = import_clip(folder, smooth=True, name=name)
        bpy.context.scene.render.fps = RATE  # Blender's filters count in the scene's frames.
        action = armature.animation_data.action
        action.motion_editing.source_rate = RATE
        clip = action_io.read(armature, rate=RATE)
        clean, contacts = clip.motion, contacts_of(clip)
        action_io.write(clip, with_noise(clean))
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="SELECT")
        return cls(armature, action, clean, contacts)

    def outcome(self, name: str, way: Way, setting: float) -> Outcome:
        """What a way makes of a fresh copy of the noisy action."""
        from motion_editing.motion_editing_addon.border import action_io

        slot = self.armature.animation_data.action_slot.identifier
        action = self.noisy.copy()
        self.armature.animation_data.action = action
        self.armature.animation_data.action_slot = action.slots[slot]
        start = time.perf_counter()
        way(setting)
        seconds = time.perf_counter() - start
        keys = sum(len(curve.keyframe_points) for curve in action_io.channels_of(self.armature).curves.values())
        found = measured(name, action_io.read(self.armature, rate=RATE).motion, self, keys, seconds)
        self.armature.animation_data.action = self.noisy
        self.armature.animation_data.action_slot = self.noisy.slots[slot]
        bpy.data.actions.remove(action)
        return found


@dataclass
class Outcome:
    """What is left of the noise, and what else is gone; in metres, seconds and parts of one."""

    name: str
    mean_error: float
    largest_error: float
    swings: float
    slide: float
    keys: int
    seconds: float

    def row(self) -> str:
        """A row of the table."""
        return (
            f"| {self.name} | {1e3 * self.mean_error:.1f} mm | {1e3 * self.largest_error:.1f} mm "
            f"| {100 * self.swings:.1f} % | {1e3 * self.slide:.1f} mm | {self.keys} | {self.seconds:.2f} s |"
        )


def with_noise(motion: Motion) -> Motion:
    """Every joint turned at random on every frame, and the root moved."""
    from motion_editing.core.numerics import quaternion

    random = np.random.default_rng(7)
    turns = NOISE * random.normal(size=(*motion.rotations.shape[:2], 3))
    turns[:, 0] = 0.0  # The object itself stands still.
    locations = np.array(motion.locations)
    locations[:, 1] += ROOT_NOISE * random.normal(size=(len(motion), 3))
    rotations = quaternion.multiply(motion.rotations, quaternion.exp(turns))
    return motion.with_rotations(rotations).with_locations(locations)


def measured(name: str, motion: Motion, scene: Scene, keys: int, seconds: float) -> Outcome:
    """Compare a motion with the clean one."""
    from motion_editing.core.solve.contact_lock import foot_slide

    clean = scene.clean
    inside = slice(int(ENDS * RATE), -int(ENDS * RATE))
    errors = np.linalg.norm(motion.poses.positions - clean.poses.positions, axis=-1)[inside]
    slides = [slide for own in foot_slide(motion, scene.contacts).values() for slide in own]
    root_mean_square, slide = float(np.sqrt((errors**2).mean())), float(np.mean(slides))
    return Outcome(name, root_mean_square, float(errors.max()), swings_kept(clean, motion), slide, keys, seconds)


def swings_kept(clean: Motion, motion: Motion) -> float:
    """Part of the swings of all joints that is left, in the mean; places are relative to the root's."""
    before, after = (each.poses.positions - each.poses.positions[:, 1:2] for each in (clean, motion))
    kept = []
    for joint in range(2, before.shape[1]):
        for old, new in zip(before[:, joint].T, after[:, joint].T, strict=True):
            turning = np.flatnonzero(np.diff(np.sign(np.diff(old))) != 0) + 1
            swings = np.diff(old[turning])
            large = np.abs(swings) > SWING
            kept += list(np.diff(new[turning])[large] / swings[large])
    return float(np.mean(kept))


# The ways


def blenders_gaussian(width: float) -> None:
    """Blender's Smooth (Gaussian), with a standard deviation in seconds."""
    with graph_editor():
        bpy.ops.graph.select_all(action="SELECT")
        reach = int(np.ceil(TAIL * width * RATE))
        # Blender's sigma is a part of the reach, not a number of frames.
        bpy.ops.graph.gaussian_smooth(factor=1.0, sigma=width * RATE / reach, filter_width=reach)


def blenders_butterworth(cutoff: float) -> None:
    """Blender's Butterworth Smooth, as steep as Low Pass is by default."""
    with graph_editor():
        bpy.ops.graph.select_all(action="SELECT")
        bpy.ops.graph.butterworth_smooth(
            cutoff_frequency=cutoff, filter_order=1, samples_per_frame=1, blend=1.0, blend_in_out=1
        )


def gaussian(width: float, **options: object) -> None:
    """Low Pass with the Gaussian."""
    bpy.ops.motion_editing.low_pass(kind="GAUSSIAN", width=width, **options)


def butterworth(cutoff: float, **options: object) -> None:
    """Low Pass with the Butterworth filter."""
    bpy.ops.motion_editing.low_pass(cutoff=cutoff, **options)


def reduce_keys(**options: object) -> None:
    """Reduce Keys with the same bound as Decimate."""
    bpy.ops.motion_editing.reduce_keys(rotation_error=MARGIN, **options)


def best(scene: Scene, name: str, way: Way, settings: tuple[float, ...]) -> tuple[Outcome, float]:
    """The outcome with the setting that comes nearest to the clean motion, and the setting.

    All settings are the same work: the quickest counts, since a shared machine has slow moments.
    """
    found = [(scene.outcome(name.format(setting), way, setting), setting) for setting in settings]
    nearest, setting = min(found, key=lambda each: each[0].mean_error)
    return replace(nearest, seconds=min(each.seconds for each, _setting in found)), setting


def outcomes(scene: Scene) -> Iterator[Outcome]:
    """All ways, ours below Blender's."""
    yield scene.outcome("with noise, as it came", lambda _setting: None, 0.0)
    yield best(scene, "Blender: Gaussian, {:g} s", blenders_gaussian, WIDTHS)[0]
    yield best(scene, "Low Pass: Gaussian, {:g} s", gaussian, WIDTHS)[0]
    theirs, their_cutoff = best(scene, "Blender: Butterworth, {:g} Hz", blenders_butterworth, CUTOFFS)
    yield theirs
    ours, our_cutoff = best(scene, "Low Pass: Butterworth, {:g} Hz", butterworth, CUTOFFS)
    yield ours
    yield scene.outcome(f"{ours.name}, Keep Peaks", lambda hertz: butterworth(hertz, keep_peaks=True), our_cutoff)
    yield scene.outcome(f"{ours.name}, Keep Contacts", lambda hertz: butterworth(hertz, keep_contacts=True), our_cutoff)
    margin = f"{np.degrees(MARGIN):g}°"
    yield scene.outcome(f"{theirs.name}, then Decimate, {margin}", then_decimate, their_cutoff)
    for kind in ("SMOOTH", "FEWEST"):
        yield scene.outcome(
            f"{ours.name}, then Reduce Keys, {kind.title()}, {margin}",
            lambda hertz, kind=kind: (butterworth(hertz), reduce_keys(kind=kind)),
            our_cutoff,
        )


def then_decimate(cutoff: float) -> None:
    """Both of Blender's tools."""
    blenders_butterworth(cutoff)
    decimate(MARGIN)


def comparison(folder: Path) -> str:
    """The table for the manual."""
    head = "| clip | way | error | largest | size of swings | foot slide | keys | time |"
    rows = [row for label, name in CLIPS.items() for row in clip_rows(label, Scene.of_clip(folder, name))]
    return "\n".join([head, "|---|---|---:|---:|---:|---:|---:|---:|", *rows])


def clip_rows(label: str, scene: Scene) -> Iterator[str]:
    """All ways on one clip, below the clean motion."""
    scene.outcome("for the first time", butterworth, 6.0)  # What is loaded once is not timed.
    clean = measured("the clean motion", scene.clean, scene, 0, 0.0)
    yield f"| {label} | {clean.name} | | | 100 % | {1e3 * clean.slide:.1f} mm | | |"
    for each in outcomes(scene):
        yield f"| {label} {each.row()}"


def main() -> None:
    """Print the table."""
    folder = places.clips_folder()
    if not folder.is_dir():
        print("The clips are absent: set MOTION_EDITING_CLIPS")
        return
    extension = checkout_as_extension.load()
    extension.register()
    with quietly():
        table = comparison(folder)
    print(f"Captured clips with noise, in Blender {bpy.app.version_string}\n\n{table}")
    if "--docs" in sys.argv:
        write_table("clean_filter.md", HEADING, table)
    extension.unregister()
    sys.stdout.flush()


if __name__ == "__main__":
    main()
