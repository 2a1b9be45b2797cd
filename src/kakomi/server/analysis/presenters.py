"""A study as a page shows it, for one viewer."""

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
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.study_tree import (
    Move,
    actions_to,
    moves_of,
    position_at,
    turn_numbers,
)
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.games import expectation, setup_label
from kakomi.server.language import called, deeds, translate
from kakomi.server.tables.table_request import begin_link


@dataclass(frozen=True)
class Player:
    """A player of the game as headings name them."""

    number: int
    name: str
    style: str
    who: str
    """The person or bot, if that is known."""
    score: float


def presenter_for(
    request: HttpRequest, study: Study, node: int, refusal: str = "", unsaved: str | None = None
) -> "StudyPresenter":
    """A study as the sender of a request sees it. Raises Http404 for a node that it doesn't have."""
    if not 0 <= node <= len(selectors.record_of(study).turns):
        raise Http404(lazy_message("There is no turn {node} in this study.", node=node))
    preferences = ViewPreferences.kept(request.session, study.game) or ViewPreferences()
    return StudyPresenter(study, guest_of(request), node, preferences, refusal, unsaved)


@dataclass(frozen=True)
class StudyPresenter:
    """What the templates of a study need, by name."""

    row: Study
    viewer: Guest | None
    node: int
    """The turn after which the position is shown."""
    preferences: ViewPreferences = field(default_factory=ViewPreferences)
    refusal: str = ""
    """Why what was just asked for was not done."""
    unsaved: str | None = None
    """A note that was refused, so that nobody has to write it again."""

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
        """Whether the viewer may change it."""
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
        return [
            Player(number, translate(name), style.name, who, score)
            for number, (name, style, who, score) in enumerate(rows)
        ]

    @property
    def account(self) -> str:
        """What the scores are made of."""
        return translate(self.game.description.explain.account(self.position)) if self.position.ply else ""

    @cached_property
    def expects(self) -> str:
        """Whose turn it is and what may come next, in words."""
        return expectation(self.position)

    @property
    def announcement(self) -> str:
        """What a screen reader hears when the node changes."""
        parts = [self.refusal]
        if self.move:
            who = self.players[self.move.player].name
            parts.append(
                gettext("Turn {turn}: {player} {deeds}.").format(
                    turn=self.move.turn, player=who, deeds=deeds(self.game, self.move.text.split())
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
        """What follows here, if there is a choice."""
        followers = self.record.tree.followers[self.node]
        return [self.moves[number] for number in followers] if len(followers) > 1 else []

    @property
    def comment(self) -> str:
        """What is written at the node."""
        return self.record.turns[self.node - 1].comment if self.node else self.record.comment

    @property
    def can_shorten(self) -> bool:
        """Whether the last action is the last of its line."""
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
        """On every stone that still stands, or cell that was touched last, the turn in which that was."""
        if not self.preferences.is_numbered:
            return {}
        return turn_numbers(self.record, self.game, self.node, self.position)

    @property
    def off_board(self) -> list[tuple[str, str]]:
        """The legal actions that no point or cell stands for, such as passing: text and what it is called."""
        return [(action.text, called(action)) for action in self.board.off_board]

    @property
    def overlays(self) -> list[str]:
        """The names of those that are on."""
        return [choice.name for choice in self.board.overlay_choices if choice.is_on]

    @property
    def downloads(self) -> list[tuple[str, str]]:
        """Formats, and what they are called."""
        texts = [("json", "JSON"), *([("sgf", "SGF")] if self._fits_sgf else [])]
        return [*texts, ("svg", "SVG"), ("png", "PNG"), *([("gif", "GIF")] if self.record.turns else [])]

    @property
    def _fits_sgf(self) -> bool:
        return self.game.geometry.kind == "square" and self.game.players == 2 and not self.record.position

    @property
    def game_analysis(self) -> GameAnalysisPresenter:
        """The win chances over the game."""
        return GameAnalysisPresenter.of(self.row, self.record)

    @cached_property
    def board(self) -> BoardPresenter:
        """The board at the node."""
        return BoardPresenter(self.position, self.preferences, may_play=self.is_own, numbers=self.numbers)

    @property
    def way_on(self) -> str:
        """Where somebody may go on from here against a bot; empty if the game is over."""
        return "" if self.position.is_over else begin_link(self.position, side=self.position.to_move)

    @property
    def link(self) -> str:
        """The address that carries the position itself; empty for a game that is too long for one."""
        return link_to(self.game, actions_to(self.record, self.node), self.record.position)
