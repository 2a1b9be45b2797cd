"""A whole schedule played on a farm, and on from where it stopped."""

import contextlib
from collections.abc import Generator, Sequence

from kakomi.farm import Farm, Piece, open_farm
from kakomi.study.tournament.engine_player import PATIENCE_SECONDS, Maker, make_entrant, warm
from kakomi.study.tournament.exceptions import GameLogError
from kakomi.study.tournament.game_log import GameLog
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played
from kakomi.study.tournament.playing import play


def play_games(
    pairings: Sequence[Pairing],
    farm: Farm | None = None,
    *,
    log: GameLog | None = None,
    patience: float = PATIENCE_SECONDS,
    with_chances: bool = False,
    make: Maker = make_entrant,
) -> Generator[Played]:
    """Every game of a schedule: first those that the log holds, then the others as they are finished.

    The workers of the farm (without one: a process for each core, until all is played) play one game at a
    time each, in the order of the schedule; who is idle takes the next, so put long games first where that
    doesn't matter otherwise. A game is in the log before it is handed out. Wrap the iterator in
    `contextlib.closing` to stop early: closing it ends the games under way. `with_chances` notes what
    the bots' searches expected, in `Played.chances`. `make` makes the players of each game.

    Raises GameLogError if the log has another game under a pairing's number, and WorkFailed in the end if
    there are games of which the workers died.
    """
    waiting = []
    for pairing in pairings:
        played = log.played.get(pairing.number) if log else None
        if played is None:
            waiting.append(pairing)
        elif played.pairing == pairing:
            yield played
        else:
            assert log
            raise GameLogError(f"{log.path}: game {pairing.number} is not the one on the schedule")
    terms = (patience, with_chances, make)
    pieces = (Piece(f"game {pairing.number}", play, (pairing, *terms)) for pairing in waiting)
    with contextlib.ExitStack() as at_the_end:
        farm = farm or at_the_end.enter_context(open_farm())
        warm_all(waiting, make)
        for _, played in at_the_end.enter_context(contextlib.closing(farm.run(pieces))):
            if log:
                log.add(played)
            yield played


def warm_all(pairings: Sequence[Pairing], make: Maker = make_entrant) -> None:
    """Compile everything once before several processes would do so at the same time."""
    for spec, game in {(spec, pairing.found_game) for pairing in pairings for spec in pairing.specs}:
        warm(spec, game, make)
