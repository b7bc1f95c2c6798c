"""Files with motion: into an empty Blender, and out of it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ....core.errors import FileFormatError, FileWriteError
from ...document import scope
from ...document.take.examination import STATED
from .blender_errors import reason_of
from .bvh_output import write_active
from .fbx_actions import name_as_written
from .fbx_bones import untie_moving_bones
from .gltf_rate import sampled_rate


def _import_bvh(path: Path) -> None:
    bpy.ops.motion_editing.import_bvh(filepath=str(path), check_rate=False)
    settings = bpy.context.object.animation_data.action.motion_editing
    # The scene plays the file at its own speed, so that formats that state seconds get the right ones.
    play_at(settings.source_rate)
    # Whether its rate can be right is judged before the first edit, which needs it; results are as long as the file.
    settings.examined = False


def play_at(rate: float) -> None:
    """Let the scene play so many frames a second."""
    render = bpy.context.scene.render
    render.fps = max(1, round(rate))
    render.fps_base = render.fps / rate


def _import_fbx(path: Path) -> None:
    # Not import_scene.fbx: it fails on lamps in Blender 5.0.
    known = set(bpy.data.objects), set(bpy.data.actions)
    with _rate_believed():
        bpy.ops.wm.fbx_import(filepath=str(path))
    armatures = [thing for thing in bpy.data.objects if thing not in known[0] and scope.is_armature(thing)]
    actions = [action for action in bpy.data.actions if action not in known[1]]
    untie_moving_bones(armatures, actions)
    name_as_written(armatures, actions)


def _import_gltf(path: Path) -> None:
    play_at(sampled_rate(path))
    with _rate_believed(), _rate_of_gltf():
        bpy.ops.import_scene.gltf(filepath=str(path))


@contextmanager
def _rate_of_gltf() -> Iterator[None]:
    """Blender's glTF reader and writer multiply by the base of the rate; everyone else divides by it."""
    render = bpy.context.scene.render
    base = render.fps_base
    render.fps_base = 1.0 / base
    try:
        yield
    finally:
        render.fps_base = base


@contextmanager
def _rate_believed() -> Iterator[None]:
    """Believe the seconds of the file: a guess from the movement would change how long its clips are."""
    known = set(bpy.data.actions)
    yield
    for action in set(bpy.data.actions) - known:
        settings = action.motion_editing
        settings.source_rate, settings.source_rate_reason = scope.scene_rate(bpy.context), STATED


def _open_blend(path: Path) -> None:
    # Scripts in a file of a stranger do not run.
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
    for thing in bpy.data.objects:
        if thing.animation_data is not None and thing.animation_data.use_tweak_mode:
            # While a strip is being tweaked, Blender refuses to let another action be played.
            thing.animation_data.use_tweak_mode = False


_READERS: dict[str, Callable[[Path], None]] = {
    ".bvh": _import_bvh,
    ".fbx": _import_fbx,
    ".glb": _import_gltf,
    ".gltf": _import_gltf,
    ".blend": _open_blend,
}
FORMATS = tuple(_READERS)


def start_empty() -> None:
    """A scene with nothing in it; the add-on stays."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def load(path: Path) -> None:
    """Read a file into the scene; a .blend file takes the scene's place.

    Raises:
        FileFormatError: It cannot be read; the reason in one line.
    """
    if not path.is_file():
        raise FileFormatError(f"{path}: there is no {'motion in this folder' if path.is_dir() else 'such file'}")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise FileFormatError(f"{path}: not one of {', '.join(FORMATS)}")
    try:
        reader(path)
    except RuntimeError as error:
        reason = reason_of(error)
        raise FileFormatError(reason if path.name in reason else f"{path}: {reason}") from None
    except (ValueError, KeyError, IndexError, AttributeError, TypeError, OSError) as error:
        # Blender's importers are Python too, and trip over broken files.
        raise FileFormatError(f"{path}: the file is damaged: {error!r}") from None


def _export_bvh(path: Path, like: Path) -> tuple[str, ...]:
    return write_active(path, like)


def _export_fbx(path: Path, _like: Path) -> None:
    bpy.ops.export_scene.fbx(
        filepath=str(path),
        add_leaf_bones=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
        path_mode="ABSOLUTE",  # the file is moved after it is written
    )


def _export_gltf(path: Path, _like: Path) -> None:
    with _rate_of_gltf():
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            export_format="GLB" if path.suffix.lower() == ".glb" else "GLTF_SEPARATE",
            export_animation_mode="ACTIONS",
            export_optimize_animation_size=False,
            # A folder of its own: textures of another result may have the same names.
            export_texture_dir=f"{path.stem} textures",
        )


def _save_blend(path: Path, _like: Path) -> None:
    # Relative paths to textures and libraries would no longer lead anywhere: the file is moved after it is written.
    bpy.ops.file.make_paths_absolute()
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, relative_remap=False)


_WRITERS: dict[str, Callable[[Path, Path], tuple[str, ...] | None]] = {
    ".bvh": _export_bvh,
    ".fbx": _export_fbx,
    ".glb": _export_gltf,
    ".gltf": _export_gltf,
    ".blend": _save_blend,
}


def save(path: Path, *, like: Path) -> tuple[str, ...]:
    """Write the scene, or for BVH the active armature, in the format of the file's name.

    Args:
        path: The file to write.
        like: The file that the armature comes from; a BVH file keeps the habits of the one it was.

    Returns:
        What the format could not hold.

    Raises:
        FileWriteError: It could not be written; the reason in one line.
    """
    try:
        warnings = _WRITERS[path.suffix.lower()](path, like)
    except (RuntimeError, OSError) as error:
        raise FileWriteError(f"{path.name} cannot be written: {reason_of(error)}") from None
    if not path.is_file() or not path.stat().st_size:
        raise FileWriteError(f"{path.name} cannot be written: is the disk full?")
    return warnings or ()
