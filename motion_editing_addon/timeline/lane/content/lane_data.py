"""Icons, windows and sound as the strip's lane shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.timeline import NoWindowError, Windows, chosen_icons, telling_hits
from ....document import scope
from ...collisions import touches
from ...features.painted_bones import painted_mask
from ...frames import frames_of, new_samples
from ...settings import has_window
from ...windows.windows import settings_of, windows_of
from ..icon_data import IconLaneData, IconRow, IconWindow, PoseIcon, WindowKind
from .icons import Gallery, edited_points, gallery_of, icon_points

if TYPE_CHECKING:
    from bpy.types import Object

    from .....core.analysis.collisions import Collisions
    from .....core.motion import Motion, Retimed, TimeMap
    from ...subject import Subject

# Identifiers of the second character's icons start here.
SECOND = 1_000_000
# Frames between a hit of a retimed motion and the place of the old pose that comes nearest to it.
_ABOUT = 0.5


@dataclass(frozen=True)
class Shown:
    """What is read and worked out once for as long as the keys stay.

    Attributes:
        gallery: Poses of the active character; None where a control rig was not sampled yet.
        second: Poses of the second character, if there is one.
        touches: Of both.
    """

    gallery: Gallery | None
    second: Gallery | None = None
    touches: Collisions | None = None


@dataclass(frozen=True)
class Edit:
    """An edit that is shown but not made.

    Attributes:
        time_map: New timing.
        motion: The motion that it gives.
        whole_body: All joints have the new timing; otherwise the painted ones.
        dragged: Sample of the pose that is dragged, shown in any case; -1 for none.
        touches: Collisions of the motion as it would be, on its own frames.
    """

    time_map: TimeMap
    motion: Motion | Retimed
    whole_body: bool
    dragged: int = -1
    touches: Collisions | None = None


def shown_of(subject: Subject, second: Subject | None) -> Shown:
    """Look at one or two characters."""
    view = settings_of(subject.armature).view
    if second is None:
        return Shown(gallery_of(subject, view))
    return Shown(gallery_of(subject, view), gallery_of(second, view), touches(subject, second))


def data_of(
    armature: Object, second: Object | None, shown: Shown, edit: Edit | None, sound: dict[str, Any]
) -> IconLaneData:
    """Everything in scene frames. The objects are given anew: those that were read may be gone after an undo."""
    preview = edit is not None
    windows = _windows(armature, edit, shown.gallery)
    if shown.gallery is None:
        return IconLaneData((), (IconRow(armature.name, (), ()),), windows, preview=preview, **sound)
    found = edit.touches if edit is not None else shown.touches
    icons = _icons(armature, shown.gallery, edit, found)
    rows: tuple[IconRow, ...] = (_row(armature, shown.gallery),)
    if shown.second is not None and second is not None and found is not None:
        rows = (_row(second, shown.second), *rows)
        galleries = shown.gallery, shown.second
        icons = [replace(icon, row=1) for icon in icons] + _second_icons(armature, second, galleries, found)
    falls = _footfalls(armature, shown.gallery, edit)
    return IconLaneData(tuple(icons), rows, windows, contact_times=falls, preview=preview, **sound)


def _row(armature: Object, gallery: Gallery) -> IconRow:
    names, figure = gallery.subject.motion.skeleton.names, gallery.figure
    return IconRow(armature.name, tuple(names[joint] for joint in figure.joints), figure.bones, figure.head)


def _icons(armature: Object, gallery: Gallery, edit: Edit | None, touches: Collisions | None) -> list[PoseIcon]:
    """The active character's icons, those of an edit at their new frames."""
    samples, ranks = _chosen(armature, gallery, edit, touches)
    places = _places(gallery, samples, edit)
    painted = painted_mask(armature, gallery.subject.motion.skeleton)[gallery.figure.joints]
    each = zip(samples.tolist(), ranks.tolist(), places.tolist(), strict=True)
    frames = _scene_frames(armature, gallery, places)
    return [
        PoseIcon(
            identifier=sample,
            frame=frame,
            points=_points(gallery, sample, place, edit),
            rank=rank,
            painted=painted if painted.any() else (),
            in_contact=_flags(gallery, gallery.touching(sample)),
            colliding=_flags(gallery, _colliding(touches, place, about=0.0 if edit is None else _ABOUT)),
        )
        for (sample, rank, place), frame in zip(each, frames.tolist(), strict=True)
    ]


def _colliding(touches: Collisions | None, place: float, *, about: float) -> set[int]:
    """Joints that collide where a pose is seen, a few frames about it included."""
    if touches is None:
        return set()
    frames = range(math.ceil(place - about - 0.5), math.floor(place + about + 0.5) + 1)
    return {joint for frame in frames for joint in touches.joints_at(frame)[0]}


