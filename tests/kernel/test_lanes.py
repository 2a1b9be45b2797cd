"""Vector lanes give the same results compiled and interpreted."""

import numpy as np
import pytest

from kakomi.kernel import Mode, driver, use_mode
from kakomi.kernel.lanes import LANES, larger, load, splat, spread, store, total


@driver
def calculate(one, other, goal):
    half = splat(np.float32(0.5))
    for index in range(0, len(one), LANES):
        lanes = load(one, index)
        lanes = lanes * spread(other, index) + load(other, index) - half
        store(goal, index, larger(lanes, half))
    return total(load(goal, 0))


@pytest.mark.parametrize("mode", [Mode.COMPILED, Mode.CHECKED, Mode.INTERPRETED])
def test_lanes_are_calculated_with_like_numbers(mode: Mode) -> None:
    rng = np.random.default_rng(1)
    one, other = (rng.normal(size=3 * LANES).astype(np.float32) for _ in range(2))
    goal = np.zeros(3 * LANES, np.float32)
    with use_mode(mode):
        sum_of_first = calculate(one, other, goal)
    factors = np.repeat(other[::LANES], LANES)
    wanted = np.maximum(one * factors + other - np.float32(0.5), 0.5)
    assert goal == pytest.approx(wanted, abs=1e-6)
    assert sum_of_first == pytest.approx(wanted[:LANES].sum(), abs=1e-5)
