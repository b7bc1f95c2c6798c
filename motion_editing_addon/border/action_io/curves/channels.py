"""Which F-curves belong to an armature, its bones and the shape keys of its meshes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ...armature import PLACEMENT, pose_bones, rotation_property
from ...rigs import skins
from .keys import CurveInMemory

if TYPE_CHECKING:
    from bpy.types import ID, Action, ActionChannelbag, FCurve, Object, PoseBone

TRANSFORMS = ("location", "rotation_quaternion", "rotation_axis_angle", "rotation_euler", "scale")
# Curves in memory that are read and written in the place of a slot's own, by the action's session and the slot's
# handle; see `memory.draft`.
stand_ins: dict[tuple[int, int], Any] = {}
_BONE_PATH = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\](?:\.(\w+)$|)')


class Property(NamedTuple):
    """One animatable property: a bone's or object's transform, or a single number."""

    owner: ID  # carries the action: the armature object, or a mesh's shape keys
    path: str
    size: int = 1

    @property
    def name(self) -> str:
        """What users see, and what tells scalar channels apart; the object itself may be renamed."""
        return self.path if self.owner.id_type == "OBJECT" else f"{self.owner.name}: {self.path}"


@dataclass
class Channels:
    """F-curves of one armature, sorted by what they animate.

    Attributes:
        joints: For every joint, its location, rotation and scale property, in this order.
        scalars: Every other animated number.
        curves: The F-curve of each (property, component) that has one and is not muted.
        muted: Those F-curves that are muted, and so do not move anything.
    """

    joints: list[tuple[Property, Property, Property]]
    scalars: list[Property] = field(default_factory=list)
    curves: dict[tuple[Property, int], FCurve] = field(default_factory=dict)
    muted: dict[tuple[Property, int], FCurve] = field(default_factory=dict)

    def copied(self) -> Channels:
        """The same, to be changed by itself."""
        return Channels(list(self.joints), list(self.scalars), dict(self.curves), dict(self.muted))

    def of(self, prop: Property) -> list[FCurve | None]:
        """The property's curve per component."""
        return [self.curves.get((prop, index)) for index in range(prop.size)]

    def is_muted(self, prop: Property) -> bool:
        """Whether a component of the property is muted: then its values cannot be edited as a whole."""
        return any((prop, index) in self.muted for index in range(prop.size))

    def properties(self) -> Iterator[Property]:
        """Every property, animated or not."""
        for transforms in self.joints:
            yield from transforms
        yield from self.scalars


def channelbag(owner: ID) -> ActionChannelbag | None:
    """The F-curves of the slot that the owner is animated by; None if it has none."""
    data = owner.animation_data
    if data is None or data.action is None:
        return None
    known = stand_ins.get((data.action.session_uid, data.action_slot_handle)) if stand_ins else None
    layers = data.action.layers
    if known is None and data.action_slot is not None and layers and layers[0].strips:
        known = layers[0].strips[0].channelbag(data.action_slot)
    bag: ActionChannelbag | None = known
    return bag


def _made_channelbag(owner: ID) -> ActionChannelbag:
    """The same, with whatever is missing made: action, slot, layer, strip, channelbag."""
    if (known := channelbag(owner)) is not None:
        return known
    data = owner.animation_data or owner.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(f"{owner.name}Action")
    action: Action = data.action
    if data.action_slot is None:
        suitable = data.action_suitable_slots
        data.action_slot = suitable[0] if len(suitable) else action.slots.new(owner.id_type, owner.name)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    bag: ActionChannelbag = strip.channelbag(data.action_slot, ensure=True)
    return bag


def bags_of(action: Action) -> Iterator[ActionChannelbag]:
    """The F-curves of all slots of an action, slot by slot."""
    for layer in action.layers:
        for strip in layer.strips:
            yield from strip.channelbags


def all_curves(action: Action) -> Iterator[FCurve]:
    """Every F-curve of an action, whatever slot it is for."""
    for bag in bags_of(action):
        yield from bag.fcurves


def curves_of(owner: ID) -> list[FCurve]:
    """The F-curves of the slot that the owner is animated by."""
    bag = channelbag(owner)
    return list(bag.fcurves) if bag else []


def remove_curve(owner: ID, curve: FCurve) -> None:
    """Take one of these away, with its keys."""
    bag = channelbag(owner)
    assert bag is not None
    bag.fcurves.remove(curve)


def is_placed_by_keys(thing: Object) -> bool:
    """Whether F-curves of an object's own say where it stands."""
    bag = channelbag(thing)
    return bag is not None and any(bag.fcurves.find(path, index=index) for path in TRANSFORMS for index in range(4))


