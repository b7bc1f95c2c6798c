"""Which bones correspond: between the list that is saved with the target, files, and core."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.body import control_joints, mirror_name
from ...core.errors import MotionEditError
from ...core.retarget import JointMapping, JointPair, name_mapping
from ..border.saved_state import MAPPING, from_text, reading, to_text
from .settings import CHOSEN, empty_list, filling, keep_with_override

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ...core.body import Body
    from ...core.motion import Skeleton


def proposed(source: Body, target: Body) -> JointMapping:
    """Which bones correspond, judged by parts of the body and names."""
    return name_mapping(source.skeleton, target.skeleton, source, target)


def listed(settings: PropertyGroup, source: Skeleton, target: Skeleton) -> JointMapping | None:
    """The mapping of the list; None if there is none, or one for other bones in which nobody chose anything.

    Raises:
        MotionEditError: The list names some bones that are not there, and pairs that somebody chose.
    """
    paired = [pair for pair in settings.pairs if pair.source]
    gone = _gone(paired, source, target)
    if not any(pair.source in source.index for pair in paired):
        return None
    if gone is not None:
        if not any(pair.reason == CHOSEN for pair in settings.pairs):
            return None
        raise MotionEditError(f"{gone}: press Propose Mapping, or choose another one in the list")
    pairs = [JointPair(pair.source, pair.bone, pair.confidence, pair.reason) for pair in paired]
    return of_bones(pairs, source, target)


def _gone(paired: list[PropertyGroup], source: Skeleton, target: Skeleton) -> str | None:
    """Which bone of the pairs is not there; None if all are."""
    for pair in paired:
        for bone, skeleton, whose in ((pair.bone, target, "target"), (pair.source, source, "source")):
            if bone not in skeleton.index:
                return f"The list pairs '{pair.bone}' with '{pair.source}', but the {whose} has no bone '{bone}'"
    return None


def of_bones(pairs: Iterable[JointPair], source: Skeleton, target: Skeleton) -> JointMapping:
    """A mapping of bones, and of the objects that carry them."""
    objects = [JointPair(source.names[0], target.names[0])] if source.has_placement and target.has_placement else []
    bones = [pair for pair in pairs if pair.source and pair.target]
    return JointMapping.of_pairs([*objects, *bones], source, target)


def list_mapping(
    settings: PropertyGroup, mapping: JointMapping, target: Skeleton, *, cleared: Container[str] = ()
) -> None:
    """Put a mapping into the list: every bone of the target, those without a partner too.

    Of control rigs what only serves the controls is left out, unless it has a partner. Cleared bones follow nothing
    because somebody chose that.
    """
    known = {pair.target: pair for pair in mapping.pairs}
    controls = {target.names[joint] for joint in control_joints(target)}
    listed_names = [name for name in mapping.target_names if name and (name in controls or name in known)]
    empty_list(settings)
    keep_with_override(settings.id_data)
    with filling():
        there = {item.bone for item in settings.pairs}
        for name in (name for name in listed_names if name not in there):
            item = settings.pairs.add()
            item.name = item.bone = name
        for item in (item for item in settings.pairs if item.bone in known):
            pair = known[item.bone]
            item.source, item.confidence, item.reason = pair.source, pair.confidence, pair.reason
        for item in (item for item in settings.pairs if item.bone in cleared and not item.source):
            item.reason = CHOSEN
    settings.active = min(settings.active, max(len(settings.pairs) - 1, 0))


def with_chosen_kept(mapping: JointMapping, settings: PropertyGroup) -> JointMapping:
    """A new proposal with the pairs that somebody chose; bones that shall follow nothing have no pair."""
    for pair in (each for each in settings.pairs if each.reason == CHOSEN):
        if not pair.source:
            mapping = mapping.without(pair.bone)
        elif pair.source in mapping.source_names and pair.bone in mapping.target_names:
            mapping = mapping.with_pair(pair.source, pair.bone)
    return mapping


def cleared_bones(settings: PropertyGroup) -> list[str]:
    """Bones that shall follow nothing because somebody chose that."""
    return [pair.bone for pair in settings.pairs if pair.reason == CHOSEN and not pair.source]


def mirror_chosen(settings: PropertyGroup, source_names: Container[str]) -> int:
    """Give chosen pairs to the other side too; tells how many."""
    items, mirrored = {pair.bone: pair for pair in settings.pairs}, 0
    for pair in [each for each in settings.pairs if each.reason == CHOSEN]:
        other, partner = items.get(mirror_name(pair.bone)), mirror_name(pair.source)
        if other is None or other == pair or not _is_for_other_side(pair, other, partner, source_names):
            continue
        if other.source != partner:
            other.source = partner  # The list itself marks it as chosen and frees whoever had it.
            mirrored += 1
    return mirrored


def _is_for_other_side(pair: PropertyGroup, other: PropertyGroup, partner: str, source_names: Container[str]) -> bool:
    """Whether a chosen pair says something about the other side; following nothing undoes no choice made there."""
    if not pair.source:
        return bool(other.reason != CHOSEN)
    return partner != pair.source and partner in source_names


def listed_alone(settings: PropertyGroup) -> JointMapping:
    """The pairs of the list, whatever the skeletons are: for a file."""
    chosen = [pair for pair in settings.pairs if pair.source]
    pairs = tuple(JointPair(pair.source, pair.bone, pair.confidence, pair.reason) for pair in chosen)
    return JointMapping(pairs, tuple(pair.source for pair in chosen), tuple(pair.bone for pair in settings.pairs))


def saved_mapping(path: Path) -> JointMapping:
    """A mapping from a file.

    Raises:
        MotionEditError: The file cannot be read.
    """
    kind = MAPPING.named(str(path))
    try:
        with reading(kind):
            return JointMapping.from_dict(from_text(kind, path.read_text(encoding="utf-8")))
    except OSError as error:
        raise MotionEditError(f"{path} cannot be read: {error.strerror}") from None


def fitting(mapping: JointMapping, source: Skeleton, target: Skeleton) -> tuple[JointMapping, int]:
    """Those pairs of a mapping whose bones two skeletons have, and how many others there are.

    Raises:
        MotionEditError: There is no such pair.
    """
    bones = [pair for pair in mapping.pairs if pair.source and pair.target]
    kept = [pair for pair in bones if pair.source in source.index and pair.target in target.index]
    if not kept:
        raise MotionEditError("The mapping fits neither source nor target: choose another file, or propose one")
    return of_bones(kept, source, target), len(bones) - len(kept)


def write_mapping(path: Path, mapping: JointMapping) -> None:
    """Save a mapping to a file.

    Raises:
        MotionEditError: The file cannot be written.
    """
    try:
        path.write_text(to_text(MAPPING, mapping.to_dict(), indent=1, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise MotionEditError(f"{path} cannot be written: {error.strerror}") from None
