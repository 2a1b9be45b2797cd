"""Search queries for games, parsed from URL parameters and converted to database queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import NAME_LENGTH, Guest
from kakomi.server.explorer.models import Opening
from kakomi.server.explorer.openings import PLIES, opening_key, position_at
from kakomi.server.site.games import find_description
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import selectors
from kakomi.server.tables.models import Seat, Table

RESULTS = ("", "over", "going", "draw", "won-1", "won-2", "won-3", "won-4", "won-5", "won-6")
LONGEST_OPENING = 400


@dataclass(frozen=True)
class GameQuery:
    """The search criteria. Only listed games and the viewer's own are found."""

    player: str = ""
    game: str = ""
    size: int | None = None
    result: str = ""
    opening: str = ""
    """Actions from the beginning of a game, separated by spaces."""
    like: str = ""
    """The code of a table whose opening to search for."""
    ply: int = PLIES
    """The number of that table's actions to compare."""
    mine: bool = False
    before: int | None = None
    """The number of the last row of the preceding page."""

    @staticmethod
    def of(parameters: Mapping[str, str]) -> "GameQuery":
        """Parse URL parameters. Raises Http404 for an unknown game or a malformed number, else ValueError."""
        game, result = parameters.get("game", ""), parameters.get("result", "")
        if game:
            find_description(game)
        if result not in RESULTS:
            raise ValueError(lazy_message("Choose a result from the list."))
        opening = " ".join(filter(str.isprintable, parameters.get("opening", "").split()))
        if len(opening) > LONGEST_OPENING:
            raise ValueError(lazy_message("An opening can have up to {most} actions.", most=PLIES))
        ply = _number(parameters.get("ply", ""))
        return GameQuery(
            player="".join(filter(str.isprintable, parameters.get("player", ""))).strip()[:NAME_LENGTH],
            game=game,
            size=_number(parameters.get("size", "")),
            result=result,
            opening=opening,
            like="".join(filter(str.isalnum, parameters.get("like", "")))[:10],
            ply=PLIES if ply is None else ply,
            mine=parameters.get("mine", "") == "1",
            before=_number(parameters.get("before", "")),
        )

    def rows(self, guest: Guest | None) -> "QuerySet[Table]":
        """All matching games, the newest first. Raises ValueError for an invalid opening."""
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
        """The key of the opening to search for; empty for any."""
        if self.like:
            table = selectors.table_of(selectors.find_table(self.like))
            has_actions = self.ply > 0 and table.match.games[0].actions()  # the start isn't indexed
            return opening_key(position_at(table, self.ply)) if has_actions else ""
        if not self.opening:
            return ""
        if not self.game:
            raise ValueError(lazy_message("Choose a game for the opening."))
        texts = self.opening.split()
        if len(texts) > PLIES:
            raise ValueError(lazy_message("An opening can have up to {most} actions.", most=PLIES))
        try:
            options = {} if self.size is None else {"size": self.size}
            position = catalog.game(self.game, **options).start()
            for text in texts:
                position = position.play(text)
        except (IllegalAction, ValueError) as error:
            raise ValueError(*error.args) from None
        return opening_key(position)


def _tables_of(player: str) -> "QuerySet[Seat, Any]":
    """The tables of people whose table name or username begins like this. Each query has its own index."""
    guests = Guest.objects.filter(handle_folded__prefix=player)
    people = Seat.objects.filter(bot="").order_by()
    named = people.filter(name_folded__prefix=player).values("table")
    return named.union(people.filter(guest__in=guests).values("table"))


def _number(text: str) -> int | None:
    """Parse a number from a URL parameter, None if empty. Raises Http404 if it isn't a number."""
    if not text:
        return None
    number = whole_number(text, digits=18)
    if number is None:
        raise Http404(lazy_message("There is no such page in this list. Go back to the first one."))
    return number
