"""Our own engine: how it answers each request, and the bots and search that it keeps between requests."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from kakomi import __version__, catalog, records
from kakomi.bots import DEFAULT_LEVEL, Bot, BotSpec, RandomBot, make_bot, strongest_spec, strongest_specs
from kakomi.core import Game, Position
from kakomi.protocol import messages
from kakomi.protocol.engine_bot import VERSION
from kakomi.protocol.exceptions import RequestError
from kakomi.protocol.game_history import GameHistory
from kakomi.protocol.lines import clipped
from kakomi.search import Report, Search
from kakomi.search.playout import ownership
from kakomi.solve import Proof, prove

Answer = TypeVar("Answer")
MOST_BOTS = 4
"""The most bots kept at once; each may hold its own search tree."""


@dataclass(frozen=True)
class Settings:
    """The settings that an engine is started with."""

    bot: str = DEFAULT_LEVEL
    """The bot for requests that name none."""
    threads: int = 1
    """Threads of the engine's own search, which runs analyses and choices with limits."""
    memory_mb: float = 256.0
    seed: int = 0


class SearchCache:
    """Bots and one search, kept between requests so that their trees are reused."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seed = settings.seed
        self._search: Search | None = None
        self._search_key: tuple[Game, BotSpec] | None = None
        """The game and the settings of `_search`."""
        self._bots: dict[str, Bot] = {}
        self._checked: dict[str, Game] = {}
        """By bot name, the last game that the bot was found able to play."""

    def fresh(self, seed: int) -> "SearchCache":
        """Return a fresh cache, as in a program just started with this seed."""
        return SearchCache(replace(self._settings, seed=seed))

    def begin(self, seed: int | None) -> None:
        """Forget all bots and searches, as in a new program. `seed` replaces the settings' seed."""
        self._seed = self._settings.seed if seed is None else seed
        self._search = None
        self._bots.clear()
        self._checked.clear()

    def bot(self, name: str | None, game: Game | None = None) -> Bot:
        """Return a bot by name, by default the one in the settings. Raises RequestError if there is no
        such bot, or if it can't play the game."""
        name = name or self._settings.bot
        if name not in self._bots:
            made = _as_request_error(make_bot, name, seed=self._seed)
            if len(self._bots) == MOST_BOTS:
                del self._bots[next(iter(self._bots))]
            self._bots[name] = made
        if game and self._checked.get(name) != game:
            _as_request_error(self._bots[name].check, game)
            self._checked[name] = game
        return self._bots[name]

    def search(self, game: Game, *, is_repeatable: bool = True) -> Search:
        """Return the search that `strongest_spec` prescribes for a game."""
        settings = self._settings
        spec = strongest_spec(game, threads=settings.threads, is_repeatable=is_repeatable)
        if self._search is None or self._search_key != (game, spec):
            self._search = replace(spec, memory_mb=settings.memory_mb).make_search(game, self._seed)
            self._search_key = (game, spec)
        return self._search

    def prepare(self, game: Game) -> None:
        """Compile the searches for a game, unless the engine's bot is random and needs none."""
        if not isinstance(self.bot(None), RandomBot):
            for spec in strongest_specs(game, threads=self._settings.threads):
                spec.search_to_compile(game).warm()


def _as_request_error(function: Callable[..., Answer], *given: object, **named: object) -> Answer:
    """Call a function about bots, turning its ValueError into a RequestError."""
    try:
        return function(*given, **named)
    except ValueError as error:
        raise RequestError("unknown-bot", str(error)) from None


Result = dict[str, Any]
BotRequest = messages.Genmove | messages.NameKomi | messages.ChoosePlayer | messages.WantsSwap
Tell = Callable[[Result], None]
"""Receives an interim report."""


