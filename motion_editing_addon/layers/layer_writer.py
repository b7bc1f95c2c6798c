"""Bringing a change of the layers into the keys, and taking keys that were changed otherwise into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis import difference_between
from ...core.layers import Layer, LayerStack, without_layers
from ..border import action_io
from ..border.action_io import WriteReport, muted_text
from ..border.action_io.curves.key_arrays import keys_to_arrays, restore_key_arrays
from ..border.action_io.reduction.sparse_keys import write_following
from ..border.armature import why_sampled
from ..border.key_options import KeyOptions
from ..border.saved_state import LAYERS
from ..border.translation import counted_text, report_text
from ..document import scope, transaction, watched_keys
from ..document.action_users import is_shared, layered_animation, original_kept
from ..document.stack import recorder
from ..document.take.difference import changes_text
from . import layer_list, session
from .session import LayerSession

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from ..border.action_io import Clip

Change = Callable[[LayerStack], LayerStack]

# Smaller changes of a motion, in radians and units, are rounding.
_ROUNDING = 1e-6


def require(context: Context, armature: Object) -> LayerSession:
    """The layers over the keys as they are: what something else has changed in these is taken over below the layers.

    Raises:
        MotionEditError: There are none, or what lies below them cannot be written.
    """
    saved = session.there(armature)
    recorder.notice_hand(armature)
    changed = watched_keys.state(armature, LAYERS, exact=True) is watched_keys.State.CHANGED
    return take_over(context, armature, saved) if changed else saved


def over_known_keys(context: Context, armature: Object) -> LayerSession:
    """The layers over the keys that they were last written over, or these worked out anew after another timing."""
    saved = session.there(armature)
    return take_over(context, armature, saved) if session.has_followed(armature) else saved


def take_over(context: Context, armature: Object, saved: LayerSession) -> LayerSession:
    """Keep the motion as it is now and the layers: work out what lies below them."""
    clip = scope.read_clip(context, armature)
    with transaction.edit(armature):
        action_io.write(clip, without_layers(clip.motion, saved.layers))
        return rebase(context, armature, saved.layers)


def change(context: Context, armature: Object, edit: Change, *, active: str = "") -> LayerSession:
    """Change the layers of an armature's action and let its keys show that.

    Args:
        context: Blender's.
        armature: Armature object whose action has layers.
        edit: From the stack as it is, over the keys below, to the new one.
        active: The layer to make the active one.

    Raises:
        MotionEditError: The edit or the channels refuse; then nothing has changed.
    """
    return carry_out(context, armature, require(context, armature), edit, active=active)


def carry_out(
    context: Context, armature: Object, before: LayerSession, edit: Change, *, active: str = "", changed: bool = False
) -> LayerSession:
    """Change the layers that were loaded; `changed` says that keys may be others than the layers gave them."""
    with recorder.noting(armature, notices_hand=not changed) as note:
        saved = _carried_out(context, armature, before, edit, active=active, changed=changed)
        note("set_layers", "Layers", layers=session.layers_text(saved.layers, saved.rate))
    return saved


def _carried_out(
    context: Context, armature: Object, before: LayerSession, edit: Change, *, active: str, changed: bool
) -> LayerSession:
    bones = None if changed else bones_of(before.layers)
    with original_kept(context, armature) as kept:
        clip = base_clip(context, armature, before, bones=bones)
        stack = edit(LayerStack(clip.motion, before.layers))
        kept.needed = True
        if restore_key_arrays(armature, before.base, bones=bones):  # The edit has written something itself.
            clip = scope.read_clip(context, armature)
        write(clip, stack, options_of(armature))
    if not stack.layers:
        end(armature)
        return before.with_layers(())
    saved = session.save(armature, before.with_layers(stack.layers))
    layer_list.refresh(armature, saved, active=active)
    return saved


def base_clip(context: Context, armature: Object, saved: LayerSession, *, bones: Set[str] | None = None) -> Clip:
    """The motion below the layers; its keys are put into the curves, those of some bones or of all."""
    restore_key_arrays(armature, saved.base, bones=bones)
    return scope.read_clip(context, armature)


def bones_of(layers: tuple[Layer, ...]) -> frozenset[str]:
    """Names of all bones that layers change: the curves of others are as below the layers."""
    return frozenset(name for layer in layers for name in layer.joints)


def stack_of(context: Context, armature: Object, saved: LayerSession) -> LayerStack:
    """The layers over the motion below them; the keys stay as they are."""
    with keys_below(context, armature, saved) as below:
        return LayerStack(below.motion, saved.layers)


@contextmanager
def keys_below(context: Context, armature: Object, saved: LayerSession) -> Iterator[Clip]:
    """The motion below the layers, whose keys are in the curves meanwhile."""
    keys = keys_to_arrays(armature)
    try:
        yield base_clip(context, armature, saved)
    finally:
        restore_key_arrays(armature, keys)


def write(clip: Clip, stack: LayerStack, options: KeyOptions) -> WriteReport:
    """Write what a stack over the clip's motion shows."""
    return write_following(clip, stack.evaluate(), options, _frames_to_meet(stack, clip))


