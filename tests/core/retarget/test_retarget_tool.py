"""Retargeting as a tool: what was chosen reaches the functions, and what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contact_edits import CONTACTS, WALK
from resized_skeletons import resized

from core.analysis.contacts import ContactSpans
from core.body import find_body
from core.errors import MotionEditError
from core.retarget import Casting, HeldDistance, RetargetMotion, RetargetOptions, name_mapping, retarget

PART = WALK.part(0, 40)


@pytest.fixture(scope="module")
def casting() -> Casting:
    """A walk for somebody smaller."""
    body, small = find_body(PART.skeleton, motion=PART), resized(PART.skeleton, 0.8)
    target_body = find_body(small)
    mapping = name_mapping(PART.skeleton, small, body, target_body)
    return Casting("Walker", PART, body, small, target_body, mapping, contacts=CONTACTS)


def expected(casting: Casting, *, contacts: ContactSpans = CONTACTS, held: tuple = (), **options) -> np.ndarray:
    bodies = {"source_body": casting.body, "target_body": casting.target_body}
    options = RetargetOptions(**{"size": np.ones(len(PART)), **options})
    given = (PART, casting.skeleton, casting.mapping)
    return retarget(*given, **bodies, contacts=contacts, held=held, options=options).motion.rotations


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        (RetargetMotion(), {}),
        (RetargetMotion(keep_contacts=False), {"contacts": ContactSpans()}),
        (RetargetMotion(way="KEPT"), {"scale_root": False}),
        (RetargetMotion(way="CHOSEN", way_scale=1.5, lowering=0.0), {"way_scale": 1.5, "lowering": 0.0}),
        (RetargetMotion(changes_size=True, size_end=1.2), {"size": np.linspace(1.0, 1.2, len(PART))}),
        (
            RetargetMotion(carry="HANDS", carry_scale=0.9),
            {"held": (HeldDistance("hand.L", "hand.R", 0.0, float(PART.times[-1]), scale=0.9),)},
        ),
    ],
    ids=["defaults", "no contacts", "way kept", "way chosen", "growing", "carrying"],
)
def test_what_was_chosen_is_done(casting, tool, given):
    np.testing.assert_allclose(tool.apply(casting).motion.rotations, expected(casting, **given), atol=1e-12)


def test_another_structure_follows_paths_and_tells_who_is_off(casting):
    made = RetargetMotion(structure="OTHER").apply(casting)
    assert not made.report.contacts.joints
    assert all(away > 0.0 for away in made.report.off_paths.values())


def test_what_cannot_be_carried_is_refused(casting):
    with pytest.raises(MotionEditError, match="no bone 'tail' to carry with"):
        RetargetMotion(carry="CHOSEN", carry_first="tail", carry_second="hand.R").apply(casting)
    with pytest.raises(MotionEditError, match="and itself"):
        RetargetMotion(carry="CHOSEN", carry_first="hand.R", carry_second="hand.R").apply(casting)
    late = RetargetMotion(carry="HANDS", carry_throughout=False, carry_start=500, carry_end=600)
    with pytest.raises(MotionEditError, match="from frame 500 until 600"):
        late.apply(replace(casting, carried=(50.0, 60.0)))


def test_hands_that_never_meet_are_told(casting):
    with pytest.raises(MotionEditError, match="raise Touch"):
        RetargetMotion(touch=0.0).apply_together(casting, casting)
