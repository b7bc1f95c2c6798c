"""What saved data look like: fields with types and sizes, a version, and what is said of data that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from ..lazy_modules import np

Values = dict[str, Any]
Migration = Callable[[Values], Values]
# Type and shape of a value; the shape of a text or a single number is None.
Form = tuple[str, tuple[int, ...] | None]


@dataclass(frozen=True)
class Field:
    """What a value may be.

    Attributes:
        types: NumPy's types of an array without their byte order, such as "f8", or Python's type of a single value.
        sizes: Of an array, see `array`; None for a single value.
        optional: It may be missing.
        has_gaps: Some of its numbers may be missing.
        compact: It is large and compressed.
    """

    types: tuple[str, ...]
    sizes: tuple[str, ...] | None = None
    optional: bool = False
    has_gaps: bool = False
    compact: bool = False


def array(types: str, *sizes: str, optional: bool = False, has_gaps: bool = False, compact: bool = False) -> Field:
    """An array of one of some types.

    Sizes are numbers, letters that stand for the same number in all fields of a kind, or products such as "K*3" and
    "N+1"; "_" is any number. In a field with a number in its name, "K#" is a size that only fields with the same
    number share.
    """
    return Field(tuple(types.split()), sizes, optional, has_gaps, compact)


def single(kind: type, *, optional: bool = False) -> Field:
    """A text or a number."""
    return Field(("int", "float") if kind is float else (kind.__name__,), None, optional)


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of saved data.

    Attributes:
        name: Under which it is saved.
        version: Goes up by one whenever the fields or their meaning change.
        damaged: One line for data that are not what was written, with the way out.
        newer: One line for data of a later version.
        fields: By name; "#" stands for any number between dots.
        migrations: By version, what makes the values of that version into those of the next one.
    """

    name: str
    version: int
    damaged: str
    newer: str
    fields: Mapping[str, Field]
    migrations: Mapping[int, Migration] = field(default_factory=dict)

    def named(self, name: str) -> Kind:
        """The kind of data that there are several of, by their names."""
        texts = {each: getattr(self, each).replace("{}", name) for each in ("name", "damaged", "newer")}
        return replace(self, **texts)

    def field_of(self, name: str) -> tuple[str, Field | None]:
        """The pattern and the field of a value."""
        pattern = _NUMBER.sub("#", name)
        return pattern, self.fields.get(pattern)

    def migrated(self, values: Values, version: int) -> Values:
        """The values as this version has them.

        Raises:
            ValueError: They are of a version that there never was.
        """
        for earlier in range(version, self.version):
            if earlier not in self.migrations:
                raise ValueError(f"there is no version {earlier} of '{self.name}'")
            values = self.migrations[earlier](values)
        return values


_NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")


def form_of(value: Any) -> Form:
    """Type and shape of a value."""
    if isinstance(value, np.ndarray):
        return value.dtype.str[1:], value.shape
    return type(value.item() if isinstance(value, np.generic) else value).__name__, None


def check(kind: Kind, forms: Mapping[str, Form], known: Mapping[str, int] | None = None) -> None:
    """Raise a ValueError where values are missing, too many, of another type or of sizes that do not fit together.

    Args:
        kind: What they should be.
        forms: Their types and shapes.
        known: Sizes that letters stand for, if something else tells them.
    """
    sizes, by_pattern = _Sizes(known or {}), _by_pattern(kind, forms)
    for pattern, rule in kind.fields.items():
        if pattern not in by_pattern and not rule.optional and "#" not in pattern:
            raise ValueError(f"'{pattern}' is missing")
        for name in by_pattern.get(pattern, ()):
            if not _fits(rule, forms[name], sizes, "".join(_NUMBER.findall(name))):
                raise ValueError(f"'{name}' is {forms[name]}")


def _by_pattern(kind: Kind, forms: Mapping[str, Form]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in forms:
        pattern, rule = kind.field_of(name)
        if rule is None:
            raise ValueError(f"'{name}' is unknown")
        found.setdefault(pattern, []).append(name)
    return found


def _fits(rule: Field, form: Form, sizes: _Sizes, number: str) -> bool:
    kind, shape = form
    if kind not in rule.types or (shape is None) != (rule.sizes is None):
        return False
    if shape is None or rule.sizes is None:
        return True
    return len(shape) == len(rule.sizes) and all(
        sizes.fit(text.replace("#", number), size) for text, size in zip(rule.sizes, shape, strict=True)
    )


class _Sizes:
    """Numbers that letters stand for, known from the first array that tells."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self._known = dict(known)

    def fit(self, text: str, size: int) -> bool:
        """Whether a size is what a text such as "K*3" or "N+1" says."""
        product, _, more = text.partition("+")
        size -= int(more or 0)
        numbers = [self._known.get(factor, factor) for factor in product.split("*")]
        open_ones = [each for each in numbers if isinstance(each, str) and not each.isdigit()]
        known = prod(int(each) for each in numbers if each not in open_ones)
        if size < 0:
            return False
        if not open_ones:
            return size == known
        if open_ones == ["_"]:
            return True
        if len(open_ones) == 1 and known and size % known == 0:
            self._known[open_ones[0]] = size // known
        return size % known == 0 if known else size == 0
