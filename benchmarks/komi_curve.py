"""The fair komi over sizes and strengths: a plane through measurements, for boards that were not measured.

Its coordinates are the size and the logarithm of the simulations an action. It is fitted by weighted least
squares; where measurements scatter round it more than their errors let expect, the errors are taken to be
larger by that factor (the Birge ratio), so that a plane that doesn't fit has a wide band.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.study.report.estimates import LEVEL, student

MANY = 10**9
"""Degrees of freedom with which Student's distribution is the normal one."""


@dataclass(frozen=True)
class KomiPoint:
    """A measurement, as far as the curve looks at it."""

    size: int
    simulations: int
    fair: float
    error: float


@dataclass(frozen=True)
class KomiCurve:
    """The fair komi as a function of size and strength, with the covariance of its three coefficients."""

    coefficients: np.ndarray
    covariance: np.ndarray
    quantile: float
    """So many standard errors to either side are the 95 % band."""
    scatter: float
    """The mean square of the measurements' distances in their errors, 1 if all is as expected."""
    freedom: int

    def at(self, size: int, simulations: int) -> tuple[float, float, float]:
        """The fair komi, and the lower and upper end of the 95 % band."""
        place = _place(size, simulations)
        fair = float(place @ self.coefficients)
        half = self.quantile * math.sqrt(float(place @ self.covariance @ place))
        return fair, fair - half, fair + half

    @property
    def slope(self) -> tuple[float, float]:
        """What a point more of size adds, and half of the width of its 95 % interval."""
        return self._slope(1)

    @property
    def gain(self) -> tuple[float, float]:
        """What twice the simulations add, and half of the width of its 95 % interval."""
        return self._slope(2)

    def _slope(self, column: int) -> tuple[float, float]:
        half = self.quantile * math.sqrt(float(self.covariance[column, column]))
        return float(self.coefficients[column]), half


def fitted_curve(points: Sequence[KomiPoint]) -> KomiCurve:
    """The curve through measurements. Raises ValueError if they are too few, or of one size or strength."""
    known = [point for point in points if math.isfinite(point.error)]
    design = np.array([_place(point.size, point.simulations) for point in known]).reshape(-1, 3)
    freedom = len(known) - 3
    if freedom < 1 or np.linalg.matrix_rank(design) < 3:
        raise ValueError("a curve needs four measurements or more, of several sizes and strengths")
    values = np.array([point.fair for point in known])
    weights = np.array([point.error for point in known]) ** -2.0
    covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
    coefficients = covariance @ (design.T @ (weights * values))
    scatter = float((weights * (values - design @ coefficients) ** 2).sum()) / freedom
    quantile = student(LEVEL, freedom if scatter > 1 else MANY)
    return KomiCurve(coefficients, covariance * max(1.0, scatter), quantile, scatter, freedom)


def _place(size: int, simulations: int) -> np.ndarray:
    return np.array([1.0, float(size), math.log2(simulations)])
