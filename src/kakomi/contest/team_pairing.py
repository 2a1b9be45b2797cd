"""Boards of a match between two teams: the best play the best, and lots say where a team begins."""

from collections.abc import Mapping
from typing import NamedTuple

from kakomi.contest.tournament.lots import lot


class Board(NamedTuple):
    """A board of a team match."""

    home: str
    away: str
    home_begins: bool
    """Whether the home team has the first seat in the first game there."""


def pair_boards(
    home: Mapping[str, float], away: Mapping[str, float], boards: int, seed: int
) -> tuple[Board, ...]:
    """The boards of a match, the strongest first, from the strengths of those who would play.

    There are as many as both teams can fill, at most `boards`; who is weaker sits out. Equals are put in
    order by lot. The teams begin on every other board, and lots say which of them on the first. Raises
    ValueError for somebody who plays for both.
    """
    if both := home.keys() & away.keys():
        raise ValueError(f"nobody plays for both teams: {sorted(both)}")
    home_begins = lot(seed, "begins") % 2 == 0
    pairs = zip(_by_strength(home, seed), _by_strength(away, seed), strict=False)
    return tuple(
        Board(one, other, (number % 2 == 0) == home_begins)
        for number, (one, other) in enumerate(list(pairs)[:boards])
    )


def _by_strength(team: Mapping[str, float], seed: int) -> list[str]:
    return sorted(team, key=lambda name: (-team[name], lot(seed, "equal", name), name))
