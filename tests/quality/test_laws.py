"""Each law holds for what is right and is broken by what it is about."""

from dataclasses import replace

import numpy as np
import pytest
from made_figures import HEIGHT, RATE, case_of, moved, stand

from quality import events
from quality.figures import Figure
from quality.laws import LAWS, KeyChange

FRAMES = 90
SWING = 40.0 * np.sin(np.arange(FRAMES) / 6.0)


def law(name, case):
    return LAWS[name](case)


def test_nothing_changed_keeps_every_law_that_is_tried():
    person = stand(upper_L=SWING, shin_L=20.0 - 20.0 * np.cos(np.arange(FRAMES) / 9.0))
    case = case_of(person, person, keeps_contacts=True, bound=0.0, moves_time=True, loops=True)
    findings = {name: rule(case) for name, rule in LAWS.items()}
    assert {name for name, found in findings.items() if found and found.broken} == set()
    assert findings["feet"] is not None
    assert findings["straight legs"] is not None


def test_a_pop_is_found_with_joint_and_frame():
    person, spoiled = stand(upper_L=SWING), SWING.copy()
    spoiled[40] += 60.0
    found = law("no pops", case_of(person, stand(upper_L=spoiled)))
    assert found.broken
    assert "upper.L at frame 40" in found.text or "hand.L at frame 40" in found.text


def test_mirrored_limbs_may_be_as_fast_as_those_of_the_other_side():
    left, right = stand(upper_L=3.0 * SWING), stand(upper_R=3.0 * SWING)
    assert law("no pops", case_of(left, right)).broken
    assert not law("no pops", case_of(left, right, is_mirrored=True)).broken


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LThumb", "RThumb"),
        ("LeftForeArm", "RightForeArm"),
        ("thigh_stretch.l", "thigh_stretch.r"),
        ("hand_l", "hand_r"),
    ],
)
def test_partners_are_told_by_names(left, right):
    assert Figure((left, "spine", right), (-1, -1, -1), "spine", "spine", (), ()).partners == [2, 1, 0]


