"""Parts of the body, and partners in retargeting, by the names of well-known programs."""

from __future__ import annotations

from functools import cache

import pytest
from known_names import FINGERS, KNOWN, known

from core.body import Body, Side, find_body
from core.retarget import name_mapping

SIDES = ("left", "right")
ARM, LEG = ("upper arm", "forearm", "hand"), ("thigh", "shin", "foot")


@cache
def _body(convention: str) -> tuple[Body, dict[str, int]]:
    skeleton, number = known(convention)
    return find_body(skeleton), number


def _names(body: Body, joints: tuple[int, ...]) -> list[str]:
    return [body.skeleton.names[joint] for joint in joints]


def _of(number: dict[str, int], *parts: str) -> list[int]:
    return [number[part] for part in parts if part in number]


@pytest.mark.parametrize("convention", KNOWN)
def test_the_trunk(convention: str) -> None:
    body, number = _body(convention)
    assert _names(body, (body.root, body.head)) == _names(body, (number["pelvis"], number["head"]))
    spine = _of(number, "pelvis", "spine", "spine 2", "spine 3", "spine 4")
    assert _names(body, body.torso) == _names(body, spine)
    assert _names(body, body.neck) == _names(body, _of(number, "neck", "neck 2"))
    assert all(body.side_of(joint) is Side.CENTRE for joint in (*body.torso, *body.neck, body.head))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("convention", KNOWN)
def test_arms_and_legs(convention: str, side: str) -> None:
    body, number = _body(convention)
    arm, leg = body.get(f"{side} arm"), body.get(f"{side} leg")
    for limb, parts in ((arm, ARM), (leg, LEG)):
        wanted = [number[f"{side} {part}"] for part in parts]
        assert [joint for joint in limb.chain if joint in number.values()] == wanted
        assert _names(body, (limb.chain[0], limb.end)) == _names(body, (wanted[0], wanted[-1]))
    assert number[f"{side} collar"] in arm.girdle
    assert [digit[0] for digit in leg.digits] == _of(number, f"{side} toe")
    first = {joint for digit in arm.digits for joint in digit}
    assert set(_of(number, *(f"{side} {finger}" for finger in FINGERS))) <= first
    assert all(body.side_of(joint) is Side(side) for joint in (*arm.joints, *leg.joints))


@pytest.mark.parametrize("convention", KNOWN)
def test_left_and_right_mirror_each_other(convention: str) -> None:
    body, number = _body(convention)
    for part in (part for part in number if part.startswith("left ")):
        other = part.replace("left", "right")
        assert body.mirror[number[part]] == number[other]
    assert len(body.pairs) * 2 == sum(line.count("@") * 2 for line in KNOWN[convention][0].splitlines())


@pytest.mark.parametrize("source", KNOWN)
def test_partners_in_retargeting(source: str) -> None:
    one, mine = _body(source)
    always = ("pelvis", "neck", "head", *(f"{side} {part}" for side in SIDES for part in ("collar", *ARM, *LEG, "toe")))
    fingers = [f"{side} {finger}" for side in SIDES for finger in FINGERS]
    for target in KNOWN:
        other, theirs = _body(target)
        mapping = name_mapping(one.skeleton, other.skeleton, one, other)
        shared = [part for part in (*always, *fingers) if part in mine and part in theirs]
        wanted = {other.skeleton.names[theirs[part]]: one.skeleton.names[mine[part]] for part in shared}
        assert {name: mapping.source_of.get(name) for name in wanted} == wanted, target
        for pair in mapping.pairs:
            here, there = one.skeleton.index[pair.source], other.skeleton.index[pair.target]
            assert one.side_of(here) is other.side_of(there), (target, pair)
