"""Virtual environments in the cache folder: one for each supported Blender, one for core, one for types.

An environment carries a stamp of its requirements, written last. It is used again while
the stamp matches and built anew when it does not.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .cache import SetupError, is_complete, locked, mark_complete, remove
from .command_line import say
from .interpreters import find_python, running_version
from .places import cache_folder

TEST_TOOLS = ("pytest", "scipy", "hypothesis")


@dataclass(frozen=True)
class Environment:
    """What an environment is called and what is in it."""

    name: str
    python_version: str
    requirements: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where it stands in the cache."""
        return cache_folder() / "environments" / self.name

    @property
    def stamp(self) -> str:
        """Everything that would make it a different environment."""
        return "\n".join((self.python_version, *self.requirements))


@dataclass(frozen=True)
class Versions:
    """What an environment turned out to contain."""

    python: str
    numpy: str
    blender: str


BLENDERS = {
    "4.5": Environment("blender-4.5", "3.11", ("bpy==4.5.*", "numpy<2", *TEST_TOOLS)),
    "5.0": Environment("blender-5.0", "3.11", ("bpy==5.0.*", "numpy<2", *TEST_TOOLS)),
    "5.2": Environment("blender-5.2", "3.13", ("bpy==5.2.*", "numpy>=2", *TEST_TOOLS)),
}
BENCH = Environment("bench", "3.11", ("bpy==5.0.*", "numpy<2", *TEST_TOOLS, "upc-pymotion"))


def farm_environment() -> Environment:
    """Give the environment with Dask for the Python that is running; tests of farms put it beside their Blender."""
    version = running_version()
    return Environment(f"farm-{version}", version, ("distributed",))


def core_environment() -> Environment:
    """Give the environment without Blender, for the Python that is running."""
    version = running_version()
    return Environment(f"core-{version}", version, ("numpy", *TEST_TOOLS, "ruff", "mypy"))


def pictures_environment() -> Environment:
    """Give the environment that packs pictures and loops of the manual."""
    version = running_version()
    return Environment(f"pictures-{version}", version, ("pillow",))


def types_environment() -> Environment:
    """Give the environment of mypy, with stubs of the newest supported Blender.

    Both are pinned: a new release of either finds other errors, and is a change to review.
    """
    version = running_version()
    return Environment(f"types-{version}", version, ("numpy", "mypy==2.4.*", "fake-bpy-module-5.2==20260730"))


def ensure(environment: Environment) -> Path:
    """Make sure the environment stands and give its interpreter.

    Raises:
        SetupError: Its Python is not on this machine, or its packages did not install.
    """
    with locked(environment.name):
        if not is_complete(environment.folder, environment.stamp):
            _build(environment)
    return _interpreter(environment.folder)


def _build(environment: Environment) -> None:
    """Build the environment from nothing and stamp it."""
    base = find_python(environment.python_version)
    if base is None:
        raise SetupError(f"Python {environment.python_version} was not found on this machine")
    remove(environment.folder)
    started = time.monotonic()
    say(f"[{environment.name}] installing {', '.join(environment.requirements)}")
    _run(environment, base, "-m", "venv", str(environment.folder))
    python = _interpreter(environment.folder)
    _run(environment, python, "-m", "pip", "install", "--quiet", "--no-input", *environment.requirements)
    mark_complete(environment.folder, environment.stamp)
    say(f"[{environment.name}] ready after {time.monotonic() - started:.0f} s")


def _run(environment: Environment, interpreter: Path, *arguments: str) -> None:
    """Run one step of building an environment."""
    done = subprocess.run([str(interpreter), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        last_lines = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise SetupError(f"{environment.name}: {' '.join(arguments[:3])} failed:\n{last_lines}")


def _interpreter(folder: Path) -> Path:
    """Give the interpreter inside an environment."""
    windows = folder / "Scripts" / "python.exe"
    return windows if windows.exists() else folder / "bin" / "python"


@cache
def versions(python: Path) -> Versions:
    """Ask an environment what it contains, without importing Blender."""
    code = (
        "import platform\nfrom importlib.metadata import version, PackageNotFoundError\n"
        "print(platform.python_version())\n"
        "for name in ('numpy', 'bpy'):\n"
        "    try: print(version(name))\n"
        "    except PackageNotFoundError: print('-')\n"
    )
    done = subprocess.run([str(python), "-I", "-c", code], capture_output=True, text=True, check=True)
    return Versions(*done.stdout.split())


@cache
def site_packages(python: Path) -> Path:
    """Give the folder of an environment's installed packages."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([str(python), "-I", "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())
