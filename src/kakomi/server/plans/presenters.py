"""A plan as pages show it: its tree, the board at a place in it, and the panel beside the board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from kakomi.core import IllegalAction, Position
from kakomi.server.boardview.fragments import fragment
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.language import called, translate
from kakomi.server.plans.commands import Place, written
from kakomi.server.plans.permissions import why_not
from kakomi.server.plans.selectors import Standing, standing_of
from kakomi.server.tables import models
from kakomi.server.tables.commands import build_turn
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.seats import SeatView, seat_views
from kakomi.session import Branch, MatchGame, Refused, Table
from kakomi.session.plans import Path


@dataclass(frozen=True)
class PlannedTurn:
    """A turn of a plan in a list."""

    at: str
    seat: int
    text: str
    is_own: bool


@dataclass(frozen=True)
class Line:
    """Turns behind one another, as long as there is no choice."""

    depth: int
    """The number of choices before it."""
    turns: tuple[PlannedTurn, ...]


def lines_of(branches: Sequence[Branch], owner: int) -> tuple[Line, ...]:
    """A tree as lines, each before those that branch off at its end."""
    return tuple(_lines(branches, owner, (), 0))


def _lines(branches: Sequence[Branch], owner: int, above: Path, depth: int) -> Iterator[Line]:
    inner = depth + (len(branches) > 1)
    for number, branch in enumerate(branches):
        path, turns = (*above, number), [_planned(branch, owner, (*above, number))]
        while len(branch.then) == 1:
            branch, path = branch.then[0], (*path, 0)
            turns.append(_planned(branch, owner, path))
        yield Line(inner, tuple(turns))
        yield from _lines(branch.then, owner, path, inner)


def _planned(branch: Branch, owner: int, path: Path) -> PlannedTurn:
    return PlannedTurn(written(path), branch.seat, " ".join(branch.turn), branch.seat == owner)


@dataclass(frozen=True)
class PlanPresenter:
    """The values of a planning page's templates, by name."""

    row: models.Table
    table: Table
    viewer: Viewer
    place: Place = field(default_factory=Place)
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """Why the last thing was not done."""

    @cached_property
    def standing(self) -> Standing:
        """The viewer's plan."""
        return standing_of(self.viewer.seats[self.owner], self.table)

    @property
    def owner(self) -> int:
        """The viewer's seat."""
        return self.viewer.own[0]

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """Who sits there."""
        return seat_views(self.row, self.table, self.viewer, self.table.at)

    @cached_property
    def _here(self) -> tuple[MatchGame, Position, Place]:
        """The game after the planned turns, with what is begun of the next one, and where that is.

        The root, if the place is none any more: the game has gone on, or a turn was deleted.
        """
        for place in (self.place, Place(self.place.path)):
            try:
                match_game = self.standing.tree.game_at(self.table, place.path)
                return match_game, build_turn(match_game.position, place.begun).position, place
            except (Refused, IllegalAction):
                continue
        match_game = self.standing.tree.game_at(self.table, ())
        return match_game, match_game.position, Place()

    @property
    def here(self) -> Place:
        """Where in the plan the board is."""
        return self._here[2]

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._here[1]

    @cached_property
    def acting(self) -> SeatView | None:
        """The seat whose turn it is there; None where the game is over."""
        seat = self._here[0].to_act
        return None if seat is None else self.seats[seat]

    @property
    def is_own(self) -> bool:
        """Whether it is the viewer's turn there."""
        return self.acting is not None and self.acting.number == self.owner

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """What is planned there."""
        return self.standing.tree.branches_at(self.here.path)

    @cached_property
    def board(self) -> BoardPresenter:
        """The board at this place."""
        actions = self.position.game.actions
        targets = [actions[self.position.game.action(text)].target for text in self.here.begun]
        return BoardPresenter(
            self.position,
            self.preferences,
            may_play=self.acting is not None,
            draft=tuple(target for target in targets if target),
        )

    @property
    def off_board(self) -> tuple[tuple[str, str], ...]:
        """The actions off the board: text, and what they are called."""
        return tuple((action.text, called(action)) for action in self.board.off_board)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The tree."""
        return lines_of(self.standing.tree.branches, self.owner)

    @property
    def end(self) -> str:
        """How the last plan has ended."""
        return translate(self.standing.end.words) if self.standing.end else ""

    @property
    def prompt(self) -> str:
        """What can be planned there."""
        if self.acting is None:
            return gettext("The game ends here.")
        if self.here.begun:
            return gettext("{turn} – and then?").format(turn=" ".join(self.here.begun))
        if self.is_own:
            return self._own_prompt
        if self.branches:
            return gettext("What else may {name} play? Or go on after a planned turn.").format(
                name=self.acting.title
            )
        return gettext("What may {name} play?").format(name=self.acting.title)

    @property
    def _own_prompt(self) -> str:
        line = self.standing.tree.line(self.here.path)
        if self.branches:
            turn = " ".join(self.branches[0].turn)
            return gettext("You play {turn}. Go on from there, or delete it.").format(turn=turn)
        if any(branch.seat != self.owner for branch in line):
            return gettext("Your answer to {turn}?").format(turn=" ".join(line[-1].turn))
        return gettext(
            "What do you mean to play now? It is only tried here; you play it yourself, at the table."
        )


def plan_panel(shown: TablePresenter) -> SafeString:
    """The viewer's plan: armed with its turns, drafted, ended; or the way to one."""
    if why_not(shown.table, shown.viewer):
        return mark_safe("")
    seat = shown.viewer.seats[shown.viewer.own[0]]
    standing = standing_of(seat, shown.table)
    values = {
        "code": shown.row.code,
        "is_armed": standing.is_armed,
        "lines": lines_of(standing.tree.branches, seat.number),
        "played": standing.played[::-1],
        "end": translate(standing.end.words) if standing.end and not standing.is_armed else "",
    }
    return fragment("plan", "plans/_panel.html", **values).html
