"""The searches and bots of an engine, kept between requests."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from kakomi.bots import DEFAULT_LEVEL, Bot, BotSpec, RandomBot, make_bot, strongest_spec, strongest_specs
from kakomi.core import Game
from kakomi.protocol.exceptions import Refusal
from kakomi.search import Search

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
