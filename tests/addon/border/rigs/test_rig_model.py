"""What core makes of rigs is what Blender makes of them."""

from __future__ import annotations

from itertools import pairwise

import bpy
import numpy as np
import pytest
from mathutils import Vector
from motion_editing.motion_editing_addon.border.rigs.rig_model import rig_of
from posed_rigs import largest_error, random_poses
from rigs import new_armature

KINDS = ("human", "cat", "horse", "bird", "basic_quadruped")


def controls(rig):
    """Bones that an animator may move."""
    return [bone for bone in rig.pose.bones if not bone.name.startswith(("MCH-", "DEF-", "ORG-"))]


@pytest.mark.parametrize("switch", [0.0, 1.0, 0.3])
@pytest.mark.parametrize("kind", KINDS)
def test_generated_rigs_stand_as_blender_shows_them(generated, kind, switch):
    rig = generated(kind)
    for bone in rig.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"] = switch
        if "pole_vector" in bone:
            bone["pole_vector"] = switch == 0.3
    height = max(bone.tail_local.z for bone in rig.data.bones)
    motion, shown = random_poses(rig, controls(rig), frames=4, amount=0.2)
    error, bone, model = largest_error(rig, motion, shown)
    assert not model.unknown
    assert error < 3e-4 * height, bone  # single precision, which long levers enlarge


def made_rig():
    """Three chains of bones that stand beside each other."""
    armature = new_armature("Made")
    bones = armature.data.edit_bones
    for number, name in enumerate(("owner", "target", "other")):
        places = [Vector(each) for each in ((0, 0, 0), (0.1, 0.3, 0.2), (0, 0.1, 0.7), (0.3, 0.2, 0.9))]
        above = None
        for part, (head, tail) in zip((f"{name}.above", name, f"{name}.below"), pairwise(places), strict=True):
            bone = bones.new(part)
            bone.head, bone.tail = (each + Vector((0.7 * number, 0, 0)) for each in (head, tail))
            bone.parent = above
            above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


CHOICES = {
    "COPY_LOCATION": {
        "use_x": None,
        "invert_y": None,
        "use_offset": None,
        "head_tail": 0.6,
        "owner_space": None,
        "target_space": None,
    },
    "COPY_ROTATION": {
        "use_x": None,
        "use_z": None,
        "invert_y": None,
        "mix_mode": None,
        "euler_order": None,
        "owner_space": None,
        "target_space": None,
    },
    "COPY_SCALE": {"use_x": None, "use_make_uniform": None, "use_offset": None, "use_add": None, "power": 1.3},
    "COPY_TRANSFORMS": {"mix_mode": None, "owner_space": None, "target_space": None, "remove_target_shear": None},
    "DAMPED_TRACK": {"track_axis": None, "head_tail": 0.5},
    "STRETCH_TO": {
        "keep_axis": None,
        "volume": None,
        "bulge": 0.7,
        "use_bulge_max": None,
        "bulge_max": 1.2,
        "use_bulge_min": None,
        "bulge_min": 0.8,
        "bulge_smooth": 0.4,
        "rest_length": 0.8,
    },
    "CHILD_OF": {},
    "ARMATURE": {},
    "LIMIT_LOCATION": {"use_min_x": None, "min_x": -0.01, "use_max_y": None, "max_y": 0.02, "owner_space": "LOCAL"},
    "LIMIT_ROTATION": {
        "use_limit_x": None,
        "use_limit_z": None,
        "min_x": -0.1,
        "max_x": 0.2,
        "min_z": -0.2,
        "max_z": 0.1,
        "owner_space": "LOCAL",
    },
    "LIMIT_SCALE": {"use_max_y": None, "max_y": 0.9, "use_min_z": None, "min_z": 1.2},
    "LIMIT_DISTANCE": {"limit_mode": None, "distance": 0.5},
    "MAINTAIN_VOLUME": {"free_axis": None, "mode": None, "volume": 1.4},
    "TRANSFORM": {
        "map_from": None,
        "map_to": None,
        "map_to_x_from": None,
        "use_motion_extrapolate": None,
        "from_max_x": 0.1,
        "from_max_y": 0.2,
        "from_max_x_rot": 0.5,
        "from_min_z_rot": -0.5,
        "from_min_x_scale": 0.5,
        "from_max_x_scale": 1.5,
        "to_max_x": 0.3,
        "to_max_y_rot": 0.6,
        "to_min_z_scale": 0.7,
        "owner_space": "LOCAL",
        "target_space": "LOCAL",
    },
}
SPACES = ("WORLD", "POSE", "LOCAL", "LOCAL_WITH_PARENT")


