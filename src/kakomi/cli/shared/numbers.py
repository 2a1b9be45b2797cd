"""Numbers on the command line."""

import math
from typing import Any

import click

SEED = click.IntRange(-(2**63), 2**63 - 1)
"""A seed: any number of 64 bits."""


class FiniteRange(click.FloatRange):
    """A number within limits; `nan`, which compares with none, and `inf` are not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails for what is none."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number
