"""Laws about keys: what was not edited stays, few keys stay few, and only what people see is keyed."""

from __future__ import annotations

import numpy as np

from .case import Case, Curve, Finding

_MORE_KEYS = 0.1
_WHOLE = 1e-3


def local(case: Case) -> Finding | None:
    """Curves of other bones, and keys outside the range, stay bit for bit."""
    request, keys = case.request, case.keys
    if request.scope is None and request.span is None:
        return None
    outside = []
    for curve in keys.changed():
        bone = keys.bones[curve]
        other_bone = request.scope is not None and bone not in request.scope
        if other_bone or (request.span is not None and not _same_outside(case, curve)):
            outside.append(bone or curve[0])
    names = ", ".join(sorted(set(outside))[:3])
    return Finding(float(len(outside)), 0.0, f"curves outside the scope: {names}" if names else "curves")


def _same_outside(case: Case, curve: Curve) -> bool:
    """Whether the keys before and after the range are what they were."""
    if curve not in case.keys.before or curve not in case.keys.after or case.request.span is None:
        return False
    first, last = case.request.span
    before, after = (
        keys[curve][0][(keys[curve][0][:, 0] < first - 0.5) | (keys[curve][0][:, 0] > last + 0.5)]
        for keys in (case.keys.before, case.keys.after)
    )
    return before.tobytes() == after.tobytes()


def sparse(case: Case) -> Finding | None:
    """Few keys stay few and on whole frames."""
    keys = case.keys
    if not keys.is_sparse:
        return None
    before, after = (sum(len(curve[0]) for curve in state.values()) for state in (keys.before, keys.after))
    fractions = sum(_between_frames(curve[0]) for curve in keys.after.values())
    was = sum(_between_frames(curve[0]) for curve in keys.before.values())
    more = (after - before) / max(before, 1) if case.request.moves_time else 0.0
    ratio = max(more / _MORE_KEYS, 2.0 if fractions > was else 0.0)
    return Finding(float(ratio), 1.0, f"of the bound; {before} keys became {after}, {fractions} between frames")


def _between_frames(keys: np.ndarray) -> int:
    return int((np.abs(keys[:, 0] - np.round(keys[:, 0])) > _WHOLE).sum())


def only_controls(case: Case) -> Finding | None:
    """Only bones that can be seen and selected get other keys."""
    keys = case.keys
    if not keys.unseen:
        return None
    hidden = sorted({keys.bones[curve] for curve in keys.changed()} & keys.unseen)
    return Finding(float(len(hidden)), 0.0, f"hidden bones keyed: {', '.join(hidden[:3])}" if hidden else "bones")
