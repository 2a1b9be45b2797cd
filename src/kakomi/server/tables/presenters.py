"""A table as a page shows it, for one viewer with their language, preferences and look of boards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.known_results import nearest_komi
from kakomi.server.accounts.models import new_token
from kakomi.server.boards.board_look import BoardLook, ViewPreferences, look_of
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.engines.decisions import device_decision
from kakomi.server.site import clock
from kakomi.server.site.games import board_label, find_description, option_labels
from kakomi.server.tables import models, selectors, wording
from kakomi.server.tables.commands import Turn, turn_of
from kakomi.server.tables.extensions import GameContext, game_context_of
from kakomi.server.tables.history import MoveList, PastMoment, Steps, move_list, numbers
from kakomi.server.tables.permissions import Permissions, Viewer, may_decide, may_have_no_help
from kakomi.server.tables.seats import SeatView, seat_views
from kakomi.server.tables.suggestion import NextGame, suggestion_for
from kakomi.server.tables.table_request import begin_link
from kakomi.server.tables.wording import abort_reason, last_turns, visible_entries
from kakomi.session import Match, MatchGame, Offer, Table


@dataclass(frozen=True)
class ViewContext:
    """Everything that a table's page depends on apart from the table and its viewer."""

    language: str
    preferences: ViewPreferences
    look: BoardLook
    site: str
    """The scheme and host that the page comes from."""

    @staticmethod
    def of(request: HttpRequest, viewer: Viewer, row: models.Table) -> "ViewContext":
        """The context of a request, in the active language."""
        return ViewContext(
            get_language() or settings.LANGUAGE_CODE,
            _preferences(request, viewer, row),
            look_of(request),
            f"{request.scheme}://{request.get_host()}",
        )