def bone_path(bone_name: str, prop: str) -> str:
    """Data path of a pose bone's property."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone_name)}"].{prop}'


def bone_of_path(path: str) -> str | None:
    """The bone that a data path animates anything of, if it does."""
    match = _BONE_PATH.match(path)
    return bpy.utils.unescape_identifier(match.group(1)) if match else None


def channel_text(path: str) -> str:
    """What a data path animates, as people know it: 'rotation quaternion of LeftUpLeg'."""
    bone, prop = bone_of_path(path), path.rpartition(".")[2]
    return f"'{prop.replace('_', ' ')} of {bone}'" if bone is not None and prop in TRANSFORMS else f"'{path}'"


def further_owners(thing: Object) -> list[ID]:
    """What is animated along with an object: shape keys that it has or deforms, a camera's or lamp's data."""
    found = {}
    for mesh in bpy.data.objects:
        if mesh.type != "MESH" or mesh.data.shape_keys is None:
            continue
        if mesh == thing or mesh.parent == thing or skins.is_skin_of(mesh, thing):
            found[mesh.data.shape_keys.name] = mesh.data.shape_keys
    data = thing.data if thing.data is not None and thing.type not in {"ARMATURE", "MESH"} else None
    return [*found.values(), *([data] if data is not None and data.animation_data is not None else [])]


def channels_of(thing: Object) -> Channels:
    """Sort the F-curves of an armature, or of any other object, and of what is animated along with it."""
    stand_in: Any = channelbag(thing) if stand_ins else None
    draft = getattr(stand_in, "draft", None)
    if draft is None:
        return _sorted_channels(thing)
    # Curves in memory are sorted again where there are others, or other rotation modes.
    holders: list[Any] = [thing, *pose_bones(thing)]
    known = draft.structure, [holder.rotation_mode for holder in holders]
    if draft.sorted is None or draft.sorted[0] != known:
        draft.sorted = known, _sorted_channels(thing)
    found: Channels = draft.sorted[1]
    if not all(isinstance(curve, CurveInMemory) for curve in (*found.curves.values(), *found.muted.values())):
        draft.sorted = None  # some are Blender's: they may be gone the next time
    return found.copied()


def _sorted_channels(thing: Object) -> Channels:
    channels = Channels([_transforms(thing, PLACEMENT, thing)])
    channels.joints += [_transforms(thing, bone.name, bone) for bone in pose_bones(thing)]
    transforms = {prop.path: prop for joint in channels.joints for prop in joint}
    for owner in (thing, *further_owners(thing)):
        for curve in curves_of(owner):
            _sort_in(channels, transforms, owner, curve)
    return channels


def _transforms(armature: Object, bone: str, holder: Object | PoseBone) -> tuple[Property, Property, Property]:
    rotation = rotation_property(holder)
    sizes = {"location": 3, rotation: 3 if rotation == "rotation_euler" else 4, "scale": 3}
    return tuple(  # type: ignore[return-value]
        Property(armature, bone_path(bone, name) if bone else name, size) for name, size in sizes.items()
    )


def _sort_in(channels: Channels, transforms: dict[str, Property], owner: ID, curve: FCurve) -> None:
    """Put a curve where it belongs; curves of missing bones, of idle rotation modes and empty ones are left alone."""
    if curve.is_empty:  # Blender passes it over: the property keeps its present value.
        return
    path, is_armature = curve.data_path, owner.id_type == "OBJECT"
    sorted_in = channels.muted if curve.mute else channels.curves
    if is_armature and path in transforms:
        sorted_in[transforms[path], curve.array_index] = curve
        return
    bone = bone_of_path(path) if is_armature else None
    if bone is not None and (owner.pose is None or bone not in owner.pose.bones):
        return
    if is_armature and path.rpartition(".")[2] in TRANSFORMS:
        return
    prop = Property(owner, path if not curve.array_index else f"{path}[{curve.array_index}]")
    sorted_in[prop, 0] = curve
    if not curve.mute:
        channels.scalars.append(prop)


def new_curve(channels: Channels, prop: Property, index: int) -> FCurve:
    """A curve for a channel without keys: an empty one that it has, or a new one in the bone's group and colours."""
    bag = _made_channelbag(prop.owner)
    curve = bag.fcurves.find(prop.path, index=index) or coloured_curve(bag, prop.path, index)
    channels.curves[prop, index] = curve
    return curve


def coloured_curve(bag: ActionChannelbag, path: str, index: int) -> FCurve:
    """A new curve in the bone's group and colours."""
    curve = bag.fcurves.new(path, index=index)
    curve.color_mode = "AUTO_YRGB" if "quaternion" in path else "AUTO_RGB"
    bone = bone_of_path(path)
    if bone is not None:
        curve.group = bag.groups.get(bone) or bag.groups.new(bone)
    return curve
