"""Keys of the body: hips, spine and arms, written as an animator would, in degrees and metres.

Channels of the hips: ahead, aside, up; lean forward, turn to the left, tilt to the left.
Channels of the spine: bend forward, turn and tilt beyond the hips.
Channels of each arm: raise forward, spread outwards, roll inwards, elbow, pronate, fist,
and reach (shoulder blade forward).
"""

from collections import defaultdict

from .choreography import (
    APPROACH,
    DURATION,
    GRAVITY,
    JUMP,
    LANDED,
    PUNCHES,
    SETTLE,
    SIDES,
    STANCE_MIDDLE,
    WALK,
    Punch,
    Step,
)
from .curves import Curve, Key

_OTHER = {"L": "R", "R": "L"}
_SIGN = {"L": 1.0, "R": -1.0}
_ARM_AT_REST = {
    "raise": 4.0,
    "spread": 9.0,
    "roll": 12.0,
    "elbow": 16.0,
    "pronate": 12.0,
    "fist": 25.0,
    "reach": 0.0,
}
_GUARD = {
    "raise": 62.0,
    "spread": 15.0,
    "roll": 26.0,
    "elbow": 128.0,
    "pronate": 20.0,
    "fist": 95.0,
    "reach": 4.0,
}
# Elbow and hand follow the upper arm by this many seconds.
_LAG = {"elbow": 0.06, "pronate": 0.05, "fist": 0.07}
_STANDING = 0.006


class BodyKeys:
    """Collects keys by channel name; several parts of the choreography write into one."""

    def __init__(self) -> None:
        self._keys: dict[str, list[Key]] = defaultdict(list)

    def key(self, time: float, **values: float) -> None:
        """Key several channels at one time."""
        for channel, value in values.items():
            self._keys[channel].append(Key(time, value))

    def moving(self, time: float, channel: str, value: float, slope: float, bend: float | None = None) -> None:
        """Key a channel that passes with a given speed and acceleration."""
        self._keys[channel].append(Key(time, value, slope, bend))

    def arm(self, time: float, side: str, **values: float) -> None:
        """Key channels of one arm; what is farther out comes later."""
        for channel, value in values.items():
            self._keys[f"{channel}.{side}"].append(Key(time + _LAG.get(channel, 0.0), value))

    def curves(self) -> dict[str, Curve]:
        """A curve for every channel."""
        return {channel: Curve(keys) for channel, keys in self._keys.items()}


def body_curves() -> dict[str, Curve]:
    """Curves of all body channels over the whole sample motion."""
    keys = BodyKeys()
    _stand(keys, 0.0, ahead=0.0)
    _stand(keys, 0.42, ahead=0.0)
    _walk(keys, WALK[:-1], {"L": 0.0, "R": 0.0})
    _jump(keys)
    _walk(keys, APPROACH[:-1], {"L": LANDED, "R": LANDED})
    _raise_guard(keys)
    _fight(keys)
    _settle(keys)
    return keys.curves()


def _stand(keys: BodyKeys, time: float, *, ahead: float) -> None:
    keys.key(time, ahead=ahead + 0.02, aside=0.0, up=_STANDING, lean=0.0, turn=0.0, tilt=0.0)
    keys.key(time, bend=3.0, twist=0.0, sway=0.0)
    for side in SIDES:
        keys.arm(time, side, **_ARM_AT_REST)


def _walk(keys: BodyKeys, steps: tuple[Step, ...], start: dict[str, float]) -> None:
    """Two keys for each step: the heel strike, and half way when the legs pass."""
    feet = dict(start)
    first = steps[0]
    keys.key(first.off - 0.06, aside=-0.028 * _SIGN[first.side], tilt=1.0 * _SIGN[first.side])
    for step, following in zip(steps, (*steps[1:], None), strict=True):
        feet[step.side] = step.ahead
        _heel_strike(keys, step, feet)
        passing = 0.5 * (step.land + following.land) if following else step.land + 0.26
        if following:
            _passing(keys, step, passing)


