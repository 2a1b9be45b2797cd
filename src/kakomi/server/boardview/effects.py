"""What each action would do, for a page that shows it where one points."""

from functools import lru_cache
from typing import TypedDict

from django.utils.translation import get_language, gettext, ngettext

from kakomi.core import Position
from kakomi.core.effects import Effect, effects_of
from kakomi.server.language import translate

CACHED = 200
"""Positions; one takes some kilobytes."""


class EffectData(TypedDict):
    """An effect as a page's script gets it."""

    changes: dict[str, int | None]
    """Points -> the player whose stone stands there then, null for none."""
    words: str
    """The same in a few words, and what is gained."""


class EffectsData(TypedDict):
    """All effects of a position's actions."""

    player: int
    """Who is to act."""
    effects: dict[str, EffectData]
    """By the text of the action; one that only puts its stone is left out."""


def effects_data(position: Position) -> EffectsData:
    """The effects of all legal actions in the viewer's language."""
    return _effects_data(position, position.turn, get_language())


@lru_cache(maxsize=CACHED)
def _effects_data(position: Position, turn: tuple[int, ...], language: str | None) -> EffectsData:
    """Equal positions may be within different turns."""
    del turn, language
    names = [translate(name) for name in position.game.player_names]
    return {
        "player": position.to_move,
        "effects": {
            text: {"changes": dict(effect.changes), "words": effect_words(effect, names)}
            for text, effect in effects_of(position).items()
            if not effect.is_plain
        },
    }


def effect_words(effect: Effect, names: list[str]) -> str:
    """What is changed and gained, in a few words; `names` are the players'."""
    counted = (
        (effect.appearing, ngettext("fills {count} point", "fills {count} points", effect.appearing)),
        (effect.turned, ngettext("turns {count} stone", "turns {count} stones", effect.turned)),
        (effect.removed, ngettext("takes {count} stone off", "takes {count} stones off", effect.removed)),
    )
    said = [words.format(count=count) for count, words in counted if count]
    said += [
        f"{name} {gain:+g}".replace("-", "−") for name, gain in zip(names, effect.gains, strict=True) if gain
    ]
    if effect.is_last:
        said.append(gettext("ends the game"))
    if effect.expected:
        said.append(gettext("then {expected}").format(expected=translate(effect.expected)))
    return " · ".join(said)
