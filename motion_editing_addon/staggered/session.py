"""The staggered poses of an action: loaded, kept at hand, saved with it."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.numerics import Recent
from ...core.staggered import (
    PoseTable,
    StaggeredMotion,
    curves_to_arrays,
    from_compact_arrays,
    to_compact_arrays,
    with_curves,
)
from ..border import action_io, saved_state
from ..border.armature import skeleton_of
from ..border.saved_state import STAGGERED, STAGGERED_KEYS
from ..document import scope, watched_keys

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...core.motion import Motion

# Sessions by the revision that their action carries: after undo the older revision is found again.
_at_hand: Recent[int | str | None, Session] = Recent(6)
# Revisions of one run of Blender and of others must differ.
_revisions = itertools.count(int(time.time()) & 0x3FFFFFFF)


@dataclass(frozen=True, eq=False)
class Session:
    """Staggered poses of an armature's action.

    Attributes:
        table: All poses that were found.
        model: The shown poses fitted to the motion; None while it has to be fitted anew.
        probability: (F,) how likely a pose is at every frame; empty for keyed animation.
        probability_times: (F,) seconds.
        from_keys: The poses are the animator's own keys.
        keeps_contacts: An edit has asked for feet to stay where they stood.
        standing: The poses, with the timing of the fit, as edits have changed them that were free to move feet; None
            if they are as they were fitted.
        posed: (J,) joints that somebody has posed by hand; None for none of them.
        shown: What the keys show, where that is known; it is not saved.
        revision: Tells one state from the other.
    """

    table: PoseTable
    model: StaggeredMotion | None
    probability: np.ndarray
    probability_times: np.ndarray
    from_keys: bool
    keeps_contacts: bool = False
    standing: StaggeredMotion | None = None
    posed: np.ndarray | None = None
    shown: Motion | None = None
    revision: int = 0

    @property
    def poses(self) -> StaggeredMotion:
        """The model, where there is one: what `refit.require` gives has one."""
        if self.model is None:
            raise ValueError("The poses are still to be fitted")
        return self.model

    @property
    def is_fresh(self) -> bool:
        """The model is as it was fitted, no knot moved since."""
        return self.model is not None and self.model.shows_source

    def edited(self, model: StaggeredMotion, *, keeps_contacts: bool = False, by_hand: bool = False) -> Session:
        """With another state of the model.

        Args:
            keeps_contacts: Feet are to stay where they stood; otherwise what poses look like may move them.
            by_hand: Somebody has posed what is changed: knees and elbows are as wanted.
        """
        standing = self.standing
        if not keeps_contacts and model.tracks != self.poses.tracks:
            standing = (standing or StaggeredMotion.of(self.poses.fitted)).with_changes_of(self.poses, model)
        return replace(
            self,
            model=model,
            table=self.table.following(model),
            keeps_contacts=self.keeps_contacts or keeps_contacts,
            standing=standing,
            posed=self._posed_too(model) if by_hand else self.posed,
            shown=None,
        )

    def _posed_too(self, model: StaggeredMotion) -> np.ndarray:
        """(J,) joints that were posed before, and those whose poses another model has otherwise."""
        flags = np.zeros(model.variables.joints, dtype=np.bool_) if self.posed is None else self.posed.copy()
        edited = model.rotations.layout.interval_curve[model.edited_intervals()[0]]
        flags[edited] = True
        return flags

    def fitted_anew(self, model: StaggeredMotion) -> Session:
        """With a model of another motion, in which feet stand where they stand."""
        return replace(self, model=model, keeps_contacts=False, standing=None, posed=None, shown=None)


def load(armature: Object) -> Session | None:
    """The poses saved with the armature's action; None if there are none."""
    if scope.action_of(armature) is None:
        return None
    place = scope.saved_place(armature)
    if STAGGERED.name not in saved_state.names(*place):
        return None
    found = _at_hand.get(saved_state.peek(*place, STAGGERED, "revision"))
    if found is None or saved_state.peek(*place, STAGGERED, "joints") != _joints(armature):
        with saved_state.reading(STAGGERED):
            found = _from_arrays(armature, saved_state.load_known(*place, STAGGERED).arrays)
    _at_hand.keep(found.revision, found)
    return found


def there(armature: Object) -> Session:
    """The poses saved with the armature's action.

    Raises:
        MotionEditError: There are none.
    """
    session = load(armature)
    if session is None:
        raise MotionEditError("There are no staggered poses yet: use Extract Poses or Poses from Keys")
    return session


