"""Options that several tools or panels share: one name and one tooltip each, declared once."""

from __future__ import annotations

OTHER_ACTION = {"name": "Action", "description": "Action that the motion or pose is taken from"}
ALL_POSES = {"name": "All Poses", "description": "Change all poses, not only the active one"}
BONE = {"name": "Bone", "description": "Name of the bone"}
CHOSEN_BONE = {"name": "Bone", "description": "Name of the bone; the selected or active one if empty"}
TARGET_COUNT = {"name": "Targets", "description": "Largest number of frames that become targets"}
END = {"name": "End", "description": "Last frame"}
ALL_OF_THEM = {"name": "All", "description": "Apply to all, not only the active or selected ones"}
FACE = {"name": "Face", "description": "Include face bones and shape keys"}
FIRST = {"name": "First", "description": "First frame"}
FIT_SCENE = {"name": "Fit Scene Range", "description": "Set the scene's frame range to the motion"}
NEW_FRAME = {"name": "Frame", "description": "New scene frame"}
CURRENT_FRAME = {"name": "Frame", "description": "Scene frame; the current one if not set"}
KEEP_CONTACTS = {"name": "Keep Contacts", "description": "Pin planted feet and hands in place"}
KEYING = {"name": "Keys", "description": "How the result becomes keys"}
KEYTIME_NUMBER = {"name": "Keytime", "description": "Number on the strip, 0 being the start"}
CONSTRAINT_KIND = {"name": "Type", "description": "Type of the constraint"}
LAST = {"name": "Last", "description": "Last frame"}
LAYER_NAME = {"name": "Layer", "description": "Name of the layer; the active one if empty"}
LOCKED = {"name": "Locked", "description": "Keep the length of the span to the next keytime"}
PARENT_NODE = {"name": "Parent", "description": "Name of the parent node; none if empty"}
PARTNER = {"name": "Partner", "description": "Another target that is retargeted together with this one"}
POSE_NUMBER = {"name": "Pose", "description": "Number in the list, from 0; the active pose if negative"}
RANGE = {"name": "Range", "description": "Frames to work on"}
REFERENCE_ACTION = {"name": "Action", "description": "Action to use as the reference"}
REFERENCE_OBJECT = {"name": "Character", "description": "Armature to use as the reference"}
RIPPLE = {"name": "Ripple", "description": "Move what follows the keytime along with it"}
BODY_PART = {"name": "Part", "description": "Body part, such as head, torso or left arm"}
SCALE = {"name": "Scale", "description": "Factor of all lengths"}
SHAPE_KEYS = {"name": "Shape Keys", "description": "Include the shape keys of the character's meshes in poses"}
POSES_SHOWN = {"name": "Poses Shown", "description": "Part of the poses to show for editing, most important first"}
SOFTNESS = {"name": "Softness", "description": "How far the constraint may give way; 0 holds exactly"}
START = {"name": "Start", "description": "First frame"}
STATE = {"name": "State", "description": "Turn it on or off, or toggle it"}
TAIL = {"name": "Tail", "description": "Hold the bone's tail instead of its head"}
TARGET_BONE = {"name": "Target Bone", "description": "Bone of the target armature"}
ENABLED = {"name": "Enabled", "description": "Apply edits to this window"}
UP_AXIS = {"name": "Up Axis", "description": "Up axis of the file"}
IF_SHARED = {
    "name": "Shared Action",
    "description": "What to do when other objects use the same action",
    "items": (
        ("EDIT", "Edit for All", "Change the animation of every object that uses it"),
        ("COPY", "Make a Copy", "Make a copy of the action for this armature and change that"),
    ),
    "default": "EDIT",
}
