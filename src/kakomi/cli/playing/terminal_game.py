"""A match as a person plays it in the terminal."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from kakomi.bots import Bot, make_bot
from kakomi.cli.playing import messages
from kakomi.cli.playing.autosave import Autosave, Kept
from kakomi.cli.playing.prompt import Quit, ask, pause
from kakomi.cli.playing.screen import Screen
from kakomi.cli.playing.seats import SeatPlan
from kakomi.cli.playing.thinking import thought
from kakomi.cli.shared.output import say
from kakomi.cli.shared.status import announced_compiling
from kakomi.session import Match, act_for_bot

Answer = TypeVar("Answer")


class TerminalGame:
    """A match, the bots at it, and what the person has switched on."""

    def __init__(
        self,
        match: Match,
        seat_plan: SeatPlan,
        *,
        seed: int,
        continued: Kept | None = None,
        greeting: str = "",
    ) -> None:
        self.match = match
        self.seat_plan = seat_plan
        """Who sits where, should another game be loaded."""
        self.overlays: set[str] = set()
        self.saved: set[Path] = set()
        """Files that were written here, and so may be written again."""
        self._screen = Screen()
        self._seed = seed
        self._bots: dict[tuple[str, str], Bot] = {}
        self._autosave = Autosave(self._warn, continued)
        self._shown: Match | None = None
        self._announced = _games_before(match)
        self._greeting = f"{greeting}Type an action, or `help` for what else there is."

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.match.seats) if not who.is_bot]

    @property
    def kept_at(self) -> Path | None:
        """The file in which the match is kept, if there is one."""
        return self._autosave.path

    def play(self, obey: Callable[["TerminalGame", str], None], commands: Sequence[str]) -> None:
        """Play until the person quits or, if only bots sit here, until the end.

        `obey` does what a line says; `commands` are the words besides actions that it knows.
        """
        title = self.match.config.game.description.title
        with announced_compiling(f"the rules of {title}"):
            try:
                while self.persons or not self.match.is_over:
                    self._step(obey, commands)
                self._announce_game()
            except Quit:
                return
            finally:
                self._autosave.release()

    def go_on(self, match: Match) -> None:
        """This is how the match stands now: keep it."""
        self.match = match
        self._announced = min(self._announced, len(match.results()))
        self._autosave.keep(match)

    def begin(self, match: Match) -> None:
        """Turn to another match."""
        self._autosave.begin_anew()
        self._announced = _games_before(match)
        self.go_on(match)

    def show(self, *, legal: bool = False) -> None:
        """Draw the board, whose turn it is and what came last."""
        if self.match.is_over:
            self._screen.show_finished(self.match, self.match.current_game, self.overlays)
        else:
            self._screen.show(self.match, self.overlays, legal)
        self._shown = self.match

    def say(self, text: str) -> None:
        """Tell the person something."""
        say(text)

    def thought(self, who: str, bot_name: str, work: Callable[[Bot, threading.Event], Answer]) -> Answer:
        """What a bot finds while the person waits; asked again under the same name, it remembers."""
        bot = self._bots.setdefault((who, bot_name), make_bot(bot_name, seed=self._seed + len(self._bots)))
        return thought(who, bot, lambda stop: work(bot, stop), is_awaited=self._has_person_playing())

    def _has_person_playing(self) -> bool:
        return any(seat not in self.match.current_game.resigned_seats for seat in self.persons)

    def _step(self, obey: Callable[["TerminalGame", str], None], commands: Sequence[str]) -> None:
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
            obey(self, ask(self.match, commands))

    def _let_act(self, seat: int) -> None:
        if self._is_worth_showing():
            self.show()
        match = self.match
        who = messages.capitalised(messages.seat_name(match, seat))
        bot_name = match.seats[seat].bot
        self.go_on(self.thought(who, bot_name, lambda bot, stop: act_for_bot(match, bot, stop=stop)))

    def _is_worth_showing(self) -> bool:
        """Whether to draw while bots play: in place always, else only for a spectator, turn by turn."""
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
    """How many finished games need no announcement any more."""
    return len(match.games) - 1