class Engine:
    """Answers requests one at a time; `serving` handles lines, threads and queues."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._searches = SearchCache(settings)
        self._searches.bot(None)  # fail now rather than at the first request
        self._history: GameHistory | None = None
        self._request_history: GameHistory | None = None
        """The history of the last request that brought its own game."""
        self._seed: int | None = None

    def answer(self, request: messages.Request, stop: threading.Event, tell: Tell) -> Result:
        """Return the result of a request. Raises RequestError.

        Setting `stop` ends its thinking soon; `tell` is called with interim reports.
        """
        match request:
            case messages.Hello():
                return self._hello()
            case messages.Games():
                described = map(catalog.describe, catalog.names())
                return {"games": [messages.description_json(description) for description in described]}
            case messages.Setup():
                return self._set_up(request)
            case messages.Play():
                return self._go_to(self._session.with_played(request.actions))
            case messages.Undo():
                return self._go_to(self._session.without_last(request.count))
            case messages.Show():
                return _show(self._history_of(request), request)
            case messages.Genmove():
                return self._choose(request, stop, tell)
            case messages.Analyse():
                return self._analyse(request, stop, tell)
            case messages.Prove():
                return self._prove(request, stop, tell)
            case messages.NameKomi():
                return self._name_komi(request)
            case messages.ChoosePlayer():
                return self._choose_player(request)
            case messages.WantsSwap():
                return self._consider_swap(request, stop)
        return {}

    def _hello(self) -> Result:
        return {
            "name": "kakomi",
            "version": __version__,
            "protocol": VERSION,
            "bot": self._settings.bot,
            "commands": list(messages.COMMANDS),
            "games": catalog.names(),
        }

    def _set_up(self, request: messages.Setup) -> Result:
        if request.record is None:
            start, texts = _start(request), list(request.actions)
        else:
            start, texts = _recorded(request.record, request.turn)
        game = start.game
        history = (self._history or GameHistory.begun(start)).changed_to(start, texts)
        if self._history is None or self._history.game != game or self._seed != request.seed:
            self._searches.begin(request.seed)
        self._searches.prepare(game)
        self._seed = request.seed
        return {**messages.game_json(game), **self._go_to(history)}

    def _go_to(self, history: GameHistory) -> Result:
        self._history = history
        return messages.state_json(history.position)

    def _choose(self, request: messages.Genmove, stop: threading.Event, tell: Tell) -> Result:
        position = self._unfinished(request)
        if request.simulations or request.seconds:
            report = self._run_search(position, request, stop, None)
            return {"action": position.game.action_texts[report.action], "to_move": position.to_move}
        bot = self._bot(request, position.game)
        every = (request.every_ms or 0) / 1000
        bot.progress = _progress_callback(position, bot, every, tell) if every else None
        if request.may_swap and bot.wants_swap(_two_player_position(position), stop=stop):
            return {"swap": True, "to_move": position.to_move}
        action = bot.choose(position, stop=stop)
        return {"action": position.game.action_texts[action], "to_move": position.to_move}

    def _analyse(self, request: messages.Analyse, stop: threading.Event, tell: Tell) -> Result:
        position = self._unfinished(request)
        due = (request.every_ms or 0) / 1000
        seed = self._settings.seed if request.seed is None else request.seed
        owned = ownership(position, request.playouts, seed=seed, stop=stop) if request.playouts else None

        def tell_in_time(report: Report) -> None:
            nonlocal due
            if report.seconds >= due:
                assert request.every_ms
                due = report.seconds + request.every_ms / 1000
                tell(structs.replace(report, owned=owned).to_json(position.game, request.lines))

        report = self._run_search(position, request, stop, tell_in_time if request.every_ms else None)
        return structs.replace(report, owned=owned).to_json(position.game, request.lines)

    def _prove(self, request: messages.Prove, stop: threading.Event, tell: Tell) -> Result:
        position = self._unfinished(request)
        game, every = position.game, (request.every_ms or 0) / 1000
        due = every

        def tell_in_time(proof: Proof) -> None:
            nonlocal due
            if every and proof.seconds >= due:
                due = proof.seconds + every
                tell(proof.to_json(game))

        try:
            proof = prove(position, request.positions, lambda: not stop.is_set(), tell_in_time)
        except ValueError as error:
            raise RequestError("bad-game", str(error)) from None
        return proof.to_json(game)

    def _run_search(
        self,
        position: Position,
        limits: messages.LimitedRequest,
        stop: threading.Event,
        on_slice: Callable[[Report], None] | None,
    ) -> Report:
        return (
            self._cache_for(limits)
            .search(position.game, is_repeatable=limits.simulations is not None)
            .run(
                position, simulations=limits.simulations, seconds=limits.seconds, stop=stop, on_slice=on_slice
            )
        )

    def _bot(self, request: BotRequest, game: Game) -> Bot:
        return self._cache_for(request).bot(request.bot, game)

    def _cache_for(self, request: messages.OpinionRequest) -> SearchCache:
        return self._searches if request.seed is None else self._searches.fresh(request.seed)

    def _negotiated(self, request: messages.PlacedRequest) -> Game:
        game = self._history_of(request).game
        if not game.description.komi_option:
            raise RequestError("bad-game", f"{game.name} has no komi to negotiate")
        return game

    def _name_komi(self, request: messages.NameKomi) -> Result:
        game = self._negotiated(request)
        return {"komi": self._bot(request, game).name_komi(game)}

    def _choose_player(self, request: messages.ChoosePlayer) -> Result:
        game = self._negotiated(request)
        _game(game.name, {**game.options, game.description.komi_option: request.komi})
        return {"player": self._bot(request, game).choose_player(game, request.komi)}

    def _consider_swap(self, request: messages.WantsSwap, stop: threading.Event) -> Result:
        position = _two_player_position(self._unfinished(request))
        if request.simulations or request.seconds:
            report = self._run_search(position, request, stop, None)
            return {"swap": report.returns[position.to_move] < 0}
        return {"swap": self._bot(request, position.game).wants_swap(position, stop=stop)}

    @property
    def _session(self) -> GameHistory:
        if self._history is None:
            raise RequestError("no-game", "nothing is set up: send setup first, or a game with the request")
        return self._history

    def _history_of(self, request: messages.PlacedRequest) -> GameHistory:
        """Return the history that the request brings, else the one that was set up."""
        if request.game is None:
            return self._session
        start = _start(request)
        history = self._request_history or GameHistory.begun(start)
        self._request_history = history.changed_to(start, request.actions)
        return self._request_history

    def _unfinished(self, request: messages.PlacedRequest) -> Position:
        position = self._history_of(request).position
        if position.is_over:
            raise RequestError("game-over", "the game is over: there is nothing to choose")
        return position


def _two_player_position(position: Position) -> Position:
    if position.game.players != 2:
        raise RequestError("bad-game", "only two players can swap")
    return position


def _progress_callback(position: Position, bot: Bot, every: float, tell: Tell) -> Callable[[float], None]:
    """Return a progress callback for a bot, which calls `tell` every `every` seconds."""
    due = time.monotonic() + every

    def tell_in_time(part: float) -> None:
        nonlocal due
        if bot.last_report and time.monotonic() >= due:
            due = time.monotonic() + every
            tell(bot.last_report.progress_to_json(position.game, part))

    return tell_in_time


def _game(name: str, options: dict[str, int]) -> Game:
    try:
        return catalog.game(name, **options)
    except ValueError as error:
        raise RequestError("bad-game", str(error)) from None


def _start(request: messages.PlacedRequest) -> Position:
    """Return the position where a request's actions begin: its `position`, else the game's start."""
    assert request.game is not None
    game = _game(request.game, request.options)
    if request.position is None:
        return game.start()
    try:
        return game.position(request.position)
    except ValueError as error:
        raise RequestError("bad-position", clipped(str(error))) from None


def _recorded(record: str | dict[str, Any], turn: int | None) -> tuple[Position, list[str]]:
    """Return a record's first position and the actions played up to a turn. Raises RequestError."""
    data = record.encode(errors="replace") if isinstance(record, str) else msgspec.json.encode(record)
    try:
        read = records.read(data, catalog.game)
        game = records.game_of(read, catalog.game)
        start, position = records.start_of(read, game), records.position_after(read, game, turn)
    except ValueError as error:
        raise RequestError("bad-record", str(error)) from None
    return start, messages.texts(game, position.played())


def _show(history: GameHistory, request: messages.Show) -> Result:
    position = history.position
    result = {
        **messages.game_json(position.game),
        "position": str(position),
        "actions": messages.texts(position.game, history.actions),
        **messages.state_json(position),
        "legal": position.legal(),
        "stones": position.stones(),
    }
    try:
        match request.drawing:
            case "text":
                result["drawing"] = position.text(overlays=request.overlays)
            case "svg":
                result["drawing"] = position.svg(theme=request.theme, overlays=request.overlays)
    except ValueError as error:
        raise RequestError("bad-field", str(error)) from None
    return result
