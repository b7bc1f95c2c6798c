"""Random stacks, shuffled, muted and changed: the keys are those that the same edits give from scratch."""

import random

import bpy
import pytest
from motion_editing.motion_editing_addon.document import influence
from motion_editing.motion_editing_addon.document.stack import snapshots
from motion_editing.motion_editing_addon.document.stack.parameters import group_of, offers_influence
from rigs import chain_armature, key_bones
from test_stack import assert_same, call, fingerprint, keys_of, sample, stack_of


def keyed():
    armature = chain_armature(4, connected=False)
    key_bones(armature, [1, 9, 21, 34, 50])
    return armature


# Values of each tool, by chance.
BAKED = {
    "low_pass": lambda chance: {"cutoff": chance.uniform(1.0, 6.0)},
    "smooth": lambda chance: {"radius": chance.uniform(0.05, 0.3), "strength": chance.uniform(0.3, 1.0)},
    "shift_time": lambda chance: {"offset": chance.uniform(-0.4, 0.4)},
    "exaggerate_motion": lambda chance: {"amount": chance.uniform(0.7, 1.4)},
    "soft_limit": lambda chance: {"softness": chance.uniform(0.1, 0.6)},
    "compress_range": lambda chance: {"ratio": chance.uniform(1.2, 3.0)},
    "remove_outliers": lambda chance: {"radius": chance.randrange(1, 4)},
    "mirror_motion": lambda chance: {},
    "reverse_time": lambda chance: {},
    "warp_time": lambda chance: {"use_keytimes": False, "length": chance.uniform(0.7, 1.2)},
    "lock_feet": lambda chance: {"fade": chance.uniform(0.05, 0.3)},
    "in_place": lambda chance: {},
}
SPARSE = {
    name: BAKED[name] for name in ("exaggerate_motion", "shift_time", "soft_limit", "compress_range", "reverse_time")
}
SPARSE["convert_keys"] = lambda chance: {"keying": "EVERY_FRAME"}
RIGS = {"baked": (sample, BAKED), "sparse": (keyed, SPARSE)}


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_done_to_a_stack_equals_doing_the_edits_from_scratch(rig, seed):
    chance, (make, tools) = random.Random(seed), RIGS[rig]
    armature = make()
    for tool in chance.choices(list(tools), k=5):
        call(tool, **tools[tool](chance))
    for _ in range(6):
        change(chance, stack_of(armature), tools)
        if chance.random() < 0.2:
            snapshots.forget_all()
    entries = stack_of(armature).entries
    assert not [entry.message for entry in entries if entry.message]
    found, kept = keys_of(armature), [(entry.tool, values_of(entry, tools), share_of(entry)) for entry in entries]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = make()
    for tool, values, share in kept:
        if share:
            with influence.limited(armature, share):
                call(tool, **values)
    assert_same(found, keys_of(armature))


def values_of(entry, tools):
    return {name: getattr(group_of(entry), name) for name in tools[entry.tool](random.Random(0))}


def share_of(entry):
    return 0.0 if entry.is_muted else entry.influence


def change(chance, stack, tools):
    stack.active = chance.randrange(len(stack.entries))
    entry = stack.entries[stack.active]
    what = chance.choice(("mute", "move", "remove", "parameter", "influence"))
    if what == "mute":
        entry.is_muted = not entry.is_muted
    elif what == "move":
        call("move_edit", direction=chance.choice(("UP", "DOWN")))
    elif what == "remove" and len(stack.entries) > 3:
        call("remove_edit")
    elif what == "influence" and offers_influence(entry):
        entry.influence = chance.choice((0.0, 0.3, 0.7, 1.0))
    else:
        for name, value in tools[entry.tool](chance).items():
            setattr(group_of(entry), name, value)


@pytest.mark.parametrize("rig", RIGS)
def test_going_back_gives_every_bit(rig):
    chance, (make, tools) = random.Random(11), RIGS[rig]
    armature = make()
    for tool in chance.choices(list(tools), k=4):
        call(tool, **tools[tool](chance))
    done, stack = fingerprint(armature), stack_of(armature)
    for number in range(len(stack.entries)):
        stack.entries[number].is_muted = True
        snapshots.forget_all()
        stack.entries[number].is_muted = False
        assert fingerprint(armature) == done
        stack.active = number
        direction, back = ("DOWN", "UP") if number == 0 else ("UP", "DOWN")
        call("move_edit", direction=direction)
        call("move_edit", direction=back)
        assert fingerprint(armature) == done
