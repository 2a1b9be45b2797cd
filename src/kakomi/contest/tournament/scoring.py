"""Points, exactly: what a game, a bye and all rounds so far are worth."""

import functools
from collections.abc import Iterable
from fractions import Fraction

from kakomi.contest.tournament.config import Format
from kakomi.contest.tournament.state import PlayedRound, Result, Tournament

NOTHING = Fraction(0)


def shares(result: Result) -> tuple[Fraction, ...]:
    """Of each seat, the share of the others that it left behind; an equal counts half, an absent gets 0."""
    return _shares(result.places, result.absent)


@functools.lru_cache(4096)
def _shares(given: tuple[int, ...], absent: frozenset[int]) -> tuple[Fraction, ...]:
    others = len(given) - 1
    return tuple(
        NOTHING
        if seat in absent
        else Fraction(sum((other > own) * 2 + (other == own) for other in given) - 1, 2 * others)
        for seat, own in enumerate(given)
    )


def round_points(played: PlayedRound, config: Format) -> dict[str, Fraction]:
    """What a round brought those who had a part in it; open games count nothing yet."""
    found = dict.fromkeys(played.byes, Fraction(config.bye))
    for game in played.games:
        points = shares(game.result) if game.result else [NOTHING] * len(game.seats)
        found.update(zip(game.seats, points, strict=True))
    return found


def scores(
    tournament: Tournament, config: Format, rounds: Iterable[PlayedRound] | None = None
) -> dict[str, Fraction]:
    """Everybody's points, after all rounds or after some."""
    found = dict.fromkeys(tournament.participants, NOTHING)
    for played in tournament.rounds if rounds is None else rounds:
        for name, points in round_points(played, config).items():
            found[name] += points
    return found
