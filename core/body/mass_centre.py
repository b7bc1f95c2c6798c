"""Where the weight of a person is."""

from ..numerics import Array
from . import Body, Limb, LimbKind

# Shares of the body's mass after common tables of body segments: of a limb its upper part, its lower part and its end.
_ARM, _LEG = (0.028, 0.016, 0.006), (0.1, 0.0465, 0.0145)
_TRUNK, _HEAD = 0.497, 0.081


def is_person(body: Body) -> bool:
    """Whether it has two arms, two legs and a head, and no tail; how tall other creatures are nobody knows."""
    arms, legs = body.limbs_of(LimbKind.ARM), body.limbs_of(LimbKind.LEG)
    whole = all(limb.chain and limb.end is not None for limb in (*arms, *legs))
    return len(arms) == len(legs) == 2 == len(body.legs) and body.head is not None and whole and not _has_tail(body)


def _has_tail(body: Body) -> bool:
    return bool(body.limbs_of(LimbKind.TAIL, LimbKind.WING))


def centre_of_mass(positions: Array, body: Body) -> Array:
    """(F, 3) centre of mass of a person with joints at (F, J, 3)."""
    arms, legs = body.limbs_of(LimbKind.ARM), body.limbs_of(LimbKind.LEG)
    tops = [[limb.chain[0] for limb in limbs] for limbs in (arms, legs)]
    assert body.head is not None
    centre: Array = _TRUNK * 0.5 * sum(positions[:, joints].mean(axis=1) for joints in tops)
    centre += _HEAD * positions[:, body.head]
    for limbs, shares in ((arms, _ARM), (legs, _LEG)):
        for limb in limbs:
            centre += _moment(positions, limb, shares)
    return centre / (_TRUNK + _HEAD + 2.0 * sum(_ARM) + 2.0 * sum(_LEG))


def _moment(positions: Array, limb: Limb, shares: tuple[float, float, float]) -> Array:
    """(F, 3) the places of a limb's parts times their shares."""
    assert limb.end is not None
    line = list(dict.fromkeys((*limb.chain, limb.end)))
    top, middle, end = (positions[:, joint] for joint in (line[0], line[len(line) // 2], line[-1]))
    moment: Array = shares[0] * 0.5 * (top + middle) + shares[1] * 0.5 * (middle + end) + shares[2] * end
    return moment
