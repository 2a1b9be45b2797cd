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


def game_points(result: Result, config: Format) -> tuple[Fraction, ...]:
    """What a game brings each seat."""
    return _game_points(result.places, result.absent, config.points) if config.points else shares(result)


@functools.lru_cache(4096)
def _game_points(
    given: tuple[int, ...], absent: frozenset[int], points: tuple[int, ...]
) -> tuple[Fraction, ...]:
    by_place = [*points, *[0] * (len(given) - len(points))]
    shared = {
        place: Fraction(sum(by_place[place - 1 : place - 1 + given.count(place)]), given.count(place))
        for place in given
    }
    return tuple(NOTHING if seat in absent else shared[place] for seat, place in enumerate(given))


def round_points(played: PlayedRound, config: Format) -> dict[str, Fraction]:
    """What a round brought those who had a part in it; open games count nothing yet."""
    found = dict.fromkeys(played.byes, Fraction(config.bye))
    for game in played.games:
        points = game_points(game.result, config) if game.result else [NOTHING] * len(game.seats)
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
