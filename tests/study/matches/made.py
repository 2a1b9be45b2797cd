"""Pairings and artificial finished games for tests."""

import sys
from pathlib import Path

from kakomi.study.matches import Effort, Pairing, Played

STUB = Path(__file__).parents[2] / "protocol" / "stub_engine.py"


def program(*words: str) -> str:
    """The stub engine as an entrant, failing as its arguments say."""
    return " ".join(["cmd:" + sys.executable, str(STUB), *words])


def pairing(number: int, *seats: str, opening: int = 1, plies: int = 2, **options: int) -> Pairing:
    return Pairing(
        number=number,
        game="rings" if len(seats) > 2 else "rin",
        options=options or {"size": 4},
        seats=seats,
        opening=opening,
        opening_plies=plies,
        seed=number,
    )


def played(of: Pairing, *winners: int) -> Played:
    nothing = Effort(actions=0, seconds=0.0)
    return Played(
        pairing=of,
        opening=0,
        actions=(),
        winners=winners,
        scores=tuple(int(player in winners) for player in range(len(of.seats))),
        reason="rules",
        efforts=(nothing,) * len(of.seats),
    )
