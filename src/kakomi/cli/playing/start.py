"""The ways to sit down to a game."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kakomi.cli.playing import menu
from kakomi.cli.playing.autosave import Kept, newest_unfinished
from kakomi.cli.playing.seats import PERSON, PlayOptions, SeatPlan
from kakomi.cli.playing.terminal_game import TerminalGame
from kakomi.core import Game
from kakomi.session import Match


def begun(game: Game, given: Mapping[str, Any], options: PlayOptions, seed: int) -> TerminalGame:
    """A new match; `given` are the game's options as they were typed. Raises ValueError."""
    seat_plan = options.seat_plan(game)
    match = Match.begun(options.config(game, given), seat_plan.seats(game.players))
    return TerminalGame(match, seat_plan, seed=seed, greeting=_reminder())


def _reminder() -> str:
    kept = newest_unfinished()
    title = kept.match.config.game.description.title if kept else ""
    return f"A game of {title} is unfinished: `kakomi play --continue` goes on with it.\n" if kept else ""


def from_menu(seed: int) -> TerminalGame:
    """What the person chooses. Raises Quit if that is nothing."""
    chosen = menu.ask(newest_unfinished())
    if isinstance(chosen, Kept):
        return continued(chosen, seed)
    match = Match.begun(chosen.config, chosen.seat_plan.seats(chosen.config.game.players))
    return TerminalGame(match, chosen.seat_plan, seed=seed)


def continued(kept: Kept, seed: int) -> TerminalGame:
    """A game that was left unfinished, with the same seats."""
    seats = {seat: who.bot or PERSON for seat, who in enumerate(kept.match.seats)}
    return TerminalGame(kept.match, SeatPlan(named=seats), seed=seed, continued=kept)


def from_record(
    path: Path, name: str, given: Mapping[str, Any], options: PlayOptions, seed: int
) -> TerminalGame:
    """A record's game, to go on from its end. Raises OSError, or ValueError saying what is wrong."""
    from kakomi import catalog, records
    from kakomi.session.record import match_of

    record = records.load(path, catalog.game, name, **given)
    game = records.game_of(record, catalog.game)
    seat_plan = options.seat_plan(game)
    return TerminalGame(match_of(record, seat_plan.seats(game.players)), seat_plan, seed=seed)
