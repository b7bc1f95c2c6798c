"""What enabling the extension takes: `python benchmarks/addon/bench_enabling.py`.

Prints a table in Markdown. Every row is of a Blender of its own, as each start of a user's is; what counts is the
processor's work, of which other programs change little, with compiled files as after the first start. Rigify,
which comes with Blender, is enabled in the same process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
STARTS = 5
PEER = "rigify"
IN_BLENDER = f"""
import os, sys, time
import bpy
started = time.process_time()
sys.path.append({str(SCRIPTS)!r})
from workshop import checkout_as_extension
checkout_as_extension.load().register()
enabled = time.process_time()
bpy.ops.preferences.addon_enable(module={PEER!r})
print("seconds", started, enabled - started, time.process_time() - enabled, flush=True)
os._exit(0)
"""


def start(compiled: str) -> tuple[float, ...]:
    """Seconds of Blender's start, of enabling the extension and of enabling Rigify."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", IN_BLENDER],
        env={**usual, "PYTHONPYCACHEPREFIX": compiled},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("seconds "))
    return tuple(float(word) for word in line.split()[1:])


def main() -> None:
    """Print the table."""
    print("| start | Blender, s | extension, s | share of the start | Rigify, s | times quicker than Rigify |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as compiled:
        for number in range(STARTS):
            blender, ours, peer = start(compiled)
            name = "first, compiling" if number == 0 else str(number + 1)
            print(
                f"| {name} | {blender:.2f} | {ours:.3f} | {ours / blender:.2f} | {peer:.3f} | {peer / ours:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
