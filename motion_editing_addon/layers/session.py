"""The layers of an action and the keys below them: loaded, kept at hand, saved with the action."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.errors import DamagedDataError, MotionEditError
from ...core.layers import Layer, from_arrays, retimed_layer, to_arrays
from ...core.numerics import Recent
from ..border import action_io, saved_state
from ..border.action_io.curves.key_arrays import check_key_arrays, keys_to_arrays, with_further_keys
from ..border.action_io.curves.keys import CONSTANT, generated_keys
from ..border.action_io.curves.numbers import number_at
from ..border.rigs.rig_pose import owner_and_path
from ..border.saved_state import LAYERS, LAYERS_BASE, LAYERS_BEFORE, LAYERS_SET
from ..document import scope
from ..document.scope import saved_place
from .mode import still_pose
from .renamed_bones import following

if TYPE_CHECKING:
    from bpy.types import Action, Object

# Sessions by the revision that their action carries: after undo the older revision is found again.
_at_hand: Recent[int | str | None, LayerSession] = Recent(12)
# Revisions of one run of Blender and of others must differ.
_revisions = itertools.count(int(time.time()) & 0x3FFFFFFF)


@dataclass(frozen=True, eq=False)
class LayerSession:
    """Layers over the keys of an armature's action.

    Attributes:
        layers: Lowest first; times in seconds of the source rate.
        rate: Samples per second that these times were made with.
        base: Keys below all layers, as `keys_to_arrays` gives them.
        revision: Tells one state from the other.
        base_revision: Tells one set of keys below from the other.
        still: The bones' channels when this was saved; those without keys tell what was posed since.
        bones: Names of all bones of the armature when this was saved.
    """

    layers: tuple[Layer, ...]
    rate: float
    base: dict[str, Any]
    revision: int = 0
    base_revision: int = 0
    still: dict[str, Any] = field(default_factory=dict)
    bones: tuple[str, ...] = ()

    def with_layers(self, layers: tuple[Layer, ...]) -> LayerSession:
        """The same keys with other layers over them."""
        return replace(self, layers=tuple(layers))


def start(armature: Object) -> LayerSession:
    """No layers yet, over the keys as they are."""
    rate = scope.source_rate(bpy.context, armature)
    return LayerSession((), rate, keys_to_arrays(armature))


def load(armature: Object) -> LayerSession | None:
    """The layers saved with the armature's action; None if there are none."""
    if scope.action_of(armature) is None or LAYERS.name not in saved_state.names(*saved_place(armature)):
        return None
    found = _at_hand.get(saved_state.peek(*saved_place(armature), LAYERS, "revision"))
    if found is None:
        with saved_state.reading(LAYERS):
            found = _from_saved(armature, saved_state.load_known(*saved_place(armature), LAYERS).arrays)
    _at_hand.keep(found.revision, found)
    return _at_rate(following(found, armature), scope.source_rate(bpy.context, armature))


def there(armature: Object) -> LayerSession:
    """The layers saved with the armature's action.

    Raises:
        MotionEditError: There are none.
    """
    session = load(armature)
    if session is None:
        raise MotionEditError("There are no layers yet: use Add Layer")
    return session


def save(armature: Object, session: LayerSession, *, fits: bool = True) -> LayerSession:
    """Keep the layers with the action; gives them with their new revision.

    Args:
        armature: Whose action.
        session: The layers.
        fits: The keys show them over those below; otherwise these are worked out when layers are next changed.
    """
    bones = tuple(armature.pose.bones.keys())
    new_base = not session.base_revision or session.bones != bones
    base_revision = session.base_revision or next(_revisions)
    still = still_pose.read(armature)
    session = replace(session, revision=next(_revisions), base_revision=base_revision, still=still, bones=bones)
    fingerprint = action_io.fingerprint(armature) if fits else ""
    arrays = {f"layers.{name}": value for name, value in to_arrays(session.layers).items()}
    arrays |= {"revision": session.revision, "base_revision": session.base_revision, "rate": session.rate}
    arrays |= {"bones": json.dumps(bones)}
    arrays |= {f"still.{name}": values for name, values in still.items()}
    if new_base:
        # The keys below change seldom and are large; the layers change with every edit.
        saved_state.save(*saved_place(armature), LAYERS_BASE, session.base, fingerprint)
    saved_state.save(*saved_place(armature), LAYERS, arrays, fingerprint)
    _at_hand.keep(session.revision, session)
    return session


def has_followed(armature: Object) -> bool:
    """Whether layers have followed a motion, so that the keys which were below them no longer are."""
    return saved_state.fingerprint_of(*saved_place(armature), LAYERS) == ""