def _places(gallery: Gallery, samples: np.ndarray, edit: Edit | None) -> np.ndarray:
    """Where poses are seen, in samples: with the whole body all of them move, else the dragged one alone."""
    places = samples.astype(np.float64)
    if edit is None:
        return places
    moves = edit.whole_body | (samples == edit.dragged)
    return np.where(moves, new_samples(gallery.subject.clip, edit.time_map, samples), places)


def _points(gallery: Gallery, sample: int, place: float, edit: Edit | None) -> np.ndarray:
    if edit is None or edit.whole_body:
        return icon_points(gallery, sample)  # a pose stays the same when it is seen at another time
    frame = float(frames_of(gallery.subject.clip, place))
    return edited_points(gallery, edit.motion, frame / gallery.subject.motion.rate, sample)


def _chosen(
    armature: Object, gallery: Gallery, edit: Edit | None, touches: Collisions | None
) -> tuple[np.ndarray, np.ndarray]:
    """Samples that get an icon, and their ranks; while a drag changes collisions, hits are those it would leave."""
    count, windows, first = settings_of(armature).icons, _windows_in_samples(armature, gallery), telling_hits(touches)
    if edit is None:
        return chosen_icons(count, gallery.ranked.order, windows, first=first.tolist())
    samples = np.arange(len(gallery.subject.motion))
    first = np.rint(np.interp(first, new_samples(gallery.subject.clip, edit.time_map, samples), samples)).astype(
        np.intp
    )
    dragged = [edit.dragged] if edit.dragged >= 0 else []
    return chosen_icons(count, gallery.ranked.order, windows, first=[*dragged, *first.tolist()])


def _windows_in_samples(armature: Object, gallery: Gallery) -> Windows | None:
    if not settings_of(armature).has_window:
        return None
    try:
        return windows_of(replace(gallery.subject.clip, armature=armature))
    except NoWindowError:  # said by the tools; drawing cannot
        return None


def _second_icons(
    armature: Object, second: Object, galleries: tuple[Gallery, Gallery], found: Collisions
) -> list[PoseIcon]:
    """The second character's icons; touches are on the frames of the active one."""
    gallery, touches = galleries[1], found.swapped()
    own = _scene_frames(armature, galleries[0], np.arange(found.frame_count))
    every = _scene_frames(second, gallery, np.arange(len(gallery.subject.motion)))
    first = [int(np.argmin(np.abs(every - own[frame]))) for frame in telling_hits(touches)]
    samples, ranks = chosen_icons(settings_of(armature).icons, gallery.ranked.order, None, first=first)
    return [
        PoseIcon(
            identifier=SECOND + sample,
            frame=float(every[sample]),
            points=icon_points(gallery, sample),
            rank=rank,
            in_contact=_flags(gallery, gallery.touching(sample)),
            colliding=_flags(gallery, set(touches.joints_at(int(np.argmin(np.abs(own - every[sample]))))[0])),
        )
        for sample, rank in zip(samples.tolist(), ranks.tolist(), strict=True)
    ]


def _flags(gallery: Gallery, joints: set[int]) -> np.ndarray | tuple[()]:
    return np.isin(gallery.figure.joints, list(joints)) if joints else ()


def _windows(armature: Object, edit: Edit | None, gallery: Gallery | None) -> tuple[IconWindow, ...]:
    settings = settings_of(armature)
    if not has_window(armature):
        return ()
    frames = np.array([(settings.start, settings.end), *((item.start, item.end) for item in settings.windows)])
    if edit is not None and edit.whole_body and gallery is not None:
        rate = gallery.subject.motion.rate
        frames = edit.time_map.map_key_times(frames / rate) * rate
    operation, *others = scope.to_scene(armature, frames.ravel()).reshape(-1, 2).tolist()
    return (
        IconWindow(operation[0], operation[1], WindowKind.OPERATION),
        *(
            IconWindow(start, end, WindowKind.PROPAGATION, item.ticked, item.similarity)
            for (start, end), item in zip(others, settings.windows, strict=True)
        ),
    )


def _footfalls(armature: Object, gallery: Gallery, edit: Edit | None) -> np.ndarray:
    """Scene frames at which contacts begin."""
    contacts, rate = gallery.contacts, gallery.subject.motion.rate
    starts = np.array(sorted({start for joint in contacts.joints for start, _end in contacts.of(joint)}))
    if edit is not None and edit.whole_body and len(starts):
        starts = edit.time_map.map_key_times(starts)
    return scope.to_scene(armature, starts * rate)


def _scene_frames(armature: Object, gallery: Gallery, samples: np.ndarray) -> np.ndarray:
    return scope.to_scene(armature, frames_of(gallery.subject.clip, samples))