def remembers_stagger(armature: Object) -> bool:
    """Whether stagger is taken away from the armature's poses, for Re-stagger to bring back."""
    try:
        saved = load(armature)
    except MotionEditError:
        return False
    if saved is None:
        return False
    tables = (saved.table, saved.table.channels)
    return any(bool((each.collapsed & (each.refinements != 0.0)).any()) for each in tables)


def save(armature: Object, session: Session, *, fits: bool = True) -> Session:
    """Keep the poses with the action; gives them with their new revision.

    Args:
        armature: Whose action.
        session: The poses.
        fits: They fit the keys as these are now; otherwise they are fitted when they are next used.
    """
    session = replace(session, revision=next(_revisions))
    arrays = {f"table.{name}": values for name, values in session.table.to_arrays().items()}
    arrays |= {
        "revision": session.revision,
        "from_keys": int(session.from_keys),
        "probability": session.probability,
        "probability_times": session.probability_times,
        "joints": _joints(armature),
        "rate": scope.source_rate(bpy.context, armature),
        "keeps_contacts": int(session.keeps_contacts),
    }
    if session.posed is not None:
        arrays["posed"] = session.posed.astype(np.int32)
    if session.standing is not None:
        arrays |= {f"standing.{name}": values for name, values in curves_to_arrays(session.standing).items()}
    if session.model is not None:
        arrays |= {f"model.{name}": values for name, values in to_compact_arrays(session.model).items()}
    fingerprint = action_io.fingerprint(armature) if fits else ""
    saved_state.save(*scope.saved_place(armature), STAGGERED, arrays, fingerprint)
    _at_hand.keep(session.revision, session)
    return session


def fits(armature: Object) -> bool:
    """Whether the saved poses belong to the keys as these are now."""
    return watched_keys.state(armature, STAGGERED, exact=True) is watched_keys.State.CURRENT


def bring_back(armature: Object, original: Action) -> bool:
    """Take over the poses that a copy of the action has; gives whether it has any.

    If it has none, the poses that there are no longer count as un-staggered: the keys that came back
    have their own timing.
    """
    action, slot = scope.saved_place(armature)
    saved = saved_state.load(original, slot, STAGGERED)
    saved_state.remove(action, slot, STAGGERED_KEYS)  # they are those of a motion that is gone
    if saved is not None:
        saved_state.save(action, slot, STAGGERED, saved.arrays, saved.fingerprint)
        return True
    now = saved_state.load(action, slot, STAGGERED)
    if now is not None:
        arrays = {name: value for name, value in now.arrays.items() if not name.startswith("model.")}
        for name in ("table.collapsed", "table.channel_collapsed"):
            if name in arrays:
                arrays[name] = np.zeros_like(arrays[name])
        arrays["revision"] = next(_revisions)
        saved_state.save(action, slot, STAGGERED, arrays, now.fingerprint)
    return False


def remove(armature: Object) -> None:
    """Forget the poses; the F-curves stay as they are."""
    for kind in (STAGGERED, STAGGERED_KEYS):
        saved_state.remove(*scope.saved_place(armature), kind)


def forget() -> None:
    """Drop what is at hand; it is read from the actions again when it is needed."""
    _at_hand.clear()


def _joints(armature: Object) -> str:
    return "\n".join(armature.pose.bones.keys())


def _from_arrays(armature: Object, arrays: dict[str, Any]) -> Session:
    skeleton = skeleton_of(armature)
    if arrays["joints"] != _joints(armature):
        raise MotionEditError("The armature's bones were changed since the poses were made: use Extract Poses again")
    table = {name.removeprefix("table."): v for name, v in arrays.items() if name.startswith("table.")}
    model = {name.removeprefix("model."): v for name, v in arrays.items() if name.startswith("model.")}
    found = from_compact_arrays(skeleton, model) if model else None
    standing = {name.removeprefix("standing."): v for name, v in arrays.items() if name.startswith("standing.")}
    return Session(
        table=PoseTable.from_arrays(table, len(skeleton)),
        model=found,
        probability=np.array(arrays["probability"]),
        probability_times=np.array(arrays["probability_times"]),
        from_keys=bool(arrays["from_keys"]),
        keeps_contacts=bool(arrays.get("keeps_contacts", 0)),
        posed=np.array(arrays["posed"], dtype=np.bool_) if "posed" in arrays else None,
        standing=with_curves(found.fitted, standing) if found is not None and standing else None,
        revision=int(arrays["revision"]),
    )
