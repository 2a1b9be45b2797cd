"""A study as a page shows it, for one viewer."""

import json
from dataclasses import dataclass, field

from django.http import Http404, HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext

from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.draw.player_style import player_styles
from kakomi.records import Record
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import permissions, selectors
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.links import link_to
from kakomi.server.analysis.live_analysis import SECONDS
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.position_presenters import proof_positions
from kakomi.server.analysis.study_tree import (
    Move,
    actions_to,
    moves_of,
    position_at,
    turn_numbers,
)
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.engines.decisions import device_question
from kakomi.server.site.games import expectation, setup_label
from kakomi.server.site.language import action_name, describe_actions, translate
from kakomi.server.tables.table_request import begin_link


@dataclass(frozen=True)
class Player:
    """A player as shown in the headings."""

    number: int
    name: str
    style: str
    who: str
    """The person or bot, if that is known."""
    score: float


def presenter_for(
    request: HttpRequest, study: Study, node: int, refusal: str = "", unsaved: str | None = None
) -> "StudyPresenter":
    """A study as the request's guest sees it. Raises `Http404` for a node that it doesn't have."""
    if not 0 <= node <= len(selectors.record_of(study).turns):
        raise Http404(lazy_message("There is no move {node} in this study.", node=node))
    preferences = ViewPreferences.saved(request.session, study.game) or ViewPreferences()
    return StudyPresenter(study, guest_of(request), node, preferences, refusal, unsaved)


@dataclass(frozen=True)
class StudyPresenter:
    """The values that a study's templates use."""

    row: Study
    viewer: Guest | None
    node: int
    """The turn after which the position is shown."""
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """Why the last request was refused."""
    unsaved: str | None = None
    """The text of a refused comment, so that the viewer needn't type it again."""

    @cached_property
    def record(self) -> Record:
        return selectors.record_of(self.row)

    @cached_property
    def game(self) -> Game:
        return selectors.game_of_study(self.row)

    @cached_property
    def position(self) -> Position:
        return position_at(self.record, self.game, self.node)

    @property
    def is_own(self) -> bool:
        """Whether the viewer may edit the study."""
        return permissions.may_edit(self.row, self.viewer)

    @property
    def title(self) -> str:
        return self.row.title or translate(self.game.description.title)

    @property
    def options(self) -> str:
        return setup_label(self.game)

    @property
    def result(self) -> str:
        result = self.record.result
        return translate(result.in_words(self.game.player_names)) if result else ""

    @cached_property
    def players(self) -> list[Player]:
        names = self.game.player_names
        seats = [seat.name or seat.bot for seat in self.record.seats] or [""] * len(names)
        rows = zip(names, player_styles(names), seats, self.position.scores(), strict=True)
        contested = self.position.contested()
        return [
            Player(number, translate(name), style.name, who, score - contested)
            for number, (name, style, who, score) in enumerate(rows)
        ]

    @property
    def account(self) -> str:
        """How the scores are made up."""
        return translate(self.game.description.explain.account(self.position)) if self.position.ply else ""

    @cached_property
    def expects(self) -> str:
        """Whose turn it is and which actions are possible, in words."""
        return expectation(self.position)

    @property
    def question(self) -> str | bool:
        """What the engine in the browser is asked; False once the game is over."""
        return not self.position.is_over and json.dumps(device_question(self.position, seconds=SECONDS))

    @property
    def pattern(self) -> dict[str, object]:
        """An empty analysis for the engine in the browser to fill in."""
        lines = [{"verdict": " ", "principal": [""]}]
        return {"parts": self.players, "lines": lines, "can_prove": proof_positions(self.game) > 0}

    @property
    def announcement(self) -> str:
        """What a screen reader announces when the node changes."""
        parts = [self.refusal]
        if self.move:
            who = self.players[self.move.player].name
            parts.append(
                gettext("Move {turn}: {player} {actions}.").format(
                    turn=self.move.turn,
                    player=who,
                    actions=describe_actions(self.game, self.move.text.split()),
                )
            )
        else:
            parts.append(gettext("The start of the game."))
        return " ".join(part for part in (*parts, self.expects, self.comment) if part)

    @cached_property
    def moves(self) -> dict[int, Move]:
        return moves_of(self.record)

    @property
    def move(self) -> Move | None:
        """The turn that led here; None at the start."""
        return self.moves.get(self.node)

    @cached_property
    def next(self) -> int | None:
        followers = self.record.tree.followers[self.node]
        return followers[0] if followers else None

    @property
    def end(self) -> int:
        """The last turn of the line that is shown."""
        node, followers = self.node, self.record.tree.followers
        while followers[node]:
            node = followers[node][0]
        return node

    @cached_property
    def branches(self) -> list[Move]:
        """The turns that follow here; empty unless there are several."""
        followers = self.record.tree.followers[self.node]
        return [self.moves[number] for number in followers] if len(followers) > 1 else []

    @property
    def comment(self) -> str:
        """The comment at the node."""
        return self.record.turns[self.node - 1].comment if self.node else self.record.comment

    @property
    def can_shorten(self) -> bool:
        """Whether the node is the last of its line, so that its last action can be taken back."""
        return bool(self.node) and self.next is None

    @property
    def can_promote(self) -> bool:
        """Whether the node is in a variation."""
        return self.node > self.record.length

    @property
    def can_undo(self) -> bool:
        return self.row.revisions.exists()

    @property
    def numbers(self) -> dict[str, str]:
        """Place -> number of the turn that placed its stone or last touched it."""
        if not self.preferences.is_numbered:
            return {}
        return turn_numbers(self.record, self.game, self.node, self.position)

    @property
    def off_board(self) -> list[tuple[str, str]]:
        """The legal actions without a place on the board, such as passing, as (text, label)."""
        return [(action.text, action_name(action)) for action in self.board.off_board]

    @property
    def overlays(self) -> list[str]:
        """The names of the active overlays."""
        return [choice.name for choice in self.board.overlay_choices if choice.is_on]

    @property
    def downloads(self) -> list[tuple[str, str]]:
        """The download formats as (name, label)."""
        texts = [("json", "JSON"), *([("sgf", "SGF")] if self._fits_sgf else [])]
        return [*texts, ("svg", "SVG"), ("png", "PNG"), *([("gif", "GIF")] if self.record.turns else [])]

    @property
    def _fits_sgf(self) -> bool:
        return self.game.geometry.kind == "square" and self.game.players == 2 and not self.record.position

    @property
    def game_analysis(self) -> GameAnalysisPresenter:
        """The analysis of the game."""
        return GameAnalysisPresenter.of(self.row, self.record)

    @cached_property
    def board(self) -> BoardPresenter:
        """The board at the node."""
        return BoardPresenter(self.position, self.preferences, may_play=self.is_own, numbers=self.numbers)

    @property
    def play_on_link(self) -> str:
        """Link to the form for a game against a bot from here; empty if the game is over."""
        return "" if self.position.is_over else begin_link(self.position, side=self.position.to_move)

    @property
    def link(self) -> str:
        """The link that encodes the position itself; empty if it would be too long."""
        return link_to(self.game, actions_to(self.record, self.node), self.record.position)
