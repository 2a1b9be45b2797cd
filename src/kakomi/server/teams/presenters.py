"""Teams as pages and programs see them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.ratings.presenters import PoolView
from kakomi.server.ratings.selectors import PersonRating, ratings_of_all
from kakomi.server.teams import selectors
from kakomi.server.teams.models import Member, Team
from kakomi.server.teams.services import why_not_join


@dataclass(frozen=True)
class Card:
    """A team in a list."""

    row: Team
    members: int

    @property
    def title(self) -> str:
        """The game that it prefers; empty if all."""
        known = self.row.game in catalog.names()
        return translate(catalog.describe(self.row.game).title) if known else ""


@dataclass(frozen=True)
class RatingNote:
    """A member's rating in a pool."""

    rating: PersonRating

    @property
    def title(self) -> str:
        """The game, the boards and the pace."""
        return PoolView(self.rating.pool).title

    @property
    def words(self) -> str:
        """The rating with its band: `1540 ± 80`."""
        return f"{self.rating.mean:.0f} ± {self.rating.reach:.0f}"


@dataclass(frozen=True)
class MemberLine:
    """A member on the page of their team."""

    member: Member
    ratings: Sequence[RatingNote]

    @property
    def is_leader(self) -> bool:
        """Whether they lead the team."""
        return self.member.state == Member.State.LEADER


@dataclass(frozen=True)
class Page:
    """All that the page of a team shows to a viewer."""

    row: Team
    viewer: Guest | None = None

    @property
    def title(self) -> str:
        """The game that it prefers; empty if all."""
        return Card(self.row, 0).title

    @cached_property
    def own(self) -> Member | None:
        """What the viewer is to it."""
        return selectors.member(self.row, self.viewer)

    @property
    def is_in(self) -> bool:
        """Whether the viewer belongs to it."""
        return self.own is not None and self.own.belongs

    @property
    def is_leader(self) -> bool:
        """Whether the viewer leads it."""
        return self.own is not None and self.own.state == Member.State.LEADER

    @property
    def is_asking(self) -> bool:
        """Whether the viewer waits for an answer."""
        return self.own is not None and self.own.state == Member.State.ASKING

    @property
    def joins_at_once(self) -> bool:
        """Whether the viewer would join without being accepted."""
        return self.row.is_open and self.own is None

    @cached_property
    def obstacle(self) -> str:
        """Why the viewer can't join; empty if they can."""
        return translate(why_not_join(self.row, self.viewer or Guest()))

    @cached_property
    def lines(self) -> list[MemberLine]:
        """Who belongs to it, leaders first, each with their ratings: in its game, if it prefers one."""
        members = list(selectors.members_of(self.row))
        ratings = self._ratings([member.guest for member in members])
        return [MemberLine(member, ratings[member.guest_id]) for member in members]

    @cached_property
    def asking(self) -> list[Member]:
        """Who would like to join."""
        return list(self.row.members.filter(state=Member.State.ASKING).select_related("guest"))

    def _ratings(self, guests: Sequence[Guest]) -> Mapping[int, list[RatingNote]]:
        found: dict[int, list[RatingNote]] = defaultdict(list)
        for rating in ratings_of_all(guests, self.row.game):
            found[rating.guest.pk].append(RatingNote(rating))
        return found
