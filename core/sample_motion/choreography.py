"""What happens when: steps, jump and punches of the sample motion, in seconds and metres."""

from dataclasses import dataclass

DURATION = 11.8
GRAVITY = 9.81
SIDES = ("L", "R")

# A foot is in the air for this long, and its heel comes up this long before.
SWING = 0.44
PUSH_OFF = 0.22
# From the heel's strike until the sole lies flat.
ROLL_DOWN = 0.10


@dataclass(frozen=True)
class Step:
    """A foot put down.

    Attributes:
        side: 'L' or 'R'.
        land: When the heel touches.
        ahead: Where the ankle then is, in metres from the start.
        aside: Distance of the ankle from the middle line, outwards.
        turn: Degrees by which the toes point outwards.
        vigour: 1 for a full step; less lifts and rolls the foot less.
        swing: Seconds in the air.
    """

    side: str
    land: float
    ahead: float
    aside: float = 0.085
    turn: float = 5.0
    vigour: float = 1.0
    swing: float = SWING

    @property
    def off(self) -> float:
        """When the toes leave the ground."""
        return self.land - self.swing


@dataclass(frozen=True)
class Jump:
    """A jump from both feet; the lowest points of crouching before and after it."""

    crouch: float
    take_off: float
    touch_down: float
    bottom: float
    ahead: float


@dataclass(frozen=True)
class Punch:
    """A straight punch; `force` scales how far the body turns into it, `height` is in degrees."""

    side: str
    time: float
    force: float = 1.0
    height: float = 0.0


START = {"L": 0.0, "R": 0.0}
WALK = (
    Step("R", 1.06, 0.32, vigour=0.8),
    Step("L", 1.58, 0.93),
    Step("R", 2.10, 1.55),
    Step("L", 2.62, 2.13, vigour=0.9),
    Step("R", 3.12, 2.13, vigour=0.6),
)
JUMP = Jump(crouch=3.72, take_off=4.05, touch_down=4.54, bottom=4.73, ahead=0.90)
LANDED = 2.13 + 0.90
APPROACH = (
    Step("R", 5.92, LANDED + 0.36, vigour=0.8),
    Step("L", 6.44, LANDED + 0.92, aside=0.11, turn=-4.0),
    Step("R", 6.95, LANDED + 0.50, aside=0.15, turn=38.0, vigour=0.6),
)
STANCE_MIDDLE = LANDED + 0.73
PUNCHES = (
    Punch("R", 7.55),
    Punch("L", 7.98, force=0.9, height=3.0),
    Punch("R", 8.44, force=1.1, height=-3.0),
    Punch("L", 9.22, force=1.0, height=-2.0),
    Punch("R", 9.66, force=1.05, height=5.0),
)
SETTLE = (Step("R", 10.84, LANDED + 0.92, aside=0.09, vigour=0.6, swing=0.48),)
STEPS = (*WALK, *APPROACH, *SETTLE)


@dataclass(frozen=True)
class SampleEvents:
    """What the sample motion holds, in seconds, as ground truth for other tools.

    Attributes:
        contacts: By joint name. 'foot.L' and 'foot.R': the sole lies flat and the ankle stands
            still. 'toe.L' and 'toe.R': the ball of the foot stands still, heel up or down.
        steps: Side and time of every heel strike of a step.
        flight: From when the toes leave the ground in the jump until they touch it.
        crouches: Lowest points before and after the jump.
        punches: Side and time of every full extension.
        duration: Of the whole motion.
    """

    contacts: dict[str, tuple[tuple[float, float], ...]]
    steps: tuple[tuple[str, float], ...]
    flight: tuple[float, float]
    crouches: tuple[float, float]
    punches: tuple[tuple[str, float], ...]
    duration: float


def sample_events() -> SampleEvents:
    """Times of everything that happens in the sample motion, whatever its rate."""
    contacts = {}
    for side in SIDES:
        flat, planted = _contacts(side)
        contacts[f"foot.{side}"], contacts[f"toe.{side}"] = flat, planted
    return SampleEvents(
        contacts=contacts,
        steps=tuple((step.side, step.land) for step in STEPS),
        flight=(JUMP.take_off, JUMP.touch_down),
        crouches=(JUMP.crouch, JUMP.bottom),
        punches=tuple((punch.side, punch.time) for punch in PUNCHES),
        duration=DURATION,
    )


def _contacts(side: str) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]:
    lifts = sorted(_heel_lifts(side))
    down = [0.0, *(back for _, _, back in lifts)]
    heel_up = [*(up for up, _, _ in lifts), DURATION]
    ball_off = [off for _, off, _ in lifts]
    flat = tuple(zip(down, heel_up, strict=True))
    grounded = [(start, stop) for start, stop in zip(down, [*ball_off, DURATION], strict=True)]
    return flat, _joined(grounded)


def _heel_lifts(side: str) -> list[tuple[float, float, float]]:
    """Heel up, ball off and flat again of every lift; a heel raised in a punch keeps its ball down."""
    lifts = [(step.off - PUSH_OFF, step.off, step.land + ROLL_DOWN) for step in STEPS if step.side == side]
    lifts.append((JUMP.take_off - PUSH_OFF, JUMP.take_off, JUMP.touch_down + ROLL_DOWN))
    if side == "R":
        lifts += [(up, back, back) for up, back in punch_heel_raises()]
    return lifts


def punch_heel_raises() -> list[tuple[float, float]]:
    """When the back heel comes up and is down again, for every punch of the back hand."""
    return [(punch.time - 0.20, punch.time + 0.30) for punch in PUNCHES if punch.side == "R"]


def _joined(spans: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    joined: list[tuple[float, float]] = []
    for start, stop in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)
