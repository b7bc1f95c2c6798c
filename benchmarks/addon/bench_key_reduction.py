"""Key reduction beside Blender's Decimate (Allowed Change), in one run: needs the clips.

Prints two tables. `python benchmarks/addon/bench_key_reduction.py --docs` also writes the second one into docs/keys.md.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# One thread; must be set before NumPy loads. Times are the process's own work: what else the machine does is left out.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
PROJECT = Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from manual_table import write_table  # noqa: E402
from quiet import quietly  # noqa: E402
from workshop import checkout_as_extension, places  # noqa: E402

CURVES, FRAMES = 600, 1000
SOURCES = (
    "cmu_94_05_dance_long",
    "cmu_13_18_boxing_aggressive",
    "cmu_120_08_sneaky_walk",
    "freemocap_gestures_long",
)
# Decimate takes about a minute for all curves: some are timed, and scaled.
DECIMATED = 24
CUTOFF = 6.0
CLIP = "cmu_07_01_walk"
DEGREES = 0.5
WAYS: dict[str, dict[str, object]] = {
    "Smooth": {},
    "Smooth, no contacts or extremes": {"keep_contacts": False, "keep_extremes": False},
    "Fewest": {"kind": "FEWEST"},
    "Fewest, no contacts or extremes": {"kind": "FEWEST", "keep_contacts": False, "keep_extremes": False},
    "Smooth, Pose Columns": {"pose_columns": True},
}
HEADING = "### Beside Blender's Decimate"


def captured_curves(folder: Path, *, smooth: bool) -> np.ndarray:
    """(F, N) Euler angles of captured joints, in degrees, as they are or without what is faster than 6 Hz."""
    from motion_editing.core.files import read_bvh
    from motion_editing.core.numerics import rotation_channels

    found: list[np.ndarray] = []
    for name in SOURCES:
        motion = read_bvh(folder / "dev" / f"{name}.bvh").to_motion()
        motion = _low_passed(motion) if smooth else motion
        angles = np.degrees(rotation_channels.to_euler(motion.rotations, "ZXY")).reshape(len(motion), -1)
        moving = angles[:, np.ptp(angles, axis=0) > 2.0]
        found += [moving[start : start + FRAMES] for start in range(1, len(angles) - FRAMES, FRAMES)]
    curves = np.concatenate(found, axis=1)[:, :CURVES]
    assert curves.shape == (FRAMES, CURVES), f"the clips give {curves.shape[1]} curves only"
    return curves


def _low_passed(motion):
    from motion_editing.core.filters import low_passed
    from motion_editing.core.numerics import butterworth

    return low_passed(motion, butterworth(CUTOFF))


@contextmanager
def graph_editor() -> Iterator[None]:
    """What Decimate needs even without a window: a Graph Editor that shows all curves."""
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    area.type = "GRAPH_EDITOR"
    area.spaces[0].dopesheet.show_only_selected = False
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region):
        yield


def decimate(margin: float) -> float:
    """Seconds that Decimate takes for all keys of the active object."""
    with graph_editor():
        bpy.ops.graph.select_all(action="SELECT")
        start = time.process_time()
        bpy.ops.graph.decimate(mode="ERROR", remove_error_margin=margin)
        return time.process_time() - start


def decimated_numbers(curves: np.ndarray, margin: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Seconds, keys (n,) and largest errors (n,) of curves (F, n) that Decimate was used on."""
    from motion_editing.motion_editing_addon.border.action_io import channelbag
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import generated_keys, write_keys

    bpy.ops.wm.read_factory_settings()
    holder = bpy.data.objects.new("Curves", None)
    bpy.context.scene.collection.objects.link(holder)
    bpy.context.view_layer.objects.active = holder
    holder.select_set(True)
    bag, frames = channelbag(holder, create=True), np.arange(len(curves))
    for number, values in enumerate(curves.T):
        holder[f"p{number}"] = 0.0
        write_keys(bag.fcurves.new(f'["p{number}"]'), generated_keys(frames, values))
    for curve in bag.fcurves:
        curve.update()
    seconds = decimate(margin)
    errors = [
        np.abs([curve.evaluate(frame) for frame in frames] - values).max()
        for curve, values in zip(bag.fcurves, curves.T, strict=True)
    ]
    return seconds, np.array([len(curve.keyframe_points) for curve in bag.fcurves]), np.array(errors)


def curve_rows(folder: Path) -> Iterator[str]:
    """Both kinds beside Decimate, on smooth and on raw curves."""
    from motion_editing.core.keys import evaluate_keys, reduce_curves

    frames = np.arange(float(FRAMES))
    for label, smooth in ((f"{CUTOFF:g} Hz low-passed", True), ("raw capture", False)):
        curves = captured_curves(folder, smooth=smooth)
        chosen = np.linspace(0, CURVES - 1, DECIMATED).astype(int)
        for bound in (0.5, 0.1):
            seconds, keys, errors = decimated_numbers(curves[:, chosen], bound)
            seconds *= CURVES / DECIMATED
            name = f"{label}, {bound:g}°"
            yield f"| {name} | Decimate | {seconds:.1f} | 1 | {keys.mean():.1f} | 1 | 1 | {errors.max():.2f}° |"
            for kind in ("SMOOTH", "FEWEST"):
                start = time.process_time()
                ours = reduce_curves(frames, curves, bound, kind=kind)
                own = time.process_time() - start
                same_error = reduce_curves(frames, curves[:, chosen], errors, kind=kind).counts.sum() / keys.sum()
                stated = ours.counts[chosen].sum() / keys.sum()
                error = np.abs(evaluate_keys(ours, frames) - curves).max()
                yield (
                    f"| {name} | {kind.title()} | {own:.2f} | {seconds / own:.0f} | {ours.counts.mean():.1f} "
                    f"| {stated:.2f} | {same_error:.2f} | {error:.2f}° |"
                )


