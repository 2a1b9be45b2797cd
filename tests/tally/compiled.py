"""A helper that its author compiles by himself."""

import numba


@numba.njit
def through_numba():
    return 1
