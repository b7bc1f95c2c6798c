"""The demo's step about time: the sample motion 20 % shorter, guided and evenly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import RATE, Row, Shown, current_motion, run
from demo_speed_plot import Curve, speed_plot
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.guided_warp import kept_maps

if TYPE_CHECKING:
    from motion_editing.core.motion import Motion, TimeMap

LENGTH = 0.8
KEPT_AS = "Demo"
ORANGE, BLUE = (0.88, 0.42, 0.20), (0.16, 0.45, 0.66)


@dataclass
class Warped:
    """A warped motion, its time map, and when it is in the air, in seconds."""

    motion: Motion
    time_map: TimeMap
    flight: tuple[float, float]

    @property
    def frames_in_air(self) -> float:
        """Frames from take-off to landing."""
        return (self.flight[1] - self.flight[0]) * RATE

    def curve(self, label: str, colour: tuple[float, float, float]) -> Curve:
        """The speed of time, from the motion's start on."""
        times = np.linspace(self.motion.times[0], self.motion.times[-1], 600)
        start = times[0]
        flight = (self.flight[0] - start, self.flight[1] - start)
        return Curve(label, colour, times - start, self.time_map.speed(times), flight)


def shorter_with_the_jump() -> Shown:
    """20 % shorter, keep the jump: a guided warp beside an even one."""
    before = current_motion()
    flight = tuple(before.times[0] + moment for moment in sample_events().flight)
    guided, even = warped(flight, influence=1.0), warped(flight, influence=0.0)
    in_air = (flight[1] - flight[0]) * RATE
    rows = [
        jump_row(f"The jump: {in_air:.0f} frames in the air", before, flight),
        jump_row(f"20 % shorter, guided: {guided.frames_in_air:.0f} frames in the air", guided.motion, guided.flight),
        jump_row(f"20 % shorter, evenly: {even.frames_in_air:.0f} frames in the air", even.motion, even.flight),
    ]
    curves = (even.curve("evenly", ORANGE), guided.curve("guided", BLUE))
    return Shown(in_numbers(before, in_air, guided, even), rows, {"warp.png": speed_plot(curves)})


def warped(flight: tuple[float, ...], influence: float) -> Warped:
    """Warp the sample motion, look at it, and bring the original back."""
    run(bpy.ops.motion_editing.warp_time, length=LENGTH, influence=influence, keep_as=KEPT_AS)
    motion, time_map = current_motion(), kept_maps.load(bpy.context.object, KEPT_AS)
    start, end = time_map.inverse()(np.array(flight))
    run(bpy.ops.motion_editing.restore_original)
    return Warped(motion, time_map, (float(start), float(end)))


def jump_row(label: str, motion: Motion, flight: tuple[float, ...]) -> Row:
    """Every second frame from shortly before take-off on: as many figures in the air as it takes time."""
    return Row(label, motion, [flight[0] + frame / RATE for frame in range(-6, 20, 2)])


def in_numbers(before: Motion, in_air: float, guided: Warped, even: Warped) -> list[str]:
    """Lengths, flight times, and how heavy an even warp makes the body."""
    frames = [in_air, guided.frames_in_air, even.frames_in_air]
    weights = [(in_air / each) ** 2 for each in frames[1:]]
    return [
        f"{len(before)} frames became {len(guided.motion)}, guided and evenly",
        "in the air: {:.1f} frames originally, {:.1f} guided, {:.1f} evenly".format(*frames),
        "the fall looks as if gravity were {:.1f} times as strong when guided, {:.1f} times evenly".format(*weights),
        "the original is back for the next steps",
    ]
