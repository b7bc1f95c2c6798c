"""Finding interpreters, and never taking a half-built folder for a whole one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from workshop import cache, interpreters, places
from workshop.environments import Environment, ensure
from workshop.processes import TIMED_OUT, run_to_end

SCRIPTS = places.PROJECT / "scripts"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the real cache out of these tests."""
    monkeypatch.setenv("MOTION_EDITING_CACHE", str(tmp_path / "cache"))
    interpreters.find_python.cache_clear()
    return tmp_path / "cache"


def test_the_running_python_is_found() -> None:
    assert interpreters.find_python(interpreters.running_version()) == Path(sys.executable)


def test_a_python_that_is_nowhere_is_not_found() -> None:
    assert interpreters.find_python("3.999") is None


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_a_stand_in_that_refuses_to_start_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _make_program(tmp_path / "shims" / "python3.999", "exit 127")
    real = tmp_path / "pyenv" / "versions" / "3.999.1" / "bin" / "python3.999"
    _make_program(real, "echo 3.999")
    monkeypatch.setenv("PATH", str(tmp_path / "shims"), prepend=os.pathsep)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert interpreters.find_python("3.999") == real


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_the_newest_patch_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for patch in ("9", "10", "2"):
        _make_program(tmp_path / "versions" / f"3.999.{patch}" / "bin" / "python3.999", "echo 3.999")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    found = interpreters.find_python("3.999")
    assert found is not None
    assert found.parents[1].name == "3.999.10"


def test_an_environment_is_reused_and_never_half_taken() -> None:
    environment = Environment("empty", interpreters.running_version(), ("pip",))
    python = ensure(environment)
    witness = environment.folder / "witness"
    witness.touch()
    assert ensure(environment) == python
    assert witness.exists(), "a complete environment should be used again"

    (environment.folder / "complete.stamp").unlink()
    ensure(environment)
    assert not witness.exists(), "one without a stamp should be built anew"


def test_other_requirements_make_an_environment_incomplete(tmp_path: Path) -> None:
    cache.mark_complete(tmp_path, "numpy")
    assert cache.is_complete(tmp_path, "numpy")
    assert not cache.is_complete(tmp_path, "numpy\nscipy")


def test_a_missing_python_is_named() -> None:
    with pytest.raises(cache.SetupError, match=r"Python 3\.999 was not found"):
        ensure(Environment("impossible", "3.999", ()))


def test_a_package_that_does_not_exist_is_an_error_and_leaves_no_stamp() -> None:
    environment = Environment("broken", interpreters.running_version(), ("./no-such-folder",))
    with pytest.raises(cache.SetupError, match="no-such-folder"):
        ensure(environment)
    assert not cache.is_complete(environment.folder, environment.stamp)


def test_a_second_run_waits_for_the_lock(own_cache: Path) -> None:
    code = (
        "import sys\nfrom workshop import cache\nwith cache.locked('part'): print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=SCRIPTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        with (own_cache / "part.lock").open("a+") as file:
            assert not cache._try_lock(file)
        other.kill()
        other.wait()
    with cache.locked("part"):
        pass


def test_a_command_that_hangs_is_ended() -> None:
    assert run_to_end([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.5) == TIMED_OUT


def _make_program(path: Path, line: str) -> None:
    """Write a shell script that can be started."""
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
