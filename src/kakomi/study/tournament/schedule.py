"""Who plays whom, on which openings, from which seats."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, count

from kakomi.core import Game
from kakomi.study.tournament.fixture import Fixture, derived_seed

PLIES_A_PLAYER = 2
"""Random plies for each player with which a game begins, unless a number of them is asked for."""


def schedule(
    game: Game,
    entrants: Sequence[str],
    games: int,
    *,
    seed: int = 1,
    opening_plies: int | None = None,
    first_number: int = 1,
) -> list[Fixture]:
    """At least so many games for every pair of entrants, everybody against everybody.

    An opening is played by every group of entrants once from each seat, so `games` is rounded up to
    whole openings. A longer schedule begins as a shorter one does. In a game for more players than there
    are entrants, entrants have several seats, in all the ways in which no two differ by more than one;
    in a game for three or more, `games` counts for every group that meets at one board.
    Raises ValueError for fewer than two entrants or one named twice.
    """
    _check(entrants)
    groups = list(_groups(entrants, game.players))
    games_an_opening = game.players * (len(groups) if len(entrants) < game.players else 1)
    plies = PLIES_A_PLAYER * game.players if opening_plies is None else opening_plies
    numbers = count(first_number)
    return [
        Fixture(
            number=(number := next(numbers)),
            game=game.name,
            options=dict(game.options),
            seats=seats,
            opening=derived_seed(seed, game.name, "opening", opening),
            opening_plies=plies,
            seed=derived_seed(seed, game.name, "game", number),
        )
        for opening in range(-(-games // games_an_opening))
        for group in groups
        for seats in _rotations(group)
    ]


def _check(entrants: Sequence[str]) -> None:
    if len(entrants) < 2:
        raise ValueError("a match needs at least two entrants")
    for entrant, times in Counter(entrants).items():
        if times > 1:
            raise ValueError(f"{entrant} is entered {times} times: every entrant needs a name of its own")


def _groups(entrants: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Every choice of players, in which no two entrants' numbers of seats differ by more than one."""
    for group in combinations_with_replacement(entrants, players):
        seats = Counter(group)
        numbers = [seats[entrant] for entrant in entrants]
        if max(numbers) - min(numbers) <= 1:
            yield group


def _rotations(group: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [group[-shift:] + group[:-shift] for shift in range(len(group))]
