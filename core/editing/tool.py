"""What every tool is: options, and a pure function from a take to a change."""

from dataclasses import FrozenInstanceError, dataclass, fields
from typing import Any, ClassVar, NoReturn, dataclass_transform

# Seconds that a contact may take, with what comes before and after it.
_CONTACT = 2.0


@dataclass_transform(frozen_default=True)
class Tool:
    """A frozen dataclass whose fields are `options`; its docstring is the tooltip of its button.

    Every class that inherits this is one, without methods of its own for making and comparing: to compile them for
    each took a third of the time that enabling the extension takes.
    """

    # What a report says was done: 'Filtered 20 bones'.
    verb: ClassVar[str] = "Changed"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, *given: Any, **named: Any) -> None:
        options = {each.name: each.default for each in fields(self)}  # type: ignore[arg-type]
        chosen = dict(zip(options, given, strict=False)) | named
        if len(given) > len(options) or len(chosen) < len(given) + len(named) or not chosen.keys() <= options.keys():
            raise TypeError(f"{type(self).__name__} takes each of {', '.join(options)} at most once")
        vars(self).update(options | chosen)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._chosen == self._chosen

    def __hash__(self) -> int:
        return hash((type(self), *self._chosen.values()))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in self._chosen.items())})"

    @property
    def _chosen(self) -> dict[str, Any]:
        """The values of all options."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    # Whether it moves the character as a whole, whatever bones are picked.
    is_whole: ClassVar[bool] = False

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

    @property
    def is_measured(self) -> bool:
        """Whether a report tells how far bones went, which says nothing where poses stay and their timing changes."""
        return True

    @property
    def seconds_around(self) -> float | None:
        """Time on both sides of a frame that has a say in it, as far as can be seen; None if all of the motion has."""
        around = self._own_seconds_around()
        return around if around is None or not getattr(self, "keep_contacts", False) else around + _CONTACT

    def _own_seconds_around(self) -> float | None:
        """The same, if no contacts are kept."""
        return None

    @property
    def key_moves(self) -> frozenset[str]:
        """How keys follow a new timing: baked ones softened, sparse ones on whole frames, with breakdown keys."""
        return frozenset(name for name in ("soften", "snap", "breakdowns") if getattr(self, name, False))

    @property
    def carries(self) -> bool:
        """Whether it carries the figure over the ground, which all of it must follow."""
        return False

    def apply(self, take: Any) -> Any:
        """Do it: gives a `Change` of a `Take`; tools of staggered poses give other poses."""
        raise NotImplementedError
