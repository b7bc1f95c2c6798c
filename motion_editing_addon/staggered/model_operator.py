"""What every edit of staggered poses has in common: which poses and bones, contacts, writing, warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, IntProperty

from ...core.wording import counted
from ..border.lengths import length_text
from ..document import scope
from ..interface.operators.modal_slider import ModalSliderOperator
from ..interface.operators.operator import MotionEditOperator
from ..interface.shared_options import ALL_POSES, KEEP_CONTACTS, POSE_NUMBER, RANGE
from .operators import NeedsPoses

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object, UILayout

    from ...core.body import Body
    from ...core.motion import Motion
    from ...core.staggered.model import StaggeredMotion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from .session import Session


# More of them than this would hide what they say.
_MOST_WARNINGS = 3


@dataclass(frozen=True)
class Target:
    """What an edit is meant for.

    Attributes:
        armature: The armature object.
        clip: Its motion as it is.
        session: Its staggered poses.
        active: Number of the pose that is picked.
        poses: Numbers of the poses to change; None for all.
        joints: (J,) joints that may change.
    """

    armature: Object
    clip: Clip
    session: Session
    active: int
    poses: list[int] | None
    joints: np.ndarray

    @property
    def model(self) -> StaggeredMotion:
        """The poses as they are."""
        return self.session.model

    def joint_named(self, bone: str) -> int:
        """The joint of a bone, of the active bone if no name is given."""
        from ...core.errors import MotionEditError

        active = self.armature.data.bones.active
        name = bone or (active.name if active else "")
        if name not in self.clip.motion.skeleton.index or not name:
            raise MotionEditError(f"There is no bone '{name}'" if name else "Make a bone active, or name it")
        return self.clip.motion.skeleton.index[name]

    def seconds(self, scene_frame: float) -> float:
        """A scene frame as time of the action."""
        return scope.from_scene(self.armature, scene_frame) / self.clip.motion.rate

    def scene_frame(self, seconds: float) -> float:
        """A time of the action as scene frame."""
        return float(scope.to_scene(self.armature, [seconds * self.clip.motion.rate])[0])

    def joints_in_place(self) -> np.ndarray:
        """(J,) the chosen joints; without picked bones all but the root, whose travel is not a pose."""
        if scope.picked_bones(self.armature):
            return self.joints
        joints, root = self.joints.copy(), self.body().root
        joints[[0] if root is None else [0, root]] = False
        return joints

    def body(self) -> Body:
        """The character's parts."""
        from ..document.character.saved_body import body_of

        return body_of(self.armature, self.clip)


class ModelEditOperator(NeedsPoses, MotionEditOperator):
    """Mixin of edits of staggered poses. A tool sets `verb`, names its `own` properties, implements `change`."""

    own = ()
    offers_range = False

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    pose: IntProperty(**POSE_NUMBER, default=-1, min=-1)
    all_poses: BoolProperty(**ALL_POSES, default=False)
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def change(self, target: Target) -> StaggeredMotion:
        """The poses after the edit."""
        raise NotImplementedError

    def target(self, context: Context, armature: Object) -> Target:
        """What to change on an armature."""
        from . import session
        from .pose_set import pose_of

        saved = session.require(context, armature, fresh=self.changes_values())
        clip = scope.read_clip(context, armature)
        active = pose_of(context, self.pose)
        poses = None if self.all_poses else [active]
        return Target(armature, clip, saved, active, poses, self.joints(armature, clip))

    def changes_values(self) -> bool:
        """Whether the edit changes what poses look like, not only when they happen."""
        return True

    def prepared(self, target: Target) -> Target:
        """The poses that the edit starts from."""
        return target

    def with_contacts(self, target: Target, model: StaggeredMotion) -> StaggeredMotion:
        """The poses after the edit with feet held, if that is wanted."""
        if not self.keep_contacts:
            return model
        from .contacts import with_held_contacts

        model, held = with_held_contacts(target, model)
        for missed in held.missed[:_MOST_WARNINGS]:
            place = f"frame {target.scene_frame(missed.start):.0f}"
            text = f"{missed.joint} could not be held at {place}: it is off by {length_text(missed.distance)}"
            self.report({"WARNING"}, text)
        return model

    def work(self, context: Context) -> Steps[None]:
        """Edit the poses of the active armature."""
        target = self.target(context, scope.armatures(context)[0])
        yield 0.5
        report, model = self.write(context, target)
        self._report([report], [target.armature])
        self._warn(target, model)

    def write(self, context: Context, target: Target) -> tuple[WriteReport, StaggeredMotion]:
        """Change the poses and the keys; gives what was done and the poses after it."""
        from .pose_edit import commit

        start = self.prepared(target)
        model = self.with_contacts(start, self.change(start))
        return commit(context, target.armature, target.session, model, self.key_options()), model

    def _warn(self, target: Target, model: StaggeredMotion) -> None:
        """Say what has become tight."""
        from ...core.staggered import timing_warnings

        before = {(warning.kind, warning.pose, warning.names) for warning in timing_warnings(target.model)}
        found = timing_warnings(model)
        new = [warning for warning in found if (warning.kind, warning.pose, warning.names) not in before]
        for warning in new[:_MOST_WARNINGS]:
            self.report({"WARNING"}, warning.text(target.scene_frame(warning.time)))
        more = len(new) - _MOST_WARNINGS
        if more > 0:
            self.report({"WARNING"}, counted(more, "more such warning"))

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, which poses, and contacts."""
        for name in (*self.own, "all_poses", "keep_contacts"):
            layout.prop(self, name)


class TimingOperator(ModelEditOperator):
    """Mixin of edits of timing, which may uncover noise that joints in a row have hidden."""

    smooth_first: BoolProperty(
        name="Smooth First",
        description="Smooth the chosen bones before retiming, against capture noise",
        default=False,
    )

    def changes_values(self) -> bool:
        """Only where contacts are kept or bones smoothed."""
        return self.keep_contacts or self.smooth_first

    def prepared(self, target: Target) -> Target:
        """Smoothed first if that is wanted."""
        from .noise import smoothed

        return smoothed(target) if self.smooth_first else target

    def work(self, context: Context) -> Steps[None]:
        """Edit, and say where shake has appeared."""
        from .noise import noise_warning

        armature = scope.armatures(context)[0]
        before = scope.read_clip(context, armature).motion
        yield from super().work(context)
        warning = noise_warning(before, scope.read_clip(context, armature).motion)
        if warning:
            self.report({"WARNING"}, warning)

    def draw_own(self, layout: UILayout) -> None:
        """The smoothing switch besides what all edits have."""
        super().draw_own(layout)
        layout.prop(self, "smooth_first")


class ModelSliderOperator(ModelEditOperator, ModalSliderOperator):
    """Mixin of edits of staggered poses that are set with the mouse while the rig shows the result."""

    _target = None

    def begin(self, context: Context) -> None:
        """Load the poses once; the mouse then only changes numbers."""
        self._target = self.prepared(self.target(context, scope.armatures(context)[0]))

    def preview_motion(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """What the poses show with the present values."""
        from .pose_edit import shown_motion

        return [(self._target.clip, shown_motion(self._target.clip, self.change(self._target)))]


class TimingSliderOperator(TimingOperator, ModelSliderOperator):
    """Mixin of edits of timing that are set with the mouse."""
