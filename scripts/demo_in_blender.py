"""Runs inside headless Blender, started by demo.py: loads the extension and writes demo.blend.

Usage: python demo_in_blender.py OUTPUT_FOLDER
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy
import checkout_as_extension


def main() -> None:
    """Write demo.blend into the output folder."""
    output = Path(sys.argv[1])
    extension = checkout_as_extension.load()
    extension.register()
    bpy.ops.wm.save_as_mainfile(filepath=str(output / "demo.blend"))
    print(f"written: {output / 'demo.blend'}")
    extension.unregister()
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
