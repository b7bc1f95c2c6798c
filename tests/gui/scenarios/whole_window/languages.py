"""First panels and reports in German, Japanese and English; nothing is left when the extension is disabled."""

from __future__ import annotations

import importlib
import sys

import bpy
from bpy.app import translations
from harness import Window, check_equal, wait_until
from newcomer import messages
from window_input import REDRAW_PAUSE, Steps

EXTENSION = "bl_ext.user_default.motion_editing"
# Of each language a button, a tooltip, a panel, two reports and a refusal.
SHOWN = {
    "de_DE": (
        "Körperteile finden",
        "Die Keys von vor der ersten Bearbeitung wiederherstellen",
        "Figur",
        "284 Frames auf 24 Knochen geladen",
        "24 Knochen über 284 Frames umgewandelt",
        "Kopf ist ein einziger Knochen, und 2 sind gewählt: einen auswählen",
    ),
    "ja_JP": (
        "体の部位を検出",
        "最初の編集の前のキーを復元します",
        "キャラクター",
        "24 個のボーンに 284 フレームを読み込みました",
        "284 フレームにわたりボーン 24 個を変換",
        "頭はボーン 1 個です (2 個選択中): 1 個だけ選択してください",
    ),
    "en_US": (
        "Find Body Parts",
        "Restore the keys from before the first edit",
        "Character",
        "Loaded 284 frames on 24 bones",
        "Converted 24 bones over 284 frames",
        "The head is one bone, and 2 are chosen: select one",
    ),
}


def scenario(window: Window) -> Steps:
    """Each language in turn, with the same buttons."""
    yield from window.open_sidebar("Motion")
    for language, (button, tip, panel, loaded, converted, refusal) in SHOWN.items():
        choose(language)
        check_equal(translations.pgettext_iface("Find Body Parts", "Operator"), button, f"button in {language}")
        check_equal(translations.pgettext_tip("Restore the keys from before the first edit"), tip, "tooltip")
        check_equal(translations.pgettext_iface("Character"), panel, f"panel in {language}")
        yield from window.click_operator("motion_editing.load_sample_motion")
        yield from reported(window, loaded)
        yield from window.screenshot(f"clip-{language}")
        bpy.ops.motion_editing.find_character()
        check_equal(refused(), refusal, f"refusal in {language}")
        bpy.ops.motion_editing.convert_keys("INVOKE_DEFAULT")
        yield from reported(window, converted)
        yield from window.screenshot(f"converted-{language}")
        bpy.data.objects.remove(bpy.context.object)
        yield REDRAW_PAUSE
    disable()


def choose(language: str) -> None:
    """As in the preferences."""
    view = bpy.context.preferences.view
    view.language = language
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True


def reported(window: Window, text: str) -> Steps:
    """Wait for a report that begins so: of a script's call Blender prints it, of a button or long work it logs it."""
    yield from wait_until(lambda: any(line.startswith(text) for line in told(window)), f"{text!r} reported")


def told(window: Window) -> list[str]:
    """What was reported so far, in whichever way."""
    sys.stdout.flush()
    printed = (window.results / "output.txt").read_text(errors="replace").splitlines()
    return [*messages(window), *(line.partition(": ")[2] for line in printed)]


def refused() -> str:
    """What an operator says that cannot be done, as the strip shows it: without Blender's word for an error."""
    told_by = importlib.import_module(f"{EXTENSION}.motion_editing_addon.border.translation").told_by
    try:
        bpy.ops.motion_editing.set_role(role="head", bones="neck, head")
    except RuntimeError as error:
        return told_by(error)
    return ""


def disable() -> None:
    """The texts go with the extension, and come with it."""
    choose("de_DE")
    for enabled, told in ((False, "Find Body Parts"), (True, "Körperteile finden"), (False, "Find Body Parts")):
        change = bpy.ops.preferences.addon_enable if enabled else bpy.ops.preferences.addon_disable
        change(module=EXTENSION)
        check_equal(translations.pgettext_iface("Find Body Parts", "Operator"), told, f"button, enabled {enabled}")
