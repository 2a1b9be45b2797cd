"""How a game at a table went, on the table's own page: win chances, and turns marked on the board."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from kakomi.core import Position
from kakomi.core.effects import Effect, effect_of_turn
from kakomi.core.returns import percent
from kakomi.draw import Hint
from kakomi.records import Record
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.models import Study
from kakomi.server.boardview.fragments import Fragment, FragmentSet, Maker, digested_fragment
from kakomi.server.boardview.presenters import draw_badges
from kakomi.server.tables.suggestion import suggestion_for
from kakomi.server.tables.table_request import begin_link
from kakomi.study.analysis import Move
from kakomi.study.analysis.move import turns_of


@dataclass(frozen=True)
class TurnMark:
    """A badge on the first place that a turn touches, and what the turn would change."""

    badges: str
    """Elements of the board's layer `hints`."""
    changes: dict[str, int | None]
    """Points -> the player whose stone stands there then, null for none."""

    @staticmethod
    def of(position: Position, actions: Sequence[str], effect: Effect, label: str, turned: int) -> "TurnMark":
        """That of a turn with its effect, for the board of a position that is turned so far."""
        game = position.game
        targets = filter(None, (game.actions[game.action(text)].target for text in actions))
        badges = [Hint(target, label) for target in list(targets)[:1]]
        return TurnMark(draw_badges(position, badges, turned), dict(effect.changes))

    @staticmethod
    def of_better(move: Move, turned: int) -> "TurnMark":
        """That of what was better than an action, with the chance that it promised."""
        before, better = move.ply.before, better_turn(move)
        effect = effect_of_turn(before, [before.game.action(text) for text in better])
        return TurnMark.of(before, better, effect, percent(move.promise), turned)


MOST_NAMED = 4
"""Actions of a turn in a sentence; the board shows the others."""


def turn_in_words(actions: Sequence[str]) -> str:
    """The first actions of a turn, and whether there are more."""
    return " ".join(actions[:MOST_NAMED]) + (" …" if len(actions) > MOST_NAMED else "")


def better_turn(move: Move) -> tuple[str, ...]:
    """What was better than an action, to the end of the turn."""
    before = move.ply.before
    return turns_of(before, move.best)[0].actions[len(before.turn) :]


MOST_POINTS = 3
"""Turning points of a player: those that cost most."""
NAMES = ("graph_progress", "graph_findings")
"""The fragments, as the table's page has places for them."""


@dataclass(frozen=True)
class TurningPointView:
    """An action of the player's that cost much, and what was better."""

    link: str
    """To the position before it, on the table's page."""
    ply: int
    number: str
    action: str
    promise: str
    chance: str
    better: str
    badges: str
    changes: str
    """As JSON, to be drawn where the position before it is looked at."""
    way_on: str
    """To the form for a game against a bot that begins there."""


@dataclass(frozen=True)
class GameGraph:
    """What the templates need, by name."""

    analysis: GameAnalysisPresenter
    number: int
    """Which game of the match it is, from 0."""
    players: tuple[int, ...]
    """Whom the viewer played."""
    turned: int
    """By how much their board is turned."""
    level: int
    """Of the bot to go on with."""

    @staticmethod
    def of(study: Study, record: Record, players: Sequence[int], turned: int) -> "GameGraph":
        """The graph of a study's game as its table has it, `record`."""
        analysis = GameAnalysisPresenter.of(study, record)
        level = suggestion_for(study.owner, study.game).level
        return GameGraph(analysis, study.leg, tuple(players), turned, level)

    @property
    def chart(self) -> SafeString:
        """The plot; a click on a turn leads to the position after it."""
        plies = [0, *accumulate(len(turn.actions) for turn in self.analysis.record.turns)]
        return self.analysis.draw(lambda turn: self._link(plies[turn]))

    @cached_property
    def points(self) -> list[TurningPointView]:
        """The player's costliest mistakes, in the order played."""
        own = [move for move in self.analysis.turning_moves if move.ply.player in self.players]
        costliest = sorted(own, key=lambda move: -move.loss)[:MOST_POINTS]
        return [self._point(move) for move in own if move in costliest]

    def _point(self, move: Move) -> TurningPointView:
        ply = move.ply
        mark = TurnMark.of_better(move, self.turned % ply.before.game.geometry.turns)
        return TurningPointView(
            link=self._link(ply.before.ply),
            ply=ply.before.ply,
            number=ply.number,
            action=ply.action_text,
            promise=percent(move.promise),
            chance=percent(move.after.chances[ply.player]),
            better=turn_in_words(better_turn(move)),
            badges=mark.badges,
            changes=json.dumps(mark.changes),
            way_on=begin_link(ply.before, opponent=self.level, side=ply.player),
        )

    def _link(self, ply: int) -> str:
        return f"?game={self.number + 1}&ply={ply}"


def graph_fragments_of(
    code: str, number: int, graph: GameGraph | None, refusal: str = ""
) -> FragmentSet[GameGraph | None]:
    """The panel in fragments; without a graph, as nobody has asked for one, it is empty."""
    root = {
        "id": "game-graph",
        "class": "game-graph",
        "data-address": f"{reverse('analysis_graph', args=[code])}?game={number + 1}",
        "data-running": bool(graph and graph.analysis.is_running),
        "data-wanted": graph is not None,
    }

    def part(name: str) -> Maker[GameGraph | None]:
        def make(graph: GameGraph | None) -> Fragment:
            values = {"graph": graph, "analysis": graph and graph.analysis, "refusal": refusal}
            html = render_to_string(f"analysis/_{name}.html", values) if graph else ""
            return digested_fragment(name, html)

        return make

    return FragmentSet(graph, root, {name: part(name) for name in NAMES})
