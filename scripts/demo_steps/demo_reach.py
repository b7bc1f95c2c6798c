"""The demo's step about pose trees: a reach is embedded, its contact pose changed, and the motion follows."""

from __future__ import annotations

from dataclasses import replace
from math import radians
from typing import TYPE_CHECKING

import bpy
import numpy as np
from demo_scene import RATE, Row, Shown, current_motion, run
from motion_editing.core.motion import Motion
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve import Limb, reach_targets
from motion_editing.core.timeline.pose_picture import StripStyle, pose_strip
from motion_editing.motion_editing_addon.border.action_io import KeyOptions, plan_write
from motion_editing.motion_editing_addon.border.action_io.any_frames import read_frames
from motion_editing.motion_editing_addon.border.armature import skeleton_of
from motion_editing.motion_editing_addon.border.steps import finish

if TYPE_CHECKING:
    from bpy.types import Object
    from motion_editing.core.motion import Skeleton

NAME = "Reach"
FRAMES, CONTACT, MARGIN = 61, 30, 26
ARM = ("upper_arm.R", "forearm.R", "hand.R")
# Where the hand arrives, in metres from the point on the floor below the hips; the figure faces -y, its right is -x.
OLD_PLACE, NEW_PLACE = (-0.22, -0.44, 1.16), (-0.3, -0.42, 1.74)
LEAN = radians(9.0)  # of the back at the contact
SHIVER = radians(1.5)  # small detail that has to come through
BESIDE = 2.5  # metres between the sample's figure and this one
VIEW = 55.0  # degrees, from the front right
FIGURE_HEIGHT = 150.0  # pixels


def reach_for_another_place() -> Shown:
    """Change the contact pose of a reach: the motion follows to the new place."""
    sample = bpy.context.object
    armature = reaching_figure(sample)
    before = current_motion()
    run(bpy.ops.motion_editing.add_pose_tree, name="Reach", live=False)
    run(bpy.ops.motion_editing.embed_action, action=armature.animation_data.action.name, count=16)
    path = active_node(armature).paths[0].name
    place_below = floor_point(before)
    change_contact(armature, place_below + NEW_PLACE)
    run(bpy.ops.motion_editing.make_tree_branch, path=path, margin=MARGIN)
    branch = active_node(armature).paths[1].name
    run(bpy.ops.motion_editing.blend_tree_branches, path=path, other=branch, share=0.5)
    half, after = (played(name) for name in (active_node(armature).paths[2].name, branch))
    bpy.context.view_layer.objects.active = sample
    rows = [
        reach_row("A reach", before),
        reach_row("Blended with its branch, half of each", half),
        reach_row("Its branch: one contact pose was changed, the motion follows", after),
    ]
    return Shown(in_numbers(before, after, place_below), [], {"reach.png": picture_of(rows)})


def active_node(armature: Object) -> bpy.types.PropertyGroup:
    """The node of the figure's tree."""
    return armature.motion_editing_tree.nodes[0]


# The motion


def reaching_figure(sample: Object) -> Object:
    """A second figure beside the sample's, active, with a key on every frame of a reach."""
    standing = current_motion()
    armature = sample.copy()
    armature.name = NAME
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.animation_data_clear()
    armature.location.x += BESIDE
    bpy.context.view_layer.update()
    clip = read_frames(armature, np.arange(FRAMES, dtype=np.float64), rate=RATE)
    finish(plan_write(clip, reach_motion(clip.motion, standing), KeyOptions())).carry_out()
    armature.animation_data.action.name = NAME
    return armature


def reach_motion(still: Motion, standing: Motion) -> Motion:
    """The hand leaves a standing figure, touches a place at the contact, and comes back."""
    share = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(FRAMES) / (FRAMES - 1))
    rotations, locations = np.array(still.rotations), np.array(still.locations)
    rotations[:, 1:], locations[:, 1:] = standing.rotations[-1, 1:], standing.locations[-1, 1:]
    leaned = bent(still.skeleton, rotations, "spine", LEAN * share)
    shivering = bent(still.skeleton, leaned, "chest", SHIVER * np.sin(0.9 * np.arange(FRAMES)))
    motion = still.with_rotations(shivering).with_locations(locations)
    hand = motion.poses.positions[:, limb_of(still.skeleton).end]
    goal = floor_point(motion) + OLD_PLACE
    targets = hand + share[:, None] * (goal - hand)
    return reach_targets(motion, limb_of(still.skeleton), targets, softness=0.0)


