"""Our own engine: its answers to each request, and the searches and bots that it keeps between requests."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from kakomi import __version__, catalog, records
from kakomi.bots import DEFAULT_LEVEL, Bot, BotSpec, RandomBot, make_bot, strongest_spec, strongest_specs
from kakomi.core import Game, Position
from kakomi.protocol import messages
from kakomi.protocol import messages as ask
from kakomi.protocol.engine_bot import VERSION
from kakomi.protocol.exceptions import Refusal
from kakomi.protocol.game_history import GameHistory
from kakomi.protocol.lines import clipped
from kakomi.search import Report, Search
from kakomi.solve import Proof, prove

Answer = TypeVar("Answer")
MOST_BOTS = 4
"""The number of bots that are kept; each may have a tree of its own."""


@dataclass(frozen=True)
class Settings:
    """The settings with which an engine was started."""

    bot: str = DEFAULT_LEVEL
    """The bot for requests that name none."""
    threads: int = 1
    """Of its own search: analyses, and choices with limits."""
    memory_mb: float = 256.0
    seed: int = 0


class SearchCache:
    """Bots and a search, kept between requests so that trees are used on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seed = settings.seed
        self._search: Search | None = None
        self._searched: tuple[Game, BotSpec] | None = None
        """The game that it is for, and its settings."""
        self._bots: dict[str, Bot] = {}
        self._checked: dict[str, Game] = {}
        """The game that a bot has last shown to be able to play."""

    def made_anew(self, seed: int) -> "SearchCache":
        """Another one, as in a program that was just started with this seed."""
        return SearchCache(replace(self._settings, seed=seed))

    def begin(self, seed: int | None) -> None:
        """Forget everything, as in a new program; a seed replaces the one before."""
        self._seed = self._settings.seed if seed is None else seed
        self._search = None
        self._bots.clear()
        self._checked.clear()

    def bot(self, name: str | None, game: Game | None = None) -> Bot:
        """A bot by name, the settings' one by default. Raises Refusal if there is none, or if it can't play
        a game."""
        name = name or self._settings.bot
        if name not in self._bots:
            made = _refused(make_bot, name, seed=self._seed)
            if len(self._bots) == MOST_BOTS:
                del self._bots[next(iter(self._bots))]
            self._bots[name] = made
        if game and self._checked.get(name) != game:
            _refused(self._bots[name].check, game)
            self._checked[name] = game
        return self._bots[name]

    def search(self, game: Game, *, is_repeatable: bool = True) -> Search:
        """The search for a game, as `strongest_spec` says."""
        settings = self._settings
        spec = strongest_spec(game, threads=settings.threads, is_repeatable=is_repeatable)
        if self._search is None or self._searched != (game, spec):
            self._search = replace(spec, memory_mb=settings.memory_mb).make_search(game, self._seed)
            self._searched = (game, spec)
        return self._search

    def prepare(self, game: Game) -> None:
        """Have the searches compiled, unless there will be none."""
        if not isinstance(self.bot(None), RandomBot):
            for spec in strongest_specs(game, threads=self._settings.threads):
                spec.search_to_compile(game).warm()


def _refused(ask: Callable[..., Answer], *given: object, **named: object) -> Answer:
    """What a question about bots is answered, with Refusal in the place of ValueError."""
    try:
        return ask(*given, **named)
    except ValueError as error:
        raise Refusal("unknown-bot", str(error)) from None


Result = dict[str, Any]
Tell = Callable[[Result], None]
"""Takes a report on the way."""


