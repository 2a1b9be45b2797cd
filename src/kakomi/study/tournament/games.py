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
    fixtures: Sequence[Pairing],
    *,
    jobs: int | None = None,
    ledger: GameLog | None = None,
    patience: float = PATIENCE_SECONDS,
) -> Generator[Played]:
    """Every game of a schedule: first those that the ledger holds, then the others as they are finished.

    `jobs` processes (as many as there are cores) play one game at a time each, in the order of the
    schedule; who is idle takes the next, so put long games first where that doesn't matter otherwise. A
    game is in the ledger before it is handed out. Wrap the iterator in `contextlib.closing` to stop
    early: closing it ends all processes.

    Raises LedgerError if the ledger has another game under a fixture's number, and Unplayable in the
    end if there are games of which the processes died.
    """
    waiting = []
    for fixture in fixtures:
        played = ledger.played.get(fixture.number) if ledger else None
        if played is None:
            waiting.append(fixture)
        elif played.fixture == fixture:
            yield played
        else:
            assert ledger
            raise GameLogError(f"{ledger.path}: game {fixture.number} is not the one on the schedule")
    warm_all(waiting)
    with WorkerPool(min(jobs or cores(), len(waiting)), patience) as crew:
        for played in crew.play(waiting):
            if ledger:
                ledger.add(played)
            yield played


def warm_all(fixtures: Sequence[Pairing]) -> None:
    """Compile everything once before several processes would do so at the same time."""
    for spec, game in {(spec, fixture.found_game) for fixture in fixtures for spec in fixture.specs}:
        warm(spec, game)


def cores() -> int:
    """How many processes can run at once here."""
    with contextlib.suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
