"""Panel "Layers": the list of layers, the scope of the active one, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import Menu, UIList

from ..border.translation import counted_text, label_text
from ..document import scope
from ..interface.panels import draw_note, in_every_editor, is_narrow, side_by_side
from .layer_operator import is_editing
from .row_edits import influence_key_state

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout


class MOTIONEDIT_UL_layers(UIList):
    """Layers with influence, solo and mute, the topmost first."""

    def draw_item(
        self, context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """Name, influence with its keys, solo, mute."""
        row = layout.row(align=True)
        split = row.split(factor=0.42, align=True)
        named = split.row(align=True)
        named.active = not item.muted
        armature = scope.edited_object(context)
        edited = (
            armature is not None and is_editing(armature) and armature.motion_editing_layer_edit.layer == item.known_as
        )
        named.prop(item, "name", text="", emboss=False, icon="POSE_HLT" if edited else "NONE")
        strength = split.row(align=True)
        strength.active = not item.muted
        strength.prop(item, "influence", text="", slider=True)
        _draw_influence_key(strength, item)
        row.prop(item, "solo", text="", icon="SOLO_ON" if item.solo else "SOLO_OFF", emboss=False)
        row.prop(item, "muted", text="", icon="HIDE_ON" if item.muted else "HIDE_OFF", emboss=False)


def _draw_influence_key(layout: UILayout, item: PropertyGroup) -> None:
    """The diamond that Blender draws beside keyed properties: full on a key, hollow between keys, a dot without."""
    state = influence_key_state(item)
    icon = {"KEY": "DECORATE_KEYFRAME", "KEYED": "DECORATE_ANIMATE", "NONE": "DOT"}[state]
    key = layout.operator("motion_editing.key_layer_influence", text="", icon=icon, emboss=False)
    key.layer, key.remove = item.known_as, state == "KEY"


class LayersPanel:
    """Changes of a motion in layers that stay editable."""

    bl_label = "Layers"
    bl_order = 6

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """Make a layer, or see and change the ones that there are."""
        armature = scope.armatures(context)[0]
        action = scope.action_of(armature)
        settings = action.motion_editing_layers if action else None
        if settings is None or not settings.layers:
            _draw_start(self.layout, context)
            return
        _draw_problem(self.layout, context, settings)
        _draw_list(self.layout, settings)
        _draw_posing(self.layout, context, armature)
        if 0 <= settings.active < len(settings.layers):
            _draw_active(self.layout, context, settings.layers[settings.active])
        _draw_tools(self.layout, context, settings)


def _draw_start(layout: UILayout, context: Context) -> None:
    column = layout.column(align=True)
    column.scale_y = 1.3
    column.operator("motion_editing.add_layer", icon="ADD")
    draw_note(layout, context, "Poses keyed in a layer change the motion around them and can be changed at any time")


def _draw_problem(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    if settings.problem:
        box = layout.box()
        box.alert = True
        draw_note(box, context, settings.problem)


def _draw_list(layout: UILayout, settings: PropertyGroup) -> None:
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_layers", "", settings, "layers", settings, "active", rows=4)
    side = row.column(align=True)
    side.operator("motion_editing.add_layer", text="", icon="ADD")
    side.operator("motion_editing.remove_layer", text="", icon="REMOVE")
    side.separator()
    side.menu("MOTIONEDIT_MT_layer", text="", icon="DOWNARROW_HLT")
    side.separator()
    side.operator("motion_editing.move_layer", text="", icon="TRIA_UP").direction = "UP"
    side.operator("motion_editing.move_layer", text="", icon="TRIA_DOWN").direction = "DOWN"


def _draw_posing(layout: UILayout, context: Context, armature: Object) -> None:
    """The way to pose in a layer: begin, key, keep or leave."""
    column = layout.column(align=True)
    if not is_editing(armature):
        row = column.row(align=True)
        row.scale_y = 1.3
        row.operator("motion_editing.edit_layer", icon="POSE_HLT")
        _draw_keys(column)
        return
    edited = armature.motion_editing_layer_edit.layer
    column.label(text=label_text("Editing '{layer}'", layer=edited), icon="POSE_HLT")
    _draw_keys(column, scale=1.3)
    row = column.row(align=True)
    row.operator("motion_editing.apply_layer_edit", text="Apply", icon="CHECKMARK")
    row.operator("motion_editing.cancel_layer_edit", text="Cancel", icon="X")
    if context.scene.tool_settings.use_keyframe_insert_auto:
        draw_note(layout, context, "Auto keying puts poses into this layer")


def _draw_keys(column: UILayout, *, scale: float = 1.0) -> None:
    row = column.row(align=True)
    row.scale_y = scale
    row.operator("motion_editing.key_layer", icon="KEY_HLT")
    row.operator("motion_editing.key_layer_neutral", text="Neutral")
    row.operator("motion_editing.unkey_layer", text="", icon="KEY_DEHLT")


def _draw_active(layout: UILayout, context: Context, item: PropertyGroup) -> None:
    """What the active layer holds, and its scope."""
    facts = layout.column(align=True) if is_narrow(context) else layout.split(factor=0.64)
    facts.active = False
    keys = label_text("Keys at {frames}", frames=item.key_frames) if item.key_frames else "No keys yet"
    facts.label(text=keys, icon="KEYFRAME")
    facts.label(text=counted_text(item.bones, "bone"), icon="BONE_DATA")
    header, body = layout.panel("MOTIONEDIT_layer_scope")
    header.label(text="Scope")
    if body is None:
        return
    column = body.column()
    column.use_property_split = True
    column.use_property_decorate = False
    for first, second in (("start", "end"), ("ease_in", "ease_out")):
        pair = column.column(align=True)
        pair.prop(item, first)
        pair.prop(item, second)
    row = side_by_side(body, context)
    row.operator_menu_enum("motion_editing.layer_scope", "range", text="From Range")
    row.operator("motion_editing.limit_layer", text="Selected Bones")


def _draw_tools(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    column = layout.column(align=True)
    row = side_by_side(column, context)
    row.operator("motion_editing.retime_layer")
    row.operator("motion_editing.mirror_layer", text="Mirror")
    row = side_by_side(column, context)
    row.operator("motion_editing.merge_layer", text="Merge Down")
    row.operator("motion_editing.merge_all_layers", text="Merge All")
    keys = layout.column()
    keys.use_property_split = True
    keys.use_property_decorate = False
    keys.prop(settings, "keying")


class MOTIONEDIT_MT_layer(Menu):
    """What can be done with the active layer."""

    bl_label = "Layer"

    def draw(self, _context: Context) -> None:
        """Copies and repairs."""
        layout = self.layout
        layout.operator("motion_editing.duplicate_layer", icon="DUPLICATE")
        layout.operator("motion_editing.mirror_layer", text="Mirrored Copy", icon="MOD_MIRROR").copy = True
        layout.operator("motion_editing.copy_layer", icon="ARMATURE_DATA")
        layout.separator()
        layout.operator("motion_editing.keys_to_layer", icon="IMPORT")


_MENU = (
    ("add_layer", "edit_layer", "apply_layer_edit", "cancel_layer_edit"),
    ("key_layer", "key_layer_neutral", "unkey_layer", "key_layer_influence"),
    ("duplicate_layer", "copy_layer", "mirror_layer", "retime_layer"),
    ("limit_layer", "layer_scope", "move_layer"),
    ("merge_layer", "merge_all_layers", "remove_layer"),
    ("keys_to_layer",),
)


class MOTIONEDIT_MT_layers(Menu):
    """All tools for layers."""

    bl_label = "Layers"

    def draw(self, _context: Context) -> None:
        """All tools in groups."""
        for group in _MENU:
            for name in group:
                self.layout.operator(f"motion_editing.{name}")
            self.layout.separator()


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_layers.__name__)


panels = in_every_editor(LayersPanel)
