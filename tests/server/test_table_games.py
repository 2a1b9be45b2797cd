"""Whole games between two guests, by what their pages send."""

import random
import re

import pytest
from django.utils.html import escape

from kakomi.server.tables.wording import why
from server.table_client import Person, now, opened

pytestmark = pytest.mark.django_db

SMALL = {
    "rin": {"size": 4},
    "rive": {"size": 2},
    "lin": {"size": 5, "line": 3},
    "ren": {"size": 4},
    "rings": {"size": 2},
}


@pytest.mark.parametrize(("game", "options"), SMALL.items())
def test_a_whole_game_is_played_by_clicks(game: str, options: dict[str, int]) -> None:
    people = Person("Ann"), Person("Bob")
    row = opened(*people, game=game, **options)
    chance = random.Random(game)
    for _ in range(400):
        table = now(row)
        if table.is_over:
            break
        person = people[table.to_act]
        page = person.do(row, f"touch {chance.choice(table.match.position.legal())}")
        while "data-complete" not in page and now(row).to_act == table.to_act and not now(row).is_over:
            position = drafted(row, table.to_act)
            page = person.do(row, f"touch {chance.choice(position.legal())}")
        if "data-complete" in page:
            page = person.do(row, "confirm")
    table = now(row)
    assert table.is_over
    told = escape(why(table.match.current_game, ()))
    texts = [unlinked(person.look(row)) for person in people]
    assert told and all(told in text for text in texts), "why it ended so"
    assert sum("You win." in text for text in texts) == 1 or all("A draw." in text for text in texts)


def unlinked(page: str) -> str:
    """A page without its links, where a sentence may cite a rule."""
    return re.sub(r"</?a\b[^>]*>", "", page)


def drafted(row, seat):  # type: ignore[no-untyped-def]
    """The position with what the seat has put together."""
    from kakomi.server.tables.commands import turn_of

    return turn_of(now(row), row.seats.get(number=seat)).position
