"""Frames as lanes tell them."""


def short(frame: float) -> str:
    """A frame with a tenth where it has one."""
    return f"{frame:.1f}".removesuffix(".0")
