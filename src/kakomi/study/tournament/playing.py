"""Playing one game of a match."""

import contextlib

from kakomi.bots import Bot
from kakomi.core import Position
from kakomi.records.replay import best
from kakomi.study.tournament.engine_player import PATIENCE_SECONDS, EnginePlayer, make_entrant, warm
from kakomi.study.tournament.exceptions import Forfeit
from kakomi.study.tournament.opening import opening
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played


def play(pairing: Pairing, patience: float = PATIENCE_SECONDS) -> Played:
    """Play a game to its end: by the rules, by its limit of plies (RULES N12), or by a forfeit.

    A program that dies, doesn't answer for `patience` seconds or answers with nonsense forfeits.
    """
    game = pairing.found_game
    for spec in set(pairing.specs):
        warm(spec, game)
    begun = opening(game, pairing.opening, pairing.opening_plies)
    position = game.start()
    for action in begun:
        position = position.play_action(action)
    with contextlib.ExitStack() as at_the_end:
        seats = [EnginePlayer(player, bot) for player, bot in enumerate(_bots(pairing, patience, at_the_end))]
        end, forfeit = _played_on(position, seats)
    return _result(pairing, end, seats, len(begun), forfeit)


def _bots(pairing: Pairing, patience: float, at_the_end: contextlib.ExitStack) -> list[Bot]:
    bots = [
        make_entrant(spec, seed=pairing.seed_of(player), patience=patience)
        for player, spec in enumerate(pairing.specs)
    ]
    for bot in bots:
        if isinstance(bot, contextlib.AbstractContextManager):
            at_the_end.enter_context(bot)
    return bots


def _played_on(position: Position, seats: list[EnginePlayer]) -> tuple[Position, Forfeit | None]:
    """The last position, and who forfeited there."""
    limit = _most_plies(position)
    while not position.is_over and position.ply < limit:
        try:
            position = seats[position.to_move].act(position)
        except Forfeit as forfeit:
            return position, forfeit
    return position, None


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