@dataclass
class Outcome:
    """What a way to reduce keys left of a clip."""

    seconds: float
    keys: int
    degrees: float
    distance: float
    slide: float


@quietly()
def import_clip(folder: Path, *, smooth: bool, name: str = CLIP) -> bpy.types.Object:
    """An armature with the clip, without the reference pose at its start."""
    from motion_editing.motion_editing_addon.border import action_io

    bpy.ops.wm.read_factory_settings()
    bpy.ops.import_anim.bvh(filepath=str(folder / "dev" / f"{name}.bvh"), global_scale=0.0564)  # to metres
    armature = bpy.context.object
    clip = action_io.read(armature, rate=120.0, start=2)
    for curve in clip.channels.curves.values():
        curve.keyframe_points.remove(curve.keyframe_points[0])
    if smooth:
        clip = action_io.read(armature, rate=120.0)
        action_io.write(clip, _low_passed(clip.motion))
    return armature


def measure(armature: bpy.types.Object, before, contacts, seconds: float) -> Outcome:
    """Compare the curves as Blender evaluates them now with the motion before, on the frames."""
    from motion_editing.core.numerics import quaternion
    from motion_editing.core.solve.contact_lock import foot_slide
    from motion_editing.motion_editing_addon.border import action_io

    after = action_io.read(armature, rate=120.0).motion
    curves = action_io.channels_of(armature).curves.values()
    old, new = foot_slide(before, contacts), foot_slide(after, contacts)
    slides = [b - a for name in old for a, b in zip(old[name], new[name], strict=True)]
    return Outcome(
        seconds,
        sum(len(curve.keyframe_points) for curve in curves),
        float(np.degrees(quaternion.angle_between(before.rotations, after.rotations)).max()),
        float(np.linalg.norm(before.poses.positions - after.poses.positions, axis=-1).max()),
        max(slides),
    )


@quietly()
def outcome(folder: Path, *, smooth: bool, margin: float | None = None, **options: object) -> Outcome:
    """Decimate with a margin, or Reduce Keys with options, on a fresh import."""
    from motion_editing.motion_editing_addon.border import action_io
    from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of

    armature = import_clip(folder, smooth=smooth)
    armature.animation_data.action.motion_editing.source_rate = 120.0
    clip = action_io.read(armature, rate=120.0)
    contacts = contacts_of(clip)
    if margin is not None:
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="SELECT")
        return measure(armature, clip.motion, contacts, decimate(margin))
    start = time.process_time()
    bpy.ops.motion_editing.reduce_keys(rotation_error=np.radians(DEGREES), **options)
    return measure(armature, clip.motion, contacts, time.process_time() - start)


def clip_rows(folder: Path) -> Iterator[str]:
    """The same clip reduced by Decimate and by us, with what an animator sees of it."""
    for label, smooth in (("as captured", False), (f"{CUTOFF:g} Hz low-passed", True)):
        ours = {name: outcome(folder, smooth=smooth, **options) for name, options in WAYS.items()}
        margin = np.radians(DEGREES)
        yield _row(label, f"Decimate, {DEGREES:g}°", outcome(folder, smooth=smooth, margin=margin))
        found, most = None, max(each.distance for each in ours.values())
        while found is None or found.degrees > DEGREES or found.distance > most:
            margin *= 0.7
            found = outcome(folder, smooth=smooth, margin=margin)
        yield _row(label, f"Decimate, {np.degrees(margin):.2g}°, within our errors", found)
        for name, each in ours.items():
            yield _row(label, f"Reduce Keys, {name}", each)


def _row(label: str, name: str, found: Outcome) -> str:
    return (
        f"| {label} | {name} | {found.keys} | {found.degrees:.2f}° | {1e3 * found.distance:.1f} mm "
        f"| {1e3 * found.slide:.1f} mm | {found.seconds:.1f} s |"
    )


def clip_table(folder: Path) -> str:
    """The comparison for the manual."""
    head = "| clip | way | keys | largest error of a bone | of a joint's place | feet slide more by | time |"
    return "\n".join([head, "|---|---|---:|---:|---:|---:|---:|", *clip_rows(folder)])


def main() -> None:
    """Print the tables."""
    folder = places.clips_folder()
    if not folder.is_dir():
        print("The clips are absent: set MOTION_EDITING_CLIPS")
        return
    extension = checkout_as_extension.load()
    extension.register()
    print(f"{CURVES} curves x {FRAMES} frames; Decimate timed on {DECIMATED} curves, and scaled\n")
    print(
        "| curves, bound | way | seconds | faster by | keys a curve | keys beside Decimate at the same bound ", end=""
    )
    print("| at the same measured error | largest error |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for row in curve_rows(folder):
        print(row, flush=True)
    table = clip_table(folder)
    print(f"\nThe clip {CLIP} in Blender {bpy.app.version_string}\n\n{table}")
    if "--docs" in sys.argv:
        write_table("keys.md", HEADING, table)
    extension.unregister()


if __name__ == "__main__":
    main()