def _heel_strike(keys: BodyKeys, step: Step, feet: dict[str, float]) -> None:
    sign, v = _SIGN[step.side], step.vigour
    middle = 0.5 * (feet["L"] + feet["R"])
    keys.key(step.land, ahead=middle + 0.035, aside=0.004 * sign, turn=-8.0 * sign * v, tilt=0.0)
    keys.key(step.land + 0.04, up=-0.036, lean=4.5, bend=5.0)
    keys.key(step.land + 0.02, twist=15.0 * sign * v, sway=0.0)
    forward, backward = _OTHER[step.side], step.side
    keys.arm(step.land, forward, **{"raise": 27.0 * v, "elbow": 40.0, "roll": 24.0, "reach": 5.0 * v})
    keys.arm(step.land, backward, **{"raise": -24.0 * v, "elbow": 14.0, "roll": 4.0, "reach": -5.0 * v})
    for side in SIDES:
        keys.arm(step.land, side, spread=10.0)


def _passing(keys: BodyKeys, stance: Step, time: float) -> None:
    sign = _SIGN[stance.side]
    keys.key(time, ahead=stance.ahead + 0.025, aside=0.030 * sign, tilt=-4.0 * sign)
    keys.key(time + 0.02, up=-0.003, lean=3.0, bend=3.0)
    keys.key(time + 0.05, sway=3.0 * sign)
    for side in SIDES:
        keys.arm(time, side, spread=7.5)


def _jump(keys: BodyKeys) -> None:
    start, flight = WALK[-1].ahead, JUMP.touch_down - JUMP.take_off
    keys.key(WALK[-1].land + 0.02, turn=0.0, twist=0.0, tilt=0.0, sway=0.0, aside=0.0)
    keys.key(WALK[-1].land + 0.04, up=-0.03, ahead=start + 0.03, lean=4.0, bend=6.0)
    _crouch(keys, JUMP.crouch, ahead=start - 0.05, up=-0.33, lean=34.0, bend=34.0)
    rise, sink = 0.026, -0.09
    launch = (sink - rise) / flight + 0.5 * GRAVITY * flight
    left, arrived = start + 0.19, LANDED - 0.15
    pace = (arrived - left) / flight
    # The hips overtake the centre of mass at first, since trunk and arms swing back and up.
    keys.moving(JUMP.take_off, "up", rise, launch - 0.07, -GRAVITY)
    keys.moving(JUMP.touch_down, "up", sink, launch - GRAVITY * flight - 0.30, -GRAVITY)
    keys.moving(JUMP.take_off, "ahead", left, pace + 1.2, 0.0)
    keys.moving(JUMP.touch_down, "ahead", arrived, pace - 0.17, 0.0)
    keys.key(JUMP.take_off + 0.02, lean=8.0, bend=-8.0)
    keys.key(JUMP.take_off + 0.6 * flight, lean=10.0, bend=14.0)
    keys.key(JUMP.touch_down, lean=16.0, bend=20.0)
    _crouch(keys, JUMP.bottom, ahead=LANDED - 0.06, up=-0.35, lean=36.0, bend=32.0)
    _jump_arms(keys)
    _recover(keys)


def _crouch(keys: BodyKeys, time: float, *, ahead: float, up: float, lean: float, bend: float) -> None:
    keys.key(time, up=up)
    keys.key(time - 0.01, ahead=ahead)
    keys.key(time + 0.01, lean=lean)
    keys.key(time + 0.04, bend=bend)


def _jump_arms(keys: BodyKeys) -> None:
    for side in SIDES:
        keys.arm(WALK[-1].land - 0.05, side, **{**_ARM_AT_REST, "raise": 8.0})
        keys.arm(JUMP.crouch - 0.33, side, **{"raise": 30.0, "elbow": 42.0, "reach": 4.0})
        keys.arm(JUMP.crouch - 0.05, side, **{"raise": -36.0, "elbow": 12.0, "spread": 16.0, "reach": -8.0})
        keys.arm(JUMP.take_off - 0.18, side, **{"raise": 22.0, "elbow": 34.0})
        keys.arm(JUMP.take_off + 0.13, side, **{"raise": 140.0, "elbow": 30.0, "spread": 12.0, "reach": 14.0})
        keys.arm(JUMP.touch_down - 0.12, side, **{"raise": 118.0, "elbow": 34.0, "spread": 20.0})
        keys.arm(JUMP.touch_down + 0.10, side, **{"raise": 62.0, "elbow": 30.0, "spread": 24.0})
        keys.arm(JUMP.bottom + 0.10, side, **{"raise": 14.0, "elbow": 24.0, "spread": 20.0, "reach": -2.0})


