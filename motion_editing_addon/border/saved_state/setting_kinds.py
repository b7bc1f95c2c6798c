"""The table of all settings that are kept, by what they hang on: their values have names and types of their own."""

from __future__ import annotations

from .schema import Kind


def _settings(subject: str) -> Kind:
    return Kind(
        "settings",
        version=1,
        damaged=f"{subject} of '{{}}' are damaged",
        newer=f"{subject} of '{{}}' are from a newer version of the extension: update it",
        fields={},
    )


SETTINGS = {
    "Action.motion_editing": _settings("The source rate and other facts"),
    "Action.motion_editing_constraints": _settings("The constraints"),
    "Action.motion_editing_contacts": _settings("The contacts"),
    "Action.motion_editing_flaws": _settings("The flaws"),
    "Action.motion_editing_layers": _settings("The rows of layers"),
    "Action.motion_editing_stack": _settings("The edits"),
    "Action.motion_editing_staggered": _settings("The rows of poses"),
    "Action.motion_editing_time": _settings("The keytimes"),
    "Action.motion_editing_timeline": _settings("The windows"),
    "Object.motion_editing": _settings("The body parts"),
    "Object.motion_editing_control": _settings("The settings as a control"),
    "Object.motion_editing_layer_edit": _settings("The settings of Edit Layer"),
    "Object.motion_editing_posing": _settings("The settings of Edit Pose"),
    "Object.motion_editing_retarget": _settings("The settings of Retarget"),
    "Object.motion_editing_tree": _settings("The nodes of the pose tree"),
    "Scene.motion_editing_blend_loop": _settings("The settings of Blend & Loop"),
    "Scene.motion_editing_strip": _settings("The settings of the strip"),
}
