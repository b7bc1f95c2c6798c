"""What solving and dragging have in common: how the motion may change, and a report of what is missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from .. import scope
from ..blend_loop.character_edit import WholeCharacter
from ..operator import MotionEditOperator

if TYPE_CHECKING:
    import bpy
    import numpy as np
    from bpy.types import Context, Object, UILayout

    from ...core.motion import Motion
    from ...core.spacetime import Position
    from ..action_io import Clip, WriteReport
    from ..clean_filter.clip_facts import ClipFacts
    from ..operator import Carry
    from ..steps import Steps
    from .solving import ConstrainedClip, SolveOptions

_MOST_NAMED = 3


class SpacetimeEdit(WholeCharacter, MotionEditOperator):
    """Mixin of edits of the whole motion that hold the listed constraints. A tool may add `handles`."""

    offers_range = True
    own = ()
    _missed = ()

    spacing: IntProperty(
        name="Spacing",
        description="Frames of the quickest swing that the change may have; fewer follow constraints more closely",
        default=10,
        min=1,
        soft_max=60,
    )
    objective: EnumProperty(
        name="Objective",
        description="What makes a change large",
        items=(
            ("CHANGE", "Least Change", "Every change counts"),
            ("SLOW", "Least Quick Change", "Slow changes are nearly free: the whole motion leans over gently"),
        ),
    )
    slow: FloatProperty(
        name="Slow Below", description="Changes slower than this, in hertz, are nearly free", default=0.5, min=0.01
    )
    hold_root: BoolProperty(name="Hold Root", description="Let bones without a parent stay as they are", default=False)
    keep_contacts: BoolProperty(
        name="Keep Contacts",
        description="Afterwards hold feet and hands in contact, kept bones and those that may not skid by limb IK",
        default=False,
    )

    def handles(self, _constrained: ConstrainedClip) -> tuple[Position, ...]:
        """What else has to hold, after the constraints of the list."""
        return ()

    def constrained(self, clip: Clip, window: tuple[int, int] | None) -> ConstrainedClip:
        """The clip with its list."""
        from .solving import ConstrainedClip

        return ConstrainedClip(clip, _items(clip.armature), self.solve_options(), window=window)

    def solve_options(self) -> SolveOptions:
        """The properties as the solver takes them."""
        from .solving import SolveOptions

        slow = self.slow if self.objective == "SLOW" else 0.0
        return SolveOptions(spacing=self.spacing, slow=slow, hold_root=self.hold_root)

    # Doing it

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures; then tell what is missed."""
        self._missed = []
        yield from super().work(context)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Solve, and plan the keys; what it returns writes them and looks at what they miss."""
        from .. import action_io
        from ..clean_filter.clip_facts import ClipFacts

        whole, window = self.whole(clip)
        facts = ClipFacts(whole)
        yield from facts.sample()
        constrained = self.constrained(whole, window)
        handles = self.handles(constrained)
        check_places(facts, (*constrained.listed.constraints, *handles))
        yield 0.2
        edited = self.edited(facts, constrained, handles)
        yield 0.6
        planned = yield from action_io.plan_write(whole, edited, self.key_options())

        def carry_out() -> WriteReport:
            report = planned.carry_out()
            self.written(constrained, handles)
            return report

        return carry_out

    def whole(self, clip: Clip) -> tuple[Clip, tuple[int, int] | None]:
        """The whole action, and the rows of what was read: a range is changed so that it joins smoothly."""
        import bpy
        import numpy as np

        if self.range == "ACTION":
            return clip, None
        whole = scope.read_clip(bpy.context, clip.armature)
        first, last = np.searchsorted(whole.frames, clip.frames[[0, -1]] - 1e-3)
        return whole, (int(first), int(min(last, len(whole.frames) - 1)))

    def edited(self, facts: ClipFacts, constrained: ConstrainedClip, handles: tuple[Position, ...]) -> Motion:
        """The least change that meets everything, closed by limb IK if that is wanted."""
        from .closing import closed

        motion = facts.clip.motion
        after = constrained.solved(handles)
        if not self.keep_contacts or after is motion:
            return after
        held = [_items(facts.clip.armature)[number] for number in constrained.listed.numbers]
        moved = {motion.skeleton.names[each.joint] for each in handles}
        return closed(motion, after, facts.body, facts.contacts, held, moved=moved)

    def written(self, constrained: ConstrainedClip, handles: tuple[Position, ...]) -> None:
        """Look at what the keys, as they are now, miss."""
        from .. import action_io

        clip = constrained.clip
        now = action_io.read(clip.armature, rate=clip.motion.rate, start=clip.frames[0], end=clip.frames[-1])
        misses = constrained.misses(now.motion, handles)
        self._missed += [each for _number, each in misses]
        _note(_items(clip.armature), constrained.listed.numbers, dict(misses))

    def _report(self, reports: list[WriteReport], chosen: list[Object]) -> None:
        super()._report(reports, chosen)
        if self._missed:
            self.report({"WARNING"}, self._missed_text())

    def _missed_text(self) -> str:
        worst = sorted(self._missed, key=lambda each: -each.amount)
        named = [f"'{each.name}' by {each.amount:.3g} at frame {each.frame:g}" for each in worst[:_MOST_NAMED]]
        count = len(worst)
        more = f" and {count - _MOST_NAMED} more" if count > _MOST_NAMED else ""
        return f"{count} constraint{'s are' if count > 1 else ' is'} missed: {', '.join(named)}{more}"

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, then how the motion may change."""
        for name in (*self.own, "spacing", "objective"):
            layout.prop(self, name)
        if self.objective == "SLOW":
            layout.prop(self, "slow")
        for name in ("hold_root", "keep_contacts"):
            layout.prop(self, name)


def check_places(facts: ClipFacts, constraints: tuple[object, ...]) -> None:
    """Refuse bones that something else than their own channels moves.

    Raises:
        MotionEditError: A constraint or driver of the rig moves the bone.
    """
    import numpy as np

    from ...core.errors import MotionEditError
    from ...core.spacetime.degrees import size_of

    if facts.positions is None:
        return
    motion = facts.clip.motion
    away = np.abs(facts.positions - motion.poses.positions).max(axis=(0, 2))
    for each in constraints:
        for character, joint in each.ends():
            if character == 0 and away[joint] > 1e-3 * size_of(motion.skeleton):
                name = motion.skeleton.names[joint]
                raise MotionEditError(
                    f"'{name}' is moved by the rig's constraints or drivers: choose its control, or bake"
                )


def _items(armature: Object) -> bpy.types.bpy_prop_collection:
    return scope.action_of(armature).motion_editing_constraints.listed


def _note(items: bpy.types.bpy_prop_collection, held: tuple[int, ...], misses: dict[int, object]) -> None:
    """Note beside each constraint that was held by how much it is missed."""
    for number in held:
        missed = misses.get(number)
        items[number].missed = missed.amount if missed else 0.0
        items[number].missed_frame = missed.frame if missed else 0.0
