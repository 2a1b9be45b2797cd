"""Playing one game of a match."""

import contextlib

from msgspec.structs import replace

from kakomi.bots import Bot
from kakomi.core import Position
from kakomi.records.replay import best
from kakomi.study.tournament.engine_player import (
    PATIENCE_SECONDS,
    EnginePlayer,
    Maker,
    make_entrant,
    warm,
)
from kakomi.study.tournament.exceptions import Forfeit
from kakomi.study.tournament.opening import opening
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played

Expected = tuple[float, ...] | None
"""The players' chances as a search saw them; None where nothing was searched."""


def play(
    pairing: Pairing,
    patience: float = PATIENCE_SECONDS,
    with_chances: bool = False,
    make: Maker = make_entrant,
) -> Played:
    """Play a game to its end: by the rules, by its limit of plies (RULES N12), or by a forfeit.

    A program that dies, doesn't answer for `patience` seconds or answers with nonsense forfeits.
    `with_chances` notes what the bots' searches expected. `make` makes the players.
    """
    game = pairing.found_game
    for spec in set(pairing.specs):
        warm(spec, game, make)
    position = game.position(pairing.position) if pairing.position else game.start()
    begun = [] if pairing.position else opening(game, pairing.opening, pairing.opening_plies)
    for action in begun:
        position = position.play_action(action)
    with contextlib.ExitStack() as at_the_end:
        bots = _bots(pairing, patience, make, at_the_end)
        seats = [EnginePlayer(player, bot) for player, bot in enumerate(bots)]
        end, expected, forfeit = _played_on(position, seats)
    played = _result(pairing, end, seats, len(begun), forfeit)
    return replace(played, chances=expected) if with_chances and any(expected) else played


def _bots(pairing: Pairing, patience: float, make: Maker, at_the_end: contextlib.ExitStack) -> list[Bot]:
    bots = [
        make(spec, seed=pairing.seed_of(player), patience=patience)
        for player, spec in enumerate(pairing.specs)
    ]
    for bot in bots:
        if isinstance(bot, contextlib.AbstractContextManager):
            at_the_end.enter_context(bot)
    return bots


def _played_on(
    position: Position, seats: list[EnginePlayer]
) -> tuple[Position, tuple[Expected, ...], Forfeit | None]:
    """The last position, what was expected before each action, and who forfeited."""
    limit = _most_plies(position)
    expected: list[Expected] = []
    while not position.is_over and position.ply < limit:
        seat = seats[position.to_move]
        try:
            position = seat.act(position)
        except Forfeit as forfeit:
            return position, tuple(expected), forfeit
        expected.append(seat.expected)
    return position, tuple(expected), None


def _most_plies(position: Position) -> float:
    cut_off = position.game.cut_off
    return float("inf") if cut_off is None else cut_off


def _result(
    pairing: Pairing, end: Position, seats: list[EnginePlayer], opening: int, forfeit: Forfeit | None
) -> Played:
    game, scores = end.game, end.scores()
    playing = [player for player in range(game.players) if forfeit is None or player != forfeit.player]
    return Played(
        pairing=pairing,
        opening=opening,
        actions=tuple(game.action_texts[action] for action in end.played()),
        winners=best(scores, playing),
        scores=tuple(scores),
        reason="forfeit" if forfeit else "rules" if end.is_over else "counted",
        loser=forfeit.player if forfeit else None,
        failure=forfeit.reason if forfeit else "",
        efforts=tuple(seat.effort for seat in seats),
    )