class Engine:
    """Answers requests one at a time; knows nothing of lines, threads and queues."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._searches = SearchCache(settings)
        self._searches.bot(None)  # refused now rather than later
        self._history: GameHistory | None = None
        self._aside: GameHistory | None = None
        """The position that a request brought along last."""
        self._seed: int | None = None

    def answer(self, request: ask.Request, stop: threading.Event, tell: Tell) -> Result:
        """The result of a request. Raises Refusal.

        `stop` ends its thinking soon; `tell` is called with what an analysis has found so far.
        """
        match request:
            case ask.Hello():
                return self._hello()
            case ask.Games():
                return {"games": [messages.described(catalog.describe(name)) for name in catalog.names()]}
            case ask.Setup():
                return self._set_up(request)
            case ask.Play():
                return self._go_to(self._session.with_played(request.actions))
            case ask.Undo():
                return self._go_to(self._session.without_last(request.count))
            case ask.Show():
                return _shown(self._history_of(request), request)
            case ask.Genmove():
                return self._choose(request, stop, tell)
            case ask.Analyse():
                return self._analyse(request, stop, tell)
            case ask.Prove():
                return self._prove(request, stop, tell)
            case ask.NameKomi():
                return self._name_komi(request)
            case ask.ChoosePlayer():
                return self._choose_player(request)
            case ask.WantsSwap():
                return self._consider_swap(request, stop)
        return {}

    def _hello(self) -> Result:
        return {
            "name": "kakomi",
            "version": __version__,
            "protocol": VERSION,
            "bot": self._settings.bot,
            "commands": list(ask.COMMANDS),
            "games": catalog.names(),
        }

    def _set_up(self, request: ask.Setup) -> Result:
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
        return {**messages.board(game), **self._go_to(history)}

    def _go_to(self, history: GameHistory) -> Result:
        self._history = history
        return messages.stand(history.position)

    def _choose(self, request: ask.Genmove, stop: threading.Event, tell: Tell) -> Result:
        position = self._unfinished(request)
        if request.simulations or request.seconds:
            report = self._searched(position, request, stop, None)
            return {"action": position.game.action_texts[report.action], "to_move": position.to_move}
        bot = self._bot(request, position.game)
        bot.progress = _telling(position, bot, request.every_ms / 1000, tell) if request.every_ms else None
        if request.may_swap and bot.wants_swap(_of_two(position), stop=stop):
            return {"swap": True, "to_move": position.to_move}
        action = bot.choose(position, stop=stop)
        return {"action": position.game.action_texts[action], "to_move": position.to_move}

    def _analyse(self, request: ask.Analyse, stop: threading.Event, tell: Tell) -> Result:
        position = self._unfinished(request)
        due = (request.every_ms or 0) / 1000

        def tell_in_time(report: Report) -> None:
            nonlocal due
            if report.seconds >= due:
                assert request.every_ms
                due = report.seconds + request.every_ms / 1000
                tell(report.to_json(position.game, request.lines))

        report = self._searched(position, request, stop, tell_in_time if request.every_ms else None)
        return report.to_json(position.game, request.lines)

    def _prove(self, request: ask.Prove, stop: threading.Event, tell: Tell) -> Result:
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
            raise Refusal("bad-game", str(error)) from None
        return proof.to_json(game)

    def _searched(
        self,
        position: Position,
        limits: ask.LimitedRequest,
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

    def _bot(self, request: ask.Genmove | ask.NameKomi | ask.ChoosePlayer | ask.WantsSwap, game: Game) -> Bot:
        return self._cache_for(request).bot(request.bot, game)

    def _cache_for(self, request: ask.OpinionRequest) -> SearchCache:
        return self._searches if request.seed is None else self._searches.made_anew(request.seed)

    def _negotiated(self, request: ask.PlacedRequest) -> Game:
        game = self._history_of(request).game
        if not game.description.komi_option:
            raise Refusal("bad-game", f"{game.name} has no komi to negotiate")
        return game

    def _name_komi(self, request: ask.NameKomi) -> Result:
        game = self._negotiated(request)
        return {"komi": self._bot(request, game).name_komi(game)}

    def _choose_player(self, request: ask.ChoosePlayer) -> Result:
        game = self._negotiated(request)
        _game(game.name, {**game.options, game.description.komi_option: request.komi})
        return {"player": self._bot(request, game).choose_player(game, request.komi)}

    def _consider_swap(self, request: ask.WantsSwap, stop: threading.Event) -> Result:
        position = _of_two(self._unfinished(request))
        if request.simulations or request.seconds:
            report = self._searched(position, request, stop, None)
            return {"swap": report.returns[position.to_move] < 0}
        return {"swap": self._bot(request, position.game).wants_swap(position, stop=stop)}

    @property
    def _session(self) -> GameHistory:
        if self._history is None:
            raise Refusal("no-game", "nothing is set up: send setup first, or a game with the request")
        return self._history

    def _history_of(self, request: ask.PlacedRequest) -> GameHistory:
        """The history that is set up, or that the request brings."""
        if request.game is None:
            return self._session
        start = _start(request)
        self._aside = (self._aside or GameHistory.begun(start)).changed_to(start, request.actions)
        return self._aside

    def _unfinished(self, request: ask.PlacedRequest) -> Position:
        position = self._history_of(request).position
        if position.is_over:
            raise Refusal("game-over", "the game is over: there is nothing to choose")
        return position


def _of_two(position: Position) -> Position:
    if position.game.players != 2:
        raise Refusal("bad-game", "only two players can swap")
    return position


def _telling(position: Position, bot: Bot, every: float, tell: Tell) -> Callable[[float], None]:
    """A callback for a bot that thinks: it reports progress at intervals."""
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
        raise Refusal("bad-game", str(error)) from None


def _start(request: ask.PlacedRequest) -> Position:
    """The position where a request's actions begin: the game's start, or the one that it spells."""
    assert request.game is not None
    game = _game(request.game, request.options)
    if request.position is None:
        return game.start()
    try:
        return game.position(request.position)
    except ValueError as error:
        raise Refusal("bad-position", clipped(str(error))) from None


def _recorded(record: str | dict[str, Any], turn: int | None) -> tuple[Position, list[str]]:
    """Where a record's game begins, and what was played up to a turn. Raises Refusal."""
    data = record.encode(errors="replace") if isinstance(record, str) else msgspec.json.encode(record)
    try:
        read = records.read(data, catalog.game)
        game = records.game_of(read, catalog.game)
        start, position = records.start_of(read, game), records.position_after(read, game, turn)
    except ValueError as error:
        raise Refusal("bad-record", str(error)) from None
    return start, messages.texts(game, position.played())


def _shown(history: GameHistory, request: ask.Show) -> Result:
    position = history.position
    result = {
        **messages.board(position.game),
        "position": str(position),
        "actions": messages.texts(position.game, history.actions),
        **messages.stand(position),
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
        raise Refusal("bad-field", str(error)) from None
    return result
