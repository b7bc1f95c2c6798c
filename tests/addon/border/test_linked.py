"""Figures and actions of other files: refused with a button that helps, made local as one step."""

from __future__ import annotations

import bpy
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.interface import panels
from rigs import all_keys, chain_armature, key_bones

FRAMES = list(range(1, 31))


@pytest.fixture
def library(tmp_path):
    """A file with a rig that plays "Walk", and a mesh with a keyed shape."""
    armature = chain_armature(3)
    key_bones(armature, FRAMES).name = "Walk"
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.data.vertices.add(3)
    mesh.shape_key_add(name="Basis")
    mesh.shape_key_add(name="Smile")
    mesh.data.shape_keys.key_blocks["Smile"].keyframe_insert("value", frame=5)
    mesh.data.shape_keys.animation_data.action.name = "Smiling"
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path


def link(path, **wanted):
    """Link what is named from the file."""
    with bpy.data.libraries.load(path, link=True) as (_there, here):
        for kind, names in wanted.items():
            setattr(here, kind, names)
    return here


def playing(armature, action):
    data = armature.animation_data or armature.animation_data_create()
    data.action = action
    data.action_slot = action.slots[0]


def activate(thing):
    bpy.context.view_layer.objects.active = thing
    thing.select_set(True)


class Buttons:
    """Stands for Blender's layout: keeps the buttons."""

    def __init__(self) -> None:
        self.operators: list[str] = []

    def operator(self, name: str, **_text: str) -> None:
        self.operators.append(name)


def offered() -> list[str]:
    layout = Buttons()
    panels.draw_unlinking(layout, bpy.context)
    return layout.operators


def test_a_linked_action_is_made_local_for_all_objects_of_this_file(library):
    own, other = chain_armature(3, name="Own"), chain_armature(3, name="Other")
    linked = link(library, actions=["Walk"]).actions[0]
    for armature in (own, other):
        playing(armature, linked)
    activate(own)
    before = all_keys(linked)
    with pytest.raises(RuntimeError, match="Action 'Walk' is linked: make it local first"):
        bpy.ops.motion_editing.smooth()
    assert offered() == ["motion_editing.make_action_local"]
    assert bpy.ops.motion_editing.make_action_local() == {"FINISHED"}
    assert offered() == []
    local = own.animation_data.action
    assert (local.name, local.library) == ("Walk", None)
    assert other.animation_data.action == local
    assert own.animation_data.action_slot is not None
    assert all_keys(local) == before
    assert bpy.ops.motion_editing.smooth(radius=0.2) == {"FINISHED"}
    assert all_keys(local) != before


def test_it_is_one_step_to_undo(library):
    own = chain_armature(3, name="Own")
    playing(own, link(library, actions=["Walk"]).actions[0])
    bpy.ops.ed.undo_push(message="linked")
    bpy.ops.motion_editing.make_action_local()
    bpy.ops.ed.undo_push(message="local")
    assert bpy.data.objects["Own"].animation_data.action.library is None
    bpy.ops.ed.undo()
    assert bpy.data.objects["Own"].animation_data.action.library is not None
    bpy.ops.ed.redo()
    assert bpy.data.objects["Own"].animation_data.action.library is None


def test_a_library_override_keeps_its_local_action_in_the_saved_file(library, tmp_path):
    rig = link(library, objects=["Rig"]).objects[0]
    bpy.context.scene.collection.objects.link(rig)
    activate(rig)
    assert scope.why_not(bpy.context) == "'Rig' is linked: make it local, or a library override, first"
    assert offered() == ["object.make_override_library"]
    with pytest.raises(RuntimeError, match="'Rig' is linked: make it local, or a library override, first"):
        bpy.ops.motion_editing.make_action_local()
    activate(rig.override_create(remap_local_usages=True))
    assert offered() == ["motion_editing.make_action_local"]
    assert bpy.ops.motion_editing.make_action_local() == {"FINISHED"}
    assert bpy.ops.motion_editing.smooth(radius=0.2) == {"FINISHED"}
    smoothed = all_keys(bpy.context.object.animation_data.action)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    rig = next(each for each in bpy.data.objects if each.override_library is not None)
    assert rig.animation_data.action.library is None
    assert all_keys(rig.animation_data.action) == smoothed
    assert next(each for each in bpy.data.objects if each.library).animation_data.action.library is not None


def test_actions_of_shapes_come_along(library):
    own = chain_armature(3, name="Own")
    key_bones(own, FRAMES)
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.parent = own
    mesh.data.vertices.add(3)
    mesh.shape_key_add(name="Basis")
    mesh.shape_key_add(name="Smile")
    playing(mesh.data.shape_keys, link(library, actions=["Smiling"]).actions[0])
    activate(own)
    bpy.ops.motion_editing.make_action_local()
    assert mesh.data.shape_keys.animation_data.action.library is None
    assert len(action_io.channels_of(own).scalars) == 1


def test_without_anything_linked_there_is_nothing_to_do():
    key_bones(chain_armature(2), FRAMES)
    assert offered() == []
    with pytest.raises(RuntimeError, match="No action is linked from another file"):
        bpy.ops.motion_editing.make_action_local()
