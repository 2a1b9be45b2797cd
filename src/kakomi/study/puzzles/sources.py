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

    actions: tuple[str, ...]
    start: str
    """The text of the first position; empty for the game's start."""
    source: str
    """In words."""
    seed: int

    def positions(self, game: Game) -> list[Position]:
        """At the beginning of each turn, in order; the last one is the end."""
        position = game.position(self.start) if self.start else game.start()
        found = [position]
        for action in self.actions:
            position = position.play(action)
            found += [] if position.turn else [position]
        return found


def bot_game(game: Game, bot: str | int, seed: int) -> PlayedLine:
    """A game of a bot with itself. The same arguments play the same."""
    *_, end = self_play(game, bot, seed)
    actions = tuple(game.action_texts[action] for action in end.played())
    return PlayedLine(actions, "", f"{make_bot(bot).name} with itself", seed)


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
    main = record.tree.main_line
    *_, end = (at for number, at in records.positions(record, game) if number in {0, *main})
    names = " – ".join(seat.name or seat.bot or "?" for seat in record.seats)
    said = ", ".join(part for part in (names, record.event, record.date) if part)
    actions = tuple(game.action_texts[action] for action in end.played())
    return PlayedLine(actions, record.position, said or "a record", seed)
