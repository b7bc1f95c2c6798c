"""Takes the manual's picture of the Edit Stack.

After a change of the panel: `MOTION_EDITING_PICTURES=1 python3 scripts/test.py --gui -k docs_pictures_stack`, look at
it, then copy stack.png to docs/pictures/.
"""

from __future__ import annotations

import bpy
from harness import Window, check_equal, wait_until
from manual_pictures import panel_part, picture, prepare_sample
from scenarios.capabilities.stack import stack
from window_input import Steps


def scenario(window: Window) -> Steps:
    """Three edits, the second of them counting half, with what it did."""
    yield from prepare_sample(window, "Edit Stack")
    bpy.ops.motion_editing.warp_time("EXEC_DEFAULT", True, use_keytimes=False, length=0.8)
    bpy.ops.motion_editing.exaggerate_motion("EXEC_DEFAULT", True, amount=1.4)
    bpy.ops.motion_editing.lock_feet("EXEC_DEFAULT", True)
    stack().entries[2].stays_last = True
    stack().active = 1
    stack().entries[1].influence = 0.5
    check_equal([entry.message for entry in stack().entries], ["", "", ""], "messages")
    yield from wait_until(lambda: stack().entries[1].result, "the numbers of the edit should be told")
    yield from window.hover(window.region("VIEW_3D"))
    yield from picture(window, "stack", panel_part(window, "Edit Stack", 470))
