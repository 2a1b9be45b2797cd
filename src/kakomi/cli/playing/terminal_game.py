"""A match in the terminal, and the ways to begin one."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar

import click

from kakomi.bots import Bot, make_bot
from kakomi.cli.playing import console
from kakomi.cli.playing.autosave import Autosave, SavedGame, newest_unfinished
from kakomi.cli.playing.console import Quit, Screen, ask, pause
from kakomi.cli.playing.seats import PERSON, PlayOptions, SeatPlan, ask_for_game
from kakomi.cli.shared.output import announced_compiling, patient_progress, say, stopped_by_interrupt
from kakomi.core import Game
from kakomi.core.i18n import capitalised
from kakomi.session import Match, act_for_bot

Answer = TypeVar("Answer")

_LOOK_SECONDS = 0.1


class TerminalGame:
    """A match in the terminal, with its bots, its overlays and its autosave."""

    def __init__(
        self,
        match: Match,
        seat_plan: SeatPlan,
        *,
        seed: int,
        continued: SavedGame | None = None,
        greeting: str = "",
    ) -> None:
        self.match = match
        self.seat_plan = seat_plan
        """How seats are assigned if another game is loaded."""
        self.overlays: set[str] = set()
        self.saved: set[Path] = set()
        """Files written in this session, which may be overwritten."""
        self._screen = Screen()
        self._seed = seed
        self._bots: dict[tuple[str, str], Bot] = {}
        self._autosave = Autosave(self._warn, continued)
        self._shown: Match | None = None
        self._announced = _games_before(match)
        self._greeting = f"{greeting}Type a move, or `help` to see all commands."

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.match.seats) if not who.is_bot]

    @property
    def saved_at(self) -> Path | None:
        """The file in which the match is saved, or None."""
        return None if self.is_lost else self._autosave.path

    @property
    def is_lost(self) -> bool:
        """Whether the latest events could not be saved."""
        return self._autosave.is_behind

    def play(self, execute_line: Callable[["TerminalGame", str], None], commands: Sequence[str]) -> None:
        """Play until the person quits or, with only bots, until the end.

        `execute_line` executes a line; `commands` are the commands that it accepts besides actions.
        """
        title = self.match.config.game.description.title
        with announced_compiling(f"the rules of {title}"):
            try:
                while self.persons or not self.match.is_over:
                    self._step(execute_line, commands)
                self._announce_game()
            except Quit:
                return
            finally:
                self._autosave.release()

    def continue_with(self, match: Match) -> None:
        """Continue with a new state of the match, and save it."""
        self.match = match
        self._announced = min(self._announced, len(match.results()))
        self._autosave.save(match)

    def begin(self, match: Match) -> None:
        """Begin another match."""
        self._autosave.start_new_file()
        self._announced = _games_before(match)
        self.continue_with(match)

    def show(self, *, legal: bool = False) -> None:
        """Draw the board, and say what happened last and whose turn it is."""
        if self.match.is_over:
            self._screen.show_finished(self.match, self.match.current_game, self.overlays)
        else:
            self._screen.show(self.match, self.overlays, legal)
        self._shown = self.match

    def say(self, text: str) -> None:
        """Print a message."""
        say(text)

    def run_bot(self, who: str, bot_name: str, work: Callable[[Bot, threading.Event], Answer]) -> Answer:
        """Return the result of a bot's work while the person waits. Bots of one name keep their memory."""
        bot = self._bots.setdefault((who, bot_name), make_bot(bot_name, seed=self._seed + len(self._bots)))
        return run_bot(who, bot, lambda stop: work(bot, stop), is_awaited=self._has_person_playing())

    def _has_person_playing(self) -> bool:
        return any(seat not in self.match.current_game.resigned_seats for seat in self.persons)

    def _step(self, execute_line: Callable[["TerminalGame", str], None], commands: Sequence[str]) -> None:
        seat = self.match.to_act
        if self._announced < len(self.match.results()):
            self._announce_game()
            if self.persons and not self.match.is_over:
                pause("Press Enter for the next game. ")
        elif seat is not None and self.match.seats[seat].is_bot:
            self._let_act(seat)
        else:
            if self._shown is not self.match:
                self.show()
            if self._greeting:
                self.say(self._greeting)
                self._greeting = ""
            execute_line(self, ask(self.match, commands))

    def _let_act(self, seat: int) -> None:
        if self._is_worth_showing():
            self.show()
        match = self.match
        who = capitalised(console.seat_name(match, seat))
        bot_name = match.seats[seat].bot
        self.continue_with(self.run_bot(who, bot_name, lambda bot, stop: act_for_bot(match, bot, stop=stop)))

    def _is_worth_showing(self) -> bool:
        """Return whether to draw while bots play. Without redraws: only for viewers, after whole turns."""
        if self._shown is self.match:
            return False
        return self._screen.redraws or (not self._has_person_playing() and not self.match.position.turn)

    def _announce_game(self) -> None:
        if self._announced < len(self.match.results()):
            self._screen.show_finished(self.match, self.match.games[self._announced], self.overlays)
            self._announced += 1
            if self.persons and self.match.is_over:
                self.say("`again`, `undo`, `save FILE` or `quit`?")
            self._shown = self.match if self.match.is_over else None

    def _warn(self, message: str) -> None:
        click.echo(f"kakomi: {message}", err=True)


