"""Classes and settings come and go as a whole."""

from __future__ import annotations

import inspect

import bpy
import pytest
from bpy.props import FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup
from motion_editing.motion_editing_addon.border.registration import attaching


class Held(PropertyGroup):
    """What the other one holds."""

    number: IntProperty(default=3)


class Holding(PropertyGroup):
    """Hangs on scenes."""

    held: PointerProperty(type=Held)


@pytest.fixture
def registration():
    register, unregister = attaching(
        (Held, Holding),
        {
            (bpy.types.Scene, "test_holding"): PointerProperty(type=Holding),
            (bpy.types.Object, "test_weight"): FloatProperty(default=0.5),
        },
    )
    yield register, unregister
    if hasattr(bpy.types.Scene, "test_holding"):
        unregister()


def test_settings_hang_on_blenders_data_until_they_are_taken_away(registration):
    register, unregister = registration
    for _again in range(2):
        register()
        assert bpy.context.scene.test_holding.held.number == 3
        unregister()
        assert not hasattr(bpy.context.scene, "test_holding")
        assert not hasattr(bpy.types.Object, "test_weight")
        assert not Holding.is_registered


def own_classes(base: type) -> set[type]:
    """Classes of the extension below one of Blender's, mixins included."""
    found = {each for cls in base.__subclasses__() for each in (cls, *own_classes(cls), *cls.__mro__)}
    return {each for each in found if each.__module__.startswith("motion_editing.")}


@pytest.mark.parametrize("base", [bpy.types.Operator, bpy.types.PropertyGroup, bpy.types.Panel])
def test_no_annotation_is_left_for_blender_to_compile_again(base):
    found = own_classes(base)
    assert len(found) > 10
    assert not [each for each in found if any(isinstance(a, str) for a in inspect.get_annotations(each).values())]
