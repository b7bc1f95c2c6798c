"""Rooms with doors: who may import whom."""

from __future__ import annotations

from exceptions_list import compared
from rooms import ROWS, room_of, row_of
from source import TOPS, Module, door, is_module, modules


def inside(module: Module) -> bool:
    """Whether a module is in a room; the doors of core and add-on are in none."""
    return module.name not in TOPS


def test_everything_has_a_room():
    for module in filter(inside, modules()):
        top, room = room_of(module.name)
        assert any(room in rooms for rooms in ROWS[top]), f"{module.place}: name its room in rooms.py"


def test_imports_go_upwards():
    found = []
    for module in filter(inside, modules()):
        top, room = room_of(module.name)
        for name, _ in module.imports():
            if name.startswith(f"{top}.") and not _allowed(top, room, room_of(name)[1]):
                found.append(f"{module.place}: {room} -> {room_of(name)[1]}")
    compared("imports", found)


def _allowed(top: str, room: str, other: str) -> bool:
    return room == other or row_of(top, other) < row_of(top, room)


def test_core_does_not_know_the_addon():
    assert not [m.place for m in modules() if m.name.startswith("core") for name, _ in m.imports() if "addon" in name]


def test_packages_are_entered_by_their_doors():
    found = []
    for module in filter(inside, modules()):
        for name, thing in module.imports():
            if name.split(".")[0] in TOPS and not _by_the_door(module, name, thing):
                found.append(f"{module.place}: {name}")
    compared("doors", found)


def _by_the_door(module: Module, name: str, thing: str) -> bool:
    """Whether something is imported from its own room, or from what the `__init__.py` of another package lists."""
    if module.name.split(".")[:2] == name.split(".")[:2]:
        return True
    package, last = (name, thing) if thing else name.rpartition(".")[::2]
    return package.count(".") == 0 or last in door(package) or _is_file(name) or _is_open(name)


def _is_file(name: str) -> bool:
    """Whether a module is a file at the top of core, which has no door."""
    return name.count(".") == 1 and not door(name)


def _is_open(name: str) -> bool:
    """Whether a module of the add-on is listed by its package: its names need not be loaded before it is."""
    package, _, last = name.rpartition(".")
    return name.startswith("motion_editing_addon.") and last in door(package)


def test_doors_of_the_addon_list_what_others_import():
    """A door that lists all that is behind it is none."""
    wanted = {
        name if not thing else f"{name}.{thing}"
        for module in modules()
        for name, thing in module.imports()
        if module.name.split(".")[:2] != name.split(".")[:2]
    }
    entered = wanted | {each.rpartition(".")[0] for each in wanted}
    for module in modules():
        if module.name.startswith("motion_editing_addon") and module.path.name == "__init__.py":
            idle = [each for each in door(module.name) if is_module(f"{module.name}.{each}")]
            assert not [each for each in idle if f"{module.name}.{each}" not in entered], module.place
