"""Which poses get an icon, and in which order they give way."""

from __future__ import annotations

import numpy as np

from core.editing import PropagationWindow
from core.timeline import Windows, chosen_icons, telling_hits

RANKED = np.array([30, 5, 90, 12, 60, 45, 75, 20, *range(100, 120)])


def test_without_windows_the_most_telling_poses_are_shown_in_order_of_time() -> None:
    samples, ranks = chosen_icons(4, RANKED, None)
    assert samples.tolist() == [5, 12, 30, 90]
    assert samples[np.argsort(ranks)].tolist() == RANKED[:4].tolist()


def test_what_comes_first_is_shown_even_where_there_is_no_room() -> None:
    samples, ranks = chosen_icons(1, RANKED, None, first=[75, 20])
    assert samples.tolist() == [20, 75]
    assert ranks.tolist() == [1, 0]


def test_every_window_shows_its_pose_before_all_others() -> None:
    edges = np.array([40.0, 80.0])
    operation = PropagationWindow(40.0, 80.0, edges, edges, 0.0)
    windows = Windows(operation, (PropagationWindow(85.0, 105.0, edges, np.array([85.0, 105.0]), 0.05),))
    ranked = np.array([5, 60, *(each for each in range(120) if each not in (5, 60))])
    samples, ranks = chosen_icons(3, ranked, windows)
    assert samples[np.argsort(ranks)].tolist() == [60, 95, 5]


def test_no_touches_have_no_hits() -> None:
    assert not len(telling_hits(None))