def with_numbers(saved: LayerSession, armature: Object, names: Iterable[str], frame: float) -> LayerSession:
    """The layers over keys that also hold numbers which had none, so that layers can change them.

    Args:
        names: Of scalar channels, as a motion has them; those that there are not are left out.
        frame: Of the keys.
    """
    further = {}
    for name in names:
        owner, path = owner_and_path(armature, name)
        value = None if owner is None else number_at(owner, path)
        if value is not None:
            further[name, 0] = generated_keys([frame], [value], interpolation=CONSTANT)
    if not further:
        return saved
    return replace(saved, base=with_further_keys(saved.base, further), base_revision=0)


def remove(armature: Object) -> None:
    """Forget the layers; the F-curves stay as they are."""
    for kind in (LAYERS, LAYERS_BASE, LAYERS_BEFORE):
        saved_state.remove(*saved_place(armature), kind)


def remember(armature: Object) -> None:
    """Keep the layers as they are now, to be brought back."""
    with saved_state.reading(LAYERS):
        saved = saved_state.load_known(*saved_place(armature), LAYERS)
        saved_state.save(*saved_place(armature), LAYERS_BEFORE, saved.arrays, saved.fingerprint)


def remembered(armature: Object) -> LayerSession | None:
    """The layers that were remembered; None if the keys below are others since."""
    action = scope.action_of(armature)
    now = load(armature)
    with saved_state.reading(LAYERS_BEFORE):
        saved = saved_state.load(*saved_place(armature), LAYERS_BEFORE) if action else None
        before = _from_saved(armature, saved.arrays) if saved is not None else None
    if before is None or now is None or before.base_revision != now.base_revision:
        return None
    return _at_rate(following(before, armature), now.rate)


def forget_remembered(armature: Object) -> None:
    """Keep no layers to be brought back."""
    if scope.action_of(armature) is not None:
        saved_state.remove(*saved_place(armature), LAYERS_BEFORE)


def bring_back(armature: Object, original: Action) -> None:
    """Take over the layers that a copy of the action has, or none."""
    remove(armature)
    action, slot = saved_place(armature)
    for kind in (LAYERS, LAYERS_BASE):
        saved = saved_state.load(original, slot, kind)
        if saved is not None:
            saved_state.save(action, slot, kind, saved.arrays, saved.fingerprint)


def forget() -> None:
    """Drop what is at hand; it is read from the actions again when it is needed."""
    _at_hand.clear()


def _from_saved(armature: Object, arrays: dict[str, Any]) -> LayerSession:
    base = saved_state.load(*saved_place(armature), LAYERS_BASE)
    if base is None:
        raise DamagedDataError(LAYERS.damaged)
    check_key_arrays(base.arrays)
    layers, still = _part(arrays, "layers."), _part(arrays, "still.")
    revisions = int(arrays["revision"]), int(arrays["base_revision"])
    bones = tuple(json.loads(arrays.get("bones", "[]")))
    return LayerSession(from_arrays(layers), float(arrays["rate"]), base.arrays, *revisions, still, bones)


def _part(arrays: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}


def _at_rate(session: LayerSession, rate: float) -> LayerSession:
    """The layers on the same frames where the action's source rate was changed."""
    if abs(session.rate - rate) < 1e-6:
        return session
    stretched = tuple(layer.stretched(session.rate / rate, pivot=0.0) for layer in session.layers)
    return replace(session, layers=stretched, rate=rate)


def layers_text(layers: tuple[Layer, ...], rate: float) -> str:
    """Layers as a parameter of an entry."""
    arrays = to_arrays(layers)
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in arrays.items()}
    return saved_state.to_text(LAYERS_SET, {"rate": float(rate), "layers": plain})


def layers_of(text: str) -> tuple[tuple[Layer, ...], float]:
    """Layers of an entry, and the rate of their times."""
    saved = saved_state.from_text(LAYERS_SET, text)
    with saved_state.reading(LAYERS_SET):
        return from_arrays(saved["layers"]), float(saved["rate"])


def moved_text(text: str, moved: Callable[[Any], Any]) -> str:
    """Layers at the frames that their moments have become."""
    layers, rate = layers_of(text)

    def new_times(times: np.ndarray) -> np.ndarray:
        frames = np.asarray(moved(times * rate))
        return times if np.array_equal(frames, times * rate) else np.round(frames, 6) / rate

    return layers_text(tuple(retimed_layer(layer, new_times) for layer in layers), rate)
