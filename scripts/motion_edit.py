"""Edit motion without a window: `python3 scripts/motion_edit.py --help`.

The same as `blender --command motion_edit` of the installed extension, with Blender as a Python
module. Started with a Python that has none, it sets up a headless Blender first.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def _one_core_seen(alone: bool) -> Iterator[None]:
    """Let Blender take a single thread of its own, as `blender --threads 1` does: jobs share the cores instead.

    As a module it takes one for each core that it may use when it starts.
    """
    if not (alone and hasattr(os, "sched_setaffinity")):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


def _in_blender(arguments: list[str]) -> int:
    """Run the command in this Python, which has Blender as a module."""
    from workshop import checkout_as_extension

    with _one_core_seen(arguments[:1] == ["worker"]):
        extension = checkout_as_extension.load()
        extension.register()
    from motion_editing.motion_editing_addon.batch.command import main

    return main(arguments, start=(sys.executable, str(Path(__file__).resolve())))


def _in_environment(arguments: list[str]) -> int:
    """Run the command in the newest headless Blender that this machine can have."""
    from demo import newest_blender
    from workshop import environments
    from workshop.cache import SetupError

    try:
        python = environments.ensure(newest_blender())
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if str(python) == sys.executable:  # It would start itself again and again.
        print(f"error: {python} has no Blender: remove {python.parents[1]} and start again", file=sys.stderr)
        return 1
    child = subprocess.Popen([str(python), __file__, *arguments])
    # Ctrl-C is for the child, which is told as well: it needs time to end its workers and to say what is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever stops this process alone, as farms do, means the child.
    signal.signal(signal.SIGTERM, lambda number, _frame: child.send_signal(number))
    code = child.wait()
    return code if code >= 0 else 128 - code  # as shells tell that a signal ended it


def _with_names_in_utf_8() -> None:
    """Start again where the locale knows ASCII alone: Blender has all names in UTF-8.

    What is printed stays in the locale's letters; `main` of the command gives others with backslashes.
    """
    if sys.getfilesystemencoding() == "utf-8":
        return
    os.environ.setdefault("PYTHONIOENCODING", sys.stdout.encoding)
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def main() -> None:
    """Run the command and leave with its exit code."""
    _with_names_in_utf_8()
    # Ctrl-C ends the start at once: modules that are being imported may swallow Python's own answer to it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = sys.argv[1:]
    if importlib.util.find_spec("bpy") is None:
        sys.exit(_in_environment(arguments))
    code = _in_blender(arguments)
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
