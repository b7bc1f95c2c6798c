"""Talking to the person at the command line: progress, and one line for bad input."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import NoReturn

_printing = threading.Lock()


def say(text: str) -> None:
    """Print one whole line at once: several threads report progress."""
    with _printing:
        print(text, flush=True)


def stop_with(reason: str) -> NoReturn:
    """End the program because of what was asked of it: one line, exit code 2."""
    print(f"error: {reason}", file=sys.stderr)
    raise SystemExit(2)


class Parser(argparse.ArgumentParser):
    """Reads the command line; a mistake in it gets one line, not the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is."""
        stop_with(f"{message} (see --help)")