def _preferences(request: HttpRequest, viewer: Viewer, row: models.Table) -> ViewPreferences:
    """A viewer's saved preferences for a game's boards, or else the defaults, which differ for newcomers."""
    kept = ViewPreferences.saved(request.session, row.game)
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
    """The earlier moment that is shown; None for the present."""
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
        """The table now, or after `ply` actions of its game number `game` (1 is the first)."""
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
        """The idempotency key of the viewer's next command."""
        return new_token()

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The seats."""
        return seat_views(self.row, self.table, self.viewer, clock.now())

    @cached_property
    def acting(self) -> SeatView | None:
        """The viewer's seat, if it is to act."""
        number = self.viewer.seat_to_act(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def turn(self) -> Turn:
        """The viewer's unfinished turn, which nobody else sees."""
        return turn_of(self.table, self.acting.seat if self.acting else None)

    @property
    def may_play(self) -> bool:
        """Whether the viewer can add an action to their turn."""
        playing = self.acting is not None and self.match.phase == "play" and self.past is None
        return playing and not self.turn.is_complete

    @property
    def may_premove(self) -> bool:
        """Whether the viewer waits for others to play, and may prepare their next turn."""
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
        """Whether the viewer may analyse the game or play on against a bot, as it gives no unfair help."""
        return self.leg.is_over or self.is_over or not may_have_no_help(self.row, self.viewer)

    @property
    def next_link(self) -> str:
        """The URL for playing on from the earlier position against a bot; empty if that isn't allowed."""
        if self.past is None or not self.may_study or self.position.is_over:
            return ""
        own = [self.leg.players[number] for number in self.viewer.own] if self.leg.players else []
        level = suggestion_for(self.viewer.guest, self.row.game).level
        return begin_link(self.position, opponent=level, side=own[0] if own else self.position.to_move)

    @property
    def rematch_words(self) -> str:
        """Who would like a rematch, in words; empty if nobody does."""
        wanting = {seat.number for seat in self.viewer.seats if seat.wants_rematch}
        return wording.rematch([place for place in self.seats if place.number in wanting])

    @property
    def wants_listing(self) -> bool:
        """Whether the viewer agrees to list the game publicly."""
        return any(self.viewer.seats[number].wants_listing for number in self.viewer.own)

    @property
    def listing_words(self) -> str:
        """Whether the game is publicly listed, or what that still requires, in words."""
        wanting = [place for place in self.seats if place.seat.wants_listing]
        is_listed = self.row.listed_at is not None
        return wording.listing(wanting, is_listed=is_listed, faces_people=self.viewer.faces_people)

    @cached_property
    def next_game(self) -> NextGame | None:
        """The suggested next game, for a viewer who has played against bots."""
        if not self.is_over or not self.viewer.is_alone or self.game_context:
            return None
        return NextGame.after(self.match.config.game, suggestion_for(self.viewer.guest, self.row.game))

    @cached_property
    def game_context(self) -> GameContext | None:
        """The tournament that the game is part of."""
        return game_context_of(self.row, self.table)

    @cached_property
    def guidance(self) -> Guidance | None:
        """The game's guidance on what the viewer is to do now and why, if it has any."""
        return self.position.guidance() if self.may_play else None

    @cached_property
    def decision(self) -> dict[str, Any] | None:
        """What the engine in the viewer's browser is asked, if it may decide for the bot to act."""
        if not may_decide(self.row, self.table, self.viewer):
            return None
        level = int(self.viewer.seats[self.table.to_act or 0].bot)
        return device_decision(self.match, level, self.row.pk)

    @property
    def coach(self) -> str:
        """The coach's state: "on", "proposed", or empty if it is off or not allowed, or the game is over."""
        wanted = self.preferences.coach
        return wanted if self.may_be_coached and not self.is_over and wanted != "off" else ""

    @property
    def may_be_coached(self) -> bool:
        """Whether a coach is allowed."""
        return self.viewer.is_alone and not self.row.is_rated

    @property
    def confirms(self) -> bool | None:
        """Whether the viewer confirms turns; None if they have no session yet."""
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
        """Who has won the earlier game whose last position is shown; empty for any other position."""
        past = self.past
        if past is None or past.ply < past.length or past.game > len(self.results):
            return ""
        return self.results[past.game - 1].headline

    @cached_property
    def prompt(self) -> str:
        """The next decision."""
        return wording.prompt_sentence(self.table, self.seats, self.acting, self.turn)

    @property
    def latest(self) -> str:
        """The sentence on the last action."""
        return wording.last_action_sentence(self.table, self.seats)

    @property
    def spoken(self) -> dict[str, object]:
        """Data attributes for screen readers: a script announces those that have changed."""
        base, turns = self.match.position, last_turns(self.table)
        seat, actions, ply = 0, list[str](), base.ply - len(base.turn)
        if self.acting and self.turn.is_begun:
            seat, actions = self.acting.number, list(self.turn.actions)
        elif turns and turns[-1][0] in self.viewer.own:
            seat, actions = turns[-1]
            ply -= len(actions)
        step = wording.turn_sentence(self.table, self.seats[seat], actions[-1:]) if actions else False
        return {
            "data-said": self.latest,
            "data-told": sum(1 for _ in visible_entries(self.table)),
            "data-own": " ".join(f"{at}.{text}" for at, text in enumerate(actions, ply)) or False,
            "data-step": step,
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
        number = self.viewer.seat_to_resign(self.table)
        return None if number is None else self.seats[number]

    @cached_property
    def permissions(self) -> Permissions:
        """The viewer's permissions other than playing."""
        return Permissions(self.table, self.viewer)

    @cached_property
    def steps(self) -> Steps:
        """The links from the moment on the board to others."""
        here, length = (self.past.ply, self.past.length) if self.past else (self.leg.position.ply,) * 2
        return Steps(self.past.game if self.past else len(self.match.games), here, length)

    @property
    def board_label(self) -> str:
        """The board's size, and the number of players."""
        return board_label(self.leg.game)

    @property
    def options(self) -> tuple[str, ...]:
        """The unusual options of the game and the table, in words."""
        said = [gettext("rated")] if self.row.is_rated else []
        said += [words for _, words in option_labels(self.leg.game, unusual=True)]
        if bot := self.match.config.leavers:
            said.append(gettext("a level {level} bot takes over if a player leaves").format(level=bot))
        return tuple(said)

    @property
    def komis(self) -> Sequence[int]:
        """The possible values of the komi."""
        return self.leg.game.description.komi.allowed_given(self.leg.game.options)

    @property
    def offered_komi(self) -> int:
        """The komi to fill in: the nearest to the fair one if that is known, else the game's."""
        game = self.leg.game
        known = game.description.fair_komi(game.options)
        return nearest_komi(known.fair, self.komis) if known else game.options[game.description.komi_option]