def bent(skeleton: Skeleton, rotations: np.ndarray, bone: str, angles: np.ndarray) -> np.ndarray:
    """Rotations with a bone turned about its own x axis."""
    turned = np.array(rotations)
    joint = skeleton.index[bone]
    turns = np.stack([quaternion.from_axis_angle([1.0, 0.0, 0.0], angle) for angle in angles])
    turned[:, joint] = quaternion.multiply(turned[:, joint], turns)
    return turned


def limb_of(skeleton: Skeleton) -> Limb:
    """The arm that reaches."""
    return Limb(*(skeleton.index[bone] for bone in ARM))


def floor_point(motion: Motion) -> np.ndarray:
    """(3,) below the hips of the first frame."""
    return motion.poses.positions[0, motion.skeleton.index["hips"]] * [1.0, 1.0, 0.0]


# The edit


def change_contact(armature: Object, goal: np.ndarray) -> None:
    """Pick the contact pose, show it on the rig, move its hand to another place, and keep it."""
    run(bpy.ops.motion_editing.pick_path_pose, frame=CONTACT)
    target = active_node(armature).collection.objects[-1]
    run(bpy.ops.motion_editing.live_pose_tree, state="ON")
    run(bpy.ops.motion_editing.go_to_tree_pose, target=target.name)
    contact = pose_on_rig(armature)
    reached = reach_targets(contact, limb_of(contact.skeleton), goal[None], softness=0.0)
    for bone in ARM:
        armature.pose.bones[bone].rotation_quaternion = reached.rotations[0, contact.skeleton.index[bone]]
    run(bpy.ops.motion_editing.replace_tree_pose, target=target.name)


def pose_on_rig(armature: Object) -> Motion:
    """The rig's pose as a motion of one frame that knows where the figure stands."""
    from motion_editing.motion_editing_addon.pose_tree.poses.rig import read_rig

    pose = read_rig(armature, skeleton_of(armature), ())
    locations = np.array(pose.locations)
    locations[0, 0] = armature.location
    return replace(pose, locations=locations)


def played(path: str) -> Motion:
    """Let the cursor follow a path and bake it."""
    run(bpy.ops.motion_editing.live_pose_tree, state="ON")
    run(bpy.ops.motion_editing.follow_tree_path, path=path, use_current=False, first_frame=0)
    run(bpy.ops.motion_editing.bake_pose_tree, use_scene=False, first=0, last=FRAMES - 1)
    return current_motion()


# What is shown


def reach_row(label: str, motion: Motion) -> Row:
    """The way there and back."""
    return Row(label, motion, motion.times[0] + np.linspace(0.0, FRAMES - 1, 11) / RATE)


def picture_of(rows: list[Row]) -> np.ndarray:
    """The rows below each other."""
    motions, frames, labels = ([getattr(row, name) for row in rows] for name in ("motion", "frames", "label"))
    return pose_strip(motions, frames, labels=labels, view=VIEW, style=StripStyle(figure_height=FIGURE_HEIGHT))


def in_numbers(before: Motion, after: Motion, floor: np.ndarray) -> list[str]:
    """How far the hand is from the new place, and what did not change."""
    hand = before.skeleton.index[ARM[-1]]
    at_contact = [motion.poses.positions[CONTACT, hand] for motion in (before, after)]
    old, new = (1000.0 * np.linalg.norm(place - floor - NEW_PLACE) for place in at_contact)
    turns = np.degrees(quaternion.angle_between(before.rotations, after.rotations))
    span = slice(CONTACT - MARGIN, CONTACT + MARGIN + 1)
    outside = np.delete(turns, np.arange(FRAMES)[span], axis=0)
    others = np.delete(turns, [before.skeleton.index[bone] for bone in ARM], axis=1)
    return [
        f"at the contact the hand is {old:.0f} mm from the new place before, {new:.1f} mm after",
        f"largest change outside of frames {span.start} to {span.stop - 1} {outside.max():.4f} degrees,"
        f" of joints that were not edited {others.max():.4f} degrees",
    ]
