"""What a write did, for the operator's message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ....core.wording import angle_text, number_text
from ..lengths import length_text
from ..translation import report_text
from .curves.channels import channel_text

if TYPE_CHECKING:
    from .curves.channels import Property

# As many channels are named in a message.
_MOST_NAMED = 3
_ONE_MUTED = "1 muted channel was left out: {channels}"
_SEVERAL_MUTED = "{count} muted channels were left out: {channels}"


@dataclass
class WriteReport:
    """What a write did, for the operator's message.

    Attributes:
        bones: Bones of which a channel changed.
        frames: Samples at which something changed; the new number of frames after a retiming.
        frames_before: Number of frames before a retiming; 0 where the timing stays.
        keys_before: Keys of the changed curves before.
        keys_after: Keys of the changed curves after.
        misses: How far the written curves stay from the motion, by the kind of channel; above zero
            where sparse keys cannot follow what changed between them.
        breakdown_keys: Keys that were added between an animator's own.
        sizes: Units of the scene that units of locations are, where these differ.
        muted: Channels that were left out because they are muted, as people know them.
        muted_follow: Muted channels got the new timing, too.
        values_only: Nothing but the values of keys in memory, one on each sample, was changed.
    """

    bones: int = 0
    frames: int = 0
    frames_before: int = 0
    keys_before: int = 0
    keys_after: int = 0
    misses: dict[str, float] = field(default_factory=dict)
    breakdown_keys: int = 0
    sizes: Mapping[Property, float] = field(default_factory=dict)
    muted: set[str] = field(default_factory=set)
    muted_follow: bool = False
    values_only: bool = True

    @property
    def largest_miss(self) -> float:
        """The greatest of all misses; those of locations in units of the scene."""
        return max(self.misses.values(), default=0.0)

    def add_miss(self, prop: Property, miss: float) -> None:
        """Note how far a channel of the property stays from the motion, in its own unit."""
        kind = kind_of(prop)
        miss *= self.sizes.get(prop, 1.0)
        # A quaternion's numbers change half as much as the angle.
        self.misses[kind] = max(self.misses.get(kind, 0.0), 2.0 * miss if prop.path.endswith("quaternion") else miss)

    def joined(self, other: WriteReport) -> WriteReport:
        """What this and another write did, to bones of their own."""
        kinds = self.misses.keys() | other.misses.keys()
        return replace(
            self,
            bones=self.bones + other.bones,
            frames=max(self.frames, other.frames),
            keys_before=self.keys_before + other.keys_before,
            keys_after=self.keys_after + other.keys_after,
            misses={kind: max(each.misses.get(kind, 0.0) for each in (self, other)) for kind in kinds},
            breakdown_keys=self.breakdown_keys + other.breakdown_keys,
            muted=self.muted | other.muted,
            values_only=self.values_only and other.values_only,
        )

    def add_muted(self, properties: Iterable[Property]) -> None:
        """Note properties that were left out because a channel of theirs is muted."""
        self.muted.update(channel_text(prop.path) for prop in properties)


def kind_of(prop: Property) -> str:
    """What a property's channels measure: 'rotation', 'location' or 'value'."""
    name = prop.path.rpartition(".")[2]
    return "rotation" if name.startswith("rotation_") else "location" if name == "location" else "value"


def muted_text(reports: Iterable[WriteReport]) -> str:
    """What was left out as muted: "2 muted channels were left out: 'location of hip', 'scale of hip'"."""
    names = sorted(set().union(*(report.muted for report in reports)))
    if not names:
        return ""
    told = ", ".join(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        told = report_text("{channels} and {count} more", channels=told, count=len(names) - _MOST_NAMED)
    return report_text(_ONE_MUTED if len(names) == 1 else _SEVERAL_MUTED, count=len(names), channels=told)


def misses_text(reports: Sequence[WriteReport]) -> str:
    """The largest misses with their units: '0.4°, 3 mm'."""
    texts = {"rotation": lambda miss: angle_text(miss, 2), "location": length_text}
    misses = {kind: max(each.misses.get(kind, 0.0) for each in reports) for kind in ("rotation", "location", "value")}
    return ", ".join(texts.get(kind, _value_text)(miss) for kind, miss in misses.items() if miss)


def _value_text(miss: float) -> str:
    return report_text("{number} in other channels", number=number_text(miss, 2))
