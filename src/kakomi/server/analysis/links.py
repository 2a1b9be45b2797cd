"""Links that carry a whole position: the game, its options, where it began, and what was played."""

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
"""Characters that actions and position of a link may have: browsers and servers take as many."""
_BETWEEN = "."
"""Between actions; none of them has one in its text."""


def link_to(game: Game, actions: Sequence[str], position: str = "") -> str:
    """The address of what was played from a position on, or else from the start; empty if it would be too
    long."""
    played = _BETWEEN.join(actions)
    if len(played) + len(position) > LONGEST or any(_BETWEEN in text for text in actions):
        return ""
    given = {"position": position, "actions": played}
    fields = {**game.options, **{name: text for name, text in given.items() if text}}
    return f"{reverse('analysis_position', args=[game.name])}?{urlencode(fields, safe=',./')}"


def known_fields(name: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What a link says of a position, without what else stands in its query."""
    options = (option.name for option in catalog.describe(name).options)
    return tuple((field, fields[field]) for field in (*options, "position", "actions") if field in fields)


def record_in(name: str, fields: Mapping[str, str]) -> Record:
    """What a link says. Raises Refused or RecordError naming what is wrong, IllegalAction with the place."""
    game = _game_in(name, fields)
    position, played = fields.get("position", "").strip(), fields.get("actions", "")
    check_length(lazy_message("characters of a link"), len(position) + len(played), LONGEST)
    start_of(Record(game=name, position=position), game)
    return recorded(game, [text for text in played.split(_BETWEEN) if text], position=position)


def _game_in(name: str, fields: Mapping[str, str]) -> Game:
    """The game that a link is of. Raises Refused for options that it doesn't have."""
    known = [option.name for option in catalog.describe(name).options]
    given = {option: fields[option][:12] for option in known if fields.get(option, "").strip()}
    try:
        return catalog.game(name, **given)
    except ValueError as error:
        raise Refused(*error.args) from None
