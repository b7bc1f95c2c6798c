"""Several edits of an action one after the other: it is read once before them and written once after them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ..border.action_io.clip import know_whole, places_of
from ..border.action_io.curves.channels import channels_of
from ..border.action_io.memory.draft import drafted
from ..border.action_io.memory.slot_curves import read_curves
from . import scope, watched_keys
from .action_users import original_kept

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..border.action_io import Clip


@contextmanager
def keys_in_memory(context: Context, armature: Object) -> Iterator[None]:
    """Let edits meanwhile read and write keys in memory; curves with modifiers are edited where they are.

    Each edit finds the motion as the one before has left it, without looking at curves. If something raises, the
    action is as it was before all of them.
    """
    curves = read_curves(armature)
    if curves is None:
        yield
        return
    whole = scope.read_clip(context, armature, choice="ALL")
    with original_kept(context, armature) as kept:
        with drafted(armature, curves, written=curves) as draft:
            channels = channels_of(armature)
            draft.is_whole = True
            draft.keep_clip(replace(whole, channels=channels, keys=places_of(channels)))
            watched_keys.look_anew()
            yield
            kept.needed = dict(draft.curves) != curves  # states are equal where they are the same
            draft.write()
            now = _whole(context, armature)
        if now is not None:
            know_whole(now)
    watched_keys.look_anew()


def _whole(context: Context, armature: Object) -> Clip | None:
    """The motion that the edits led to; None where it cannot be read any more."""
    with suppress(MotionEditError):
        return scope.read_clip(context, armature, choice="ALL")
    return None
