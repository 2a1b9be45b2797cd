"""Team matches as pages and programs see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.labels import board_label
from kakomi.server.language import translate
from kakomi.server.tables.clock_texts import clock_label
from kakomi.server.team_matches.models import BoardGame, Entry, TeamMatch
from kakomi.server.team_matches.selectors import entry_of, sides_of
from kakomi.server.team_matches.services import why_not_enter
from kakomi.server.team_matches.terms import terms_of
from kakomi.server.team_matches.wording import STATES, points_label
from kakomi.server.teams.models import Team


@dataclass(frozen=True)
class Card:
    """A match in a list."""

    row: TeamMatch

    @property
    def title(self) -> str:
        """The game's, with its board."""
        game = terms_of(self.row).game_for(2)
        return f"{translate(catalog.describe(self.row.game).title)}, {board_label(game)}"

    @property
    def clock(self) -> str:
        """In a few words."""
        return clock_label(terms_of(self.row).control)

    @property
    def state(self) -> str:
        """In a few words."""
        return str(STATES[self.row.state])

    @property
    def has_begun(self) -> bool:
        """Whether there are boards."""
        return self.row.state in (TeamMatch.State.RUNNING, TeamMatch.State.OVER)

    @cached_property
    def games(self) -> list[BoardGame]:
        """All games, board by board."""
        found = self.row.board_games.select_related("table").prefetch_related("table__seats__guest")
        return list(found)

    @property
    def points(self) -> tuple[float, float]:
        """The points of the home team and of the other one, so far."""
        known = [game.home_points for game in self.games if game.home_points is not None]
        return sum(known), len(known) - sum(known)

    @property
    def score(self) -> str:
        """The points so far, such as `2½ : 1½`."""
        home, away = self.points
        return f"{points_label(home)} : {points_label(away)}"


@dataclass(frozen=True)
class GameLine:
    """A game at a board."""

    game: BoardGame

    @property
    def home(self) -> Guest | None:
        """Who plays for the home team."""
        return self._guest(self.game.home_seat)

    @property
    def away(self) -> Guest | None:
        """Who plays for the other team."""
        return self._guest(1 - self.game.home_seat)

    @property
    def home_begins(self) -> bool:
        """Whether the home team has the first seat."""
        return self.game.home_seat == 0

    @property
    def result(self) -> str:
        """The points of both, such as `1 : 0`; empty while it goes on."""
        points = self.game.home_points
        return "" if points is None else f"{points_label(points)} : {points_label(1 - points)}"

    def _guest(self, number: int) -> Guest | None:
        return next(seat.guest for seat in self.game.table.seats.all() if seat.number == number)


@dataclass(frozen=True)
class Page(Card):
    """All that the page of a match shows to a viewer."""

    viewer: Guest | None = None

    @cached_property
    def own(self) -> Entry | None:
        """The viewer's entry."""
        return entry_of(self.row, self.viewer)

    @cached_property
    def obstacle(self) -> str:
        """Why the viewer can't enter; empty if they can."""
        return translate(why_not_enter(self.row, self.viewer or Guest()))

    @cached_property
    def leads(self) -> list[bool]:
        """The sides that the viewer leads: True is home."""
        return sides_of(self.row, self.viewer, leading=True)

    @property
    def own_sides(self) -> list[tuple[str, Team]]:
        """The teams for which the viewer may play, each with the word for its side."""
        teams = {True: ("home", self.row.home), False: ("away", self.row.away)}
        return [teams[is_home] for is_home in sides_of(self.row, self.viewer)]

    @property
    def may_answer(self) -> bool:
        """Whether the viewer accepts or declines."""
        return self.row.state == TeamMatch.State.PROPOSED and False in self.leads

    @property
    def may_call_off(self) -> bool:
        """Whether the viewer takes it back, or calls it off."""
        return (self.row.is_open and bool(self.leads)) or (
            self.row.state == TeamMatch.State.PROPOSED and True in self.leads
        )

    @property
    def may_say_ready(self) -> bool:
        """Whether the viewer leads a team that is not ready yet."""
        ready = {True: self.row.home_is_ready, False: self.row.away_is_ready}
        return self.row.is_open and any(not ready[is_home] for is_home in self.leads)

    @cached_property
    def sides(self) -> list[tuple[Team, bool, list[Entry]]]:
        """For each team whether it is ready, and who has entered."""
        entries = list(self.row.entries.select_related("guest"))
        return [
            (team, is_ready, [entry for entry in entries if entry.is_home == is_home])
            for team, is_ready, is_home in (
                (self.row.home, self.row.home_is_ready, True),
                (self.row.away, self.row.away_is_ready, False),
            )
        ]

    @cached_property
    def lines(self) -> Sequence[GameLine]:
        """The games, board by board."""
        return [GameLine(game) for game in self.games]

    @property
    def own_games(self) -> list[GameLine]:
        """The viewer's games that go on."""
        going = (line for line in self.lines if not line.result)
        return [line for line in going if self.viewer and self.viewer in (line.home, line.away)]
