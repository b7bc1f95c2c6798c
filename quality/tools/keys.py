"""Key reduction, and feet that are locked."""

from __future__ import annotations

import numpy as np

from ..laws import Case, Request
from ..recording import Recording
from .subject import Plan, Subject, has_contacts, operator


def _same_figure(before: Recording) -> Request:
    """The motion must look as it did."""
    return Request(asked=lambda _after: before.places, keeps_contacts=False)


def _fewer(case: Case) -> float:
    """Few keys are what was asked for: a third of the dense ones at most, and never more."""
    old, new = (sum(len(keys) for keys, _rest in state.values()) for state in (case.keys.before, case.keys.after))
    return float(np.clip((old - new) / (0.66 * old), 0.0, 1.0))


def convert_keys(subject: Subject) -> Plan | None:
    """Convert Keys to few."""
    if subject.is_sparse:
        return None
    parameters = {"keying": "REDUCED", "rotation_error": subject.uniform(0.003, 0.02)}
    subject.select(None)
    return Plan(parameters, operator("convert_keys", **parameters), _same_figure, met=_fewer)


def reduce_keys(subject: Subject) -> Plan | None:
    """Reduce Keys of the whole figure; planted feet stay."""
    if subject.is_sparse:
        return None
    parameters = {"rotation_error": subject.uniform(0.005, 0.02), "kind": subject.pick("SMOOTH", "FEWEST")}
    subject.select(None)

    def request(before: Recording) -> Request:
        return Request(asked=lambda _after: before.places)

    return Plan(parameters, operator("reduce_keys", **parameters), request, met=_fewer)


def continuous(subject: Subject) -> Plan | None:
    """Make Rotations Continuous: the figure stays; that nothing was to be repaired is no fault."""
    subject.select(None)
    return Plan({}, operator("continuous_rotations"), _same_figure, met=lambda _case: 1.0)


def lock_feet(subject: Subject) -> Plan | None:
    """Lock Feet, where feet stand."""
    if not subject.figure.legs or not has_contacts(subject):
        return None
    parameters = {"fade": subject.pick(0.1, 0.2)}
    subject.select(None)
    return Plan(
        parameters,
        operator("lock_feet", **parameters),
        lambda _before: Request(locks_feet=True, bound=0.15),
        met=lambda _case: 1.0,
    )


TOOLS = (convert_keys, reduce_keys, continuous, lock_feet)
