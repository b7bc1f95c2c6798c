"""Entries of the stack, saved with the action. Their parameters are those of the operators; see `parameters`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ...border.compatibility import notice_deletions
from ...border.registration import attaching
from .. import scope
from . import partners

if TYPE_CHECKING:
    from bpy.types import Context, Object

# What is called when somebody changes an entry: the action whose stack it is.
listeners: list[Callable[[Any], None]] = []
# Who begins the stack of an armature whose action has none, from what earlier versions have kept with it.
starters: list[Callable[[Any], None]] = []
# What is called before a tool is used, and when there are other keys.
before_tools: list[Callable[[], None]] = []
after_changes: list[Callable[[], None]] = []
_rests = _replays = 0


@contextmanager
def resting() -> Iterator[None]:
    """Add nothing to stacks, and tell nobody of changes, meanwhile."""
    global _rests
    _rests += 1
    try:
        yield
    finally:
        _rests -= 1


def is_resting() -> bool:
    """Whether that is so."""
    return _rests > 0


@contextmanager
def replaying() -> Iterator[None]:
    """The same while edits are done again."""
    global _replays
    _replays += 1
    try:
        with resting():
            yield
    finally:
        _replays -= 1


def is_replaying() -> bool:
    """Whether edits are done again."""
    return _replays > 0


def changed(group: PropertyGroup, _context: Context) -> None:
    """Tell that an entry, or a parameter of one, is another."""
    for listener in () if is_resting() else listeners:
        listener(group.id_data)


def _put_last(entry: PropertyGroup, context: Context) -> None:
    """Put entries that are done after all others at the end, in their order."""
    stack = entry.id_data.motion_editing_stack
    for uid in [each.uid for each in stack.entries if each.stays_last]:
        place = next(number for number, each in enumerate(stack.entries) if each.uid == uid)
        stack.entries.move(place, len(stack.entries) - 1)
    changed(stack, context)


def _can_follow(entry: PropertyGroup, thing: Object) -> bool:
    """Whether an object can have the timing of an entry: one with another action."""
    action = scope.action_of(thing)
    return action is not None and action != entry.id_data


def _link(entry: PropertyGroup, context: Context) -> None:
    if not is_resting():
        partners.link(entry)
        changed(entry, context)


class MOTIONEDIT_PG_entry(PropertyGroup):
    """An edit: which tool, on which bones and frames; its name is what people read."""

    uid: StringProperty(description="Tells this edit from all others")
    tool: StringProperty(description="Operator that is called; empty for keys changed by hand")
    slot: IntProperty(description="Handle of the action's slot")
    is_muted: BoolProperty(name="Mute", description="Leave this edit out", default=False, update=changed)
    influence: FloatProperty(
        name="Influence",
        description="How much of this edit counts; 0 leaves the motion before it",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        update=changed,
    )
    bones: StringProperty(description="Names of the bones that were selected, one a line; empty for all")
    has_range: BoolProperty(description="The edit was limited to frames")
    start: FloatProperty(description="First of these frames, of the action")
    end: FloatProperty(description="Last of these frames")
    frame: FloatProperty(description="Current frame of the action when the edit was made")
    active_bone: StringProperty(description="Bone that was active when the edit was made")
    made: IntProperty(description="How often the edit was made again with other marks")
    is_open: BoolProperty(description="The next use of the same tool takes the place of this edit")
    stays_last: BoolProperty(
        name="Keep Last",
        description="Do this edit after all others, also after new ones",
        default=False,
        update=_put_last,
    )
    second: PointerProperty(
        name="Second Character",
        description="Another character that gets the same timing and stays in touch",
        type=bpy.types.Object,
        poll=_can_follow,
        update=_link,
    )
    message: StringProperty(description="Why the edit was left out the last time")
    result: StringProperty(description="What the edit did, in numbers")
    result_of: StringProperty(description="Which remembered state these numbers are of")
    done: StringProperty(description="Parameters that the present keys were made with")
    time_map: StringProperty(description="Frames after and before, where the edit changed the timing")
    timing: StringProperty(description="The same of all edits before this one, when its frames were taken down")


class MOTIONEDIT_PG_stack_slot(PropertyGroup):
    """A slot of the action after its last edit; its name is the slot's handle."""

    keys: StringProperty(description="Fingerprint of the keys")
    state: StringProperty(description="Which remembered state has these keys")


class MOTIONEDIT_PG_stack(PropertyGroup):
    """All edits of an action since its keys were as in `base`."""

    entries: CollectionProperty(type=MOTIONEDIT_PG_entry)
    active: IntProperty(name="Edit", description="Active edit of the list")
    base: PointerProperty(
        name="Base", description="Keys from before the first edit", type=bpy.types.Action, update=notice_deletions
    )
    base_number: IntProperty(description="Changes when the keys of the base become others")
    slots: CollectionProperty(type=MOTIONEDIT_PG_stack_slot)

    def slot_of(self, armature: Object) -> PropertyGroup:
        """What is known of the armature's slot."""
        name = str(scope.slot_handle(armature))
        if name not in self.slots:
            self.slots.add().name = name
        found: PropertyGroup = self.slots[name]
        return found

    def of(self, armature: Object) -> list[PropertyGroup]:
        """The entries of the armature's slot, in order."""
        handle = scope.slot_handle(armature)
        return [entry for entry in self.entries if entry.slot == handle]

    def new(self, armature: Object, name: str) -> PropertyGroup:
        """Add an entry of the armature's slot, and make it the active one."""
        entry: PropertyGroup = self.entries.add()
        entry.name, entry.slot, entry.uid = name, scope.slot_handle(armature), uuid4().hex
        self.active = len(self.entries) - 1
        return entry

    def forget(self) -> None:
        """Keep no edits."""
        base, self.base = self.base, None
        self.entries.clear()
        self.slots.clear()
        self.active = 0
        if base is not None and not base.users and not base.use_fake_user:
            bpy.data.actions.remove(base)


classes = (MOTIONEDIT_PG_entry, MOTIONEDIT_PG_stack_slot, MOTIONEDIT_PG_stack)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_stack"): PointerProperty(type=MOTIONEDIT_PG_stack)}
)
