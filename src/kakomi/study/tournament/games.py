"""Playing a whole schedule: over all cores, and on from where it stopped."""

import contextlib
import os
from collections.abc import Generator, Sequence

from kakomi.study.tournament.entrant import PATIENCE_SECONDS, warm
from kakomi.study.tournament.game_log import GameLog, GameLogError
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played
from kakomi.study.tournament.worker_pool import WorkerPool


def play_games(
    pairings: Sequence[Pairing],
    *,
    jobs: int | None = None,
    log: GameLog | None = None,
    patience: float = PATIENCE_SECONDS,
) -> Generator[Played]:
    """Every game of a schedule: first those that the log holds, then the others as they are finished.

    `jobs` processes (as many as there are cores) play one game at a time each, in the order of the
    schedule; who is idle takes the next, so put long games first where that doesn't matter otherwise. A
    game is in the log before it is handed out. Wrap the iterator in `contextlib.closing` to stop
    early: closing it ends all processes.

    Raises GameLogError if the log has another game under a pairing's number, and Unplayable in the
    end if there are games of which the processes died.
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
    warm_all(waiting)
    with WorkerPool(min(jobs or cores(), len(waiting)), patience) as pool:
        for played in pool.play(waiting):
            if log:
                log.add(played)
            yield played


def warm_all(pairings: Sequence[Pairing]) -> None:
    """Compile everything once before several processes would do so at the same time."""
    for spec, game in {(spec, pairing.found_game) for pairing in pairings for spec in pairing.specs}:
        warm(spec, game)


def cores() -> int:
    """How many processes can run at once here."""
    with contextlib.suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
