"""Parameters of entries: for each operator a group with the same properties, made when a stack first needs it."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import FloatProperty, IntProperty, PointerProperty
from bpy.types import Operator, PropertyGroup

from ....core.editing import options_of
from .. import scope
from . import settings, timing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bpy.types import Object

# What entries do not keep, and what an edit is done again with in its place.
_WHEN_REPEATED = {"if_shared": "EDIT", "result": "THIS"}
_NOT_KEPT = frozenset({"rna_type", "name", *_WHEN_REPEATED})
# Parameters that are frames of the scene, and what stands for none.
_FRAMES, _NO_FRAME = ("frame", "to_frame", "start_frame", "end_frame", "leave_frame"), -1.0e6
# Edits that are done or not: other keys of the same motion, other sides, another length.
_WHOLE_ONLY = frozenset(
    [
        "append_transition",
        "bake_pose_tree",
        "continuous_rotations",
        "convert_keys",
        "follow_timing",
        "make_loop",
        "mirror_motion",
        "reduce_keys",
        "retarget_motion",
        "reverse_time",
    ]
)
_made: dict[str, type] = {}


def ensure(tool: str) -> None:
    """Have entries keep the parameters of an operator."""
    if tool in _made:
        return
    content = {"__annotations__": _declared(tool), "__doc__": f"Parameters of {tool}."}
    _made[tool] = type(f"MOTIONEDIT_PG_entry_{tool}", (PropertyGroup,), content)
    bpy.utils.register_class(_made[tool])
    setattr(settings.MOTIONEDIT_PG_entry, _place(tool), PointerProperty(type=_made[tool]))


def ensure_all() -> None:
    """The same for all stacks of the file: to be called when one was loaded, or the extension enabled."""
    for action in bpy.data.actions:
        ensure_of(action.motion_editing_stack.entries)


def ensure_of(entries: Iterable[PropertyGroup]) -> None:
    """The same for some entries."""
    for entry in entries:
        if entry.tool and operator_of(entry.tool) is not None:
            ensure(entry.tool)


def forget() -> None:
    """Take back what was made."""
    for tool, group in reversed(_made.items()):
        delattr(settings.MOTIONEDIT_PG_entry, _place(tool))
        bpy.utils.unregister_class(group)
    _made.clear()


def operator_of(tool: str) -> type[Operator] | None:
    """The class of an operator; None if there is no such one any more."""
    found: type[Operator] | None = Operator.bl_rna_get_subclass_py(f"MOTION_EDITING_OT_{tool}")
    return found


def maker_of(armature: Object) -> PropertyGroup | None:
    """The entry that has made an armature's action; None if no tool has."""
    entries = scope.own_action(armature).motion_editing_stack.of(armature)
    makes = bool(entries) and getattr(operator_of(entries[0].tool) if entries[0].tool else None, "begins_stack", False)
    return entries[0] if makes else None


def tool_of(operator: Operator) -> str:
    """The name of an operator without that of the extension."""
    rna: Any = operator.bl_rna
    return str(rna.identifier).partition("_OT_")[2]


def group_of(entry: PropertyGroup) -> PropertyGroup | None:
    """The parameters of an entry; None for keys changed by hand, and for operators that are gone."""
    return getattr(entry, _place(entry.tool)) if entry.tool in _made else None


def keep(entry: PropertyGroup, operator: Operator, **values: Any) -> None:
    """Give an entry the parameters of an operator that has just been called, or other values."""
    tool = tool_of(operator)
    ensure(tool)
    names = _names(getattr(entry, _place(tool)))
    keep_values(entry, tool, {name: getattr(operator, name) for name in names} | values)


def keep_values(entry: PropertyGroup, tool: str, values: dict[str, Any]) -> None:
    """Give an entry parameters of a tool."""
    entry.tool = tool
    ensure(tool)
    group = getattr(entry, _place(tool))
    with settings.resting():
        for name, value in values.items():
            setattr(group, _kept_as(name), value)


def state_of(entry: PropertyGroup) -> str:
    """All that somebody can change of an entry, as a text."""
    group = group_of(entry)
    values = None
    if group is not None:
        values = {name: _plain(getattr(group, _kept_as(name))) for name in _names(group)}
    # As files had it before there was an influence and somebody to stay in touch with.
    touched = [entry.second.name] if entry.second is not None and keeps_touches(entry) else []
    share = [entry.influence] if entry.influence < 1.0 or touched else []
    return json.dumps([entry.is_muted, values, *share, *touched], default=sorted)


def muted_state(entry: PropertyGroup) -> str:
    """The state of an entry as if it was left out."""
    return json.dumps([True, *json.loads(state_of(entry))[1:]])


def is_muted(state: str) -> bool:
    """Whether an entry in such a state is left out."""
    return bool(json.loads(state)[0]) or influence_of(state) == 0.0


def influence_of(state: str) -> float:
    """The share by which an entry in such a state counts."""
    return float([*json.loads(state), 1.0][2])


