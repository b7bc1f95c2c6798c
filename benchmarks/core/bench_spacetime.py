"""Spacetime edits against a sparse solver, in one run: `python benchmarks/core/bench_spacetime.py`.

Prints tables in Markdown; all times are processor times of one thread, the fastest of several turns.
An iteration poses the characters at the constrained frames, works out all slopes, and solves for the
least change of all frames. The peer is SciPy's spsolve on the normal equations of all degrees of freedom
of all joints, as one would write them down; its products and its solve are timed, not posing nor slopes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# One thread on both sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from scipy.sparse import csr_matrix, diags, kron
from scipy.sparse.linalg import spsolve
from stopwatch import PROCESSOR, milliseconds

from core.motion import Motion, Skeleton
from core.numerics import quaternion
from core.solve.spacetime import Position, Spacetime, SplineBasis

JOINTS, SPACING = 60, 10
# Ends of two legs and two arms: chains of 5 joints on a spine of 4.
ENDS = (8, 13, 18, 23)
# What is promised at 1,000 frames: constraints, milliseconds for an iteration, times faster than the peer.
PROMISES = ((200, 40.0, 5.0), (900, 300.0, 2.0))
HANDLE_TURNS = 5
# How much dearer a frame of a motion five times as long may be: linear growth, with some room for caches.
MOST_GROWTH = 1.5
fastest = partial(milliseconds, turns=5, clock=PROCESSOR)


def figure() -> Skeleton:
    """A spine with four limbs, and fingers at their ends."""
    parents = [-1, 0, 1, 2]
    for start in (0, 0, 3, 3):
        parents += [start, *range(len(parents), len(parents) + 4)]
    parents += [ENDS[number % 4] for number in range(JOINTS - len(parents))]
    directions = np.random.default_rng(1).normal(size=(JOINTS, 3))
    places = np.zeros((JOINTS, 3))
    for joint in range(1, JOINTS):
        places[joint] = places[parents[joint]] + 0.2 * directions[joint] / np.linalg.norm(directions[joint])
    return Skeleton.build([f"joint {number}" for number in range(JOINTS)], parents, places)


def moving(frames: int) -> Motion:
    """A motion that swings all joints slowly."""
    random = np.random.default_rng(2)
    waves = np.sin(np.arange(frames)[:, None] * random.uniform(0.01, 0.1, size=3 * JOINTS) + random.uniform(size=180))
    return Motion.build(figure(), quaternion.exp(0.3 * waves.reshape(frames, JOINTS, 3)), rate=60.0)


def handles(motion: Motion, count: int, seed: int = 3) -> list[Position]:
    """Points that are moved by about a tenth of a limb, at frames spread over the motion."""
    random = np.random.default_rng(seed)
    each = count // len(ENDS)
    found = []
    for end in ENDS:
        frames = np.sort(random.choice(len(motion), size=each, replace=False))
        places = motion.poses.positions[frames, end]
        moved = 0.1 * np.sin(0.05 * frames[:, None] + random.uniform(0.0, 6.0, size=3))
        found.append(Position(frames=frames, joint=end, target=places + moved))
    return found


def iteration(problem: Spacetime) -> Callable[[], Any]:
    """One step of a solve that goes on from where it is."""

    place = problem._looked_at(problem._controls)

    def step() -> None:
        problem._growth = 1.0
        problem._next(place, 0.0)

    return step


def peer(problem: Spacetime) -> Callable[[], Any]:
    """SciPy's solve of the normal equations of all degrees of freedom, constraints weighed heavily."""
    inner = problem._problem
    rows = problem._looked_at(problem._controls).rows
    basis_rows = inner.basis.matrix(inner.frames)
    degrees = 3 * (JOINTS + 1)
    slopes = np.zeros((len(rows), degrees))
    slopes[:, : rows.slopes.shape[1]] = rows.slopes
    used = basis_rows[rows.part_frames]
    row, control = np.nonzero(used)
    columns = (control[:, None] * degrees + np.arange(degrees)).reshape(-1)
    values = (used[row, control][:, None] * slopes[row]).reshape(-1)
    held = values != 0.0
    jacobian = csr_matrix(
        (values[held], (np.repeat(row, degrees)[held], columns[held])), shape=(len(rows), used.shape[1] * degrees)
    )
    gram = kron(
        csr_matrix(np.where(np.abs(problem._objective.gram) > 1e-12, problem._objective.gram, 0.0)),
        diags(np.ones(degrees)),
    )

    def solve() -> None:
        system = (gram + 1e4 * (jacobian.T @ jacobian)).tocsc()
        spsolve(system, jacobian.T @ (-1e4 * rows.values))

    return solve


