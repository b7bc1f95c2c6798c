"""How poses are looked for."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ExtractionOptions:
    """How poses are looked for. All times are in seconds, so the rate does not matter.

    Attributes:
        edge_time: Time that an edge of a motion trail spans, at least one sample. Raise it for
            very noisy capture.
        still_turn: Radians a second; a joint that turns more slowly is nearly at rest, and its
            changes of direction are mostly noise: at this speed they count half. 0 is the paper's
            plain measure, which suits clean motion.
        still_travel: The same for the root's path, in body heights a second.
        smoothing: Standard deviation of the Laplacian smoothing. Raise it for fewer poses.
        event_width: Standard deviation of the hills that single events make.
        filter_width: Width of the tent filter that joins peaks of single joints into poses (the paper's 0.15).
        separation: Poses are at least this far apart; the more evident one stays.
        least_evidence: How far a peak must stand out to be a pose, where a full event is about 1; of evidence that is
            never so strong, the same part of its highest peak.
        contact_weight: Weight of a change of contact, where all joints together weigh 1; 0 leaves them out.
        height_weight: Weight of a clear apex or crouch.
        lean_weight: Weight of a clear bow, or of a body that is most upside down.
        stroke_weight: Weight of a limb that clearly turns round.
        face_weight: Weight of a clear change of expression; 0 leaves the face out, whose shapes are then not staggered.
        root_weight: Weight of the root's path, where a limb that sweeps the same way weighs 1. The
            root carries the whole body; raise it to favour jumps and turns over gestures.
        refinement_bound: Largest timing refinement (the paper's 0.25).
    """

    edge_time: float = 1.0 / 24.0
    still_turn: float = 0.6
    still_travel: float = 0.1
    smoothing: float = 0.07
    event_width: float = 0.03
    filter_width: float = 0.15
    separation: float = 0.085
    least_evidence: float = 0.1
    contact_weight: float = 0.5
    height_weight: float = 1.0
    lean_weight: float = 1.0
    stroke_weight: float = 0.6
    face_weight: float = 0.0
    root_weight: float = 2.0
    refinement_bound: float = 0.25

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (np.isfinite(value) and value >= 0.0):
                raise ValueError(f"{name} must not be below zero")
