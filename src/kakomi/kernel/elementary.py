"""`exp` and `log` with the same last bit on every machine and target: the C library's differ by machine.

Both are table-driven (P. Tang, "Table-driven implementation of the exponential function in IEEE
floating-point arithmetic", 1989, and "... of the logarithm function ...", 1990). They consist of additions
and products that IEEE 754 defines to the last bit, and that compilers neither fuse nor reorder. The error is
below 0.6 units in the last place. The tables are computed here, with decimals of 40 digits.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

_STEPS = 128
"""Table entries: powers of 2 ** (1/128), and intervals of a number's mantissa."""
_FIRST = 0x3FE6000000000000
"""The bits of 0.6875, where the first interval begins; the last ends at 1.375."""
_UPPER = -(1 << 32)
"""Masks the upper bits of a number: few enough that its product with an inverse is exact."""
_PLACES = 2**42
"""Upper parts are multiples of 1 / `_PLACES`, so their products with exponents are exact."""
_LEAST, _MOST = -670.0, 709.0
"""Beyond these, `exp` is 0 or infinite."""


def _split(exact: Decimal) -> tuple[float, float]:
    """Return an upper part, a multiple of 1 / `_PLACES`, and the rest."""
    upper = float(round(exact * _PLACES)) / _PLACES
    return upper, float(exact - Decimal(upper))


def _powers() -> tuple[list[float], list[float]]:
    """Return 2 ** (i / 128), and the relative error of each."""
    exact = [(Decimal(2).ln() * i / _STEPS).exp() for i in range(_STEPS)]
    return [float(x) for x in exact], [float((x - Decimal(float(x))) / x) for x in exact]


def _inverses() -> list[float]:
    """Return about 1 / the centre of each interval, in 10 bits; exactly 1 for the two around 1."""
    lowest, width = 0.6875, 1 / 256
    found = []
    for i in range(_STEPS):
        if i == 80:  # intervals beyond 1 are twice as wide
            lowest, width = 1.0 - 80 / 128, 1 / 128
        centre = lowest + (i + 0.5) * width
        found.append(1.0 if i in (79, 80) else round(512 / centre) / 512)
    return found


with localcontext(prec=40):
    _LN2_HIGH, _LN2_LOW = _split(Decimal(2).ln())
    _STEP_HIGH, _STEP_LOW = _split(Decimal(2).ln() / _STEPS)
    _STEPS_PER_UNIT = float(_STEPS / Decimal(2).ln())
    _LOG2_OF_E = float(1 / Decimal(2).ln())
    _POWERS, _POWER_TAILS = map(np.array, _powers())
    _INVERSES = np.array(_inverses())
    _LOGS_HIGH, _LOGS_LOW = np.array([_split(-Decimal(inverse).ln()) for inverse in _inverses()]).T.copy()


def exp(x):
    """Return e to the power of a finite float64: 0 below -670, infinity above 709."""
    if x < _LEAST:
        return 0.0
    if x > _MOST:
        return math.inf
    k = math.floor(x * _STEPS_PER_UNIT + 0.5)
    r = (x - k * _STEP_HIGH) - k * _STEP_LOW
    i = k & (_STEPS - 1)
    rest = _POWER_TAILS[i] + r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))))
    bits = np.float64(_POWERS[i]).view(np.int64) + ((k >> 7) << 52)
    power = np.int64(bits).view(np.float64)
    return power + power * rest


def log(x):
    """Return the natural logarithm of a float64, which must be positive, normal and finite."""
    bits = np.float64(x).view(np.int64)
    beyond = bits - _FIRST
    k = beyond >> 52
    i = (beyond >> 45) & (_STEPS - 1)
    mantissa = bits - (k << 52)
    z = np.int64(mantissa).view(np.float64)
    upper = np.int64(mantissa & _UPPER).view(np.float64)
    r = (upper * _INVERSES[i] - 1.0) + (z - upper) * _INVERSES[i]
    start = k * _LN2_HIGH + _LOGS_HIGH[i]
    high = start + r
    low = start - high + r + k * _LN2_LOW + _LOGS_LOW[i]
    series = 1 / 3 + r * (-1 / 4 + r * (1 / 5 + r * (-1 / 6 + r * (1 / 7 - r * (1 / 8)))))
    return low + r * r * (-0.5 + r * series) + high


def log2(x):
    """Return the base-2 logarithm of such a number, with an error below 1.5 units in the last place."""
    return log(x) * _LOG2_OF_E
