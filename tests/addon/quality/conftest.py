"""Motion is judged in the newest Blender alone: others do not collect the trials, and so skip none."""

import bpy

collect_ignore = [] if bpy.app.version >= (5, 2) else ["test_quality.py"]
