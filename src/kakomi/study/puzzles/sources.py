"""Games in which puzzles are looked for: those of bots, and records."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kakomi import records
from kakomi.bots import make_bot
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.records import Record
from kakomi.study.report.own_games import games_of
from kakomi.study.tournament.played import Played, record_of

MOST_ACTIONS = 5_000
"""Of a game of bots: an endless one is left then."""


@dataclass(frozen=True)
class PlayedLine:
    """A game as it went, from its start or from a position."""

    positions: tuple[Position, ...]
    """At the beginning of each turn, in order; the last one is the end."""
    start: str
    """The text of the first position; empty for the game's start."""
    source: str
    """In words."""
    seed: int


def bot_games(game: Game, bot: str | int, seed: int, games: int) -> Iterator[PlayedLine]:
    """Games of a bot with itself, each with a seed of its own. The same arguments play the same."""
    source = f"{make_bot(bot).name} with itself"
    for number in range(games):
        own = derived_seed(seed, number)
        positions = (position for position in self_play(game, bot, own) if not position.turn)
        yield PlayedLine(tuple(positions), "", source, own)


def self_play(game: Game, bot: str | int, seed: int) -> Iterator[Position]:
    """Every position of a game of a bot with itself, from the start to its end, or until it is left."""
    player, position = make_bot(bot, seed=seed), game.start()
    yield position
    while not position.is_over and position.ply < MOST_ACTIONS:
        position = position.play_action(player.choose(position))
        yield position


def games_of_folder(folder: Path, game: Game, seed: int) -> Iterator[PlayedLine]:
    """The games of a folder's records and matches that are of this game, with its options.

    Raises NoGames for a folder without any.
    """
    for number, one in enumerate(games_of(folder, game)):
        record = record_of(one) if isinstance(one, Played) else one
        yield _line_of(record, game, derived_seed(seed, number))


def _line_of(record: Record, game: Game, seed: int) -> PlayedLine:
    """The main line of a record."""
    wanted = {0, *record.tree.main_line}
    positions = tuple(at for number, at in records.positions(record, game) if number in wanted)
    names = " – ".join(seat.name or seat.bot or "?" for seat in record.seats)
    said = ", ".join(part for part in (names, record.event, record.date) if part)
    return PlayedLine(positions, record.position, said or "a record", seed)