def offers_influence(entry: PropertyGroup) -> bool:
    """Whether there is something between leaving an entry out and doing it; not for keys changed by hand."""
    return bool(entry.tool) and entry.tool not in _WHOLE_ONLY and not hasattr(group_of(entry), "influence")


def keeps_touches(entry: PropertyGroup) -> bool:
    """Whether an entry can keep hands and feet where they touch a second character."""
    return hasattr(group_of(entry), "keep_contacts")


def seconds_around(entry: PropertyGroup) -> float | None:
    """Time on both sides of a frame that has a say in it when the entry is done; None if all of the motion has."""
    tool, group = getattr(operator_of(entry.tool), "tool", None) if entry.tool else None, group_of(entry)
    if tool is None or group is None:
        return None
    around: float | None = tool(**{name: getattr(group, name) for name in options_of(tool)}).seconds_around
    return around


def values_of(entry: PropertyGroup, state: str, moved: Callable[[Any], Any]) -> dict[str, Any]:
    """What the operator is called with for an entry in such a state; `moved` gives frames that are other ones now."""
    known = getattr(bpy.ops.motion_editing, entry.tool).get_rna_type().properties
    found = {name: value for name, value in json.loads(state)[1].items() if name in known}
    flags = {name: set(value) for name, value in found.items() if getattr(known[name], "is_enum_flag", False)}
    frames = {
        name: _frame_of(known[name].type, moved(found[name]))
        for name in _FRAMES
        if found.get(name, _NO_FRAME) != _NO_FRAME
    }
    given = found | flags | frames | {name: value for name, value in _WHEN_REPEATED.items() if name in known}
    tool: Any = operator_of(entry.tool)
    return tool.moved(given, moved) if hasattr(tool, "moved") else given


def _place(tool: str) -> str:
    """The name of an operator's parameters in an entry."""
    return f"{tool}_parameters"


def _names(group: PropertyGroup) -> list[str]:
    found = [each.identifier for each in group.bl_rna.properties if each.identifier not in _NOT_KEPT]
    return [name for name in found if name not in map(_kept_as, _FRAMES)]


def _kept_as(name: str) -> str:
    """The property that holds a parameter: of frames those of the motion that the edit was made on."""
    return f"{name}_then" if name in _FRAMES else name


def _plain(value: Any) -> Any:
    """A value without memory of Blender's."""
    return value if isinstance(value, (bool, int, float, str, set)) else list(value)


def _declared(tool: str) -> dict[str, Any]:
    """The properties of an operator, its bases' too, which tell when they are changed."""
    found: dict[str, Any] = {}
    operator: Any = operator_of(tool)
    for cls in reversed(operator.__mro__):
        own = inspect.get_annotations(cls)
        found |= {name: each for name, each in own.items() if hasattr(each, "keywords")}
    chosen = {name: each for name, each in found.items() if name not in _NOT_KEPT}
    frames = {_kept_as(name): _frame_then() for name in chosen if name in _FRAMES}
    return {name: _telling(name, each) for name, each in chosen.items()} | frames


def _telling(name: str, declared: Any) -> Any:
    keywords = {key: value for key, value in declared.keywords.items() if key not in ("update", "options")}
    if "HIDDEN" in declared.keywords.get("options", ()):
        keywords["options"] = {"HIDDEN"}
    if name in _FRAMES:
        kind = "INT" if declared.function is IntProperty else "FLOAT"
        keywords |= {
            "get": lambda group: _frame_of(kind, _now(group, name)),
            "set": lambda group, value: _put_now(group, name, value),
        }
    return declared.function(**keywords, update=settings.changed)


def _frame_of(kind: str, frame: Any) -> float | int:
    """A frame as a property of some type takes it."""
    return round(float(frame)) if kind == "INT" else float(frame)


def _frame_then() -> Any:
    return FloatProperty(description="Frame when the edit was made", default=_NO_FRAME, options={"HIDDEN"})


def _now(group: PropertyGroup, name: str) -> float:
    """The frame at which the moment that a parameter names is now."""
    frame: float = getattr(group, _kept_as(name))
    then, now = _timings(group)
    return frame if frame == _NO_FRAME or then == now else float(now.to_new(then.to_old(frame)))


def _put_now(group: PropertyGroup, name: str, frame: float) -> None:
    """Let a parameter name the moment that is at a frame now."""
    then, now = _timings(group)
    setattr(group, _kept_as(name), frame if frame == _NO_FRAME or then == now else then.to_new(now.to_old(frame)))


def _timings(group: PropertyGroup) -> tuple[Any, Any]:
    """Timing before the entry whose parameters these are, when it was made and now."""
    entries = group.id_data.motion_editing_stack.entries
    number = int(group.path_from_id().partition("entries[")[2].partition("]")[0])
    before = [each for each in entries[:number] if each.slot == entries[number].slot]
    return timing.Timing().then(entries[number].timing), timing.timing_of(before)


def frames_now(entry: PropertyGroup) -> tuple[float, float]:
    """The range of an entry as frames are now."""
    then, now = _timings(entry)
    first, last = (float(now.to_new(then.to_old(frame))) for frame in (entry.start, entry.end))
    return min(first, last), max(first, last)
