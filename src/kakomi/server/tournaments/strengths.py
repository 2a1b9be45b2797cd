"""How strong somebody is held to be when they enter: by that, seeds and first rounds are made."""

from kakomi.contest import FIRST
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.strengths import strength_under
from kakomi.server.ratings.pools import levels_of
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.terms import format_of, table_sizes, terms_of


def strength_of(row: Tournament, guest: Guest) -> float:
    """A guest's rating in the games of a tournament; a newcomer's for who has none."""
    return strength_under(terms_of(row), table_sizes(format_of(row), terms_of(row))[1], guest)


def strength_of_level(row: Tournament, level: str) -> float:
    """The rating of a level of the site's bots."""
    size_class = _size_class(row)
    known = levels_of(row.game, size_class) if size_class else {}
    return known.get(level, FIRST).mean


def _size_class(row: Tournament) -> str | None:
    terms = terms_of(row)
    return terms.rating_class(table_sizes(format_of(row), terms)[1])
