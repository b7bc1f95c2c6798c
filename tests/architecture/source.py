"""The source of the extension as modules and what they import, read without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("core", "motion_editing_addon")


@dataclass(frozen=True)
class Module:
    """One file of the source."""

    path: Path
    name: str

    @property
    def place(self) -> str:
        """Its path in the project."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    def imports(self) -> Iterator[tuple[str, str]]:
        """Module and name of everything of the project that is imported; the name is empty for a module."""
        known = _names()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                start = _start(self.package, node)
                for alias in node.names:
                    whole = f"{start}.{alias.name}".lstrip(".")
                    yield (whole, "") if whole in known else (start, alias.name)


def _start(package: str, node: ast.ImportFrom) -> str:
    """The absolute name of the module in `from module import ...`."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


@cache
def modules() -> tuple[Module, ...]:
    """All modules of core and add-on."""
    paths = sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py"))
    return tuple(Module(path, _name(path)) for path in paths)


@cache
def _names() -> frozenset[str]:
    return frozenset(each.name for each in modules())


def is_module(name: str) -> bool:
    """Whether a file or folder of the source has this name."""
    return name in _names()


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def door(package: str) -> frozenset[str]:
    """What a package's `__init__.py` lists: in `__all__`, or to be imported when it is first used."""
    module = next((each for each in modules() if each.name == package and each.path.name == "__init__.py"), None)
    body = module.tree.body if module else []
    for node in body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return frozenset(ast.literal_eval(node.value))
    later = [node for node in body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [each for node in later for each in node.body if isinstance(each, ast.ImportFrom)]
    return frozenset(name.asname or name.name for each in imports for name in each.names)
