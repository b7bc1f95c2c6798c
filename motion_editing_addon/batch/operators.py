"""Recipes in the window: a stack saved as one, and one run on the selected characters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...core.errors import MotionEditError
from ..border.translation import counted_text, report_text
from ..document import scope, transaction
from ..document.stack import last_edit
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from .recipes import recipe, reference_clips, stack_recipe, steps, target

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object

    from .recipes.recipe import Recipe

# Recipes that come with the extension.
_SHIPPED = Path(__file__).resolve().parents[2] / "recipes"


class MOTIONEDIT_OT_save_recipe(ExportHelper, NeedsClip, Operator):
    """Save the edits of the stack as a recipe for other clips"""

    bl_idname = "motion_editing.save_recipe"
    bl_label = "Save Stack as Recipe"
    filename_ext = ".toml"
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an edit."""
        reason = scope.why_not(context)
        if reason is None and not scope.own_action(scope.armatures(context)[0]).motion_editing_stack.entries:
            return "No edits yet: the tools that you use are listed here"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Write the file."""
        return guarded(self, lambda: self._save(scope.armatures(context)[0]))

    def _save(self, armature: Object) -> str:
        path = Path(bpy.path.abspath(self.filepath))
        entries = scope.own_action(armature).motion_editing_stack.of(armature)
        chosen = [entry for entry in entries if stack_recipe.is_step(entry) and not entry.is_muted]
        if not chosen:
            raise MotionEditError("All edits are muted, or set by hand: a recipe has tools alone")
        try:
            path.write_text(stack_recipe.recipe_text(path.stem.replace("_", " "), chosen), encoding="utf-8")
        except OSError as error:
            raise MotionEditError(f"The recipe cannot be written: {error.strerror}") from None
        text = report_text("Saved {steps} in '{file}'", steps=counted_text(len(chosen), "step"), file=path.name)
        left_out = sum(1 for entry in entries if not stack_recipe.is_step(entry))
        return f"{text}; {report_text('what was set by hand is no part of it')}" if left_out else text


class MOTIONEDIT_OT_run_recipe(ImportHelper, NeedsClip, Operator):
    """Do the steps of a recipe to the selected characters"""

    bl_idname = "motion_editing.run_recipe"
    bl_label = "Run Recipe"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".toml"
    filter_glob: StringProperty(default="*.toml", options={"HIDDEN"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Begin at the recipes that come with the extension."""
        dialog: Any = self
        if not dialog.filepath and _SHIPPED.is_dir():
            dialog.filepath = f"{_SHIPPED}/"
        return ImportHelper.invoke(self, context, event)

    def execute(self, context: Context) -> set[str]:
        """Check the whole recipe, then do its steps, to one character after the other."""
        return guarded(self, lambda: self._run(context))

    def _run(self, context: Context) -> str:
        read = recipe.read_recipe(Path(bpy.path.abspath(self.filepath)))
        active: Any = context.view_layer.objects.active
        selected = [each for each in scope.selected_objects(context) if scope.is_armature(each)]
        chosen = [each for each in selected if scope.action_of(each)] or scope.armatures(context)[:1]
        mode = active.mode
        if mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            for armature in chosen:
                _do(context, armature, read)
        finally:
            context.view_layer.objects.active = active
            if active.mode != mode:
                bpy.ops.object.mode_set(mode=mode)
        characters = counted_text(len(chosen), "character")
        return report_text("'{title}' done to {characters}", title=read.title, characters=characters)


def _do(context: Context, armature: Object, read: Recipe) -> None:
    """All steps or none."""
    context.view_layer.objects.active = armature
    stack = scope.own_action(armature).motion_editing_stack
    count = len(stack.entries)
    references = reference_clips.LoadedReferences(read.references)
    loaded = target.LoadedTarget(read.target) if read.target else None
    try:
        with transaction.edit(armature):
            name = loaded.name if loaded else ""
            steps.apply_steps(armature, read.steps, target=name, done=lambda _step, thing: last_edit.close(thing))
    except BaseException:
        for number in reversed(range(count, len(stack.entries))):
            stack.entries.remove(number)
        last_edit.close(armature)  # its keys are those from before the recipe again
        raise
    finally:
        references.remove()
