"""Play one game of a match, or a whole schedule on a farm, between Kakomi's bots and external programs that
speak its protocol.
"""

import contextlib
import shlex
import shutil
import threading
import time
from collections.abc import Generator, Sequence
from functools import cache
from typing import Protocol

from msgspec.structs import replace

from kakomi.bots import Bot, make_bot
from kakomi.core import Game, IllegalAction, Position
from kakomi.farm import Farm, Piece, open_farm
from kakomi.protocol import EngineError
from kakomi.records.replay import best
from kakomi.search import Report
from kakomi.study.matches.games import Effort, Forfeit, GameLog, GameLogError, Pairing, Played, opening

COMMAND = "cmd:"
DIGITS = 4
"""Decimal places of chances in match files."""
PATIENCE_SECONDS = 60.0
"""The default limit on an external program's thinking time per action."""


class Maker(Protocol):
    """Makes a player for one game from its specification. It is sent to workers, so it must be picklable."""

    def __call__(self, spec: str, *, seed: int, patience: float) -> Bot: ...

    def __hash__(self) -> int: ...


def check_entrant(spec: str, game: Game) -> None:
    """Raise ValueError, saying what would be valid, if an entrant is unknown or can't play a game."""
    if not spec.startswith(COMMAND):
        make_bot(spec).check(game)
        return
    try:
        command = _command(spec)
    except ValueError as error:
        raise ValueError(f"{spec}: {error}") from None
    if not command:
        raise ValueError(f"{spec!r} names no program: write {COMMAND}PROGRAM ARGS")
    if shutil.which(command[0]) is None:
        raise ValueError(f"{spec}: there is no program {command[0]!r} that could be run")


def make_entrant(spec: str, *, seed: int, patience: float = PATIENCE_SECONDS) -> Bot:
    """A player for one game. Raises ValueError if the bot is unknown, and EngineError if the program doesn't
    start."""
    if not spec.startswith(COMMAND):
        return make_bot(spec, seed=seed)
    from kakomi.protocol import EngineBot

    engine: Bot = EngineBot(_command(spec), name=spec, seed=seed, patience=patience)
    return engine


@cache
def warm(spec: str, game: Game, make: Maker = make_entrant) -> None:
    """Compile or load all code that one of Kakomi's bots needs, so that it doesn't count as thinking time."""
    if spec.startswith(COMMAND):
        return
    at_once = threading.Event()
    at_once.set()
    bot = make(spec, seed=0, patience=PATIENCE_SECONDS)
    position = game.start()
    with contextlib.suppress(EngineError, IllegalAction):  # only a real game would be forfeited
        position = position.play_action(bot.choose(position, stop=at_once))
    position.scores()


def _command(spec: str) -> list[str]:
    return shlex.split(spec.removeprefix(COMMAND))


class EnginePlayer:
    """A bot as a player in one game, with its effort so far."""

    def __init__(self, player: int, bot: Bot) -> None:
        self._player = player
        self._bot = bot
        self._actions = 0
        self._seconds = 0.0
        self._simulations: list[int] = []
        self._report: Report | None = None
        self.expected: tuple[float, ...] | None = None
        """The players' chances from the search for the last action; None if there was no search."""

    def act(self, position: Position) -> Position:
        """Let the bot choose an action, and return the position after it. Raises Forfeit if the bot fails or
        the action is illegal."""
        try:
            return position.play_action(self._timed_choice(position))
        except EngineError as error:
            raise Forfeit(self._player, error.reason) from None
        except IllegalAction as error:
            raise Forfeit(self._player, str(error)) from None

    def _timed_choice(self, position: Position) -> int:
        started = time.perf_counter()
        action = self._bot.choose(position)
        self._seconds += time.perf_counter() - started
        self._actions += 1
        self._count_simulations()
        return action

    def _count_simulations(self) -> None:
        """Record the last search. A bot keeps its old report if there was nothing to search."""
        report: Report | None = getattr(self._bot, "last_report", None)
        self.expected = None
        if report is not None and report is not self._report:
            self._report = report
            self._simulations.append(report.simulations)
            self.expected = tuple(round(chance, DIGITS) for chance in report.lines[0].chances)

    @property
    def effort(self) -> Effort:
        """The mean effort per action."""
        searched = len(self._simulations)
        return Effort(
            actions=self._actions,
            seconds=round(self._seconds / max(1, self._actions), 6),
            simulations=round(sum(self._simulations) / searched, 1) if searched else None,
        )


Expected = tuple[float, ...] | None
"""The players' chances from a search; None if there was no search."""


def play(
    pairing: Pairing,
    patience: float = PATIENCE_SECONDS,
    with_chances: bool = False,
    make: Maker = make_entrant,
) -> Played:
    """Play a game to its end: by the rules, by its limit of plies (RULES N12), or by a forfeit.

    A program that dies, doesn't answer for `patience` seconds or gives an invalid answer forfeits.
    `with_chances` records what the bots' searches expected. `make` makes the players.
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
    """The last position, the expected chances for each action, and the forfeit, if any."""
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


def play_games(
    pairings: Sequence[Pairing],
    farm: Farm | None = None,
    *,
    log: GameLog | None = None,
    patience: float = PATIENCE_SECONDS,
    with_chances: bool = False,
    make: Maker = make_entrant,
) -> Generator[Played]:
    """Yield every game of a schedule: first those in the log, then the others as they finish.

    Each worker of the farm (by default, one process per core for the duration of the call) plays one game at
    a time. Games start in the order of the schedule as workers become idle, so put long games first if the
    order doesn't matter otherwise. A game is in the log before it is yielded. Wrap the iterator in
    `contextlib.closing` to stop early: closing it ends the running games. `with_chances` records what the
    bots' searches expected in `Played.chances`. `make` makes the players of each game.

    Raises GameLogError if the log has a different game under a pairing's number, and WorkFailed at the end if
    games killed their workers.
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
    """Compile everything once, before several processes would do so at the same time."""
    for spec, game in {(spec, pairing.found_game) for pairing in pairings for spec in pairing.specs}:
        warm(spec, game, make)