def _games_before(match: Match) -> int:
    """Return the number of games before the last one, which need no announcement."""
    return len(match.games) - 1


def run_bot(who: str, bot: Bot, work: Callable[[threading.Event], Answer], *, is_awaited: bool) -> Answer:
    """Return the result of a bot's work. After two seconds a bar shows its progress.

    If a player waits for it, the first Ctrl-C makes the bot finish with what it has, and the second raises
    KeyboardInterrupt; with only viewers the first one does.
    """
    done = threading.Event()
    outcome: list[Answer] = []
    failure: list[BaseException] = []

    def run(stop: threading.Event) -> None:
        try:
            outcome.append(work(stop))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    title = f"{who} is thinking; Ctrl-C to {'play now' if is_awaited else 'leave'}"
    stopping = stopped_by_interrupt() if is_awaited else nullcontext(threading.Event())
    with stopping as stop, patient_progress(title) as tell:
        bot.progress = lambda part: tell(part, "")
        threading.Thread(target=run, args=[stop], daemon=True).start()
        while not done.wait(_LOOK_SECONDS):  # an event: `Thread.join` mistakes an interrupt for the end
            pass
        bot.progress = None
    if failure:
        raise failure[0]
    return outcome[0]


def begun(game: Game, given: Mapping[str, Any], options: PlayOptions, seed: int) -> TerminalGame:
    """Begin a new match; `given` holds the game's options as typed. Raises ValueError."""
    seat_plan = options.seat_plan(game)
    match = Match.begun(options.config(game, given), seat_plan.seats(game))
    return TerminalGame(match, seat_plan, seed=seed, greeting=_reminder())


def _reminder() -> str:
    kept = newest_unfinished()
    title = kept.match.config.game.description.title if kept else ""
    return f"You have an unfinished game of {title}: `kakomi play --continue` resumes it.\n" if kept else ""


def from_menu(seed: int) -> TerminalGame:
    """Begin the game that the person chooses in the menu. Raises Quit at the end of the input."""
    chosen = ask_for_game(newest_unfinished())
    if isinstance(chosen, SavedGame):
        return continued(chosen, seed)
    match = Match.begun(chosen.config, chosen.seat_plan.seats(chosen.config.game))
    return TerminalGame(match, chosen.seat_plan, seed=seed)


def continued(kept: SavedGame, seed: int) -> TerminalGame:
    """Continue an unfinished game, with the same seats."""
    seats = {seat: who.bot or PERSON for seat, who in enumerate(kept.match.seats)}
    return TerminalGame(kept.match, SeatPlan(named=seats), seed=seed, continued=kept)


def from_record(
    path: Path, name: str, given: Mapping[str, Any], options: PlayOptions, seed: int
) -> TerminalGame:
    """Continue a recorded game from its end. Raises OSError, or ValueError saying what is wrong."""
    from kakomi import catalog, records
    from kakomi.session.record import match_of

    reading = records.Reading()
    record = records.load(path, catalog.game, name, reading, **given)
    for message in reading.warnings:
        click.echo(f"{path}: {message}", err=True)
    game = records.game_of(record, catalog.game)
    seat_plan = options.seat_plan(game)
    return TerminalGame(match_of(record, seat_plan.seats(game)), seat_plan, seed=seed)
