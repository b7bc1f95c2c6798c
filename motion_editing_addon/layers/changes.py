"""What can be done with layers besides keying them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import MotionEditError
from ...core.layers import Layer, LayerStack, influence, mirrored_layer
from ...core.wording import frame_text
from ..border.translation import counted_text, report_text
from ..document import scope, transaction
from ..document.character.saved_body import body_of
from ..document.take.examination import examine_once
from . import layer_writer, session

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion

_KEYED = "Keyed the influence of '{layer}' at frame {frame}"


def add(context: Context, armature: Object, name: str, reach: float | None) -> str:
    """Add a layer without changes at the current frame; a reach of None stands for the whole action."""
    examine_once(context, armature)
    saved = session.load(armature)
    saved = session.start(armature) if saved is None else layer_writer.require(context, armature)
    unique = unique_name(name or "Layer", saved.layers)
    bones = tuple(sorted(scope.chosen_bones(armature)))
    if not bones:
        raise MotionEditError("No bone is visible: show one first")
    frame = scope.action_frame(context, armature)

    def put_on_top(stack: LayerStack) -> LayerStack:
        return stack.with_layer(_blank(stack.base, unique, bones, frame, reach))

    layer_writer.carry_out(context, armature, saved, put_on_top, active=unique)
    return f"Added layer '{unique}': pose the rig and press Key Layer, or use Edit Layer"


def _blank(base: Motion, name: str, bones: tuple[str, ...], frame: float, reach: float | None) -> Layer:
    time = float(np.clip(frame / base.rate, base.times[0], base.times[-1]))
    still = np.zeros((1, len(bones), 3))
    if reach is None:
        start, end, ease = float(base.times[0]), float(base.times[-1]), 0.0
    else:
        start, end, ease = time - reach, time + reach, reach
    if end - start < 1.0 / base.rate:
        start, end = start - 0.5 / base.rate, end + 0.5 / base.rate
    return Layer(name, bones, np.array([time]), still, still, still, start, end, ease, ease)


def unique_name(name: str, layers: tuple[Layer, ...]) -> str:
    """The name, with a number if another layer has it."""
    taken = {layer.name for layer in layers}
    stem = name.rpartition(".")[0] if name.rpartition(".")[2].isdigit() and "." in name else name
    numbered = (f"{stem}.{number:03d}" for number in range(1, len(taken) + 2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def duplicate(context: Context, armature: Object, name: str) -> str:
    """Put a copy of a layer right above it."""
    saved = layer_writer.require(context, armature)
    copied = unique_name(name, saved.layers)

    def copy(stack: LayerStack) -> LayerStack:
        place = [layer.name for layer in stack.layers].index(stack.layer(name).name)
        return stack.with_layer(replace(stack.layer(name), name=copied), place=place + 1)

    layer_writer.carry_out(context, armature, saved, copy, active=copied)
    return f"Duplicated layer '{name}' as '{copied}'"


def move(context: Context, armature: Object, name: str, step: int) -> str:
    """Move a layer among the others."""

    def reorder(stack: LayerStack) -> LayerStack:
        place = stack.layers.index(stack.layer(name)) + step
        if not 0 <= place < len(stack.layers):
            raise MotionEditError(f"'{name}' is already the {'top' if step > 0 else 'lowest'} layer")
        return stack.reordered(name, place)

    layer_writer.change(context, armature, reorder, active=name)
    return f"Moved layer '{name}' {'up' if step > 0 else 'down'}"


def key_influence(
    context: Context, armature: Object, name: str, frame: float, value: float | None, *, remove: bool
) -> str:
    """Set or remove a key of a layer's influence at an action frame."""
    rate = scope.source_rate(context, armature)

    def key(layer: Layer) -> Layer:
        time = frame / rate
        return influence.unkeyed(layer, time, rate) if remove else influence.keyed(layer, value, time, rate)

    layer_writer.change(context, armature, lambda stack: stack.changed(name, key), active=name)
    done = "Removed the influence of '{layer}' at frame {frame}" if remove else _KEYED
    return report_text(done, layer=name, frame=frame_text(frame))


def limit(context: Context, armature: Object, name: str) -> str:
    """Leave in a layer what it changes of the selected bones."""
    picked = scope.picked_bones(armature)
    if not picked:
        raise MotionEditError("Select the bones that the layer may change, in pose mode")

    def limited(layer: Layer) -> Layer:
        kept = np.array([joint in picked for joint in layer.joints], dtype=bool)
        if not kept.any():
            raise MotionEditError(f"Layer '{name}' changes none of the selected bones")
        arrays: dict[str, Any] = {each: getattr(layer, each)[:, kept] for each in ("turns", "moves", "scalings")}
        names = tuple(joint for joint, stays in zip(layer.joints, kept, strict=True) if stays)
        return replace(layer, joints=names, weights=layer.weights[kept], **arrays)

    saved = layer_writer.change(context, armature, lambda stack: stack.changed(name, limited), active=name)
    count = len(next(layer for layer in saved.layers if layer.name == name).joints)
    return report_text("Layer '{layer}' changes {bones}", layer=name, bones=counted_text(count, "bone"))


