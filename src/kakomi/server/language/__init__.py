"""Texts of games and of the session, in the viewer's language."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby

from django.utils import translation
from django.utils.translation import gettext_lazy

from kakomi.core import Action, Game
from kakomi.core.i18n import translated

_KINDS = {"pass": gettext_lazy("Pass"), "end": gettext_lazy("End the turn")}
_DEEDS = {
    "place": gettext_lazy("plays {places}"),
    "remove": gettext_lazy("removes {places}"),
    "convert": gettext_lazy("converts {places}"),
    "pass": gettext_lazy("passes"),
    "end": gettext_lazy("ends the turn"),
}


def translate(text: str) -> str:
    """A text that comes from a game, from the session, or from a drawing."""
    return translator()(text)


def translator() -> Callable[[str], str]:
    """`translate` for the language that is spoken now: for many texts one asks for that only once."""
    return _translator(translation.get_language())


@lru_cache(maxsize=16)
def _translator(language: str | None) -> Callable[[str], str]:
    """Remembers plain texts, most of which are said again and again: the words for the points of a board."""
    del language
    known = lru_cache(maxsize=_REMEMBERED)(_translated)

    def translate(text: str) -> str:
        return known(text) if type(text) is str else _translated(text)

    return translate


def _translated(text: str) -> str:
    return translated(text, translation)


_REMEMBERED = 10_000
"""Texts in each language."""


def why(error: Exception) -> str:
    """The message of an error; empty if it has none."""
    words = error.args[0] if error.args else ""
    return translate(words) if isinstance(words, str) else ""


def called(action: Action) -> str:
    """The name of an action off the board."""
    return str(_KINDS.get(action.kind, action.text))


def deeds(game: Game, texts: Iterable[str]) -> str:
    """Actions as somebody hears them, behind the name of who does them: `plays d4 e5, removes d1`."""
    actions = [game.actions[game.action(text)] for text in texts]
    return ", ".join(
        str(_DEEDS[kind]).format(
            places=" ".join((kind != "place" and each.target) or each.text for each in those)
        )
        for kind, those in groupby(actions, key=lambda action: action.kind)
    )