def _recover(keys: BodyKeys) -> None:
    """Rise from the landing with a small overshoot, then stand for a moment."""
    up = APPROACH[0].off - 0.08
    keys.key(up - 0.16, up=-0.035, ahead=LANDED + 0.0, lean=2.0)
    keys.key(up - 0.10, bend=-1.0)
    keys.key(up, up=-0.004, ahead=LANDED + 0.03)
    keys.key(up - 0.12, turn=0.0, twist=0.0, tilt=0.0, sway=0.0, aside=0.0)
    for side in SIDES:
        keys.arm(up - 0.14, side, **{**_ARM_AT_REST, "raise": 12.0})


def _raise_guard(keys: BodyKeys) -> None:
    ready = APPROACH[-1].land + 0.10
    keys.key(APPROACH[-1].land - 0.2, up=-0.03, ahead=STANCE_MIDDLE + 0.02, aside=0.02)
    _guard(keys, ready)


def _guard(keys: BodyKeys, time: float) -> None:
    keys.key(time, ahead=STANCE_MIDDLE, aside=-0.01, up=-0.075, lean=6.0, turn=-24.0, tilt=0.0)
    keys.key(time + 0.03, bend=12.0, twist=-8.0, sway=0.0)
    for side in SIDES:
        keys.arm(time, side, **_GUARD)


def _fight(keys: BodyKeys) -> None:
    for number, punch in enumerate(PUNCHES):
        _punch(keys, punch)
        following = PUNCHES[number + 1].time if number + 1 < len(PUNCHES) else DURATION
        if following - punch.time > 0.6:
            _guard(keys, punch.time + 0.38)


def _punch(keys: BodyKeys, punch: Punch) -> None:
    """Hips first, then the chest, the upper arm and last the elbow: the chain that makes it snap."""
    time, side, force = punch.time, punch.side, punch.force
    sign = _SIGN[side]
    strong = side == "R"
    hips_turn, chest_turn = (20.0, 24.0) if strong else (-34.0, -20.0)
    middle = -24.0, -8.0
    turn = middle[0] + force * (hips_turn - middle[0])
    twist = middle[1] + force * (chest_turn - middle[1])
    keys.key(time - 0.05, turn=turn, up=-0.085, ahead=STANCE_MIDDLE + (0.11 if strong else 0.07) * force)
    keys.key(time - 0.02, twist=twist, lean=12.0 if strong else 9.0, sway=-3.0 * sign, bend=10.0)
    outward = (13.0 if strong else 17.0) - sign * (turn + twist)
    _punching_arm(keys, time, side, outward, punch.height)
    other = _OTHER[side]
    keys.arm(time - 0.03, other, **{"raise": 55.0, "elbow": 134.0, "spread": 10.0, "reach": -5.0})


def _punching_arm(keys: BodyKeys, time: float, side: str, outward: float, height: float) -> None:
    """Cocked, thrown, held for a moment, pulled back along the same line."""
    cocked = {"raise": 52.0, "elbow": 134.0, "spread": 12.0, "reach": -6.0, "pronate": 15.0}
    thrown = {
        "raise": (112.0 if side == "R" else 108.0) + height,
        "spread": outward,
        "reach": 20.0,
        "roll": 40.0,
        "fist": 100.0,
    }
    keys.arm(time - 0.20, side, **{k: v for k, v in cocked.items() if k not in _LAG})
    keys.key(time - 0.13, **{f"elbow.{side}": 132.0, f"pronate.{side}": 15.0})
    keys.arm(time - 0.01, side, **{k: v for k, v in thrown.items() if k not in _LAG})
    keys.key(time, **{f"elbow.{side}": 7.0, f"pronate.{side}": 80.0})
    keys.key(time + 0.19, **{f"elbow.{side}": 126.0, f"pronate.{side}": 25.0})
    keys.arm(time + 0.20, side, **{k: v for k, v in _GUARD.items() if k not in _LAG})


def _settle(keys: BodyKeys) -> None:
    close = SETTLE[0]
    keys.key(close.off, aside=0.05, up=-0.05)
    keys.key(close.land + 0.02, ahead=close.ahead + 0.0, up=-0.016, turn=-3.0, lean=2.0, tilt=0.0)
    keys.key(close.land + 0.08, twist=0.0, bend=5.0)
    keys.key(close.land + 0.15, aside=0.008)
    for side, late in (("L", 0.0), ("R", 0.05)):
        keys.arm(close.land - 0.02 + late, side, **{**_ARM_AT_REST, "raise": -2.0, "elbow": 12.0})
        keys.arm(close.land + 0.36 + late, side, **{**_ARM_AT_REST, "raise": 6.0, "elbow": 18.0})
    _stand(keys, DURATION - 0.25, ahead=close.ahead)
