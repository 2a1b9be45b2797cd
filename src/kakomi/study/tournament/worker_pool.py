"""A whole schedule played over all cores, and on from where it stopped.

Worker processes stay warm from game to game, and none outlives the match.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from kakomi.core.system import cores
from kakomi.kernel import when_compiling
from kakomi.study.tournament.engine_player import PATIENCE_SECONDS, warm
from kakomi.study.tournament.exceptions import GameLogError, Unplayable
from kakomi.study.tournament.game_log import GameLog
from kakomi.study.tournament.pairing import Pairing
from kakomi.study.tournament.played import Played
from kakomi.study.tournament.playing import play

TRIES = 2
"""So often a game is begun whose worker dies of it."""
AGAIN_SECONDS = 0.01
GRACE_SECONDS = 3.0
"""Seconds that a worker has to end its engines before it is killed."""


@dataclass(frozen=True)
class _Crash:
    """A worker's report on a game that failed through no player's fault."""

    reason: str


class WorkerPool:
    """A number of processes that play one game at a time each. Leaving the `with` block ends them all."""

    def __init__(self, jobs: int, patience: float) -> None:
        self._jobs = jobs
        self._patience = patience
        self._workers: list[_Worker] = []

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end()

    def play(self, pairings: Iterable[Pairing]) -> Iterator[Played]:
        """Every game as it is finished; an idle worker takes the first unplayed game.

        Raises Unplayable in the end if there are games of which workers died twice, and at once if
        workers can't even be started.
        """
        waiting = deque((pairing, 1) for pairing in pairings)
        failed: list[str] = []
        while True:
            self._hand_out(waiting)
            busy = {worker.connection: worker for worker in self._workers if worker.pairing}
            if not busy:
                break
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                pairing, tried, outcome = worker.outcome()
                if isinstance(outcome, Played):
                    yield outcome
                elif tried < TRIES:
                    waiting.appendleft((pairing, tried + 1))
                else:
                    failed.append(f"game {pairing.number} ({outcome.reason})")
        if failed:
            raise Unplayable(f"{len(failed)} of the games couldn't be played: {'; '.join(failed[:3])}")

    def _hand_out(self, waiting: deque[tuple[Pairing, int]]) -> None:
        self._workers = [worker for worker in self._workers if worker.is_alive]
        while waiting and (worker := self._idle()):
            worker.take(*waiting.popleft())

    def _idle(self) -> "_Worker | None":
        for worker in self._workers:
            if worker.pairing is None:
                return worker
        if len(self._workers) < self._jobs:
            self._workers.append(_Worker(self._patience))
            return self._workers[-1]
        return None


class _Worker:
    """One process, and the game that it plays."""

    def __init__(self, patience: float) -> None:
        context = multiprocessing.get_context("spawn")  # threads and compiled code don't survive a fork
        self.connection, its_end = context.Pipe()
        self._process = context.Process(target=_work, args=(its_end, patience), daemon=False)
        self._process.start()
        its_end.close()
        self.pairing: Pairing | None = None
        self._tried = 0
        self.is_alive = True

    def take(self, pairing: Pairing, tried: int) -> None:
        """Let it play a game."""
        self.pairing, self._tried = pairing, tried
        with contextlib.suppress(OSError):  # a dead worker is met when its outcome is
            self.connection.send(pairing)

    def outcome(self) -> tuple[Pairing, int, Played | _Crash]:
        """The game that it had, how often that was tried, and how it went."""
        assert self.pairing
        pairing, self.pairing = self.pairing, None
        try:
            return pairing, self._tried, self.connection.recv()
        except (EOFError, OSError):
            self.is_alive = False
            self.end()
            code = self._process.exitcode
            return pairing, self._tried, _Crash(f"its worker process died, exit code {code}")

    def dismiss(self) -> None:
        """Ask it to go."""
        self._process.terminate()

    def end(self) -> None:
        """See that it is gone."""
        self._process.join(GRACE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()


def _work(connection: Connection, patience: float) -> None:
    """The main loop of a worker process: play games until the sender is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the match decides what follows
    _end_on_sigterm()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with when_compiling(_silently), contextlib.suppress(EOFError, OSError):
        while True:
            pairing: Pairing = connection.recv()
            connection.send(_outcome(pairing, patience))


def _end_on_sigterm() -> None:
    """Have SIGTERM end this process as an exit would, which ends its engines."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.unraisablehook = _exit_again


def _exit_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Python drops what is raised while an object is finalized: an exit comes again then, a moment later."""
    if unraisable.exc_type is SystemExit:
        threading.Timer(AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGTERM)).start()
    else:
        sys.__unraisablehook__(unraisable)


def _outcome(pairing: Pairing, patience: float) -> Played | _Crash:
    try:
        return play(pairing, patience)
    except Exception as error:  # whatever is wrong with one game, others can be played
        traceback.print_exc()
        return _Crash(f"{type(error).__name__}: {error}")


def _leave_with_parent() -> None:
    parent: Any = multiprocessing.parent_process()
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _silently(driver: str) -> contextlib.AbstractContextManager[None]:
    del driver
    return contextlib.nullcontext()


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
