"""Panel "Contacts"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import UIList

from ..document import scope
from ..interface.panels import draw_note, in_every_editor, is_narrow

if TYPE_CHECKING:
    from bpy.types import Context, PropertyGroup, UILayout


_MENU = ("lock_feet", "find_contacts", "mark_contact", "split_contact", "join_contacts", "remove_contact")


class MOTIONEDIT_UL_contacts(UIList):
    """Contacts with bone and frames."""

    def draw_item(
        self, context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """One row: the bone, and its frames to be changed; fields need more room than a narrow sidebar has."""
        narrow = is_narrow(context)
        split = layout.split(factor=0.5 if narrow else 0.4, align=True)
        split.label(text=item.bone, translate=False)
        if narrow:
            split.label(text=f"{item.start:.0f}-{item.end:.0f}")
            return
        row = split.row(align=True)
        row.prop(item, "start", text="", emboss=False)
        row.prop(item, "end", text="", emboss=False)

    def filter_items(self, context: Context, data: PropertyGroup, name: str) -> tuple[list[int], list[int]]:
        """Those of the armature's slot, with the letters that are searched for in the bone's name."""
        items, sought = getattr(data, name), self.filter_name.lower()
        armature = scope.armatures(context)[0]
        shown = (item.belongs_to(armature) and sought in item.bone.lower() for item in items)
        return [self.bitflag_filter_item * is_shown for is_shown in shown], []


class ContactsPanel:
    """When feet and hands stand still."""

    bl_label = "Contacts"
    bl_order = 12
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with an action."""
        chosen = scope.armatures(context)
        return bool(chosen) and scope.action_of(chosen[0]) is not None

    def draw(self, context: Context) -> None:
        """What to do with contacts; the list, or how to fill it."""
        layout = self.layout
        main = layout.row()
        main.scale_y = 1.4
        main.operator("motion_editing.lock_feet", icon="LOCKED")
        layout.operator("motion_editing.find_contacts", icon="VIEWZOOM")
        armature = scope.armatures(context)[0]
        settings = scope.own_action(armature).motion_editing_contacts
        if not settings.is_known(armature):
            draw_note(layout, context, "Found by itself when a tool keeps contacts; to correct it, press Find Contacts")
        row = layout.row()
        row.template_list("MOTIONEDIT_UL_contacts", "", settings, "spans", settings, "active", rows=3)
        side = row.column(align=True)
        side.operator("motion_editing.mark_contact", text="", icon="ADD")
        side.operator("motion_editing.remove_contact", text="", icon="REMOVE")
        side.separator()
        side.operator("motion_editing.split_contact", text="", icon="SNAP_MIDPOINT")
        side.operator("motion_editing.join_contacts", text="", icon="AUTOMERGE_ON")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in _MENU:
        layout.operator(f"motion_editing.{name}")


panels = in_every_editor(ContactsPanel)
