"""A table as a page shows it, for one viewer with their language, preferences and look of boards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.known_results import nearest_komi
from kakomi.server import clock
from kakomi.server.accounts.models import new_token
from kakomi.server.boardview.board_look import BoardLook, look_of
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.games import board_label, find_description, option_labels
from kakomi.server.tables import models, selectors, wording
from kakomi.server.tables.commands import Turn, turn_of
from kakomi.server.tables.extensions import Occasion, occasion_of
from kakomi.server.tables.history import MoveList, PastMoment, Steps, move_list, numbers
from kakomi.server.tables.permissions import Permissions, Viewer, is_left_alone
from kakomi.server.tables.seats import SeatView, seat_views
from kakomi.server.tables.suggestion import NextGame, suggestion_for
from kakomi.server.tables.table_request import begin_link
from kakomi.server.tables.wording import abort_reason, last_turns, told
from kakomi.session import Match, MatchGame, Offer, Table


@dataclass(frozen=True)
class ViewContext:
    """What a table's page depends on beside the table and its viewer."""

    language: str
    preferences: ViewPreferences
    look: BoardLook
    site: str
    """The scheme and host that the page comes from."""

    @staticmethod
    def of(request: HttpRequest, viewer: Viewer, row: models.Table) -> "ViewContext":
        """As the sender of a request has it, in the language that is spoken."""
        return ViewContext(
            get_language() or settings.LANGUAGE_CODE,
            _preferences(request, viewer, row),
            look_of(request),
            f"{request.scheme}://{request.get_host()}",
        )


def _preferences(request: HttpRequest, viewer: Viewer, row: models.Table) -> ViewPreferences:
    """How somebody sees a game's boards: as they have put it, else as it is best for who is new."""
    kept = ViewPreferences.kept(request.session, row.game)
    if kept is not None and kept.coach != "proposed":
        return kept
    finished = selectors.first_finished(viewer.guest, row.game)
    is_first = all(other.pk == row.pk for other in finished)
    if kept is not None:
        return kept if is_first else replace(kept, coach="")
    if len(finished) < selectors.NEWCOMER_GAMES:
        return ViewPreferences.for_newcomers(find_description(row.game), is_first=is_first)
    return ViewPreferences()


