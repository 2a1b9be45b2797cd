"""The games that a report compares: `size=7,9`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakomi.core import Game

MOST = 8


def variants(game: "Game", text: str | None) -> "list[Game]":
    """The game with each of the other values, itself left out. Raises ValueError, saying what would be
    right."""
    from kakomi.core import Game

    if not text:
        return []
    name, equals, values = text.partition("=")
    name = name.strip().replace("-", "_")
    given = [value.strip() for value in values.split(",") if value.strip()]
    if not equals or not given or len(given) > MOST:
        raise ValueError(
            f"--compare {text!r} should be an option and its values, at most {MOST}, such as size=7,9"
        )
    free = {option: value for option, value in game.options.items() if not _depends(game, option, name)}
    found = [Game(game.description, {**free, name: value}) for value in given]
    return [other for place, other in enumerate(found) if other != game and other not in found[:place]]


def _depends(game: "Game", option: str, on: str) -> bool:
    """Whether an option's default follows from another one before it, which is going to change."""
    options = list(game.description.options)
    names = [each.name for each in options]
    return (
        on in names
        and names.index(option) > names.index(on)
        and callable(options[names.index(option)].default)
    )
