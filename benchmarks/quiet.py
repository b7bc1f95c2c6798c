"""Tables without what Blender prints, as in batches."""

from __future__ import annotations

from workshop import checkout_as_extension

checkout_as_extension.load()
from motion_editing.motion_editing_addon.batch.silence import blender_quiet as quietly  # noqa: E402

__all__ = ["quietly"]
