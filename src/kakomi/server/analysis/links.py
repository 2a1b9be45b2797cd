"""Links that encode a position: the game, its options, the starting position, and the actions."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.urls import reverse

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, recorded, start_of
from kakomi.server.analysis.commands import check_length
from kakomi.session import Refused

LONGEST = 6_000
"""Most characters of actions and position in a link; browsers and servers accept this many."""
_BETWEEN = "."
"""Separates actions; no action's text may contain it."""


def link_to(game: Game, actions: Sequence[str], position: str = "") -> str:
    """The address of the actions played from `position`, or from the game's start; empty if it would be too
    long."""
    played = _BETWEEN.join(actions)
    if len(played) + len(position) > LONGEST or any(_BETWEEN in text for text in actions):
        return ""
    given = {"position": position, "actions": played}
    fields = {**game.options, **{name: text for name, text in given.items() if text}}
    return f"{reverse('analysis_position', args=[game.name])}?{urlencode(fields, safe=',./')}"


def known_fields(name: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The fields of a link's query that describe the position, without any others."""
    options = (option.name for option in catalog.describe(name).options)
    return tuple((field, fields[field]) for field in (*options, "position", "actions") if field in fields)


def record_in(name: str, fields: Mapping[str, str]) -> Record:
    """The record that a link encodes. Raises `Refused`, `RecordError` or `IllegalAction` if it is invalid."""
    game = _game_in(name, fields)
    position, played = fields.get("position", "").strip(), fields.get("actions", "")
    check_length(lazy_message("characters in the link"), len(position) + len(played), LONGEST)
    start_of(Record(game=name, position=position), game)
    return recorded(game, [text for text in played.split(_BETWEEN) if text], position=position)


def _game_in(name: str, fields: Mapping[str, str]) -> Game:
    """The game of a link. Raises `Refused` for invalid options."""
    known = [option.name for option in catalog.describe(name).options]
    given = {option: fields[option][:12] for option in known if fields.get(option, "").strip()}
    try:
        return catalog.game(name, **given)
    except ValueError as error:
        raise Refused(*error.args) from None
