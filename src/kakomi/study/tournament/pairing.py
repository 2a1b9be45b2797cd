"""Pairings: entrants, opening and seats of one game, complete enough to be played anywhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, count

from msgspec import Struct

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.seeds import derived_seed


class Pairing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A game on a schedule. Two pairings are equal if the same game is meant."""

    number: int
    """Its place on the schedule, from 1."""
    game: str
    options: dict[str, int]
    seats: tuple[str, ...]
    """Which entrant is which player, by the entrants' names on the schedule."""
    opening: int
    """Seed of the opening; games that share it begin alike."""
    opening_plies: int
    seed: int
    """Of the bots, each of which gets a seed of its own made from this one."""
    bots: tuple[str, ...] = ()
    """The bot or program for each seat, where an entrant's name isn't its specification."""
    position: str = ""
    """Where it begins, as `str(position)`, in place of an opening; empty: at the game's start."""

    @cached_property
    def found_game(self) -> Game:
        """The game with its options. Raises ValueError if there is none."""
        return catalog.game(self.game, **self.options)

    @property
    def specs(self) -> tuple[str, ...]:
        """The bot or program for each seat: a bot as `make_bot` takes it, or `cmd:PROGRAM ARGS`."""
        return self.bots or self.seats

    @property
    def block(self) -> tuple[str, int, frozenset[str]]:
        """The block of games that differ only in seats. They are weighed together."""
        return self.game, self.opening, frozenset(self.seats)

    def seed_of(self, player: int) -> int:
        """The seed of a player's bot."""
        return derived_seed(self.seed, player)


PLIES_A_PLAYER = 2
"""Random plies for each player at the start of a game, by default."""


def schedule(
    game: Game,
    entrants: Sequence[str],
    games: int,
    *,
    seed: int = 1,
    opening_plies: int | None = None,
    first_number: int = 1,
) -> list[Pairing]:
    """At least so many games for every pair of entrants, everybody against everybody.

    An opening is played by every group of entrants once from each seat, so `games` is rounded up to
    whole openings. A longer schedule begins as a shorter one does. In a game for more players than there
    are entrants, entrants have several seats, in all the ways in which no two differ by more than one;
    in a game for three or more, `games` counts for every group that meets at one board.
    An entrant that is given twice plays against itself, under the names of `entrant_names`.
    Raises ValueError for fewer than two entrants.
    """
    if len(entrants) < 2:
        raise ValueError("a match needs at least two entrants")
    names = entrant_names(entrants)
    specs = dict(zip(names, entrants, strict=True))
    groups = list(_groups(names, game.players))
    games_an_opening = game.players * (len(groups) if len(entrants) < game.players else 1)
    plies = PLIES_A_PLAYER * game.players if opening_plies is None else opening_plies
    numbers = count(first_number)
    return [
        Pairing(
            number=(number := next(numbers)),
            game=game.name,
            options=dict(game.options),
            seats=seats,
            bots=() if names == tuple(entrants) else tuple(specs[name] for name in seats),
            opening=derived_seed(seed, game.name, "opening", opening),
            opening_plies=plies,
            seed=derived_seed(seed, game.name, "game", number),
        )
        for opening in range(-(-games // games_an_opening))
        for group in groups
        for seats in _rotations(group)
    ]


def entrant_names(entrants: Sequence[str]) -> tuple[str, ...]:
    """A name of its own for every entrant: `5` and `5 (2)` where the same one is entered twice."""
    names: list[str] = []
    for entrant in entrants:
        name, copies = entrant, 1
        while name in names:
            copies += 1
            name = f"{entrant} ({copies})"
        names.append(name)
    return tuple(names)


def _groups(entrants: Sequence[str], players: int) -> Iterator[tuple[str, ...]]:
    """Every choice of players, in which no two entrants' numbers of seats differ by more than one."""
    for group in combinations_with_replacement(entrants, players):
        seats = Counter(group)
        numbers = [seats[entrant] for entrant in entrants]
        if max(numbers) - min(numbers) <= 1:
            yield group


def _rotations(group: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [group[-shift:] + group[:-shift] for shift in range(len(group))]