def rebase(context: Context, armature: Object, layers: tuple[Layer, ...], *, active: str = "") -> LayerSession:
    """Take the keys as they are for those below layers, and show the layers over them."""
    with transaction.edit(armature):
        started = session.start(armature)
        clip = scope.read_clip(context, armature)
        write(clip, LayerStack(clip.motion, layers), options_of(armature))
    saved = session.save(armature, started.with_layers(layers))
    layer_list.refresh(armature, saved, active=active)
    return saved


def end(armature: Object) -> None:
    """No layers any more; the keys stay plain keys as they are."""
    session.remove(armature)
    layer_list.refresh(armature, None)


def options_of(armature: Object) -> KeyOptions:
    """How the layers of the armature's action become keys."""
    return KeyOptions(keys=layer_list.settings_of(armature).keying)


def _frames_to_meet(stack: LayerStack, clip: Clip) -> np.ndarray:
    """Action frames at which sparse curves must show the layers exactly: their keys, and where they end."""
    smooth = [layer for layer in stack.counting if layer.smooth]
    times = [each for layer in smooth for each in (layer.times, [layer.start, layer.end])]
    return np.round(np.concatenate([np.empty(0), *times]) * clip.motion.rate, 3)


class Measured:
    """Numbers for a report: the motion and the keys before and after an edit."""

    def __init__(self, context: Context, armature: Object) -> None:
        """Look at what there is before the edit."""
        self._context, self._armature = context, armature
        self._before = scope.read_clip(context, armature)

    def text(self) -> str:
        """Keys before and after, and the largest change: what the edit has done."""
        after = scope.read_clip(self._context, self._armature)
        before, now = (sum(map(len, clip.keys.values())) for clip in (self._before, after))
        became = ", {keys} as before" if before == now else ", {keys} became {after}"
        text = report_text(became, keys=counted_text(before, "key"), after=now)
        if len(after.frames) == len(self._before.frames):
            text += self._change_text(after)
        shared = report_text("Other objects play this animation too") if is_shared(self._armature) else None
        warnings = filter(None, (_muted_text(after), layered_animation(self._armature) or shared))
        return ". ".join((text, *warnings))

    def _change_text(self, after: Clip) -> str:
        before, now = self._before.motion, after.motion
        change = difference_between(before, now, placed=why_sampled(self._armature) is None)
        numbers = _changed_numbers(before, now)
        text = changes_text([change]) if max(change.turn, change.move) >= _ROUNDING else ""
        if numbers:
            text += f"; {numbers} propert{'ies' if numbers > 1 else 'y'} changed"
        return text or "; the motion stays as it was"


def _changed_numbers(before: Motion, after: Motion) -> int:
    """How many scalar channels that both have differ."""
    known = dict(zip(before.scalar_names, before.scalars.T, strict=True))
    own = zip(after.scalar_names, after.scalars.T, strict=True)
    return sum(name in known and bool(np.abs(column - known[name]).max() > _ROUNDING) for name, column in own)


def _muted_text(clip: Clip) -> str:
    """What layers would change, but is muted."""
    saved, report = session.load(clip.armature), WriteReport()
    bones = bones_of(saved.layers) if saved is not None else frozenset()
    joints = np.array([name in bones for name in clip.motion.skeleton.names])
    report.add_muted(prop for prop, _index in clip.muted_of(joints))
    return muted_text([report])
