"""Which bones correspond: between the list that is saved with the target, files, and core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ...core.retargeting import JointMapping, JointPair, name_mapping

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ...core.body import Body
    from ...core.skeleton import Skeleton


def proposed(source: Body, target: Body) -> JointMapping:
    """Which bones correspond, judged by parts of the body and names."""
    return name_mapping(source.skeleton, target.skeleton, source, target)


def listed(settings: PropertyGroup, source: Skeleton, target: Skeleton) -> JointMapping | None:
    """The mapping of the list; None if there is no list.

    Raises:
        MotionEditError: The list names bones that are not there.
    """
    chosen = [pair for pair in settings.pairs if pair.source]
    if not chosen:
        return None
    pairs = [JointPair(pair.source, pair.bone, pair.confidence, pair.reason) for pair in chosen]
    if source.has_placement and target.has_placement:
        pairs.append(JointPair(source.names[0], target.names[0]))
    return JointMapping.of_pairs(pairs, source, target)


def list_mapping(settings: PropertyGroup, mapping: JointMapping) -> None:
    """Put a mapping into the list: every bone of the target, those without a partner too."""
    known = {pair.target: pair for pair in mapping.pairs}
    settings.pairs.clear()
    for name in filter(None, mapping.target_names):
        item = settings.pairs.add()
        item.name = item.bone = name
        if name in known:
            pair = known[name]
            item.source, item.confidence, item.reason = pair.source, pair.confidence, pair.reason
    settings.active = min(settings.active, max(len(settings.pairs) - 1, 0))


def read_mapping(path: Path, source: Skeleton, target: Skeleton) -> JointMapping:
    """A mapping from a file, for these two skeletons.

    Raises:
        MotionEditError: The file cannot be read, or fits other skeletons.
    """
    try:
        saved = JointMapping.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MotionEditError(f"{path} is no saved mapping: {error}") from None
    return JointMapping.of_pairs(saved.pairs, source, target)


def write_mapping(path: Path, mapping: JointMapping) -> None:
    """Save a mapping to a file.

    Raises:
        MotionEditError: The file cannot be written.
    """
    try:
        path.write_text(json.dumps(mapping.to_dict(), indent=1, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise MotionEditError(f"{path} cannot be written: {error}") from None
