"""Modules that are loaded when something of them is used."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path

import pytest
from motion_editing.motion_editing_addon.border import lazy_modules

PROJECT = Path(__file__).resolve().parents[3]
# Modules of the extension that are loaded when it is enabled, and hold NumPy itself.
ENABLED = f"""
import os, sys
import bpy
sys.path.append({str(PROJECT / "scripts")!r})
from workshop import checkout_as_extension
extension = checkout_as_extension.load()
extension.register()
ours = [each for name, each in sys.modules.items() if name.startswith(extension.__name__)]
numpy = sys.modules.get("numpy", object())
print("loaded", len(ours), *(each.__name__ for each in ours if numpy in vars(each).values()), flush=True)
os._exit(0)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a lazy module, one that imports it, and one that cannot be loaded."""
    folder = tmp_path / "lazily"
    folder.mkdir()
    made = f"from {lazy_modules.__name__} import lazy_submodules\n\n__getattr__ = lazy_submodules(__name__)\n"
    (folder / "__init__.py").write_text(made)
    (folder / "heavy.py").write_text("from . import light\n\nvalue = 1\n\n\ndef told():\n    return value\n")
    (folder / "light.py").write_text("from . import broken, heavy\n\n\ndef told():\n    return heavy.told()\n")
    (folder / "broken.py").write_text("raise RuntimeError('broken when loaded')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "lazily"
    for name in [name for name in sys.modules if name.partition(".")[0] == "lazily"]:
        del sys.modules[name]


def test_a_module_is_loaded_at_its_first_use(package):
    light = import_module(f"{package}.light")
    assert not lazy_modules.is_loaded(light.heavy)
    assert f"{package}.heavy" not in sys.modules
    assert light.told() == 1
    assert lazy_modules.is_loaded(light.heavy)
    assert lazy_modules.is_loaded(light)


def test_what_is_set_is_set_in_the_module(package, monkeypatch):
    light = import_module(f"{package}.light")
    monkeypatch.setattr(light.heavy, "value", 2)
    assert light.told() == import_module(f"{package}.heavy").value == 2
    monkeypatch.undo()
    assert light.told() == 1


def test_a_module_that_breaks_says_where(package):
    light = import_module(f"{package}.light")
    with pytest.raises(RuntimeError, match="broken when loaded") as caught:
        _ = light.broken.anything
    assert caught.traceback[-1].path.name == "broken.py"


def test_what_is_not_there_is_told_at_once(package):
    with pytest.raises(ImportError, match="missing"):
        exec(f"from {package} import missing")
    with pytest.raises(AttributeError, match="missing"):
        _ = import_module(f"{package}.light").heavy.missing


def test_lazy_modules_and_what_is_in_them_can_be_pickled(package):
    light = import_module(f"{package}.light")
    lazy = light.heavy
    assert pickle.loads(pickle.dumps(lazy)).told() == 1
    assert pickle.loads(pickle.dumps(lazy.told)) is lazy.told


def test_threads_may_use_one_at_the_same_time(package):
    light = import_module(f"{package}.light")
    found = []
    threads = [threading.Thread(target=lambda: found.append(light.told())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 8


def test_enabling_loads_nothing_that_needs_numpy():
    done = subprocess.run([sys.executable, "-c", ENABLED], stdout=subprocess.PIPE, text=True, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("loaded "))
    _, count, *needing = line.split()
    assert int(count) > 100
    assert not needing
