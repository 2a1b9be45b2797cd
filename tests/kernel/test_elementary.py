"""`exp` and `log`: how exact they are, and that compiled and interpreted code agree."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from kakomi.kernel.elementary import exp, log, log2

RNG = np.random.default_rng(3)
EXPONENTS = [0.0, *(-RNG.exponential(8, 1500)), *RNG.uniform(-660, 700, 500)]
NUMBERS = [*range(1, 1500), *RNG.uniform(0.9, 1.1, 500), *np.exp(RNG.uniform(-600, 600, 500))]


@pytest.mark.parametrize(
    ("function", "exact", "numbers"), [(exp, Decimal.exp, EXPONENTS), (log, Decimal.ln, NUMBERS)]
)
def test_the_error_is_below_six_tenths_of_the_last_place(function, exact, numbers) -> None:
    with localcontext(prec=40), np.errstate(all="raise"):
        for number in numbers:
            found = float(function(number))
            assert abs(Decimal(found) - exact(Decimal(float(number)))) <= Decimal(0.6 * math.ulp(found)), (
                number
            )


def test_the_ends_of_their_ranges() -> None:
    with np.errstate(all="raise"):
        assert (exp(-1e6), exp(1e6), exp(0.0), log(1.0)) == (0.0, math.inf, 1.0, 0.0)
        assert math.isclose(log2(1024.0), 10.0, rel_tol=1e-15)
