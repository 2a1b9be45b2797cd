"""Playing the games of a match, one or a whole schedule on a farm: players by name, our bots and programs
that speak a protocol.
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
from kakomi.study.tournament.games import Effort, Forfeit, GameLog, GameLogError, Pairing, Played, opening

COMMAND = "cmd:"
DIGITS = 4
"""Of chances in the file of a match."""
PATIENCE_SECONDS = 60.0
"""Seconds that an external program may think about an action, by default."""


class Maker(Protocol):
    """What makes a player for one game by its name. It travels to workers, so it can be pickled."""

    def __call__(self, spec: str, *, seed: int, patience: float) -> Bot: ...

    def __hash__(self) -> int: ...


def check_entrant(spec: str, game: Game) -> None:
    """Raises ValueError, saying what would be right, for an entrant that is unknown or can't play a game."""
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
    """A player for one game. Raises ValueError for an unknown bot, EngineError for a program that
    doesn't start."""
    if not spec.startswith(COMMAND):
        return make_bot(spec, seed=seed)
    from kakomi.protocol import EngineBot

    engine: Bot = EngineBot(_command(spec), name=spec, seed=seed, patience=patience)
    return engine


@cache
def warm(spec: str, game: Game, make: Maker = make_entrant) -> None:
    """Compile, or load, all that a bot of ours needs for a game, so that no game's clock sees it."""
    if spec.startswith(COMMAND):
        return
    at_once = threading.Event()
    at_once.set()
    bot = make(spec, seed=0, patience=PATIENCE_SECONDS)
    position = game.start()
    with contextlib.suppress(EngineError, IllegalAction):  # in a game it forfeits; here nothing is lost
        position = position.play_action(bot.choose(position, stop=at_once))
    position.scores()


def _command(spec: str) -> list[str]:
    return shlex.split(spec.removeprefix(COMMAND))


class EnginePlayer:
    """A bot as one player of one game, with what its thinking has taken so far."""

    def __init__(self, player: int, bot: Bot) -> None:
        self._player = player
        self._bot = bot
        self._actions = 0
        self._seconds = 0.0
        self._simulations: list[int] = []
        self._report: Report | None = None
        self.expected: tuple[float, ...] | None = None
        """The players' chances as the search of the last action saw them; None if it searched nothing."""

    def act(self, position: Position) -> Position:
        """The position after what the bot chose. Raises Forfeit if it fails or that isn't legal."""
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
        """Bots that search keep their last report; it stays the same when there was nothing to search."""
        report: Report | None = getattr(self._bot, "last_report", None)
        self.expected = None
        if report is not None and report is not self._report:
            self._report = report
            self._simulations.append(report.simulations)
            self.expected = tuple(round(chance, DIGITS) for chance in report.lines[0].chances)

    @property
    def effort(self) -> Effort:
        """The average effort of an action."""
        searched = len(self._simulations)
        return Effort(
            actions=self._actions,
            seconds=round(self._seconds / max(1, self._actions), 6),
            simulations=round(sum(self._simulations) / searched, 1) if searched else None,
        )


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
