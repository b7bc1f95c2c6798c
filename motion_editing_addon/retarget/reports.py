"""What came of a retargeting, in words and kept for the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..border.lengths import length_text
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...core.retarget import JointMapping, Retargeted

# With so few pairs and others left on both sides, the mapping is not worth much.
_FEWEST = 3


def keep_report(kept: PropertyGroup, made: Retargeted, mapping: JointMapping, action: str, *, has_feet: bool) -> None:
    """Keep what the panel shows."""
    report = made.report
    kept.action, kept.frames = action, len(made.motion)
    kept.bones = sum(1 for pair in mapping.pairs if pair.target)
    kept.unmatched_source = ", ".join(filter(None, report.unmatched_source))
    kept.unmatched_target = ", ".join(filter(None, report.unmatched_target))
    kept.lost_contacts, kept.stuck = ", ".join(report.lost_contacts), ", ".join(report.stuck)
    # Without feet there is nothing to say about how they slide.
    kept.leg_length = report.leg_length if has_feet else 0.0
    kept.lowered = report.root_lowered
    kept.slide_before, kept.slide = report.slide_carried, report.slide
    misses = _misses(made)
    kept.missed, kept.missed_text = len(misses), misses[0][1] if misses else ""
    kept.error = misses[0][0] if misses else 0.0


def keep_slide(kept: PropertyGroup, armature: Object, *, held: bool) -> None:
    """Keep how far feet slide on the keys as they are, as the next tool will tell it, unless playing a rig takes long.

    Args:
        kept: What the panel shows.
        armature: Who got the motion.
        held: Contacts were held; otherwise feet slide as they would without.
    """
    slide, is_slow = ClipTake(scope.read_clip(bpy.context, armature)).shown_slide()
    if not is_slow:
        kept.slide = slide or 0.0
    if not held:
        kept.slide_before = kept.slide


def _misses(made: Retargeted) -> list[tuple[float, str]]:
    """How much is missed and what, worst first."""
    report, rate = made.report, made.motion.rate
    found = [
        (miss.distance, report_text("{bone} at frame {frame}", bone=miss.joint, frame=round(miss.start * rate)))
        for miss in report.missed
    ]
    for miss in report.missed_distances:
        names = {"one": miss.first, "other": miss.second, "frame": round(miss.time * rate)}
        found.append((miss.amount, report_text("{one} to {other} at frame {frame}", **names)))
    found += [
        (away, report_text("{bone} off its path", bone=bone)) for bone, away in report.off_paths.items() if away > 0.0
    ]
    return [(away, f"{what}: {length_text(away)}") for away, what in sorted(found, reverse=True)]


def is_worrying(kept: PropertyGroup) -> bool:
    """Whether something is missed, or hardly anything corresponds."""
    return kept.missed > 0 or _hardly_paired(kept)


def _hardly_paired(kept: PropertyGroup) -> bool:
    return kept.bones <= _FEWEST and bool(kept.unmatched_source) and bool(kept.unmatched_target)


def result_text(kept: PropertyGroup) -> str:
    """One line with counts."""
    bones, frames = counted_text(kept.bones, "bone"), counted_text(kept.frames, "frame")
    text = report_text("Retargeted {bones} over {frames} to '{action}'", bones=bones, frames=frames, action=kept.action)
    if kept.leg_length > 0.0:
        text += report_text("; feet slide {slide}", slide=slide_text(kept))
    lacking = [len(names.split(", ")) if names else 0 for names in (kept.unmatched_source, kept.unmatched_target)]
    if any(lacking):
        without = "; without a partner: {sources} of the source's bones, {targets} of the target's"
        text += report_text(without, sources=lacking[0], targets=lacking[1])
    if _hardly_paired(kept):
        text += report_text("; hardly anything corresponds: pair bones in the list by hand")
    if kept.missed:
        text += report_text("; {count} not reached, worst {worst}", count=kept.missed, worst=kept.missed_text)
    return text


def slide_text(kept: PropertyGroup) -> str:
    """How far feet slide, in units and as a part of the leg, and how far they would have."""
    return report_text(
        "{after} ({share} of the leg), {before} without contacts",
        after=length_text(kept.slide),
        share=f"{kept.slide / kept.leg_length:.1%}",
        before=length_text(kept.slide_before),
    )