def against_the_peer() -> None:
    """Iterations with few and many constraints beside the sparse solver."""
    motion = moving(1000)
    basis = SplineBasis.build(1000, spacing=SPACING)
    print(f"{JOINTS} joints, 1000 frames, spacing {SPACING}, one thread\n")
    print("| position constraints | iteration (ms) | spsolve (ms) | ratio | missed in the end | solve and edit (ms) |")
    print("|---:|---:|---:|---:|---:|---:|")
    kept = []
    for count, limit, times in PROMISES:
        problem = Spacetime([motion], handles(motion, count), basis=basis)
        ours = fastest(iteration(problem))
        other = fastest(peer(problem), turns=2)
        ours = min(ours, fastest(iteration(problem)))
        start = time.process_time()
        problem.solve()
        whole = 1000.0 * (time.process_time() - start)
        missed = problem._looked_at(problem._controls).rows.missed.max()
        print(f"| {count} | {ours:.1f} | {other:.0f} | {other / ours:.1f} x | {missed:.1e} | {whole:.0f} |")
        kept.append((count, limit, times, ours <= limit and other >= times * ours))
    print()
    for count, limit, times, good in kept:
        print(
            f"{count} constraints in about {limit:.0f} ms, {times:.0f} times faster: {'kept' if good else 'NOT KEPT'}."
        )


def dragging() -> None:
    """A handle that is dragged among 200 constraints: every move takes two steps and gives the edited motion."""
    motion = moving(1000)
    given = handles(motion, 200)
    problem = Spacetime([motion], given, basis=SplineBasis.build(1000, spacing=SPACING))
    problem.solve()
    times = []
    for turn in range(HANDLE_TURNS):
        shift = 0.002 * (turn + 1) * np.eye(len(given[0].frames))[5][:, None]
        moved = Position(frames=given[0].frames, joint=given[0].joint, target=given[0].target + shift)
        start = time.process_time()
        problem = problem.with_constraints([moved, *given[1:]])
        problem.solve(steps=2)
        times.append(1000.0 * (time.process_time() - start))
    missed = problem._looked_at(problem._controls).rows.missed.max()
    print(f"\nA drag among 200 constraints: {max(times):.0f} ms for each move, at most {missed:.1e} missed.")


def growth() -> None:
    """Longer motions with as many constraints for each frame: setting up, an iteration, and the edited motion."""
    print("\n| frames | constraints | set up (ms) | iteration (ms) | edit (ms) | for each frame (ms) |")
    print("|---:|---:|---:|---:|---:|---:|")
    costs = []
    for frames in (1000, 2000, 5000):
        motion = moving(frames)
        given, basis = handles(motion, frames), SplineBasis.build(frames, spacing=SPACING)
        problem = Spacetime([motion], given, basis=basis)
        controls = 0.1 + problem._controls
        parts = (
            fastest(lambda motion=motion, given=given, basis=basis: Spacetime([motion], given, basis=basis), turns=3),
            fastest(iteration(problem), turns=3),
            fastest(lambda problem=problem, controls=controls: problem._problem.edited(controls), turns=3),
        )
        costs.append(sum(parts) / frames)
        print(f"| {frames} | {frames} | {' | '.join(f'{each:.0f}' for each in parts)} | {costs[-1]:.3f} |", flush=True)
    kept = "kept" if costs[-1] <= MOST_GROWTH * costs[0] else "NOT KEPT"
    print(f"\nA frame of 5,000 costs at most {MOST_GROWTH:.1f} times one of 1,000: {kept}.")


def main() -> None:
    """Print all tables."""
    against_the_peer()
    dragging()
    growth()


if __name__ == "__main__":
    main()
