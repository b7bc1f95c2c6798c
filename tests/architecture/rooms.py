"""The rooms of the house: which package stands on which row, and where what has no room yet belongs."""

from __future__ import annotations

_CAPABILITIES = frozenset(
    [
        "staggered",
        "guided_warp",
        "timeline",
        "pose_tree",
        "filters",
        "cleaning",
        "layers",
        "blending",
        "root_motion",
        "keys",
        "constraints",
        "retarget",
        "sample_motion",
    ]
)
# A package imports from rows above its own, never from another on the same row.
ROWS: dict[str, tuple[frozenset[str], ...]] = {
    "core": (
        frozenset({"errors", "wording"}),
        frozenset({"numerics"}),
        frozenset({"motion"}),
        frozenset({"files"}),
        frozenset({"body"}),
        frozenset({"analysis"}),
        frozenset({"solve"}),
        frozenset({"editing"}),
        _CAPABILITIES,
    ),
    "motion_editing_addon": (
        frozenset({"border"}),
        frozenset({"document"}),
        frozenset({"interface"}),
        _CAPABILITIES | {"contacts", "character", "clip"},
        frozenset({"batch"}),
    ),
}
# What stands outside the rooms today, and the room that it moves into.
_MOVES = {
    "core": {},
    "motion_editing_addon": {
        "border": "action_io armature armature_building carried_figure carriers compatibility hidden_objects id_arrays "
        "joint_positions key_options rig_channels rig_following rig_pose saved_model shown_frame sound_samples steps",
        "document": "action_users checked_settings damage handlers motion_changes original_keys other_action "
        "reference_pose scope settings watched_keys",
        "interface": "drawing long_work manual menus modal_slider operator panels polls pose_preview preview_trails "
        "registering reporting running_tools shared_options slider_drag status_bar strip",
        "blending": "blend_loop",
        "filters": "clean_filter",
        "timeline": "pose_timeline",
    },
}
MOVES = {top: {each: room for room, names in moves.items() for each in names.split()} for top, moves in _MOVES.items()}


def room_of(name: str) -> tuple[str, str]:
    """Core or add-on, and the room that a module is in or moves into; empty for their doors."""
    top, _, rest = name.partition(".")
    unit = rest.partition(".")[0]
    inside = any(unit in rooms for rooms in ROWS[top])
    return top, unit if inside else MOVES[top].get(unit, unit)


def row_of(top: str, room: str) -> int:
    """The number of a room's row from the top."""
    return next(number for number, rooms in enumerate(ROWS[top]) if room in rooms)
