"""What every tool is: options, and a pure function from a take to a change."""

from typing import Any, ClassVar


class Tool:
    """A frozen dataclass whose fields are `options`; its docstring is the tooltip of its button."""

    # What a report says was done: 'Filtered 20 bones'.
    verb: ClassVar[str] = "Changed"

    @property
    def sliders(self) -> tuple[str, ...]:
        """Options that the mouse sets, the first one first."""
        return ()

    @property
    def unused(self) -> frozenset[str]:
        """Options without effect while the others are as they are."""
        return frozenset()

    @property
    def needs_positions(self) -> bool:
        """Whether it asks where joints are, which takes time on control rigs: for peaks and contacts."""
        return any(getattr(self, name, False) for name in ("keep_peaks", "keep_contacts"))

    def apply(self, take: Any) -> Any:
        """Do it: gives a `Change` of a `Take`; tools of staggered poses give other poses."""
        raise NotImplementedError
