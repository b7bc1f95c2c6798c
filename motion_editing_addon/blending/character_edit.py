"""What the tools of Blend & Loop have in common: facts about the character, contacts kept, numbers in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty

from ..filters.measured_operator import MeasuredOperator
from ..filters.signal_operator import SignalOperator
from ..interface.shared_options import KEEP_CONTACTS

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object, UILayout

    from ...core.motion import Motion
    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..document.take.clip_facts import ClipFacts
    from ..interface.operators.operator import Carry


class CharacterEdit(MeasuredOperator):
    """Mixin of edits of a whole character. A tool names its `own` properties and implements `change` and `held`."""

    own = ()

    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def change(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """The changed motion of a clip; what is outside the joints (J,) is put back afterwards."""
        raise NotImplementedError

    def held(self, facts: ClipFacts, after: Motion) -> Motion:
        """The changed motion with contacts that stand still."""
        from ...core.editing import standing_still

        return standing_still(after, facts.body)

    def edited(self, facts: ClipFacts, joints: np.ndarray) -> Motion:
        """The change kept to the scope, with contacts held if that is wanted."""
        from ...core.motion import within_scope

        clip = facts.clip
        changed = self.change(facts, joints)
        if changed is clip.motion:
            return changed
        after = within_scope(clip.motion, changed, joints, scalars=clip.scalars_of(joints))
        return self.held(facts, after) if self.keep_contacts else after

    def facts_of(self, clip: Clip) -> ClipFacts:
        """What is asked about the clip: its foot slide is measured in the contacts that the edit has."""
        from .edit_facts import EditFacts

        return EditFacts(clip)

    def examine(self, facts: ClipFacts) -> None:
        """Raise if the character cannot be edited."""

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Edit and plan the keys; what it returns writes and measures them."""
        from ..border import action_io

        facts = self.facts_of(clip)
        yield from facts.sample()
        self.examine(facts)
        edited = self.edited(facts, joints)
        yield 0.5
        planned = yield from action_io.plan_write(facts.clip, edited, self.key_options())
        return self.measured(facts, self.carrying(facts, planned, edited))

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, and whether contacts stay."""
        for name in (*self.own, "keep_contacts"):
            layout.prop(self, name)


class CharacterSlider(CharacterEdit, SignalOperator):
    """Mixin of edits of a whole character whose value the mouse sets."""


class WholeCharacter:
    """Mixin of tools that move the character as a whole, whatever bones are picked."""

    offers_range = False

    def joints(self, _armature: Object, clip: Clip) -> np.ndarray:
        """(J,) all of them."""
        import numpy as np

        return np.ones(len(clip.motion.skeleton), dtype=bool)
