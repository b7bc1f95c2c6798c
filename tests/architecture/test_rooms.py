"""Rooms with doors: who may import whom."""

from __future__ import annotations

import pytest
from exceptions_list import compared
from rooms import MOVES, ROWS, room_of, row_of
from source import TOPS, Module, door, modules


def inside(module: Module) -> bool:
    """Whether a module is in a room, or will be; the doors of core and add-on are in none."""
    return module.name not in TOPS


def test_everything_has_a_room():
    for module in filter(inside, modules()):
        top, room = room_of(module.name)
        assert any(room in rooms for rooms in ROWS[top]), f"{module.place}: name its room in rooms.py"


@pytest.mark.parametrize("top", TOPS)
def test_what_moved_is_off_the_list(top):
    units = {module.name.split(".")[1] for module in filter(inside, modules()) if module.name.startswith(f"{top}.")}
    assert not set(MOVES[top]) - units


def test_rooms_are_moved_into():
    found = {".".join(each.name.split(".")[:2]) for each in filter(inside, modules())}
    compared("outside", [unit for unit in found if unit.split(".")[1] in MOVES[unit.split(".")[0]]])


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
    return package in TOPS or package.count(".") == 0 or last in door(package) or _is_file(name)


def _is_file(name: str) -> bool:
    """Whether a module is a file at the top of core or add-on, which has no door."""
    return name.count(".") == 1 and not door(name)