@dataclass(frozen=True)
class TablePresenter:
    """The values of a table's template, by name."""

    row: models.Table
    table: Table
    viewer: Viewer
    past: PastMoment | None = None
    """The earlier moment that is looked at; None for now."""
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """The reason why the last command was refused."""

    @staticmethod
    def of(
        row: models.Table,
        table: Table,
        viewer: Viewer,
        preferences: ViewPreferences,
        refusal: str = "",
        *,
        game: int | None = None,
        ply: int | None = None,
    ) -> "TablePresenter":
        """The table now, or as it was after a ply of one of its games (the first is 1)."""
        return TablePresenter(row, table, viewer, PastMoment.of(table.match, game, ply), preferences, refusal)

    @property
    def match(self) -> Match:
        return self.table.match

    @cached_property
    def leg(self) -> MatchGame:
        """The game that the board shows."""
        return self.past.leg if self.past else self.match.current_game

    @cached_property
    def key(self) -> str:
        """A name for what the viewer does next, so that it is done once however often it is sent."""
        return new_token()

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The seats."""
        return seat_views(self.row, self.table, self.viewer, clock.now())

    @cached_property
    def acting(self) -> SeatView | None:
        """The viewer's seat, if it is to act."""
        number = self.viewer.acting(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def turn(self) -> Turn:
        """The viewer's unfinished turn; nobody else sees it."""
        return turn_of(self.table, self.acting.seat if self.acting else None)

    @property
    def may_play(self) -> bool:
        """Whether the viewer can add an action to their turn."""
        playing = self.acting is not None and self.match.phase == "play" and self.past is None
        return playing and not self.turn.is_complete

    @property
    def may_premove(self) -> bool:
        """Whether the viewer waits for others to play, and may think of the next turn."""
        viewer, is_open = self.viewer, self.match.phase == "play" and not self.past and not self.is_over
        return is_open and viewer.is_player and not viewer.free and self.acting is None

    @cached_property
    def position(self) -> Position:
        """The position on the board."""
        return self.past.position if self.past else self.turn.position

    @cached_property
    def board(self) -> BoardPresenter:
        """The board, with the viewer's unfinished turn on it."""
        actions = self.position.game.actions
        begun = self.turn.actions if self.past is None else ()
        drafted = [actions[self.position.game.action(text)].target for text in begun]
        return BoardPresenter(
            self.position,
            self.preferences,
            may_play=self.may_play,
            numbers=numbers(self.leg, self.position) if self.preferences.is_numbered else None,
            draft=tuple(target for target in drafted if target),
        )

    @property
    def may_study(self) -> bool:
        """Whether an analysis, or a bot to go on with, gives no unfair help."""
        return self.leg.is_over or self.is_over or not is_left_alone(self.row, self.viewer)

    @property
    def way_on(self) -> str:
        """The address where the viewer may go on from the earlier position against a bot; empty for none."""
        if self.past is None or not self.may_study or self.position.is_over:
            return ""
        own = [self.leg.players[number] for number in self.viewer.own] if self.leg.players else []
        level = suggestion_for(self.viewer.guest, self.row.game).level
        return begin_link(self.position, opponent=level, side=own[0] if own else self.position.to_move)

    @property
    def rematch_words(self) -> str:
        """Who would like a rematch, if it waits for somebody."""
        wanting = {seat.number for seat in self.viewer.seats if seat.wants_rematch}
        return wording.rematch([place for place in self.seats if place.number in wanting])

    @property
    def wants_listing(self) -> bool:
        """Whether the viewer agrees that everybody finds the game."""
        return any(self.viewer.seats[number].wants_listing for number in self.viewer.own)

    @property
    def listing_words(self) -> str:
        """Whether everybody finds the game, or whose agreement that takes."""
        wanting = [place for place in self.seats if place.seat.wants_listing]
        is_listed = self.row.listed_at is not None
        return wording.listing(wanting, is_listed=is_listed, faces_people=self.viewer.faces_people)

    @cached_property
    def next_game(self) -> NextGame | None:
        """The game to go on with, for who has played against bots."""
        if not self.is_over or not self.viewer.is_alone or self.occasion:
            return None
        return NextGame.after(self.match.config.game, suggestion_for(self.viewer.guest, self.row.game))

    @cached_property
    def occasion(self) -> Occasion | None:
        """The tournament that the game is part of."""
        return occasion_of(self.row, self.table)

    @cached_property
    def guidance(self) -> Guidance | None:
        """What the viewer is to do now and why, if the game says so."""
        return self.position.guidance() if self.may_play else None

    @property
    def coach(self) -> str:
        """Whether a coach looks on, "on", or is "proposed"; empty where neither is so, or may be."""
        wanted = self.preferences.coach
        return wanted if self.may_be_coached and wanted != "off" else ""

    @property
    def may_be_coached(self) -> bool:
        """Whether a coach may look on."""
        return self.viewer.is_alone and not self.row.is_rated

    @property
    def confirms(self) -> bool | None:
        """Whether the viewer confirms turns; None if they are unknown."""
        return self.viewer.guest.confirms_turns if self.viewer.guest else None

    @cached_property
    def moves(self) -> MoveList:
        """The turns of the game that is shown."""
        return move_list(self.leg, self.steps.game)

    @property
    def headline(self) -> str:
        """The sentence on who has won the match."""
        return wording.headline(self.table.ending.winners if self.table.ending else (), self.seats)

    @property
    def abort_reason(self) -> str:
        """Why the table ended without a result; empty for one that didn't."""
        return abort_reason(self.table, self.seats)

    @property
    def past_headline(self) -> str:
        """Who has won the game of which the last position is looked at; empty for any other position."""
        past = self.past
        if past is None or past.ply < past.length or past.game > len(self.results):
            return ""
        return self.results[past.game - 1].headline

    @cached_property
    def prompt(self) -> str:
        """The next decision."""
        return wording.prompt(self.table, self.seats, self.acting, self.turn)

    @property
    def latest(self) -> str:
        """The sentence on the last action."""
        return wording.latest(self.table, self.seats)

    @property
    def spoken(self) -> dict[str, object]:
        """What people hear who don't see the page: a script says what has changed of it."""
        base, turns = self.match.position, last_turns(self.table)
        seat, actions, ply = 0, list[str](), base.ply - len(base.turn)
        if self.acting and self.turn.is_begun:
            seat, actions = self.acting.number, list(self.turn.actions)
        elif turns and turns[-1][0] in self.viewer.own:
            seat, actions = turns[-1]
            ply -= len(actions)
        return {
            "data-said": self.latest,
            "data-told": sum(1 for _ in told(self.table)),
            "data-own": " ".join(f"{at}.{text}" for at, text in enumerate(actions, ply)) or False,
            "data-step": wording.turn_told(self.table, self.seats[seat], actions[-1:]) if actions else False,
            "data-prompt": self.prompt,
        }

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.table.is_over

    @cached_property
    def results(self) -> list[wording.GameResult]:
        """The games of the match that are over."""
        return wording.game_results(self.match, self.seats)

    @property
    def offer(self) -> Offer | None:
        """The open offer."""
        return self.table.offer

    @property
    def offering(self) -> SeatView | None:
        """The seat that made the open offer."""
        return self.seats[self.table.offer.seat] if self.table.offer else None

    @property
    def speaking(self) -> SeatView | None:
        """The seat for which the viewer would resign."""
        number = self.viewer.speaking(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def permissions(self) -> Permissions:
        """The viewer's permissions beside playing."""
        return Permissions(self.table, self.viewer)

    @cached_property
    def steps(self) -> Steps:
        """The links from the moment on the board to others."""
        here, length = (self.past.ply, self.past.length) if self.past else (self.leg.position.ply,) * 2
        return Steps(self.past.game if self.past else len(self.match.games), here, length)

    @property
    def board_label(self) -> str:
        """The board's size, and how many play."""
        return board_label(self.leg.game)

    @property
    def options(self) -> tuple[str, ...]:
        """The other options of the game, in words, where they are not the usual ones; and the table's."""
        said = [gettext("rated")] if self.row.is_rated else []
        said += [words for _, words in option_labels(self.leg.game, unusual=True)]
        if bot := self.match.config.leavers:
            said.append(gettext("a bot of level {level} plays on for who leaves").format(level=bot))
        return tuple(said)

    @property
    def komis(self) -> Sequence[int]:
        """The values of the komi."""
        return self.leg.game.description.komi.allowed_given(self.leg.game.options)

    @property
    def offered_komi(self) -> int:
        """The komi that is filled in: the nearest to the fair one, where that is known."""
        game = self.leg.game
        known = game.description.fair_komi(game.options)
        return nearest_komi(known.fair, self.komis) if known else game.options[game.description.komi_option]
