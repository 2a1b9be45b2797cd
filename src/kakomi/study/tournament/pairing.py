"""One game that is to be played, complete enough to be played anywhere."""

import hashlib
from functools import cached_property

from msgspec import Struct

from kakomi import catalog
from kakomi.core import Game


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
    """What plays for each of the seats, where an entrant's name doesn't say it (`specs`)."""

    @cached_property
    def found_game(self) -> Game:
        """The game with its options. Raises ValueError if there is none."""
        return catalog.game(self.game, **self.options)

    @property
    def specs(self) -> tuple[str, ...]:
        """What plays for each of the seats: a bot as `make_bot` takes it, or `cmd:PROGRAM ARGS`."""
        return self.bots or self.seats

    @property
    def block(self) -> tuple[str, int, frozenset[str]]:
        """What games have in common that differ in seats alone: they are weighed together."""
        return self.game, self.opening, frozenset(self.seats)

    def seed_of(self, player: int) -> int:
        """The seed of a player's bot."""
        return derived_seed(self.seed, player)


def derived_seed(seed: int, *parts: object) -> int:
    """Another seed, from 0 to 2**32 - 1, that depends on all of these and nothing else."""
    text = "/".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
