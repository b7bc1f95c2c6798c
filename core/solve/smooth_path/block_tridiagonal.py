"""Symmetric systems whose blocks of unknowns meet only their neighbours, solved without going along them one by one."""

import numpy as np

from ...numerics import Array

# Blocks up to which one solution of all is quicker than rounds.
_FEW = 8


def solve_block_tridiagonal(diagonal: Array, beside: Array, right: Array) -> Array:
    """(N, M, K) the solution of a positive definite system, by cyclic reduction.

    Every other block is eliminated at once; what is left is a system of the same kind and half the size. So N
    blocks take about log2(N) rounds of NumPy, and no loop over all of them.

    Args:
        diagonal: (N, M, M) blocks on the diagonal.
        beside: (N - 1, M, M) each block's with the next one: rows of the former, columns of the latter.
        right: (N, M, K) right sides.
    """
    if len(diagonal) <= _FEW:
        return _solve_few(diagonal, beside, right)
    size, odd = diagonal.shape[1], diagonal[1::2]
    before = beside[0::2].swapaxes(1, 2)
    after = np.concatenate([beside[1::2], np.zeros((len(odd) - len(beside[1::2]), size, size))])
    # What each odd block is, told by its even neighbours: own - left @ block before - next @ block after.
    found = np.linalg.solve(odd, np.concatenate([before, after, right[1::2]], axis=2))
    to_before, to_after, own = found[..., :size], found[..., size : 2 * size], found[..., 2 * size :]
    even, even_right = diagonal[0::2].copy(), right[0::2].copy()
    ahead, behind = before.swapaxes(1, 2), after[: len(even) - 1].swapaxes(1, 2)
    even[: len(odd)] -= ahead @ to_before
    even_right[: len(odd)] -= ahead @ own
    even[1:] -= behind @ to_after[: len(even) - 1]
    even_right[1:] -= behind @ own[: len(even) - 1]
    between = -(ahead @ to_after)[: len(even) - 1]
    solution = np.empty_like(right)
    solution[0::2] = solve_block_tridiagonal(even, between, even_right)
    later = solution[2::2]
    solution[1::2] = own - to_before @ solution[0::2][: len(odd)]
    solution[1::2][: len(later)] -= to_after[: len(later)] @ later
    return solution


def _solve_few(diagonal: Array, beside: Array, right: Array) -> Array:
    """(N, M, K) the solution of a small system, as a whole."""
    count, size = diagonal.shape[:2]
    whole, along = np.zeros((count, size, count, size)), np.arange(count)
    whole[along, :, along] = diagonal
    whole[along[:-1], :, along[1:]] = beside
    whole[along[1:], :, along[:-1]] = beside.swapaxes(1, 2)
    flat = np.linalg.solve(whole.reshape(count * size, count * size), right.reshape(count * size, -1))
    return np.asarray(flat.reshape(right.shape))
