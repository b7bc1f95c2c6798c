"""Joints that have a say in where a foot stands, compared with asking joint by joint."""

from __future__ import annotations

from contact_edits import BODY, CONTACTS, INDEX, WALK

from core.analysis.contacts import ContactSpans, carrying_frames


def test_limbs_in_contact_and_all_above_them_are_told():
    found = carrying_frames(WALK.times, BODY, CONTACTS)
    names = WALK.skeleton.names
    for frame in range(0, len(WALK), 7):
        wanted = set()
        for limb in BODY.limbs:
            if any(CONTACTS.active(names[joint], WALK.times[[frame]])[0] for joint in limb.joints):
                wanted |= {*limb.joints, *(each for joint in limb.joints for each in WALK.skeleton.ancestors(joint))}
        assert {joint for joint in range(len(names)) if found[frame, joint]} == wanted


def test_without_contacts_nothing_carries():
    assert not carrying_frames(WALK.times, BODY, ContactSpans()).any()
    standing = carrying_frames(WALK.times, BODY, ContactSpans({"foot.L": ((0.0, 0.5),)}))
    assert standing[:15, INDEX["hips"]].all()
    assert not standing[:, INDEX["foot.R"]].any()
