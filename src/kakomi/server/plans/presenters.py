"""A plan as pages show it: its tree, the board at a place in it, and the panel at the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from kakomi.core import IllegalAction, Position
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.boards.fragments import fragment
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.plans.commands import Place, written
from kakomi.server.plans.permissions import why_not
from kakomi.server.plans.selectors import CurrentPlan, current_plan_of
from kakomi.server.site.language import action_name, translate
from kakomi.server.tables import models
from kakomi.server.tables.commands import build_turn
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.seats import SeatView, seat_views
from kakomi.session import Branch, MatchGame, Refused, Table
from kakomi.session.plans import Path


@dataclass(frozen=True)
class PlannedTurn:
    """A turn in the list of a plan's lines."""

    at: str
    seat: int
    text: str
    is_own: bool


@dataclass(frozen=True)
class Line:
    """Consecutive turns without a branch."""

    depth: int
    """The number of branchings before it."""
    turns: tuple[PlannedTurn, ...]


def lines_of(branches: Sequence[Branch], owner: int) -> tuple[Line, ...]:
    """A tree as lines, each followed by those that branch off at its end."""
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
    """The values that the planning page's templates use."""

    row: models.Table
    table: Table
    viewer: Viewer
    place: Place = field(default_factory=Place)
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """Why the last request was refused."""

    @cached_property
    def current(self) -> CurrentPlan:
        """The viewer's plan."""
        return current_plan_of(self.viewer.seats[self.owner], self.table)

    @property
    def owner(self) -> int:
        """The viewer's seat."""
        return self.viewer.own[0]

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The table's seats."""
        return seat_views(self.row, self.table, self.viewer, self.table.at)

    @cached_property
    def _here(self) -> tuple[MatchGame, Position, Place]:
        """The game after the planned turns, the position with the begun actions, and the place of both.

        Falls back to the root if the place no longer exists, because the game moved on or a turn was deleted.
        """
        for place in (self.place, Place(self.place.path)):
            try:
                match_game = self.current.tree.game_at(self.table, place.path)
                return match_game, build_turn(match_game.position, place.begun).position, place
            except (Refused, IllegalAction):
                continue
        match_game = self.current.tree.game_at(self.table, ())
        return match_game, match_game.position, Place()

    @property
    def here(self) -> Place:
        """The place in the plan that the board shows."""
        return self._here[2]

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._here[1]

    @cached_property
    def acting(self) -> SeatView | None:
        """The seat to act there; None if the game is over."""
        seat = self._here[0].to_act
        return None if seat is None else self.seats[seat]

    @property
    def is_own(self) -> bool:
        """Whether it is the viewer's turn there."""
        return self.acting is not None and self.acting.number == self.owner

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The branches planned there."""
        return self.current.tree.branches_at(self.here.path)

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
        """The legal actions without a place on the board, as (text, label)."""
        return tuple((action.text, action_name(action)) for action in self.board.off_board)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The tree as lines."""
        return lines_of(self.current.tree.branches, self.owner)

    @property
    def end(self) -> str:
        """How the last plan ended; empty if it hasn't."""
        return translate(self.current.end.words) if self.current.end else ""

    @property
    def prompt(self) -> str:
        """What the viewer can plan there, in words."""
        if self.acting is None:
            return gettext("The game ends here.")
        if self.here.begun:
            return gettext("{turn}, and then?").format(turn=" ".join(self.here.begun))
        if self.is_own:
            return self._own_prompt
        if self.branches:
            return gettext("What else might {name} play? Or continue after a planned move.").format(
                name=self.acting.title
            )
        return gettext("What might {name} play?").format(name=self.acting.title)

    @property
    def _own_prompt(self) -> str:
        line = self.current.tree.line(self.here.path)
        if self.branches:
            turn = " ".join(self.branches[0].turn)
            return gettext("You play {turn}. Continue from there, or delete it.").format(turn=turn)
        if any(branch.seat != self.owner for branch in line):
            return gettext("Your reply to {turn}?").format(turn=" ".join(line[-1].turn))
        return gettext("Try a move for now. It isn’t played: make your actual move in the game.")


def plan_panel(shown: TablePresenter) -> SafeString:
    """The table's panel with the viewer's plan, or what became of it; empty if there is nothing to show."""
    if why_not(shown.table, shown.viewer):
        return mark_safe("")
    seat = shown.viewer.seats[shown.viewer.own[0]]
    current = current_plan_of(seat, shown.table)
    values = {
        "code": shown.row.code,
        "is_armed": current.is_armed,
        "lines": lines_of(current.tree.branches, seat.number),
        "played": current.played[::-1],
        "end": translate(current.end.words) if current.end and not current.is_armed else "",
    }
    return fragment("plan", "plans/_panel.html", **values).html


def plan_link(shown: TablePresenter) -> SafeString:
    """The menu's link for planning ahead; empty if the viewer can't."""
    if why_not(shown.table, shown.viewer):
        return mark_safe("")
    return fragment("plan_link", "plans/_link.html", code=shown.row.code).html
