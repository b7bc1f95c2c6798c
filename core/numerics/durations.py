"""Durations that people give, kept within what a motion has: beyond that they change nothing, but work would grow."""


def frames_within(seconds: float, *, frames: int, rate: float, lengths: float = 1.0, least: int = 0) -> float:
    """Frames in some seconds, with parts of one, but no more than a motion has.

    Args:
        seconds: What was asked for.
        frames: Length of the motion.
        rate: Its frames a second.
        lengths: How many times the length of the motion is allowed.
        least: Frames that are allowed for short motions too.
    """
    return min(seconds * rate, max(lengths * frames, float(least)))
