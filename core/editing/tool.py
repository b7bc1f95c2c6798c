"""What every tool is: options, and a pure function from a take to a change."""

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from .change import Change
    from .take import Take


class Tool(Protocol):
    """A frozen dataclass whose fields are `options`; its docstring is the tooltip of its button."""

    # What a report says was done: 'Filtered 20 bones'.
    verb: ClassVar[str]

    @property
    def sliders(self) -> tuple[str, ...]:
        """Options that the mouse sets, the first one first."""

    @property
    def unused(self) -> frozenset[str]:
        """Options without effect while the others are as they are."""

    @property
    def needs_positions(self) -> bool:
        """Whether it asks where joints are, which takes time on control rigs."""

    def apply(self, take: "Take") -> "Change":
        """Do it."""
