"""Keys of an armature in memory, which stand in for those of its action until they are written.

    with drafted(armature, curves) as draft:
        ...  # tools read and write what is in memory
        draft.write()

Whatever makes Blender show another frame meanwhile has the keys written first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import bpy
import numpy as np

from .....core.errors import MotionEditError
from ..curves.channels import channel_text, coloured_curve, stand_ins
from ..curves.keys import generated_keys, write_keys
from .curve_state import HANDLES, CurveSettings, CurveState, state_of
from .memory_curve import MemoryBag, MemoryCurve
from .scratch import Scratch, put_state
from .slots import bags_by_slot, curves_by_place, owner_of, slots_of

if TYPE_CHECKING:
    from bpy.types import Action, ActionChannelbag, FCurve, Object

    from ..clip import Clip
    from .pending_motion import Deferred
    from .slots import Place, Slot

# States of the curves of all slots that an object and what is animated along with it play.
Curves = dict["Place", CurveState]

_labels = itertools.count()
Fact = TypeVar("Fact")


def _action(thing: Object) -> Action:
    data: Any = thing.animation_data
    action: Action = data.action
    return action


class Draft:
    """Curves in memory.

    Attributes:
        action: Whose curves they stand in for.
        label: Tells what they hold from what they and others have held before.
    """

    def __init__(self, thing: Object, curves: Mapping[Place, CurveState], written: Curves | None, label: str) -> None:
        """Begin with some states.

        Args:
            thing: Object with an action.
            curves: What the curves hold in memory.
            written: What the curves of the action hold; None if that is not known.
            label: The same for the same curves.
        """
        self.action, self._curves, self.label = _action(thing), dict(curves), label or f"draft {next(_labels)}"
        self.slots = slots_of(thing)
        self.scratch = Scratch(self.slots)
        # Changes when there are more curves or fewer; and what was sorted then, see `channels_of`.
        self.structure = 0
        self.sorted: tuple[Any, Any] | None = None
        # Whether motions are passed on from edit to edit as they are, for pictures; and the last one.
        self.is_loose = False
        self.deferred: Deferred | None = None
        # Whether all frames are looked at where some are asked for; and what was read or written last, with its label.
        self.is_whole = False
        self._clip: tuple[str, Clip] | None = None
        # First and last frame that are passed on, and those whose contacts have to be kept, if these are not all.
        self.window: tuple[float, float] | None = None
        self.looked_at: tuple[float, float] | None = None
        self._thing, self._written = thing, written
        self._facts: dict[str, Any] = {}
        self._objects: dict[Place, MemoryCurve] = {}

    @property
    def curves(self) -> Curves:
        """What the curves hold now; what was deferred is in them."""
        deferred, self.deferred = self.deferred, None
        if deferred is not None:
            deferred.settle()
        return self._curves

    def places(self) -> tuple[Place, ...]:
        """Slots, paths and components of all curves."""
        return tuple(self._curves)

    def peek(self, place: Place) -> CurveState:
        """What a curve holds, without what was deferred if that leaves keys where they are."""
        stays = self.deferred is None or self.deferred.keeps_frames
        return self._curves[place] if stays else self.curves[place]

    def defer(self, deferred: Deferred) -> None:
        """Let curves get their keys when somebody asks for them; until then the motion is read instead."""
        self.deferred = deferred
        self.label = f"draft {next(_labels)}"

    def curve(self, place: Place) -> MemoryCurve:
        """What stands in for a curve."""
        if place not in self._objects:
            self._objects[place] = MemoryCurve(self, place)
        return self._objects[place]

    def put(self, place: Place, state: CurveState) -> None:
        """Let a curve hold something else."""
        curves = self.curves
        self.structure += place not in curves
        curves[place] = state
        self.label = f"draft {next(_labels)}"

    def fill_in(self, place: Place, state: CurveState) -> None:
        """Let a curve hold the same with the handles that were left to Blender: it shows nothing else."""
        if state.frames is self.curves[place].frames:
            self.curves[place] = state
        else:
            self.put(place, state)

    def drop(self, place: Place) -> None:
        """Take a curve away."""
        self.structure += 1
        del self.curves[place]
        self.label = f"draft {next(_labels)}"

    def put_all(self, curves: Mapping[Place, CurveState], label: str = "") -> None:
        """Let all curves hold something else."""
        self.structure += 1
        self._curves, self.deferred, self.label = dict(curves), None, label or f"draft {next(_labels)}"

    def keep_clip(self, clip: Clip | None) -> None:
        """Know the whole clip as the curves have it now."""
        self._clip = None if clip is None else (self.label, clip)

    def taken(self, rate: float, start: float | None, end: float | None) -> Clip | None:
        """A clip that is known without looking at curves; None if there is none."""
        if self.deferred is not None:
            return self.deferred.taken(rate, start, end)
        whole = self._whole(rate)
        if whole is None:
            return None
        chosen = whole.frames >= (-np.inf if start is None else start)
        return whole.part(whole.frames[chosen & (whole.frames <= (np.inf if end is None else end))])

    def taken_at(self, frames: np.ndarray, rate: float) -> Clip | None:
        """The same at frames."""
        whole = self._whole(rate) if self.deferred is None else None
        return None if whole is None else whole.part(frames)

    def _whole(self, rate: float) -> Clip | None:
        """The whole clip, if it is known with the present keys."""
        label, clip = self._clip or ("", None)
        return clip if clip is not None and label == self.label and rate == clip.motion.rate else None

    def once(self, name: str, find: Callable[[], Fact]) -> Fact:
        """What was found under a name before, or is found now: for what stays while edits are looked at."""
        if name not in self._facts:
            self._facts[name] = find()
        found: Fact = self._facts[name]
        return found

    def point(self) -> tuple[Curves, Deferred | None]:
        """All that it holds, to come back to."""
        return dict(self._curves), self.deferred

    def back_to(self, point: tuple[Curves, Deferred | None]) -> None:
        """Hold what it held."""
        self.put_all(point[0])
        self.deferred = point[1]

    def empty_state(self, _place: Place) -> CurveState:
        """A new curve without keys."""
        smoothing = bpy.context.preferences.edit.fcurve_new_auto_smoothing
        return state_of(generated_keys([], []), CurveSettings(smoothing=smoothing))

    def write(self) -> None:
        """Give the curves of the action what is in memory; those that hold it already are not touched.

        Raises:
            MotionEditError: A curve that would change is locked; then none has changed.
        """
        known: Mapping[Place, CurveState] = self._written if self._written is not None else {}
        here, bags = curves_by_place(self.slots), bags_by_slot(self.slots)
        places = [place for place in {**here, **self.curves} if self.curves.get(place) is not known.get(place, _OTHER)]
        for place in places:
            _refuse_locked(here.get(place))
        for place in places:
            self._write_one(bags, place, here.get(place), known.get(place))
        self._written = dict(self.curves)
        for slot in {place[0] for place in places}:
            owner_of(self._thing, slot).update_tag()
        if places:
            self._thing.update_tag(refresh={"OBJECT", "DATA", "TIME"})

    def _write_one(
        self, bags: dict[Slot, ActionChannelbag], place: Place, curve: FCurve | None, known: CurveState | None
    ) -> None:
        slot, path, index = place
        state = self.curves.get(place)
        if state is None:
            if curve is not None:
                bags[slot].fcurves.remove(curve)
        elif curve is None:
            put_state(_new(bags[slot], path, index, state.settings.group), state)
        else:
            _change(curve, known, state)


# Stands for what a curve holds that is not known.
_OTHER: Any = object()


def _new(bag: ActionChannelbag, path: str, index: int, group: str) -> FCurve:
    curve = coloured_curve(bag, path, index)
    if group and (curve.group is None or curve.group.name != group):
        curve.group = bag.groups.get(group) or bag.groups.new(group)
    return curve


def _refuse_locked(curve: FCurve | None) -> None:
    if curve is not None and (curve.lock or (curve.group is not None and curve.group.lock)):
        raise MotionEditError(f"The channel {channel_text(curve.data_path)} is locked: unlock it first")


def _change(curve: FCurve, known: CurveState | None, state: CurveState) -> None:
    """Give a curve what a state has, as little as it takes where it is known what it holds."""
    alike = known is not None and len(known.co) == len(state.co) and known.further is state.further
    if not alike or known is None or known.settings.extrapolation != state.settings.extrapolation:
        put_state(curve, state)
        return
    names = ("co", *(HANDLES if state.handles is not None else ()))
    write_keys(curve, {"co": state.co} | dict(zip(names[1:], state.handles or (), strict=True)))
    if state.handles is None:
        curve.update()


# Drafts that are in use.
_open: list[Draft] = []


def draft_of(thing: Object) -> Draft | None:
    """The keys in memory that stand in for those of an object; None if there are none."""
    data = thing.animation_data
    return draft_of_action(data.action) if _open and data is not None and data.action is not None else None


def draft_of_action(action: Action) -> Draft | None:
    """The same by the action."""
    return next((draft for draft in _open if action in draft.slots.values()), None)


@contextmanager
def drafted(
    thing: Object,
    curves: Mapping[Place, CurveState],
    *,
    written: Curves | None = None,
    label: str = "",
    is_loose: bool = False,
) -> Iterator[Draft]:
    """Let keys in memory stand in for those of an object's action meanwhile; see `Draft`."""
    draft = Draft(thing, curves, written, label)
    draft.is_loose = is_loose
    keys = {(action.session_uid, slot.handle): slot for slot, action in draft.slots.items()}
    stand_ins.update({key: MemoryBag(draft, slot) for key, slot in keys.items()})
    _open.append(draft)
    if _write_all not in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.append(_write_all)
    try:
        yield draft
    finally:
        _open.remove(draft)
        for key in keys:
            stand_ins.pop(key, None)
        draft.scratch.remove()
        if not _open:
            bpy.app.handlers.frame_change_pre.remove(_write_all)


def _write_all(*_arguments: object) -> None:
    """Blender is about to show another frame: it has to know the keys, unless they are only looked at."""
    for draft in _open:
        if not draft.is_loose:
            with suppress(MotionEditError):  # a locked channel is told when the edit ends
                draft.write()
