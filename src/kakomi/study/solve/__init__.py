"""Exact values of positions under best play."""

from kakomi.study.solve.bounds import Bounds
from kakomi.study.solve.solver import Progress, Solver

__all__ = ["Bounds", "Progress", "Solver"]
