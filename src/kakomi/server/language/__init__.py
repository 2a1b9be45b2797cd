"""Texts of games and of the session, in the viewer's language."""

from django.utils import translation
from django.utils.translation import gettext_lazy

from kakomi.core import Action
from kakomi.core.i18n import translated

_KINDS = {"pass": gettext_lazy("Pass"), "end": gettext_lazy("End the turn")}


def translate(text: str) -> str:
    """A text that comes from a game, from the session, or from a drawing."""
    return translated(text, translation)


def why(error: Exception) -> str:
    """The message of an error; empty if it has none."""
    words = error.args[0] if error.args else ""
    return translate(words) if isinstance(words, str) else ""


def called(action: Action) -> str:
    """The name of an action off the board."""
    return str(_KINDS.get(action.kind, action.text))
