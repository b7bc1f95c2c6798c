"""Build the installable extension: `python3 scripts/build.py` makes dist/motion_editing-VERSION.zip.

Blender's own extension tool (part of every bpy wheel) chooses the files by the manifest and
validates the result. The archive is then written anew, with the manual's pages made from
docs/, with fixed times and order: the same source always gives the same bytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import manual_pages
from workshop import environments
from workshop.cache import SetupError, is_complete
from workshop.command_line import Parser, say, stop_with
from workshop.interpreters import find_python
from workshop.places import PROJECT

SIZE_LIMIT = 2_500_000
FIXED_TIME = (1980, 1, 1, 0, 0, 0)


class BuildError(Exception):
    """The extension could not be built; the message says why."""


def build(output_folder: Path = PROJECT / "dist") -> Path:
    """Build, validate and measure the extension; give the path of its zip.

    Raises:
        BuildError: Blender's tool refused the source or the result is too large.
        SetupError: There is no Blender on this machine that could build it.
    """
    manifest = tomllib.loads((PROJECT / "blender_manifest.toml").read_text(encoding="utf-8"))
    output_folder.mkdir(parents=True, exist_ok=True)
    target = output_folder / f"{manifest['id']}-{manifest['version']}.zip"
    python = any_blender_environment()
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "built.zip"
        repacked = Path(folder) / target.name
        _extension_tool(python, "build", "--source-dir", str(PROJECT), "--output-filepath", str(built))
        _repack(built, repacked)
        _extension_tool(python, "validate", str(repacked))
        _check_size(repacked)
        target.write_bytes(repacked.read_bytes())
    return target


def any_blender_environment() -> Path:
    """Give the interpreter of an environment with bpy: one that stands, else a new one."""
    choices = list(reversed(environments.BLENDERS.values()))
    for environment in choices:
        if is_complete(environment.folder, environment.stamp):
            return environments.ensure(environment)
    for environment in choices:
        if find_python(environment.python_version):
            return environments.ensure(environment)
    raise SetupError("building needs Python 3.11 or 3.13, and neither was found on this machine")


def _extension_tool(python: Path, *arguments: str) -> None:
    """Run Blender's extension tool from the bpy wheel of an environment."""
    site_packages = environments.site_packages(python)
    tools = sorted(site_packages.glob("bpy/*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    if not tools:
        raise BuildError(f"Blender's extension tool is missing below {site_packages}")
    done = subprocess.run([str(python), str(tools[-1]), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"Blender's extension tool refused to {arguments[0]}:\n{done.stdout}{done.stderr}")


def _repack(source: Path, target: Path) -> None:
    """Write the archive again with the manual, files in order and without times of their own."""
    files = {f"manual/{name}": content for name, content in manual_pages.manual_files().items()}
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        files |= {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # the same on every platform that builds
            entry.external_attr = 0o644 << 16
            new.writestr(entry, files[name], compresslevel=9)


def _check_size(archive: Path) -> None:
    """Refuse an archive that has grown beyond what everyone should have to download."""
    size = archive.stat().st_size
    if size > SIZE_LIMIT:
        raise BuildError(f"the extension has {size:,} bytes; the limit is {SIZE_LIMIT:,}")


def main() -> int:
    """Build into dist/ or the folder given by --output."""
    parser = Parser(description="Build the installable extension.")
    parser.add_argument("--output", type=Path, default=PROJECT / "dist", help="folder for the zip")
    options = parser.parse_args()
    if options.output.exists() and not options.output.is_dir():
        stop_with(f"{options.output} is a file, not a folder")
    try:
        archive = build(options.output)
    except (BuildError, SetupError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    say(f"{archive} ({archive.stat().st_size:,} bytes), validated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
