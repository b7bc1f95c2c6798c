"""Options that several tools or panels share: one name and one tooltip each, declared once."""

from __future__ import annotations

OTHER_ACTION = {"name": "Action", "description": "Action that the motion or pose is taken from"}
ALL_POSES = {"name": "All Poses", "description": "Change all poses, not only the active one"}
CHANGE_AMOUNT = {"name": "Amount", "description": "Strength of the change; 0 changes nothing, 1 is all of it"}
OTHER_ARMATURE = {"name": "Armature", "description": "Armature whose motion is used instead of an action"}
BONE = {"name": "Bone", "description": "Name of the bone"}
CHOSEN_BONE = {"name": "Bone", "description": "Name of the bone; the selected or active one if empty"}
BREAKDOWNS = {"name": "Breakdown Keys", "description": "Add breakdown keys where sparse keys exceed the error below"}
TARGET_COUNT = {"name": "Targets", "description": "Largest number of frames that become targets"}
FOLLOWED_CURVE = {"name": "Curve", "description": "Curve object to follow"}
CUTOFF = {"name": "Cutoff", "description": "Frequency in hertz at which movement is halved"}
EASE = {"name": "Ease", "description": "Part of the window at each end over which the edit eases in and out"}
END = {"name": "End", "description": "Last frame"}
ALL_OF_THEM = {"name": "All", "description": "Apply to all, not only the active or selected ones"}
CONTACT_FADE = {"name": "Fade", "description": "Seconds beside a contact over which its correction fades out"}
FIRST = {"name": "First", "description": "First frame"}
FIT_SCENE = {"name": "Fit Scene Range", "description": "Set the scene's frame range to the motion"}
NEW_FRAME = {"name": "Frame", "description": "New scene frame"}
CURRENT_FRAME = {"name": "Frame", "description": "Scene frame; the current one if not set"}
FREE_LENGTH = {"name": "Free Length", "description": "Choose the length from the dynamics of the reference"}
KEEP_CONTACTS = {"name": "Keep Contacts", "description": "Pin planted feet and hands in place"}
KEYING = {"name": "Keys", "description": "How the result becomes keys"}
KEYTIME_NUMBER = {"name": "Keytime", "description": "Number on the strip, 0 being the start"}
CONSTRAINT_KIND = {"name": "Type", "description": "Type of the constraint"}
LAST = {"name": "Last", "description": "Last frame"}
LAYER_NAME = {"name": "Layer", "description": "Name of the layer; the active one if empty"}
LOCKED = {"name": "Locked", "description": "Keep the length of the span to the next keytime"}
LOWERING = {"name": "Lowering", "description": "How far the root may go down to reach contacts, in body heights"}
PARENT_NODE = {"name": "Parent", "description": "Name of the parent node; none if empty"}
PARTNER = {"name": "Partner", "description": "Another target that is retargeted together with this one"}
POSE_NUMBER = {"name": "Pose", "description": "Number in the list, from 0; the active pose if negative"}
RANGE = {"name": "Range", "description": "Frames to work on"}
REFERENCE = {"name": "Reference", "description": "Motion to use as the reference"}
REFERENCE_ACTION = {"name": "Action", "description": "Action to use as the reference"}
REFERENCE_END = {"name": "To", "description": "Last frame of the reference action"}
REFERENCE_OBJECT = {"name": "Character", "description": "Armature to use as the reference"}
REFERENCE_START = {"name": "From", "description": "First frame of the reference action"}
RIPPLE = {"name": "Ripple", "description": "Move what follows the keytime along with it"}
BODY_PART = {"name": "Part", "description": "Body part, such as head, torso or left arm"}
SHAPE_KEYS = {"name": "Shape Keys", "description": "Include the shape keys of the character's meshes in poses"}
POSES_SHOWN = {"name": "Poses Shown", "description": "Part of the poses to show for editing, most important first"}
SOFTEN = {"name": "Soften Where Faster", "description": "Average poses where time runs faster, against flicker"}
SOFTNESS = {"name": "Softness", "description": "How far the constraint may give way; 0 holds exactly"}
SOUND_STRIP = {"name": "Sound", "description": "Name of the sound strip; the first one if empty"}
START = {"name": "Start", "description": "First frame"}
STATE = {"name": "State", "description": "Turn it on or off, or toggle it"}
SHORT_SWAY = {"name": "Sway", "description": "Seconds over which travel is averaged; shorter sway stays"}
TAIL = {"name": "Tail", "description": "Hold the bone's tail instead of its head"}
TARGET_BONE = {"name": "Target Bone", "description": "Bone of the target armature"}
ENABLED = {"name": "Enabled", "description": "Apply edits to this window"}
UP_AXIS = {"name": "Up Axis", "description": "Up axis of the file"}
ROTATION_ERROR = {
    "name": "Rotation Error",
    "description": "Largest rotation error of a bone when keys are reduced",
    "default": 0.00872665,
    "min": 1e-5,
    "soft_max": 0.1,
    "subtype": "ANGLE",
}
LOCATION_ERROR = {
    "name": "Location Error",
    "description": "Largest error of a location when keys are reduced",
    "default": 0.002,
    "min": 1e-6,
    "soft_max": 0.1,
    "subtype": "DISTANCE",
    "precision": 4,
}
IF_SHARED = {
    "name": "Shared Action",
    "description": "What to do when other objects use the same action",
    "items": (
        ("EDIT", "Edit for All", "Change the animation of every object that uses it"),
        ("COPY", "Make a Copy", "Make a copy of the action for this armature and change that"),
    ),
    "default": "EDIT",
}
