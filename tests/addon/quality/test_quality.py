"""A part of the judging at every run: laws of motion hold, but for breaks that are listed and may only get fewer."""

import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from workshop import places

sys.path.append(str(places.PROJECT))

from quality import everyday, trial
from quality.clips import clips_for
from quality.laws.names import ALL
from quality.trials import Trial

TRIALS = everyday.sample(places.clips_folder())


@pytest.fixture(scope="session")
def scenes() -> Path:
    return places.cache_folder() / "judge"


@pytest.mark.parametrize("one", TRIALS, ids=lambda one: f"{one.tool}-{one.rig}-{one.clip}")
def test_laws_hold(one: Trial, scenes: Path, clips_folder: Path):
    clip = next(clip for clip in clips_for(one.rig, clips_folder) if clip.name == one.clip)
    outcome = asdict(trial.run(one.tool, clip, one.rig, one.seed, scenes))
    broken = everyday.breaks(outcome) - everyday.known().get(everyday.name_of(outcome), set())
    texts = [
        f"{law}: {outcome['laws'][law]['value']:.3g} {outcome['laws'][law]['text']}" for law in ALL if law in broken
    ]
    assert not broken, "\n".join([*texts, one.command, str(outcome["parameters"])])


def test_the_list_of_breaks_names_trials_that_are_made(clips_folder):
    made = {everyday.name_of(asdict(one)) for one in TRIALS}
    assert set(everyday.known()) <= made
