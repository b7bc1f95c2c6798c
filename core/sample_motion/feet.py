"""Paths of the feet: planted exactly, rolling over heel and ball, swinging in between.

A foot is described by where its ball is on the ground, how high it is lifted, which way
it points, how far it is pitched (heel up above zero), and whether it rolls about the heel
(0) or the ball (1). The ball stands still while it is on the ground whatever the foot does.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics import Array, quaternion
from .choreography import JUMP, LANDED, PUSH_OFF, ROLL_DOWN, STEPS, Step, punch_heel_raises
from .curves import Curve, Key, ease, glide
from .figure import ANKLE_HEIGHT, BALL_AHEAD, BALL_HEIGHT, HEEL_BEHIND, HIP_WIDTH


@dataclass(frozen=True)
class FootPath:
    """Where a foot is in every frame: ankle (F, 3), rotations (F, 4) of foot and toes from rest."""

    ankle: Array
    foot: Array
    toe: Array
    turn: Array


def foot_path(side: str, times: Array) -> FootPath:
    """Path of one foot.

    Args:
        side: 'L' or 'R'.
        times: (F,) seconds.
    """
    sign = 1.0 if side == "L" else -1.0
    moves = sorted([s for s in STEPS if s.side == side] + [_jump_as_step(side)], key=lambda s: s.land)
    ball, turn = _ground_path(moves, sign, times)
    pitch = Curve(_pitch_keys(moves, side)).at(times)
    lift = Curve(_lift_keys(moves)).at(times)
    rolls_on_ball = _pivot(moves, times)
    heading = _about(2, turn)
    foot = quaternion.multiply(heading, _about(0, pitch))
    toe = quaternion.multiply(heading, _about(0, pitch * (1.0 - rolls_on_ball)))
    # Ankle from the ball with the foot flat, then rolled about a point between heel and ball.
    back = np.array([0.0, BALL_AHEAD, ANKLE_HEIGHT - BALL_HEIGHT])
    reach = (1.0 - rolls_on_ball) * (BALL_AHEAD + HEEL_BEHIND)
    pivot = quaternion.stack(0.0, reach, -BALL_HEIGHT * (1.0 - rolls_on_ball))
    rolled = pivot + quaternion.rotate(_about(0, pitch), back - pivot)
    ankle = ball + quaternion.rotate(heading, rolled)
    ankle[:, 2] += BALL_HEIGHT + lift
    return FootPath(ankle, foot, toe, turn)


def _about(axis: int, angles: Array) -> Array:
    return quaternion.from_axis_angle(np.eye(3)[axis], angles)


def _jump_as_step(side: str) -> Step:
    return Step(side, JUMP.touch_down, LANDED, swing=JUMP.touch_down - JUMP.take_off, vigour=0.0)


def _ground_path(moves: list[Step], sign: float, times: Array) -> tuple[Array, Array]:
    """Place of the ball on the ground (F, 3) and heading (F,) in radians, left positive."""
    start = Step("L", 0.0, 0.0, aside=HIP_WIDTH)
    place, turn = _ball(start, sign), np.radians(sign * start.turn)
    path, heading = np.tile(place, (len(times), 1)), np.full(len(times), turn)
    for move in moves:
        # A jump carries the feet along from the first moment, a step starts them softly.
        share = glide(times, move.off, move.land, ramp=0.4 if move.vigour else 0.3)
        goal, goal_turn = _ball(move, sign), np.radians(sign * move.turn)
        path += share[:, None] * (goal - place)
        heading += share * (goal_turn - turn)
        place, turn = goal, goal_turn
    return path, heading


def _ball(step: Step, sign: float) -> Array:
    turn = np.radians(sign * step.turn)
    ankle = np.array([sign * step.aside, -step.ahead, 0.0])
    return ankle + BALL_AHEAD * np.array([np.sin(turn), -np.cos(turn), 0.0])


def _flat(time: float) -> Key:
    return Key(time, 0.0, 0.0, 0.0)


def _degrees(time: float, angle: float) -> Key:
    return Key(time, float(np.radians(angle)))


def _pitch_keys(moves: list[Step], side: str) -> list[Key]:
    keys = [_flat(0.0)]
    for move in moves:
        keys += _step_pitch(move) if move.vigour else _jump_pitch()
    for start, stop in punch_heel_raises() if side == "R" else []:
        keys += [_flat(start), _degrees(start + 0.19, 30.0), _flat(stop)]
    return keys


def _step_pitch(step: Step) -> list[Key]:
    """Heel up, toes off, foot lifted through, toes up, strike, flat."""
    v, off, land = step.vigour, step.off, step.land
    return [
        _flat(off - PUSH_OFF),
        _degrees(off, 44.0 * v),
        _degrees(off + 0.07, 54.0 * v),
        _degrees(off + 0.5 * step.swing, 12.0 * v),
        _degrees(land - 0.07, -20.0 * v),
        _degrees(land, -16.0 * v),
        _flat(land + ROLL_DOWN),
    ]


def _jump_pitch() -> list[Key]:
    off, land = JUMP.take_off, JUMP.touch_down
    return [
        _flat(off - PUSH_OFF),
        _degrees(off, 52.0),
        _degrees(off + 0.07, 66.0),
        _degrees(0.5 * (off + land), 32.0),
        _degrees(land - 0.10, -6.0),
        _degrees(land, -9.0),
        _flat(land + ROLL_DOWN),
    ]


def _lift_keys(moves: list[Step]) -> list[Key]:
    keys = [_flat(0.0)]
    for move in moves:
        off, land, v = move.off, move.land, move.vigour
        if v:
            keys += [
                _flat(off),
                Key(off + 0.30 * move.swing, 0.065 * v + 0.01),
                Key(off + 0.66 * move.swing, 0.035 * v + 0.01),
                _flat(land),
            ]
        else:
            middle = 0.5 * (off + land)
            keys += [
                _flat(off),
                Key(off + 0.07, 0.115, 2.5),
                Key(middle + 0.01, 0.42),
                Key(land - 0.07, 0.115, -2.3),
                _flat(land),
            ]
    return keys


def _pivot(moves: list[Step], times: Array) -> Array:
    """1 while the foot rolls over its ball, 0 while over its heel; changes in the air and while flat."""
    share = np.ones(len(times))
    for move in moves:
        share -= ease(times, move.off + 0.04, move.land - 0.04)
        share += ease(times, move.land + ROLL_DOWN, move.land + ROLL_DOWN + 0.08)
    return share
