"""A Dask cluster of several processes on this machine, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import ModuleType

import bpy
import environments
import places
import pytest
from cache import SetupError
from motion_editing.motion_editing_addon.batch.farm import DaskCrew, FarmError
from motion_editing.motion_editing_addon.batch.planning import plan_jobs
from motion_editing.motion_editing_addon.batch.pool import Pool
from motion_editing.motion_editing_addon.batch.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.records import Records
from motion_editing.motion_editing_addon.batch.running import questions_of, run

COMMAND = (sys.executable, str(places.PROJECT / "scripts" / "motion_edit.py"))
CLIPS = 6


@pytest.fixture
def distributed(monkeypatch) -> ModuleType:
    """Dask, from an environment of its own: Blender's has none."""
    try:
        packages = environments.site_packages(environments.ensure(environments.farm_environment()))
    except SetupError as error:
        pytest.skip(f"Dask could not be installed: {error}")
    monkeypatch.syspath_prepend(str(packages))
    return pytest.importorskip("distributed")


@pytest.fixture
def folder(tmp_path) -> Path:
    bpy.ops.motion_editing.load_sample_motion(rate=12.0)
    (tmp_path / "in").mkdir()
    for number in range(CLIPS):
        bpy.ops.motion_editing.export_bvh(filepath=str(tmp_path / "in" / f"{number}.bvh"))
    (tmp_path / "recipe.toml").write_text('[[step]]\nedit = "smooth"\nwith = { radius = 0.2 }\n')
    return tmp_path


def results(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.glob("*.bvh")}


def test_a_killed_worker_loses_nothing_and_doubles_nothing(folder, distributed):
    recipe, out = read_recipe(folder / "recipe.toml"), folder / "farm"
    jobs = plan_jobs([folder / "in"], out, pictures=False)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0"
    ) as cluster:
        crew = DaskCrew(cluster.scheduler_address, COMMAND, questions_of(jobs, recipe))
        victim = next(iter(crew._client.run(os.getpid).values()))
        seen: list[int] = []

        class Killing:
            def answers(self):
                for number, answer in crew.answers():
                    if not seen:
                        os.kill(victim, signal.SIGKILL)
                    seen.append(number)
                    yield number, answer

        summary = run(jobs, recipe, out, Killing())
    assert (summary.done, summary.failed) == (CLIPS, 0)
    assert sorted(seen) == list(range(CLIPS))
    assert len(list(Records(out).all())) == CLIPS
    local = plan_jobs([folder / "in"], folder / "local", pictures=False)
    run(local, recipe, folder / "local", Pool(COMMAND, questions_of(local, recipe), jobs=1))
    assert results(out) == results(folder / "local")
    assert len(results(out)) == CLIPS


def test_a_scheduler_that_ends_fails_the_clips_that_are_left(distributed):
    cluster = distributed.LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address=":0")
    crew = DaskCrew(cluster.scheduler_address, COMMAND, [{}, {}])
    ending = threading.Timer(0.5, cluster.close, [1.0])
    ending.start()
    answers = dict(crew.answers())
    ending.join()
    gone = {"error": "the Dask scheduler is gone; --resume goes on where it was"}
    assert answers == {0: gone, 1: gone}


def test_an_address_where_nobody_is_gets_one_line(monkeypatch, distributed):
    monkeypatch.setattr("motion_editing.motion_editing_addon.batch.farm._PATIENCE", 1)
    with pytest.raises(FarmError, match=r"there is no Dask scheduler at tcp://127\.0\.0\.1:1"):
        DaskCrew("tcp://127.0.0.1:1", COMMAND, [])


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FarmError, match="pip install distributed"):
        DaskCrew("tcp://127.0.0.1:1", COMMAND, [])
