"""What all filters have in common: peaks and contacts that stay, the figure as it was, numbers in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, FloatProperty

from ..interface.operators.modal_slider import ModalSliderOperator
from ..interface.operators.slider_drag import Slider
from ..interface.shared_options import KEEP_CONTACTS
from .measured_operator import MeasuredOperator

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ...core.motion import Motion
    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..document.take.clip_facts import ClipFacts
    from ..interface.operators.operator import Carry
    from .comparison.original_ghost import OriginalGhost

STRENGTH = Slider("strength", unit="%", step=1, snap=10)
# Held, this key shows the motion as it was.
ORIGINAL = "O"
# Seconds beside a peak within which it passes over into the filtered motion.
_SHORTEST_FADE, _LONGEST_FADE = 0.1, 0.4


def _ghost(facts: ClipFacts) -> OriginalGhost:
    """The figure of a clip as it was, also of a control rig."""
    from .comparison.original_ghost import OriginalGhost, figure_of
    from .rig_figure import PosedFigure

    clip = facts.clip
    return OriginalGhost(clip, PosedFigure(clip.armature) if facts.is_sampled else figure_of(clip.motion))


class SignalOperator(MeasuredOperator, ModalSliderOperator):
    """Mixin of tools that change a motion as a signal. A tool names its `own` properties and implements `change`."""

    own = ()
    # Keys that switch an option while the mouse sets the value.
    switches = {"C": "keep_contacts"}

    _facts = ()
    _ghosts = ()
    _shows_original = False

    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """The changed motion of a clip; what is outside the joints (J,) is put back afterwards."""
        raise NotImplementedError

    def edited(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """The change kept to the scope, with contacts held if that is wanted."""
        from ...core.motion import within_scope
        from ...core.solve.contact_lock import hold_contacts

        clip = facts.clip
        after = within_scope(clip.motion, self.change(facts, joints), joints, scalars=clip.scalars_of(joints))
        if self.keep_contacts:
            after, _report = hold_contacts(clip.motion, after, facts.body, facts.contacts)
        return after

    @property
    def needs_places(self) -> bool:
        """Whether the present options ask where the joints are."""
        return self.keep_contacts

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Filter and plan the keys; what it returns writes and measures them."""
        from ..border import action_io
        from ..document.take.clip_facts import ClipFacts

        facts = ClipFacts(clip)
        yield from facts.sample() if self.needs_places else facts.sample_if_quick()
        edited = self.edited(facts, joints)
        yield 0.5
        planned = yield from action_io.plan_write(clip, edited, self.key_options())
        return self.measured(facts, self.carrying(facts, planned, edited))

    # While the mouse sets the value

    def preview_motion(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """The edited motion of every clip for the present values of the properties."""
        self._find_facts()
        return [(facts.clip, self.edited(facts, joints)) for facts, joints in self._facts]

    def _find_facts(self) -> None:
        from ..document.take.clip_facts import ClipFacts

        if not self._facts:
            self._facts = [(ClipFacts(clip), joints) for clip, joints in self._read]
            # Before anything is shown on the rigs: control rigs are taken as they stand.
            self._ghosts = [_ghost(facts) for facts, _joints in self._facts]

    def _respond(self, context: Context, event: Event) -> set[str]:
        if event.type == ORIGINAL:
            return self._show_original(context, event.value != "RELEASE")
        if self._shows_original:
            return {"RUNNING_MODAL"}
        if event.value == "PRESS" and event.type in self.switches:
            self.switch(self.switches[event.type])
            if [each.name for each in self._drag.sliders] != [each.name for each in self.sliders]:
                self._drag = self._new_drag(context, event)
            return self._show(context)
        return super()._respond(context, event)

    def switch(self, name: str) -> None:
        """Turn an option on or off."""
        setattr(self, name, not getattr(self, name))

    def _show_original(self, context: Context, wanted: bool) -> set[str]:
        self._shows_original = wanted
        if not wanted:
            return self._show(context)
        self._restore()
        self.hold(context).header("Original")
        return {"RUNNING_MODAL"}

    def _show(self, context: Context) -> set[str]:
        result = super()._show(context)
        self._show_ghosts()
        text = f"{self._drag.keys_text()}    {self.switches_text()}    Hold O: original"
        self.hold(context).status(text)
        return result

    def switches_text(self) -> str:
        """What keys switch, and how it is now."""
        properties = self.properties.bl_rna.properties
        return "    ".join(f"{key}: {properties[name].name} {self._state(name)}" for key, name in self.switches.items())

    def _state(self, name: str) -> str:
        value, prop = getattr(self, name), self.properties.bl_rna.properties[name]
        return prop.enum_items[value].name if prop.type == "ENUM" else "on" if value else "off"

    def _show_ghosts(self) -> None:
        """The figure as it was."""
        for ghost in self._ghosts:
            ghost.show()

    def _restore(self) -> None:
        for ghost in self._ghosts:
            ghost.hide()
        super()._restore()

    def leave(self, context: Context) -> None:
        """Take back the ghosts, too."""
        super().leave(context)
        self._facts = self._ghosts = ()
        self._shows_original = False

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties and what stays."""
        for name in (*self.own, *self.switches.values()):
            layout.prop(self, name)


class FilterOperator(SignalOperator):
    """Mixin of filters, which can spare the extremes of a motion. A tool implements `filtered` and `reach`."""

    switches = {"P": "keep_peaks", "C": "keep_contacts"}

    strength: FloatProperty(
        name="Strength",
        description="Share of the filtered motion; 0 changes nothing",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    keep_peaks: BoolProperty(
        name="Keep Peaks",
        description="Keep the extremes of every swing and filter only between them",
        default=False,
    )

    def filtered(self, motion: Motion, joints: np.ndarray) -> Motion:
        """The filtered motion."""
        raise NotImplementedError

    def reach(self, motion: Motion) -> float:
        """Seconds around a moment that have a say in it."""
        raise NotImplementedError

    @property
    def needs_places(self) -> bool:
        """Extremes are looked for along the ways of the joints."""
        return self.keep_contacts or self.keep_peaks

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """The filtered motion, its extremes put back if that is wanted."""
        from ...core.filters import keep_extremes

        motion = facts.clip.motion
        after = self.filtered(motion, joints)
        if not self.keep_peaks or after is motion:
            return after
        fade = min(max(self.reach(motion), _SHORTEST_FADE), _LONGEST_FADE)
        return keep_extremes(motion, after, facts.extremes, fade=fade, joints=joints)
