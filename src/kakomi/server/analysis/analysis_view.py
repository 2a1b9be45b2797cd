"""What engines found of a position, as pages show it: chances, lines, badges, and proofs."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from kakomi.core import Game, Position
from kakomi.core.known_results import SolvedBoard
from kakomi.core.returns import percent
from kakomi.core.validation import unmet_requirements
from kakomi.draw import Hint
from kakomi.draw.player_style import player_styles
from kakomi.search import Line, Report
from kakomi.server.boardview.presenters import draw_badges
from kakomi.server.language import translate
from kakomi.solve import Proof

MOST_SHOWN = 12
"""Actions of a line: further on a search has hardly looked."""


@dataclass(frozen=True)
class Share:
    """A player's share of the bar."""

    name: str
    style: str
    x: str
    width: str
    percent: str


@dataclass(frozen=True)
class LineView:
    """A line of play."""

    percent: str
    """The chance of the player to act."""
    verdict: str
    """What is proven."""
    visits: str
    principal: tuple[str, ...]


@dataclass(frozen=True)
class AnalysisView:
    """An analysis of a position, for the template."""

    position: Position
    analysis: Report

    @property
    def parts(self) -> list[Share]:
        names = self.position.game.player_names
        chances = self.analysis.chances
        starts = (0.0, *accumulate(chances))
        return [
            Share(translate(name), style.name, f"{100 * start:.2f}", f"{100 * chance:.2f}", percent(chance))
            for name, style, start, chance in zip(names, player_styles(names), starts, chances, strict=False)
        ]

    @property
    def chances_words(self) -> str:
        return ", ".join(f"{part.name} {part.percent}" for part in self.parts)

    @property
    def lines(self) -> list[LineView]:
        mover, texts = self.analysis.to_move, self.position.game.action_texts
        return [
            LineView(
                percent(line.chances[mover]),
                _verdict(line),
                _visits(line),
                tuple(texts[action] for action in line.principal[:MOST_SHOWN]),
            )
            for line in self.analysis.lines
        ]

    @property
    def badges(self) -> tuple[Hint, ...]:
        """One for each line on the board; of two on the same place the better one."""
        game, mover = self.position.game, self.analysis.to_move
        found: dict[str, Hint] = {}
        for rank, line in enumerate(self.analysis.lines):
            target = game.actions[line.action].target
            if target and target not in found:
                found[target] = Hint(target, percent(line.chances[mover]), rank)
        return tuple(found.values())

    def drawn(self, turned: int) -> str:
        """The badges as elements of the page's board."""
        return draw_badges(self.position, self.badges, turned)

    def as_data(self, turned: int, can_play: bool) -> dict[str, Any]:
        """As the page's script takes it."""
        analysis = self.analysis
        said = ngettext(
            "{count} simulation, {seconds} s", "{count} simulations, {seconds} s", analysis.simulations
        )
        state = said.format(
            count=number_format(analysis.simulations, force_grouping=True), seconds=f"{analysis.seconds:.0f}"
        )
        if analysis.is_proven:
            state = gettext("Solved: {state}").format(state=state)
        return {
            "lines": render_to_string("analysis/_lines.html", {"analysis": self, "can_play": can_play}),
            "hints": self.drawn(turned),
            "state": state,
        }


def _visits(line: Line) -> str:
    said = ngettext("{count} visit", "{count} visits", line.visits)
    return said.format(count=number_format(line.visits, force_grouping=True))


def _verdict(line: Line) -> str:
    if line.wins:
        return gettext("wins")
    return gettext("loses") if line.loses else ""


QUICK_POSITIONS = 200_000
"""Positions that the solver looks at in passing: a part of a second."""
MOST_POSITIONS = 20_000_000
"""Those that it looks at if somebody asks: up to a minute."""


def proof_positions(game: Game, *, is_far: bool = False) -> int:
    """How many positions of a game the solver is to look at; 0 where it can prove nothing."""
    if game.players != 2 or unmet_requirements(game):
        return 0
    return MOST_POSITIONS if is_far else QUICK_POSITIONS


@dataclass(frozen=True)
class ProvedActions:
    """The actions that come to one result."""

    words: str
    style: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class ProofView:
    """A proof for the template, in the language of whoever looks."""

    position: Position
    proof: Proof

    def html(self, can_play: bool) -> str:
        """As the page's script takes it."""
        return render_to_string("analysis/_proof.html", {"proof": self, "can_play": can_play})

    @property
    def verdict(self) -> str:
        """Who wins under best play; empty where that is not known."""
        proof, board = self.proof, self._solved_board
        if proof.result is None and board:
            return result_in_words(self.position.game, board.seat, board.margin)
        if proof.result is None:
            return ""
        if proof.result and proof.margin is None:
            winner = proof.to_move if proof.result > 0 else 1 - proof.to_move
            said = gettext("{player} wins under best play.")
            return said.format(player=translate(self.position.game.player_names[winner]))
        return result_in_words(self.position.game, proof.to_move, proof.margin or 0)

    @property
    def is_from_solved_board(self) -> bool:
        """Whether the verdict was proved before, by a longer search than this one."""
        return self.proof.result is None and self._solved_board is not None

    @property
    def groups(self) -> list[ProvedActions]:
        """The proved actions by what they come to, the best first."""
        return list(self._groups())

    def _groups(self) -> Iterator[ProvedActions]:
        texts = self.position.game.action_texts
        kinds = ((1, gettext("wins"), "good"), (0, gettext("draws"), "accent"), (-1, gettext("loses"), ""))
        for result, words, style in kinds:
            found = self.proof.results.items()
            if actions := tuple(texts[action] for action, comes_to in found if comes_to == result):
                yield ProvedActions(words, style, actions)

    @property
    def line(self) -> tuple[str, ...]:
        """Best play to the end, where the margin is known."""
        return tuple(self.position.game.action_texts[action] for action in self.proof.line)

    @property
    def left(self) -> str:
        """How many actions are not proved; empty where all are."""
        proof = self.proof
        if proof.is_settled:
            return ""
        if not proof.results:
            return gettext("No action is proved.")
        left = proof.legal - len(proof.results)
        said = ngettext("{count} more action is not proved.", "{count} more actions are not proved.", left)
        return said.format(count=left)

    @property
    def may_go_further(self) -> bool:
        """Whether a longer search may prove more."""
        proof = self.proof
        return proof.margin is None and proof.positions < MOST_POSITIONS

    @property
    def effort(self) -> str:
        """How many positions the solver looked at."""
        positions = self.proof.positions
        said = ngettext("{count} position looked at", "{count} positions looked at", positions)
        return said.format(count=number_format(positions, force_grouping=True))

    @property
    def _solved_board(self) -> SolvedBoard | None:
        """The solved board whose start this is."""
        game = self.position.game
        known = [board for board in game.description.solved if dict(board.options) == dict(game.options)]
        return next((board for board in known if self.position.key() == game.start().key()), None)


def result_in_words(game: Game, seat: int, margin: int) -> str:
    """Who wins by how much under best play among two, seen from a seat."""
    if not margin:
        return gettext("Under best play it is a draw.")
    winner = seat if margin > 0 else 1 - seat
    said = ngettext(
        "{player} wins by {margin} point under best play.",
        "{player} wins by {margin} points under best play.",
        abs(margin),
    )
    return said.format(player=translate(game.player_names[winner]), margin=abs(margin))
