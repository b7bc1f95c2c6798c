"""Finding flaws of captured motion and putting them right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Operator

from ... import core
from ...core.cleaning import RepairFlaws
from ..border.lazy_modules import np
from ..border.translation import report_text
from ..document import scope
from ..document.take import clip_take
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsClip
from ..interface.shared_options import RANGE
from . import flaws, repair_run

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..border.action_io import Clip
    from ..border.steps import Steps


class MOTIONEDIT_OT_find_flaws(LongWorkOperator, NeedsClip, Operator):
    """List spikes, gaps, flips and feet below the floor"""

    bl_idname = "motion_editing.find_flaws"
    bl_label = "Find Flaws"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    spikes: BoolProperty(name="Spikes", description="Find single frames far away from their neighbours", default=True)
    gaps: BoolProperty(
        name="Gaps",
        description="Find bones that freeze during movement, as where capture was lost",
        default=True,
    )
    flips: BoolProperty(name="Flips", description="Find channels that jump while the bone does not", default=True)
    below_floor: BoolProperty(name="Below Floor", description="Find feet below the floor", default=True)
    threshold: FloatProperty(
        name="Threshold",
        description="Size of a spike relative to usual movement; lower finds more",
        default=6.0,
        min=1.0,
        soft_max=20.0,
    )
    longest: FloatProperty(
        name="Longest",
        description="Longest spike in seconds, at least one frame",
        default=0.03,
        min=0.0,
        max=0.5,
        soft_max=0.2,
        step=1,
        precision=3,
        unit="TIME_ABSOLUTE",
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Depth below the floor that is allowed, in body heights",
        default=0.02,
        min=0.0,
        soft_max=0.1,
        precision=3,
    )
    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION")

    def work(self, context: Context) -> Steps[None]:
        """Search the chosen bones of the active armature."""
        armature = scope.armatures(context)[0]
        clip = scope.read_clip(context, armature, choice=self.range)
        facts = clip_take.ClipTake(clip)
        wanted = (self.spikes, self.gaps, self.flips, self.below_floor)
        kinds = (
            core.analysis.flaws.FlawKind.SPIKE,
            core.analysis.flaws.FlawKind.HELD,
            core.analysis.flaws.FlawKind.JUMP,
            core.analysis.flaws.FlawKind.BELOW_FLOOR,
        )
        yield 0.1
        search = flaws.Search(
            frozenset(kind for kind, chosen in zip(kinds, wanted, strict=True) if chosen),
            self.threshold,
            max(1, round(self.longest * clip.motion.rate)),
            self.tolerance,
        )
        text = flaws.listed(clip, flaws.find(facts, _joints(armature, clip), search), search)
        if self.below_floor and not flaws.can_find_floor(facts):
            text += report_text("; feet were left out: the Character panel knows no legs, or constraints move them")
        self.report({"INFO"}, text)

    def draw(self, _context: Context) -> None:
        """What to look for, and how."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("spikes", "threshold", "longest", "gaps", "flips", "below_floor", "tolerance", "range"):
            layout.prop(self, name)


def _joints(armature: Object, clip: Clip) -> np.ndarray:
    """(J,) joints in scope: the chosen bones; with no bone picked the object itself too."""
    names = scope.chosen_bones(armature) | (set() if scope.picked_bones(armature) else {""})
    return np.array([name in names for name in clip.motion.skeleton.names])


class MOTIONEDIT_OT_repair_flaws(MotionEditOperator, Operator):
    bl_idname = "motion_editing.repair_flaws"
    bl_label = "Repair Flaws"
    tool = RepairFlaws
    offers_range = False

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})

    def chosen(self, context: Context) -> list[Object]:
        """The list is that of the active armature."""
        return scope.armatures(context)[:1]

    def run(self) -> repair_run.RepairRun:
        """On the listed flaws."""
        return repair_run.RepairRun(self)
