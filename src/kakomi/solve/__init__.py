"""Exact values of positions under best play."""

from kakomi.solve.bounds import Bounds
from kakomi.solve.proof import Proof, prove
from kakomi.solve.prover import BudgetSpentError, Prover, check_provable, margin
from kakomi.solve.solver import Progress, Solver

__all__ = [
    "Bounds",
    "BudgetSpentError",
    "Progress",
    "Proof",
    "Prover",
    "Solver",
    "check_provable",
    "margin",
    "prove",
]