def constrain(rig, kind, rng):
    """Give the owner a constraint with settings by chance."""
    constraint = rig.pose.bones["owner"].constraints.new(kind)
    if kind == "ARMATURE":
        for name, weight in (("target", 0.3), ("other", 0.9)):
            each = constraint.targets.new()
            each.target, each.subtarget, each.weight = rig, name, weight
    elif hasattr(constraint, "target"):
        constraint.target, constraint.subtarget = rig, "target"
    for name, value in CHOICES[kind].items():
        if not hasattr(constraint, name):
            continue
        prop = constraint.bl_rna.properties[name]
        if value is None and prop.type == "ENUM":
            offered = [item.identifier for item in prop.enum_items]
            chosen = [each for each in offered if "space" not in name or each in (*SPACES, "LOCAL_OWNER_ORIENT")]
            value = str(rng.choice(chosen))
        elif value is None:
            value = bool(rng.random() < 0.5)
        setattr(constraint, name, value)
    constraint.influence = float(rng.choice([1.0, 0.6]))
    if kind == "CHILD_OF":
        constraint.inverse_matrix = rig.pose.bones["target"].bone.matrix_local.inverted()
    return constraint


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", CHOICES)
def test_constraints_do_what_blenders_do(kind, seed):
    rng = np.random.default_rng(seed)
    rig = made_rig()
    for bone in rig.pose.bones:
        bone.rotation_mode = str(rng.choice(["QUATERNION", "XYZ", "ZXY"]))
        bone.bone.inherit_scale = str(rng.choice(["FULL", "FULL", "AVERAGE", "ALIGNED", "NONE"]))
    for name in ("owner", "target"):
        rig.pose.bones[name].scale = (
            rng.uniform(0.8, 1.2, 3)
            if kind in ("COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME", "TRANSFORM")
            else (1, 1, 1)
        )
    constraint = constrain(rig, kind, rng)
    told = {
        each.identifier: getattr(constraint, each.identifier)
        for each in constraint.bl_rna.properties
        if each.type != "POINTER"
    }
    motion, shown = random_poses(rig, rig.pose.bones, frames=5, amount=0.3, seed=seed)
    error, bone, model = largest_error(rig, motion, shown)
    assert not model.unknown, model.unknown
    assert error < 1e-4, (bone, told)


@pytest.mark.parametrize("seed", range(16))
def test_inverse_kinematics_ends_where_blenders_ends(seed):
    rng = np.random.default_rng(seed)
    rig = made_rig()
    bones = rig.pose.bones
    constraint = bones["owner.below"].constraints.new("IK")
    constraint.target, constraint.subtarget = rig, "target"
    constraint.chain_count = int(rng.choice([1, 2, 3, 0]))
    constraint.use_stretch = bool(rng.random() < 0.5)
    constraint.influence = float(rng.choice([1.0, 0.7]))
    if rng.random() < 0.5:
        constraint.pole_target, constraint.pole_subtarget = rig, "other"
        constraint.pole_angle = float(rng.uniform(-3.0, 3.0))
    for name in ("owner.above", "owner", "owner.below"):
        bones[name].ik_stretch = float(rng.choice([0.0, 0.1, 0.5]))
        if constraint.chain_count == 1:  # a single bone that cannot reach trembles
            bones[name].ik_stretch, constraint.use_stretch = 0.3, True
        bones[name].ik_stiffness_x = float(rng.choice([0.0, 0.3]))
        bones[name].lock_ik_y = bones[name].lock_ik_z = bool(name == "owner" and rng.random() < 0.5)
    motion, shown = random_poses(rig, bones, frames=5, amount=0.3, seed=seed)
    error, bone, model = largest_error(rig, motion, shown)
    assert not model.unknown
    assert error < 1e-3, bone


def drive(thing, path, expression, **variables):
    """A driver on a property; variables by name: data path, or bone and kind of transform."""
    driver = thing.driver_add(*([path] if isinstance(path, str) else path)).driver
    driver.type, driver.expression = ("SCRIPTED", expression) if expression else ("SUM", "")
    for name, source in variables.items():
        variable = driver.variables.new()
        variable.name = name
        target = variable.targets[0]
        if isinstance(source, str):
            target.id, target.data_path = thing.id_data, source
        else:
            variable.type = "TRANSFORMS"
            target.id, (target.bone_target, target.transform_type, target.transform_space) = thing.id_data, source
    return driver


def test_drivers_of_influences_switches_and_channels_are_worked_out():
    rig = made_rig()
    bones = rig.pose.bones
    bones["owner"]["share"] = 0.35
    copy = bones["owner"].constraints.new("COPY_TRANSFORMS")
    copy.target, copy.subtarget = rig, "target"
    drive(copy, "influence", "", share='pose.bones["owner"]["share"]')
    track = bones["other"].constraints.new("DAMPED_TRACK")
    track.target, track.subtarget = rig, "owner"
    drive(track, "mute", "share > 0.5", share='pose.bones["owner"]["share"]')
    bones["other.below"].rotation_mode = "XYZ"
    drive(
        bones["other.below"], ("rotation_euler", 1), "max(way * 3, -0.2) + 0.1", way=("target", "LOC_Y", "LOCAL_SPACE")
    )
    motion, shown = random_poses(rig, bones, frames=5, amount=0.3)
    error, bone, model = largest_error(rig, motion, shown)
    assert not model.unknown
    assert error < 1e-4, bone


def test_what_core_does_not_know_is_named():
    rig = made_rig()
    pivot = rig.pose.bones["owner"].constraints.new("PIVOT")
    pivot.target, pivot.subtarget = rig, "target"
    limited = rig.pose.bones["other.below"].constraints.new("IK")
    limited.target, limited.subtarget = rig, "target"
    rig.pose.bones["other"].use_ik_limit_x = True
    model = rig_of(rig)
    assert "PIVOT" in dict(model.unknown)[model.index["owner"]]
    assert "limits" in dict(model.unknown)[model.index["other"]]
    assert model.index["target"] not in dict(model.unknown)
