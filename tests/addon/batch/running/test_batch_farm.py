"""A Dask cluster of several processes on this machine, one of them killed in the middle."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.farm import DaskCrew, FarmError, Tls
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.pool import Pool
from motion_editing.motion_editing_addon.batch.running.records import Records
from motion_editing.motion_editing_addon.batch.running.run import questions_of, run
from workshop import environments, places
from workshop.cache import SetupError

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


def certified(folder: Path) -> tuple[str, str, str]:
    """An authority with its own certificate and key, which serve for all machines here."""
    certificate, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=farm"]
    subprocess.run([*command, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    return certificate, certificate, key


@pytest.mark.skipif(shutil.which("openssl") is None, reason="nothing here makes certificates")
def test_a_cluster_with_tls_takes_only_those_who_can_prove_who_they_are(tmp_path, distributed):
    authority, certificate, key = certified(tmp_path)
    parts = {
        f"tls_{who}_{what}": path
        for who in ("scheduler", "worker", "client")
        for what, path in (("cert", certificate), ("key", key))
    }
    security = distributed.Security(require_encryption=True, tls_ca_file=authority, **parts)
    with distributed.LocalCluster(
        n_workers=0, processes=True, host="tls://127.0.0.1", security=security, dashboard_address=":0"
    ) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        DaskCrew(address, COMMAND, [], tls=Tls(authority, certificate, key))._client.close()
        settings = {"ca-file": authority, "client.cert": certificate, "client.key": key}
        with dask_settings({f"distributed.comm.tls.{name}": path for name, path in settings.items()}):
            DaskCrew(address, COMMAND, [])._client.close()
        with refused("needs certificates: give them with --dask-tls"):
            DaskCrew(address, COMMAND, [])
        with refused("No such file"):
            DaskCrew(address, COMMAND, [], tls=Tls(authority, certificate, str(tmp_path / "gone.pem")))


@contextmanager
def refused(reason: str) -> Iterator[None]:
    with pytest.raises(FarmError, match=reason):
        yield
    # Dask may wait for itself for ever if a client that found no scheduler is collected while another one starts.
    gc.collect()


def dask_settings(settings: dict[str, str]) -> AbstractContextManager[object]:
    """Dask's own configuration, for a while."""
    import dask

    return dask.config.set(settings)


def test_an_address_where_nobody_is_gets_one_line(monkeypatch, distributed):
    monkeypatch.setattr("motion_editing.motion_editing_addon.batch.running.farm._PATIENCE", 1)
    with refused(r"there is no Dask scheduler at tcp://127\.0\.0\.1:1"):
        DaskCrew("tcp://127.0.0.1:1", COMMAND, [])


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FarmError, match="pip install distributed"):
        DaskCrew("tcp://127.0.0.1:1", COMMAND, [])
