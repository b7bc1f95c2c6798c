"""What does not keep to the plan yet: one list that only gets shorter."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).resolve().with_name("exceptions.toml")


def compared(rule: str, found: Iterable[str]) -> None:
    """Fail where a rule is broken elsewhere than listed, or no longer where it is."""
    listed = set(tomllib.loads(LIST.read_text(encoding="utf-8")).get(rule, []))
    added, gone = sorted(set(found) - listed), sorted(listed - set(found))
    assert not added, f"{rule}: {len(added)} more than {LIST.name} allows:\n" + "\n".join(added)
    assert not gone, f"{rule}: take {len(gone)} out of {LIST.name}:\n" + "\n".join(gone)
