"""Plays a walk-through of the manual: a step is a function with the page's text as docstring. Runs inside Blender."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import newcomer
from harness import Window, check, check_equal
from numbered_lists import bold, walkthroughs, words
from window_input import Steps

Step = Callable[[Window], Steps]


def play(window: Window, page: str, heading: str, *steps: Step) -> Steps:
    """Play all steps of a numbered list; page and steps must have the same words."""
    texts = walkthroughs(page).get(heading, [])
    check_equal([words(step.__doc__ or "") for step in steps], texts, f"steps of {heading} in {page}")
    for number, (step, text) in enumerate(zip(steps, texts, strict=True), start=1):
        newcomer.look(window, forget=True)
        yield from step(window)
        newcomer.look(window)
        unknown = [name for name in bold(text) if name not in newcomer.seen_names()]
        check(not unknown, f"step {number} of {heading} names {unknown}, which the interface does not show")
        yield from window.screenshot(f"step-{number}-{step.__name__.replace('_', '-')}")
    check_quiet(window)


def check_quiet(window: Window) -> None:
    """No Python error may have reached the console."""
    ctypes.CDLL(None).fflush(None)
    lines = (window.results / "output.txt").read_text(errors="replace").splitlines()
    errors = [line for line in lines if "Traceback" in line or "Error:" in line]
    check(not errors, f"the console should show no Python error, it shows {errors}")