def set_scope(context: Context, armature: Object, name: str, choice: str) -> str:
    """Let a layer begin and end with a range of frames; it sets in over at most half of it."""
    first, last = scope.frame_range(context, armature, choice)

    def scoped(stack: LayerStack) -> LayerStack:
        times, rate = stack.base.times, stack.base.rate
        start = float(times[0]) if first is None else first / rate
        end = float(times[-1]) if last is None else last / rate
        longest = max(0.0, 0.5 * (end - start))
        return stack.changed(
            name,
            lambda layer: replace(
                layer,
                start=start,
                end=end,
                ease_in=min(layer.ease_in, longest),
                ease_out=min(layer.ease_out, longest),
            ),
        )

    layer_writer.change(context, armature, scoped, active=name)
    return report_text("Set the scope of layer '{layer}'", layer=name)


def rebuild(context: Context, armature: Object) -> str:
    """Take over now what would be taken over when layers are next changed."""
    saved = layer_writer.take_over(context, armature, session.there(armature))
    layers = counted_text(len(saved.layers), "layer")
    return report_text("Put {layers} over the keys as they are now", layers=layers)


def merge_down(context: Context, armature: Object, name: str) -> str:
    """Make a layer one with the layer below it, or with the keys if it is the lowest."""
    saved = layer_writer.require(context, armature)
    names = [layer.name for layer in saved.layers]
    if name not in names:
        raise MotionEditError(f"There is no layer '{name}'")
    at = names.index(name)
    if at:
        layer_writer.carry_out(context, armature, saved, lambda stack: stack.merged(names[at - 1], name))
        return report_text("Merged layer '{layer}' into '{other}'", layer=name, other=names[at - 1])
    if saved.layers[0].muted:
        raise MotionEditError(f"The layer '{name}' is muted and would be lost; unmute or remove it")
    with transaction.edit(armature):
        clip = layer_writer.base_clip(context, armature, saved)
        layer_writer.write(clip, LayerStack(clip.motion, saved.layers[:1]), layer_writer.options_of(armature))
        _leave(context, armature, saved.layers[1:])
    return report_text("Merged layer '{layer}' into the keys", layer=name)


def merge_all(context: Context, armature: Object) -> str:
    """Make all layers that are seen plain keys; the others stay, muted."""
    saved = layer_writer.require(context, armature)
    counting = LayerStack(scope.read_clip(context, armature).motion, saved.layers).counting
    left = tuple(replace(layer, muted=True) for layer in saved.layers if layer not in counting)
    _leave(context, armature, left)
    text = report_text("Merged {layers} into the keys", layers=counted_text(len(counting), "layer"))
    if not left:
        return text
    unseen = counted_text(len(left), "that was not seen stays", "that were not seen stay")
    return text + report_text(", {unseen} muted", unseen=unseen)


def _leave(context: Context, armature: Object, layers: tuple[Layer, ...]) -> None:
    """Take the keys as they are for plain keys, with what is left of the layers over them."""
    if layers:
        layer_writer.rebase(context, armature, layers)
    else:
        layer_writer.end(armature)


def copy_to(context: Context, armature: Object, name: str, target: Object) -> str:
    """Add a layer to another armature's action; bones are found by name, times stay in seconds."""
    saved = layer_writer.require(context, armature)
    layer = LayerStack(scope.read_clip(context, armature).motion, saved.layers).layer(name)
    examine_once(context, target)
    there = session.load(target)
    there = session.start(target) if there is None else layer_writer.require(context, target)
    copied = replace(layer, name=unique_name(name, there.layers))
    layer_writer.carry_out(context, target, there, lambda stack: stack.with_layer(copied), active=copied.name)
    return f"Added layer '{copied.name}' to '{target.name}'"


def mirror(context: Context, armature: Object, name: str, *, copy: bool) -> str:
    """Exchange left and right in a layer, or add a copy of it with left and right exchanged."""
    saved, clip = layer_writer.require(context, armature), scope.read_clip(context, armature)
    body = body_of(armature, clip)
    named = unique_name(f"{name} mirrored", saved.layers) if copy else name
    other = mirrored_layer(LayerStack(clip.motion, saved.layers).layer(name), body, name=named)
    missing = set(other.scalar_names) - set(clip.motion.scalar_names)
    saved = session.with_numbers(saved, armature, sorted(missing), float(clip.frames[0]))

    def mirrored(stack: LayerStack) -> LayerStack:
        return stack.with_layer(other) if copy else stack.changed(name, lambda _layer: other)

    layer_writer.carry_out(context, armature, saved, mirrored, active=named, changed=bool(missing))
    return f"Mirrored layer '{name}'"
