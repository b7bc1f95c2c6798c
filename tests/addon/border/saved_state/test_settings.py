"""Versions of settings that Blender saves by name: told with the file, migrated once, named where they are newer."""

from dataclasses import replace

import bpy
import pytest
from motion_editing.motion_editing_addon.border import registration, saved_state
from motion_editing.motion_editing_addon.border.saved_state import SETTINGS
from saved_arrays import keyed_armature

CONTACTS, TREE, ARMATURE = "Action.motion_editing_contacts", "Object.motion_editing_tree", "Object.motion_editing"


def test_all_settings_of_a_file_have_a_version():
    attached = {
        f"{owner.__name__}.{name}"
        for owner in (bpy.types.Action, bpy.types.Object, bpy.types.Scene)
        for name in registration.attached(owner)
        if owner.bl_rna.properties[name].type == "POINTER"
    }
    assert set(SETTINGS) == attached


@pytest.mark.parametrize("place", SETTINGS)
def test_lines_are_short_and_versions_have_migrations(place):
    kind = SETTINGS[place].named("Rig")
    assert "'Rig'" in kind.newer
    assert len(kind.newer) < 120
    assert sorted(kind.migrations) == list(range(1, kind.version))


def later(place, change):
    return {place: replace(SETTINGS[place], version=2, migrations={1: change})}


def delayed(contacts):
    for span in contacts.spans:
        span.start += 10.0


@pytest.fixture
def contacts():
    contacts = keyed_armature().animation_data.action.motion_editing_contacts
    contacts.spans.add().start = 5.0
    return contacts


def test_settings_without_a_version_are_migrated_once(contacts, tmp_path):
    kinds = later(CONTACTS, delayed)
    assert saved_state.migrate(contacts.id_data, kinds) == []
    assert contacts.spans[0].start == 15.0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "migrated.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "migrated.blend"))
    action = bpy.data.actions[0]
    saved_state.migrate(action, kinds)
    assert action.motion_editing_contacts.spans[0].start == 15.0


def test_settings_that_were_made_by_this_version_are_not_migrated(contacts):
    kinds = later(CONTACTS, delayed)
    saved_state.stamp(contacts.id_data, kinds)
    saved_state.migrate(contacts.id_data, kinds)
    assert contacts.spans[0].start == 5.0


def test_newer_settings_are_named_when_the_file_is_opened(contacts, tmp_path, capsys):
    contacts["version"] = 7
    contacts.id_data.name = "Walk"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "newer.blend"))
    capsys.readouterr()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "newer.blend"))
    told = "Motion Editing: The contacts of 'Walk' are from a newer version of the extension: update it"
    assert told in capsys.readouterr().out
    assert bpy.data.actions["Walk"].motion_editing_contacts.spans[0].start == 5.0


def test_groups_that_have_a_property_for_it_tell_their_version_there():
    armature = keyed_armature()
    armature.motion_editing.body = "{}"
    saved_state.stamp(armature, later(ARMATURE, delayed))
    assert armature.motion_editing.version == 2


def test_what_has_no_tree_gets_none():
    armature = keyed_armature()
    armature.motion_editing_tree.version = 0
    saved_state.stamp(armature, later(TREE, delayed))
    assert armature.motion_editing_tree.version == 0


@pytest.mark.parametrize("damage", [-7, "x", 2.5])
def test_a_damaged_version_counts_as_the_first(contacts, damage):
    contacts["version"] = damage
    assert saved_state.migrate(contacts.id_data, later(CONTACTS, delayed)) == []
    assert contacts.spans[0].start == 15.0
