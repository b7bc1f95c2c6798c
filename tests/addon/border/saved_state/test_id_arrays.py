"""Arrays in ID properties: a longer one takes the place of a shorter one."""

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
from motion_editing.motion_editing_addon.border.saved_state import put_array

# In a process of its own: Blender may write beyond the end of the older array, and crash with all tests.
_LONGER_EACH_TIME = """
import os, sys
sys.path.append(sys.argv[1])
import bpy
from workshop import checkout_as_extension
checkout_as_extension.load()
import numpy as np
from motion_editing.motion_editing_addon.border.saved_state import put_array
thing = bpy.data.objects.new("Thing", None)
for number in range(1, 2000):
    put_array(thing, "array", np.full(number, 0.5))
    assert len(thing["array"]) == number
sys.stdout.write("done")
sys.stdout.flush()
os._exit(0)
"""


def test_longer_arrays_take_the_place_of_shorter_ones():
    scripts = Path(__file__).resolve().parents[4] / "scripts"
    ran = subprocess.run(
        [sys.executable, "-c", _LONGER_EACH_TIME, str(scripts)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.endswith("done")


def test_arrays_are_kept_flat_and_none_without_numbers():
    thing = bpy.data.objects.new("Thing", None)
    put_array(thing, "array", np.arange(6.0).reshape(2, 3).T)
    assert list(thing["array"]) == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
    put_array(thing, "array", np.empty(0))
    assert "array" not in thing
