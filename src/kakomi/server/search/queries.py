"""What is asked of the games: read from an address, and made a query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import NAME_LENGTH, Guest
from kakomi.server.games import find_description
from kakomi.server.search.models import Opening
from kakomi.server.search.openings import PLIES, opening_key, position_at
from kakomi.server.tables import selectors
from kakomi.server.tables.models import Seat, Table
from kakomi.server.whole_numbers import whole_number

RESULTS = ("", "over", "going", "draw", "won-1", "won-2", "won-3", "won-4", "won-5", "won-6")
LONGEST_OPENING = 400


@dataclass(frozen=True)
class GameQuery:
    """What is wanted of games. Only listed ones are found, and the asker's own."""

    player: str = ""
    game: str = ""
    size: int | None = None
    result: str = ""
    opening: str = ""
    """Actions from the beginning of a game, with spaces between them."""
    like: str = ""
    """The code of a table whose beginning is meant."""
    ply: int = PLIES
    """How many of its actions."""
    mine: bool = False
    before: int | None = None
    """The number of the last row of the page before."""

    @staticmethod
    def of(asked: Mapping[str, str]) -> "GameQuery":
        """The query of an address. Raises Http404 for a game that there isn't, else ValueError."""
        game, result = asked.get("game", ""), asked.get("result", "")
        if game:
            find_description(game)
        if result not in RESULTS:
            raise ValueError(lazy_message("Choose a result of those that the list offers."))
        opening = " ".join(filter(str.isprintable, asked.get("opening", "").split()))
        if len(opening) > LONGEST_OPENING:
            raise ValueError(lazy_message("An opening has {most} actions at most.", most=PLIES))
        ply = _number(asked.get("ply", ""))
        return GameQuery(
            player="".join(filter(str.isprintable, asked.get("player", ""))).strip()[:NAME_LENGTH],
            game=game,
            size=_number(asked.get("size", "")),
            result=result,
            opening=opening,
            like="".join(filter(str.isalnum, asked.get("like", "")))[:10],
            ply=PLIES if ply is None else ply,
            mine=asked.get("mine", "") == "1",
            before=_number(asked.get("before", "")),
        )

    def rows(self, guest: Guest | None) -> "QuerySet[Table]":
        """All games that are meant, the newest first. Raises ValueError for a wrong opening."""
        seats = Seat.objects.filter(table=OuterRef("pk"))
        own = Exists(seats.filter(guest=guest)) if guest else Q(pk__in=[])
        found = Table.objects.filter(own if self.mine else Q(listed_at__isnull=False) | own)
        if self.game:
            found = found.filter(game=self.game)
        if self.size is not None:
            found = found.filter(begun__terms__options__size=self.size)
        if self.player:
            found = found.filter(pk__in=_tables_of(self.player))
        if key := self._key():
            found = found.filter(Exists(Opening.objects.filter(table=OuterRef("pk"), key=key)))
        return self._with_result(found, seats).order_by("-pk")

    def _with_result(self, found: "QuerySet[Table]", seats: "QuerySet[Seat]") -> "QuerySet[Table]":
        if self.result == "over":
            return found.filter(is_over=True)
        if self.result == "going":
            return found.filter(is_over=False)
        if self.result == "draw":
            return found.filter(~Exists(seats.exclude(share__gt=0)), is_over=True)
        if self.result:
            return found.filter(Exists(seats.filter(number=int(self.result[-1]) - 1, share=1.0)))
        return found

    def _key(self) -> str:
        """The key of the opening that is meant; empty for any."""
        if self.like:
            row = selectors.find_table(self.like)
            return opening_key(position_at(selectors.table_of(row), self.ply))
        if not self.opening:
            return ""
        if not self.game:
            raise ValueError(lazy_message("An opening is one of a game: choose that too."))
        texts = self.opening.split()
        if len(texts) > PLIES:
            raise ValueError(lazy_message("An opening has {most} actions at most.", most=PLIES))
        try:
            options = {} if self.size is None else {"size": self.size}
            position = catalog.game(self.game, **options).start()
            for text in texts:
                position = position.play(text)
        except (IllegalAction, ValueError) as error:
            raise ValueError(*error.args) from None
        return opening_key(position)


def _tables_of(player: str) -> "QuerySet[Seat, Any]":
    """The tables of people whose name, there or to sign in, begins so; each question has its own index."""
    guests = Guest.objects.filter(handle_folded__prefix=player)
    people = Seat.objects.filter(bot="").order_by()
    named = people.filter(name_folded__prefix=player).values("table")
    return named.union(people.filter(guest__in=guests).values("table"))


def _number(text: str) -> int | None:
    """A number of an address; None for none. Raises Http404 for what is none."""
    if not text:
        return None
    number = whole_number(text, digits=18)
    if number is None:
        raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
    return number
