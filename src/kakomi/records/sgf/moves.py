"""How SGF spells the actions of a game: points as two letters from the top left, a pass as nothing."""

from string import ascii_letters

from kakomi.core import Action, Game
from kakomi.core.i18n import lazy_message
from kakomi.records.exceptions import RecordError

OLD_PASS = "tt"
"""A pass on boards up to 19×19 before FF[4]."""
PLAYERS = ("B", "W")
"""The properties of a move, by player."""
CLOCKS = ("BL", "WL")
SECONDS = "SECONDS"
"""Our private property for how long a turn took: SGF only knows what is left."""
SECONDS = "SECONDS"
"""Our private property for how long a turn took: SGF only knows what is left."""


def require_sgf_game(game: Game) -> None:
    """Raises RecordError for a game that SGF has no way to write."""
    if game.geometry.kind != "square" or game.players != len(PLAYERS):
        title = game.description.title
        raise RecordError(
            lazy_message(
                "{title} has no SGF form, which is for two players on a square board; JSON has one",
                title=title,
            )
        )


def spellings(game: Game) -> list[str]:
    """Every action's spelling. What is neither a placement nor a pass, or would be spelled like an
    action before it, is our own text behind `=`."""
    spelled: dict[str, None] = {}
    for action in game.actions:
        short = _short(game, action)
        spelled[f"={action.text}" if short is None or short in spelled else short] = None
    return list(spelled)


def _short(game: Game, action: Action) -> str | None:
    if action.kind == "place" and action.point:
        column, row = game.geometry.places[game.geometry.index[action.point]]
        return ascii_letters[round(column)] + ascii_letters[round(row)]
    return "" if action.kind == "pass" else None


def meanings(game: Game) -> dict[str, str]:
    """Spelling -> the action's own text."""
    found = dict(zip(spellings(game), game.action_texts, strict=True))
    if "" in found and game.geometry.size <= 19:
        found.setdefault(OLD_PASS, found[""])
    return found
