"""How strong somebody is held to be in games under some terms, where others than the players pair them."""

from kakomi.contest import FIRST
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.ratings.selectors import rating_of


def strength_under(terms: SeekTerms, players: int, guest: Guest) -> float:
    """A guest's rating in such games for so many players; a newcomer's for who has none."""
    size_class = terms.rating_class(players)
    if size_class is None:
        return FIRST.mean
    known = rating_of(guest, terms.game, terms.pace, size_class)
    return FIRST.mean if known is None else known.mean
