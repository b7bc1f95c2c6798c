"""The match web of an armature's action: woven when it is needed, saved with the action, noticed when keys change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import DamagedDataError
from ...core.numerics import Recent
from ...core.timeline import MatchWeb, StaleWebError, from_arrays, to_arrays, weave_match_web
from ..border import saved_state
from ..border.saved_state import MATCH_WEB
from ..border.steps import Steps
from ..document import scope

if TYPE_CHECKING:
    from .subject import Subject

# The last few webs, by the keys and frames that they are of.
_known: Recent[tuple[str, float, int], MatchWeb] = Recent(4)


def web_of(subject: Subject, fingerprint: str) -> Steps[MatchWeb]:
    """Yield the share that is done, return the web: the known or saved one if the keys are still the same.

    Args:
        subject: Whose motion.
        fingerprint: `action_io.fingerprint` of its keys.
    """
    key = fingerprint, float(subject.clip.frames[0]), len(subject.clip.frames)
    web = _known.get(key) or _saved(subject, fingerprint)
    if web is None:
        web = yield from weave_match_web(subject.motion, subject.body, positions=subject.positions)
    return _known.keep(key, web)


def save(subject: Subject, web: MatchWeb, fingerprint: str) -> None:
    """Keep the web with the action, unless it is there already."""
    if _saved(subject, fingerprint) is None:
        arrays = to_arrays(web) | {"first frame": float(subject.clip.frames[0])}
        saved_state.save(*scope.saved_place(subject.armature), MATCH_WEB, arrays, fingerprint)


def forget() -> None:
    """Drop all webs held in memory."""
    _known.clear()


def _saved(subject: Subject, fingerprint: str) -> MatchWeb | None:
    """The web saved with the action, if it is of these keys and frames."""
    try:
        with saved_state.reading(MATCH_WEB):
            found = saved_state.load(*scope.saved_place(subject.armature), MATCH_WEB)
            if found is None or found.fingerprint != fingerprint:
                return None
            if found.arrays["first frame"] != subject.clip.frames[0]:
                return None  # frames at the start have been skipped or taken in since
            return from_arrays(found.arrays, subject.motion, subject.body, positions=subject.positions)
    except (DamagedDataError, StaleWebError):
        return None
