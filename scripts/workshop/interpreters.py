"""Find Python interpreters that are installed but perhaps not active.

Every supported Blender needs one certain Python. The one that runs these scripts is
rarely the only one on a machine: version managers keep others that are not on PATH, or
that are on PATH as a stand-in which refuses to start. So every candidate is started once
and believed only if it answers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Debian splits ensurepip off: an interpreter without it cannot make an environment.
PROBE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


@cache
def find_python(version: str) -> Path | None:
    """Give an interpreter of the version ("3.11") that can make environments, or None."""
    for candidate in _candidates(version):
        if _answer(candidate) == version:
            return candidate
    return None


def running_version() -> str:
    """Give the version of the running interpreter as "3.11"."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _candidates(version: str) -> Iterator[Path]:
    """Yield places where an interpreter of this version may be, the likeliest first."""
    yield Path(sys.executable)
    for name in (f"python{version}", "python3", "python"):
        found = shutil.which(name)
        if found:
            yield Path(found)
    for prefix in (*_pyenv_prefixes(version), *_uv_prefixes(version)):
        yield prefix / "bin" / f"python{version}"
        yield prefix / "python.exe"
    launcher = _from_windows_launcher(version)
    if launcher:
        yield launcher


def _pyenv_prefixes(version: str) -> list[Path]:
    """Give the folders of pyenv's interpreters of this version, the newest patch first."""
    roots = [os.environ.get("PYENV_ROOT"), _output("pyenv", "root"), str(Path.home() / ".pyenv")]
    folders = [Path(root) / "versions" for root in dict.fromkeys(filter(None, roots))]
    found = [prefix for folder in folders for prefix in folder.glob(f"{version}*")]
    return sorted(found, key=_patch_number, reverse=True)


def _uv_prefixes(version: str) -> list[Path]:
    """Give the folders of uv's interpreters of this version, the newest patch first."""
    data = os.environ.get("XDG_DATA_HOME", str(Path.home() / ".local" / "share"))
    roots = [os.environ.get("UV_PYTHON_INSTALL_DIR"), _output("uv", "python", "dir"), f"{data}/uv/python"]
    folders = [Path(root) for root in dict.fromkeys(filter(None, roots))]
    found = [prefix for folder in folders for prefix in folder.glob(f"cpython-{version}*")]
    return sorted(found, key=_patch_number, reverse=True)


def _patch_number(prefix: Path) -> int:
    """Give the 7 of "3.11.7" or "cpython-3.11.7-linux"; names without one sort last."""
    parts = prefix.name.removeprefix("cpython-").split("-")[0].split(".")
    return int(parts[2]) if len(parts) > 2 and parts[2].isdigit() else -1


def _from_windows_launcher(version: str) -> Path | None:
    """Ask Windows' py launcher for an interpreter."""
    path = _output("py", f"-{version}", "-c", "import sys; print(sys.executable)")
    return Path(path) if path else None


def _answer(interpreter: Path) -> str:
    """Give the version the interpreter answers with, empty when it does not start."""
    return _output(str(interpreter), "-I", "-c", PROBE)


def _output(*command: str) -> str:
    """Run a command and give what it printed; empty when it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
