"""Layers and the keys below them after bones were renamed or deleted: Blender renames only its own curves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ..border.action_io import bone_of_path

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.layers import Layer
    from .session import LayerSession


def following(session: LayerSession, armature: Object) -> LayerSession:
    """The layers with the names that bones have now; those whose bones are all gone are muted."""
    now = armature.pose.bones.keys()
    renamed = _renamed(session.bones, now)
    layers = tuple(_with_names(layer, renamed) for layer in session.layers)
    gone = {layer.name for layer in layers if {*layer.joints, *map(bone_of_path, layer.scalar_names)}.isdisjoint(now)}
    layers = tuple(replace(layer, muted=layer.muted or layer.name in gone) for layer in layers)
    if not renamed:
        return replace(session, layers=layers) if gone else session
    curves = [[_path(name, renamed), *rest] for name, *rest in json.loads(session.base["curves"])]
    return replace(session, layers=layers, base={**session.base, "curves": json.dumps(curves)})


def _renamed(before: tuple[str, ...], now: list[str]) -> dict[str, str]:
    """New names by old ones; a bone that was renamed stays at its place among all bones."""
    if len(before) != len(now):
        return {}
    return {
        old: new for old, new in zip(before, now, strict=True) if old != new and old not in now and new not in before
    }


def _with_names(layer: Layer, renamed: Mapping[str, str]) -> Layer:
    if not renamed:
        return layer
    joints = tuple(renamed.get(name, name) for name in layer.joints)
    return replace(layer, joints=joints, scalar_names=tuple(_path(name, renamed) for name in layer.scalar_names))


def _path(path: str, renamed: Mapping[str, str]) -> str:
    """A data path that speaks of a bone by its new name."""
    bone = bone_of_path(path)
    if bone is None or bone not in renamed:
        return path
    old, new = (f'pose.bones["{bpy.utils.escape_identifier(name)}"]' for name in (bone, renamed[bone]))
    return path.replace(old, new, 1)
