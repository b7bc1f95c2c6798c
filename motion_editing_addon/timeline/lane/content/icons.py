"""Pose icons: which poses are shown, and each as points across and up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .....core.analysis import KeyPoses, key_poses, screen_axes
from .....core.timeline import ViewBy, view_angles
from .....core.timeline.pose_picture import StickFigure, figure_of_body, figure_of_motion
from ....border.armature import why_sampled
from ....document.contacts.saved_contacts import contacts_of

if TYPE_CHECKING:
    from .....core.analysis.contacts import ContactSpans
    from .....core.motion import Motion, Retimed
    from ...subject import Subject

VIEWS = {"VARIANCE": ViewBy.SPREAD, "VELOCITY": ViewBy.VELOCITY}
# Preference of frames at which a foot comes down: before others that tell as much.
_FOOTFALL = 0.1
# Part of a row that a standing figure fills; the rest is for jumps and raised hands.
_STANDING = 0.82
# Seconds around a pose in which its lowest point is the ground: stairs are climbed, jumps leave it.
_GROUND = 1.5


@dataclass(frozen=True)
class Gallery:
    """Everything about a character's poses that does not depend on how many are shown.

    Attributes:
        subject: Whose poses they are.
        figure: What is drawn.
        ranked: All samples, the most telling ones first.
        contacts: When feet stand.
        angles: (F,) side from which every sample is seen, in degrees.
    """

    subject: Subject
    figure: StickFigure
    ranked: KeyPoses
    contacts: ContactSpans
    angles: np.ndarray

    @property
    def up(self) -> np.ndarray:
        """Direction away from the ground."""
        return np.asarray(self.subject.body.require("up axis").vector, dtype=np.float64)

    @cached_property
    def height(self) -> float:
        """Of the standing figure, in units of the scene."""
        tall = self.figure.points @ self.up
        return float(np.percentile(tall.max(axis=1) - tall.min(axis=1), 90)) or 1.0

    @cached_property
    def lowest(self) -> np.ndarray:
        """(F,) how high the lowest point of every sample is."""
        return (self.figure.points @ self.up).min(axis=1)

    def touching(self, sample: int) -> set[int]:
        """Joints that are in contact at a sample."""
        index, time = self.subject.motion.skeleton.index, float(self.subject.motion.times[sample])
        return {index[joint] for joint in self.contacts.joints if self.contacts.at(joint, time) is not None}


def _figure(subject: Subject) -> StickFigure:
    """The figure of a subject; of a rig whose constraints pose it, the body's joints where they were sampled."""
    if why_sampled(subject.armature) is not None:
        return figure_of_body(subject.positions, subject.body)
    return figure_of_motion(subject.motion, subject.body)


def gallery_of(subject: Subject, view: str) -> Gallery:
    """Look at all poses once.

    Args:
        subject: Whose poses.
        view: VARIANCE or VELOCITY.
    """
    figure, contacts = _figure(subject), contacts_of(subject.clip, subject.positions)
    up, motion = subject.body.require("up axis").vector, subject.motion
    angles = view_angles(figure.points, motion.times, up, by=VIEWS[view])
    return Gallery(subject, figure, ranking(subject, contacts), contacts, angles)


def ranking(subject: Subject, contacts: ContactSpans) -> KeyPoses:
    """All samples by how much they tell, with a little preference for footfalls."""
    times, preferred = subject.motion.times, np.zeros(len(subject.motion))
    for joint in contacts.joints:
        for start, _end in contacts.of(joint):
            preferred[int(np.argmin(np.abs(times - start)))] = _FOOTFALL
    return key_poses(subject.motion, subject.body, weights=preferred, positions=subject.positions)


def icon_points(gallery: Gallery, sample: int) -> np.ndarray:
    """(P, 2) a pose across and up, in heights of the row, as seen from its side."""
    return _projected(gallery, gallery.figure.points[sample], sample)


def edited_points(gallery: Gallery, motion: Motion | Retimed, time: float, sample: int) -> np.ndarray:
    """(P, 2) the pose that an edited motion has at a time, seen as the old pose of the sample is."""
    if not gallery.figure.follows_channels:
        return icon_points(gallery, sample)
    return _projected(gallery, figure_of_motion(motion.at(time), gallery.subject.body).points[0], sample)


def _projected(gallery: Gallery, points: np.ndarray, sample: int) -> np.ndarray:
    right, vertical, _towards = screen_axes(float(gallery.angles[sample]), gallery.up)
    across, up = points @ right, points @ vertical - _ground(gallery, sample)
    return np.stack([across - 0.5 * (across.min() + across.max()), up], axis=1) * (_STANDING / gallery.height)


def _ground(gallery: Gallery, sample: int) -> float:
    times = gallery.subject.motion.times
    return float(gallery.lowest[np.abs(times - times[sample]) <= _GROUND].min())