def test_steps_may_be_as_fast_as_time_and_gain_explain():
    slow = stand(upper_L=SWING)
    fast = stand(FRAMES // 3, upper_L=SWING[::3])
    assert law("no pops", case_of(slow, fast)).broken
    clock = replace(fast, clock=slow.clock[::3])
    assert not law("no pops", case_of(slow, clock, moves_time=True)).broken
    assert not law("no pops", case_of(slow, fast, gain=3.0)).broken


def test_a_drag_may_move_others_half_as_far_again_and_no_farther():
    person = stand()
    for factor, broken in ((1.4, False), (1.6, True)):
        after = moved(person, np.array([0.0, 0.0, 0.1 * factor]))
        found = law("bounded", case_of(person, after, distance=0.1, grabbed=frozenset({"hand.L"})))
        assert found.broken is broken


def test_what_hangs_on_a_turned_bone_may_go_as_far_as_it_carries_them():
    person = stand()
    after = stand(upper_L=30.0)
    asked = {"angle": 30.0, "grabbed": frozenset({"upper.L"})}
    assert not law("bounded", case_of(person, after, **asked)).broken
    assert law("bounded", case_of(person, stand(upper_L=60.0), **asked)).broken
    assert law("bounded", case_of(person, stand(upper_R=30.0), **asked)).broken


@pytest.mark.parametrize(("millimetres", "broken"), [(1.5, False), (3.0, True)])
def test_nothing_sinks_into_the_floor(millimetres, broken):
    person = stand()
    after = moved(person, np.array([0.0, 0.0, -millimetres * HEIGHT / 1750.0]))
    assert law("floor", case_of(person, after)).broken is broken
    assert not law("floor", case_of(person, moved(person, np.array([0, 0, 1.0])))).broken


def test_feet_that_stood_must_not_slide():
    person = stand()
    sliding = moved(person, np.linspace(0.0, 0.02, FRAMES)[:, None] * [1.0, 0.0, 0.0])
    assert law("feet", case_of(person, sliding)) is None, "nothing was promised"
    assert law("feet", case_of(person, sliding, keeps_contacts=True)).broken
    assert law("feet", case_of(sliding, person, locks_feet=True)).value == pytest.approx(0.0, abs=1e-6)
    assert not law("feet", case_of(sliding, person, keeps_contacts=True)).broken


def test_planted_legs_do_not_crouch():
    person, crouching = (
        stand(),
        stand(thigh_L=-10.0, shin_L=20.0, foot_L=-10.0, thigh_R=-10.0, shin_R=20.0, foot_R=-10.0),
    )
    found = law("straight legs", case_of(person, crouching, keeps_contacts=True))
    assert found.broken
    assert "100 points" in found.text
    assert not law("straight legs", case_of(crouching, person, keeps_contacts=True)).broken


def test_knees_do_not_bend_the_other_way():
    walk = 20.0 - 20.0 * np.cos(np.arange(FRAMES) / 8.0)
    person = stand(shin_L=walk)
    assert not law("anatomy", case_of(person, stand(shin_L=1.2 * walk))).broken
    found = law("anatomy", case_of(person, stand(shin_L=walk - 15.0)))
    assert found.broken
    assert "too far back; shin.L" in found.text


def test_joints_that_were_not_edited_keep_to_their_own_range():
    person = stand(shin_L=20.0 + SWING / 2.0 + 20.0)
    wider = stand(shin_L=20.0 + SWING / 2.0 + 30.0)
    assert not law("anatomy", case_of(person, wider)).broken, "everything was to be edited"
    assert law("anatomy", case_of(person, wider, scope=frozenset({"head"}))).broken


def keys(**curves):
    return {(f'pose.bones["{name}"].location', 0): (np.array(rows, np.float32), b"") for name, rows in curves.items()}


def change(before, after, **more):
    bones = {curve: curve[0].split('"')[1] for curve in before | after}
    return KeyChange(before, after, bones, **more)


def test_other_bones_and_frames_stay_bit_for_bit():
    person = stand()
    before = keys(a=[[1, 0], [50, 1]], b=[[1, 0]])
    other = change(before, keys(a=[[1, 0], [50, 1]], b=[[1, 1e-7]]))
    assert law("local", case_of(person, person, other)) is None, "everything may change"
    assert law("local", case_of(person, person, other, scope=frozenset({"a"}))).broken
    assert not law("local", case_of(person, person, other, scope=frozenset({"b"}))).broken
    inside = change(before, keys(a=[[1, 0], [50, 2]], b=[[1, 0]]))
    assert law("local", case_of(person, person, inside, span=(1.0, 40.0))).broken
    assert not law("local", case_of(person, person, inside, span=(45.0, 60.0))).broken


def test_few_keys_stay_few_and_on_whole_frames():
    person = stand()
    before = keys(a=[[frame, 0] for frame in range(20)])
    for rows, broken in (
        ([[frame, 1] for frame in range(21)], False),
        ([[frame, 1] for frame in range(30)], True),
        ([[frame + 0.5, 1] for frame in range(20)], True),
    ):
        found = law("sparse", case_of(person, person, change(before, keys(a=rows), is_sparse=True), moves_time=True))
        assert found.broken is broken
    assert law("sparse", case_of(person, person, change(before, {}))) is None


def test_only_what_people_see_gets_keys():
    person = stand()
    hidden = change(keys(a=[[1, 0]]), keys(a=[[1, 0]], mechanism=[[1, 0]]), unseen=frozenset({"mechanism"}))
    assert law("controls", case_of(person, person, hidden)).broken


def test_the_figure_is_where_it_was_asked_to_be():
    person = stand()
    up = np.array([0.0, 0.0, 0.02])
    asked = {"asked": lambda _after: person.places + up}
    assert not law("seen", case_of(person, moved(person, up), **asked)).broken
    assert law("seen", case_of(person, person, **asked)).broken


def jumper():
    """Stands for two seconds, jumps, stands again: the whole body falls freely for half a second."""
    rise = np.zeros(150)
    flight = np.arange(16) / RATE
    rise[60:76] = np.maximum(0.5 * 9.81 * flight * (flight[-1] - flight), 0.0)
    return moved(stand(150), rise[:, None] * [0.0, 0.0, 1.0])


def test_flights_and_stillness_are_found():
    person = jumper()
    (flight,) = events.flights(person)
    assert flight.first == pytest.approx(61, abs=2)
    assert flight.last == pytest.approx(74, abs=2)
    assert sum(span.last - span.first for span in events.stillness(person)) > 110


def shortened(person, clock):
    """The motion at other times."""
    rows = np.round(clock).astype(int)
    frames = np.arange(1.0, len(clock) + 1.0)
    return replace(
        person,
        matrices=person.matrices[rows],
        tips=person.tips[rows],
        clock=rows + 1.0,
        frames=frames,
        soles=person.soles[rows],
    )


def test_time_is_taken_from_stillness_first():
    person = jumper()
    kept = np.concatenate([np.linspace(0, 50, 26), np.arange(51, 86), np.linspace(86, 149, 33)])
    evenly = np.linspace(0, 149, len(kept))
    assert not law("idle first", case_of(person, shortened(person, kept), shortens=True)).broken
    found = law("idle first", case_of(person, shortened(person, evenly), shortens=True))
    assert found.broken
    assert "flight" in found.text


def test_loops_still_close():
    phase = np.linspace(0.0, 2.0 * np.pi, 41)
    closed = stand(41, upper_L=40.0 * np.sin(phase))
    opened = stand(41, upper_L=40.0 * np.sin(phase) + np.linspace(0.0, 30.0, 41))
    assert not law("loops", case_of(closed, closed, loops=True)).broken
    assert law("loops", case_of(closed, opened, loops=True)).broken
    assert law("loops", case_of(closed, opened)) is None


def test_markers_follow_the_motion():
    person = stand()
    late = replace(person, clock=person.clock - 10.0)
    for found, broken in (([40.0], False), ([30.0], True), ([], True)):
        places = KeyChange({}, {}, {}, places={"markers": ([30.0], found)})
        assert law("follows", case_of(person, late, places)).broken is broken


def walker(*starts, frames=300):
    """Lifts and moves the left foot, so that it comes down at these frames."""
    bent = np.zeros(frames)
    for start in starts:
        bent[start - 12 : start] = np.maximum(bent[start - 12 : start], 50.0 * np.sin(np.linspace(0, np.pi, 12)))
    return stand(frames, thigh_L=-bent, shin_L=2 * bent, foot_L=-bent)


def test_repetitions_are_found_where_there_are_some():
    first, last = events.repetition(walker(40, 80, 120, 160, 200, 240))
    assert last - first == 40
    assert events.repetition(stand(120, upper_L=np.linspace(0.0, 90.0, 120))) is None


def test_like_steps_stay_alike():
    person = walker(40, 80, 120, 160, 200, 240)
    assert len(events.footfalls(person)[0]) == 6
    even = shortened(person, np.linspace(0, 299, 240))
    uneven = shortened(person, np.concatenate([np.linspace(0, 100, 50), np.arange(101, 300)]))
    assert not law("rhythm", case_of(person, even, shortens=True)).broken
    assert law("rhythm", case_of(person, uneven, shortens=True)).broken
