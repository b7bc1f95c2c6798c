"""A Blender with a window, for the GUI tests.

A Blender named by $BLENDER or found on PATH comes first. Otherwise, as root on Debian, a
Debian unstable system with Blender and a virtual screen is installed into a folder of the
cache and used from there. Whatever has to be mounted into that folder is mounted in a
private mount namespace: the mounts end with the process and none can be left behind.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .cache import SetupError, is_complete, locked, mark_complete, remove
from .command_line import say
from .places import cache_folder

PACKAGES = (
    "blender",
    "xvfb",
    "xauth",
    "xdotool",
    "imagemagick",
    "libgl1-mesa-dri",
    "libegl1",
    "libgl1",
    "libegl-mesa0",
    "libglx-mesa0",
    "python3-numpy",
    "python3-cattr",
    "python3-requests",
)
SUITE = "sid"
OLDEST = (4, 5)
SCREEN = "-screen 0 1600x900x24 +extension GLX"
ROOT_NAME = "window-blender"
INNER_MOUNTS = (("proc", "proc"), ("tmpfs", "tmp"))


@dataclass(frozen=True)
class WindowBlender:
    """A Blender that can open a window, in this system or in one kept in the cache."""

    executable: str
    root: Path | None = None

    def command(self, arguments: Sequence[str], folders: Sequence[Path]) -> list[str]:
        """Give the command that starts Blender with a window.

        Args:
            arguments: Blender's own command line arguments.
            folders: Folders Blender reads or writes. They have the same path inside as
                outside, so no path has to be translated.
        """
        inner = [self.executable, *arguments]
        if self.root or not os.environ.get("DISPLAY"):
            inner = ["xvfb-run", "-a", "-s", SCREEN, *inner]
        return _inside(self.root, inner, folders) if self.root else inner


def ensure() -> WindowBlender:
    """Find or install a Blender with a window.

    Raises:
        SetupError: There is none and none can be installed; the message says why.
    """
    found = os.environ.get("BLENDER") or shutil.which("blender")
    if found:
        return _existing(found)
    reason = _why_not_installable()
    if reason:
        raise SetupError(f"no Blender as $BLENDER or on PATH, and none can be installed: {reason}")
    root = cache_folder() / ROOT_NAME
    with locked(ROOT_NAME):
        if not is_complete(root, _stamp()):
            _install(root)
    return WindowBlender("/usr/bin/blender", root)


def _existing(executable: str) -> WindowBlender:
    """Check a Blender that is there already."""
    version = _version_of(executable)
    if version < OLDEST:
        raise SetupError(f"{executable} is not Blender {OLDEST[0]}.{OLDEST[1]} or newer")
    if not os.environ.get("DISPLAY") and not shutil.which("xvfb-run"):
        raise SetupError(f"{executable} needs a screen: set DISPLAY or install xvfb")
    return WindowBlender(executable)


def _version_of(executable: str) -> tuple[int, int]:
    """Ask a Blender for its version."""
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise SetupError(f"Blender at {executable} cannot be started") from error
    found = re.search(r"Blender (\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _why_not_installable() -> str:
    """Say what is missing for installing one; empty when nothing is."""
    if not Path("/etc/debian_version").exists():
        return "that works on Debian only"
    if os.geteuid() != 0:
        return "that needs root"
    return ""


def _stamp() -> str:
    """Everything that would make the installed system a different one."""
    return "\n".join((SUITE, *PACKAGES))


def _install(root: Path) -> None:
    """Install the system with Blender from nothing and stamp it."""
    started = time.monotonic()
    say(f"[{ROOT_NAME}] installing Debian {SUITE} with Blender (about 1.7 GB)")
    _refuse_if_mounted(root)
    remove(root)
    _require_debootstrap()
    root.mkdir(parents=True)
    bootstrap = ["debootstrap", "--variant=minbase", SUITE, str(root)]
    _run(["unshare", "--mount", *bootstrap], "debootstrap")
    # Packages are unpacked into a folder that is rebuilt anyway if it is lost half-way,
    # so waiting for the disk after every file buys nothing.
    (root / "etc/dpkg/dpkg.cfg.d/no-sync").write_text("force-unsafe-io\n")
    install = f"apt-get install --yes --no-install-recommends {' '.join(PACKAGES)} && apt-get clean"
    _run(_inside(root, ["sh", "-c", install], ()), "installing Blender")
    mark_complete(root, _stamp())
    say(f"[{ROOT_NAME}] ready after {time.monotonic() - started:.0f} s")


def _require_debootstrap() -> None:
    """Install debootstrap where it is missing."""
    if shutil.which("debootstrap"):
        return
    _run(["apt-get", "update"], "apt-get update")
    _run(["apt-get", "install", "--yes", "--no-install-recommends", "debootstrap"], "installing debootstrap")


def _refuse_if_mounted(root: Path) -> None:
    """Refuse to delete a folder into which something is mounted: it would be emptied."""
    mounts = Path("/proc/self/mounts").read_text().splitlines()
    inside = [line.split()[1] for line in mounts if line.split()[1].startswith(f"{root}/")]
    if inside:
        raise SetupError(f"unmount {', '.join(inside)} first: {root} has to be replaced")


def _inside(root: Path, command: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Give the command that runs another inside the system, with folders mounted into it."""
    # A fresh /tmp keeps the mount points of temporary folders from piling up in the cache.
    steps = [f"mount -t {kind} {kind} {shlex.quote(f'{root}/{place}')}" for kind, place in INNER_MOUNTS]
    for source in (Path("/dev"), Path("/sys"), *folders):
        target = shlex.quote(f"{root}{source.resolve()}")
        steps += [f"mkdir -p {target}", f"mount --rbind {shlex.quote(str(source.resolve()))} {target}"]
    # The shell stays: it is process 1 here, and a virtual screen never tells process 1 that it
    # is ready, so xvfb-run must not take its place.
    steps += [f"chroot {shlex.quote(str(root))} {shlex.join(command)}", "exit $?"]
    # A process namespace besides: when the outer process ends, so do Blender and its screen.
    namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    return [*namespaces, "sh", "-ec", "\n".join(steps)]


def _run(command: Sequence[str], purpose: str) -> None:
    """Run one step of the installation, twice if need be: mirrors have bad moments."""
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    for _attempt in range(2):
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
    last_lines = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
    raise SetupError(f"{purpose} failed:\n{last_lines}")
