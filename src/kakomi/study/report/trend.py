"""A straight line through estimates, and what it lets expect beyond them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.study.report.estimates import LEVEL, Estimate, student

FEWEST_POINTS = 4


@dataclass(frozen=True)
class Trend:
    """A line fitted by weighted least squares, with the covariance of its two coefficients.

    Where estimates scatter more round the line than their errors let expect, the errors are taken to be
    larger by that factor (the Birge ratio): a line that doesn't fit has a wide band.
    """

    intercept: float
    slope: float
    covariance: np.ndarray
    freedom: int
    lowest: float
    highest: float
    """Between these lie the estimates."""

    def at(self, x: float) -> Estimate:
        """What the line lets expect, with the 95% band of the line itself."""
        place = np.array([1.0, x])
        error = math.sqrt(float(place @ self.covariance @ place))
        value = self.intercept + self.slope * x
        half = student(LEVEL, max(1, self.freedom)) * error
        return Estimate(value, value - half, value + half, 0, self.freedom + 2, error)

    @property
    def slope_estimate(self) -> Estimate:
        """How much an estimate changes for each unit of x."""
        error = math.sqrt(float(self.covariance[1, 1]))
        half = student(LEVEL, max(1, self.freedom)) * error
        return Estimate(self.slope, self.slope - half, self.slope + half, 0, self.freedom + 2, error)


def fitted(xs: Sequence[float], estimates: Sequence[Estimate]) -> Trend | None:
    """The trend; None from fewer than `FEWEST_POINTS` estimates with an error."""
    pairs = [(x, one) for x, one in zip(xs, estimates, strict=True) if one.error > 0]
    if len(pairs) < FEWEST_POINTS or len({x for x, _ in pairs}) < FEWEST_POINTS:
        return None
    design = np.array([[1.0, x] for x, _ in pairs])
    values = np.array([one.value for _, one in pairs])
    weights = np.array([one.error for _, one in pairs]) ** -2.0
    covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
    coefficients = covariance @ (design.T @ (weights * values))
    freedom = len(pairs) - 2
    scatter = float((weights * (values - design @ coefficients) ** 2).sum()) / freedom
    return Trend(
        float(coefficients[0]),
        float(coefficients[1]),
        covariance * max(1.0, scatter),
        freedom,
        min(x for x, _ in pairs),
        max(x for x, _ in pairs),
    )
