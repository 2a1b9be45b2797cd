"""A bot that lets another program choose its actions."""

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from kakomi.bots import Bot
from kakomi.core import Game, IllegalAction, Position
from kakomi.protocol.engine_client import SyncEngineClient
from kakomi.protocol.exceptions import EngineError
from kakomi.protocol.lines import clipped

VERSION = 1
"""The version of the protocol."""
PATIENCE_SECONDS = 60.0
"""How long an engine may take to answer, on top of its thinking time."""


class _Hello(msgspec.Struct):
    protocol: int


class _Done(msgspec.Struct):
    pass


class _Chosen(msgspec.Struct):
    action: str


class _Komi(msgspec.Struct):
    komi: int


class _Player(msgspec.Struct):
    player: int


class _Swap(msgspec.Struct):
    swap: bool


Result = TypeVar("Result", _Hello, _Done, _Chosen, _Komi, _Player, _Swap)


class EngineBot(Bot):
    """A bot played by any program that speaks the JSON-lines protocol (docs/protocol.md).

    `command` is the program followed by its arguments. The program starts when it is first needed, and again
    after a failure; `close` or the end of a `with` block ends it. `seconds` and `simulations` limit its
    thinking for each action; without them the program decides. `patience` is how many seconds more it may
    take to answer. `seed` is passed on to the program.

    Every method raises EngineError if the program dies, hangs, sends an invalid answer or makes an illegal
    choice; this also ends the program. Raises ValueError if `command` is empty or a string.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        seed: int = 0,
        seconds: float | None = None,
        simulations: int | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        if isinstance(command, str) or not command:
            raise ValueError("an engine's command is a list of words: the program, then its arguments")
        super().__init__(name or Path(command[0]).name, seed)
        self._command = tuple(command)
        limits = {"seconds": seconds, "simulations": simulations}
        self._limits = {limit: value for limit, value in limits.items() if value is not None}
        self._patience = patience
        self._process: SyncEngineClient | None = None

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return the action that the program chooses.

        Raises EngineError, and ValueError if the game is over or if the actions that led from the start to
        the position are unknown.
        """
        if position.is_over:
            raise ValueError("the game is over: there is nothing to choose")
        self._set_up(position)
        text = self._ask("genmove", _Chosen, stop=stop, **self._limits).action
        try:
            return _legal(position, text)
        except IllegalAction as error:
            raise self._failed(f"it played an illegal action: {error}") from None

    def name_komi(self, game: Game) -> int:
        """Return the komi that the program names, or our default if it doesn't negotiate."""
        self._set_up(game.start())
        try:
            komi = self._ask("name_komi", _Komi).komi
        except _UnknownCommandError:
            return super().name_komi(game)
        option = game.description.komi
        if komi not in option.allowed_given(game.options):
            raise self._failed(f"it named a komi that can't be: {komi}")
        return komi

    def choose_player(self, game: Game, komi: int) -> int:
        """Return the player that the program wants to be, or our default if it doesn't negotiate."""
        self._set_up(game.start())
        try:
            player = self._ask("choose_player", _Player, komi=komi).player
        except _UnknownCommandError:
            return super().choose_player(game, komi)
        if player not in (0, 1):
            raise self._failed(f"it chose to be player {player}, who does not exist")
        return player

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Return whether the program wants the other side's stones; False if it doesn't negotiate."""
        self._set_up(position)
        try:
            return self._ask("wants_swap", _Swap, stop=stop, **self._limits).swap
        except _UnknownCommandError:
            return super().wants_swap(position, stop=stop)

    def close(self) -> None:
        """End the program if it is running."""
        process, self._process = self._process, None
        if process:
            process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _set_up(self, position: Position) -> None:
        """Start the program if needed, and send it the actions from the game's start to the position."""
        game = position.game
        actions = position.actions_since(game.start())
        if actions is None:
            raise ValueError("an engine can only be told a position that was played from the start")
        if self._process is None:
            self._process = SyncEngineClient(self._command, self._patience)
            if (spoken := self._ask("hello", _Hello).protocol) != VERSION:
                raise self._failed(f"it speaks version {spoken} of the protocol, not {VERSION}")
        texts = [game.action_texts[action] for action in actions]
        self._ask("setup", _Done, game=game.name, options=game.options, actions=texts, seed=self._seed)

    def _ask(
        self, command: str, kind: type[Result], *, stop: threading.Event | None = None, **fields: Any
    ) -> Result:
        assert self._process
        try:
            answer = self._process.ask(command, stop=stop, allowance=fields.get("seconds", 0.0), **fields)
        except EngineError:
            self._process = None
            raise
        if answer.error is not None:
            if answer.error.code == "unknown-command" and command in _MAY_LACK:
                raise _UnknownCommandError(f"it does not know {command}")
            raise self._failed(f"it refused {command}: {clipped(answer.error.message)}")
        try:
            return msgspec.convert(answer.result, kind)
        except ValueError as error:
            raise self._failed(f"its answer to {command} is wrong: {error}") from None

    def _failed(self, reason: str) -> EngineError:
        self.close()
        return EngineError(reason)


_MAY_LACK = {"name_komi", "choose_player", "wants_swap"}


class _UnknownCommandError(Exception):
    """The program doesn't implement an optional command."""


def _legal(position: Position, text: str) -> int:
    """Return the number of an action. Raises IllegalAction if it isn't legal at the position."""
    action = position.game.action(text)
    position.play_action(action)
    return action
