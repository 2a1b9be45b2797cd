"""Texts of games and of the session, in the viewer's language."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby

from django.utils import translation
from django.utils.translation import gettext_lazy

from kakomi.core import Action, Game
from kakomi.core.i18n import translated

_KINDS = {"pass": gettext_lazy("Pass"), "end": gettext_lazy("End turn")}
_ACTION_TEXTS = {
    "place": gettext_lazy("plays {places}"),
    "remove": gettext_lazy("removes {places}"),
    "convert": gettext_lazy("converts {places}"),
    "pass": gettext_lazy("passes"),
    "end": gettext_lazy("ends the turn"),
}


def translate(text: str) -> str:
    """Translate a text of a game, the session or a drawing into the active language."""
    return translator()(text)


def translator() -> Callable[[str], str]:
    """Return `translate` for the active language, which saves looking it up for every text."""
    return _translator(translation.get_language())


@lru_cache(maxsize=16)
def _translator(language: str | None) -> Callable[[str], str]:
    """`translate` for a language, with a cache of plain texts, many of which recur, such as points' names."""
    del language
    known = lru_cache(maxsize=_REMEMBERED)(_translated)

    def translate(text: str) -> str:
        return known(text) if type(text) is str else _translated(text)

    return translate


def _translated(text: str) -> str:
    return translated(text, translation)


_REMEMBERED = 10_000
"""The number of cached texts in each language."""


def why(error: Exception) -> str:
    """The translated message of an error; empty if it has none."""
    words = error.args[0] if error.args else ""
    return translate(words) if isinstance(words, str) else ""


def action_name(action: Action) -> str:
    """The name of an action off the board."""
    return str(_KINDS.get(action.kind, action.text))


def describe_actions(game: Game, texts: Iterable[str]) -> str:
    """Actions in words, to follow a player's name: `plays d4 e5, removes d1`."""
    actions = [game.actions[game.action(text)] for text in texts]
    return ", ".join(
        str(_ACTION_TEXTS[kind]).format(
            places=" ".join((kind != "place" and each.target) or each.text for each in those)
        )
        for kind, those in groupby(actions, key=lambda action: action.kind)
    )
