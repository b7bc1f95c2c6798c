"""The rooms of the house: which package stands on which row."""

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
        "contacts",
        "retarget",
        "sample_motion",
    ]
)
# A package imports from rows above its own, never from another on the same row.
ROWS: dict[str, tuple[frozenset[str], ...]] = {
    "core": (
        frozenset({"errors", "lazy_door", "wording"}),
        frozenset({"numerics"}),
        frozenset({"motion"}),
        frozenset({"files"}),
        frozenset({"body"}),
        frozenset({"rig"}),
        frozenset({"analysis"}),
        frozenset({"solve"}),
        frozenset({"editing"}),
        _CAPABILITIES,
    ),
    "motion_editing_addon": (
        frozenset({"border"}),
        frozenset({"document"}),
        frozenset({"interface"}),
        _CAPABILITIES | {"character", "clip", "stack"},
        frozenset({"batch"}),
        frozenset({"bring_in"}),
    ),
}


def room_of(name: str) -> tuple[str, str]:
    """Core or add-on, and the room that a module is in; empty for their doors."""
    top, _, rest = name.partition(".")
    return top, rest.partition(".")[0]


def row_of(top: str, room: str) -> int:
    """The number of a room's row from the top."""
    return next(number for number, rooms in enumerate(ROWS[top]) if room in rooms)
