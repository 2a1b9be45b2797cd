"""Exercises of the games: proofs of their claims, and a search for more of them."""

from kakomi.study.exercises.finder import Finding, find
from kakomi.study.exercises.proof import flaws

__all__ = ["Finding", "find", "flaws"]
