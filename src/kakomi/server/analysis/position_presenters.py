"""Engine findings about a position, prepared for pages: win chances, lines, badges, and proofs."""

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
from kakomi.server.boards.presenters import draw_badges
from kakomi.server.site.language import translate
from kakomi.solve import Proof

MOST_SHOWN = 12
"""Actions shown per line; beyond these the search has barely explored."""


@dataclass(frozen=True)
class Share:
    """A player's segment of the win-chance bar; `x` and `width` are percentages of the bar."""

    name: str
    style: str
    x: str
    width: str
    percent: str


@dataclass(frozen=True)
class LineView:
    """A line of play."""

    percent: str
    """The win chance of the player to act."""
    verdict: str
    """The proven result; empty if there is none."""
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
        """A badge for each line; where several lines start on the same place, the best one's."""
        game, mover = self.position.game, self.analysis.to_move
        found: dict[str, Hint] = {}
        for rank, line in enumerate(self.analysis.lines):
            target = game.actions[line.action].target
            if target and target not in found:
                found[target] = Hint(target, percent(line.chances[mover]), rank)
        return tuple(found.values())

    def badges_svg(self, turned: int) -> str:
        """The badges as SVG elements for the page's board."""
        return draw_badges(self.position, self.badges, turned)

    def as_data(self, turned: int, can_play: bool) -> dict[str, Any]:
        """The analysis as the data that the page's script expects."""
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
            "hints": self.badges_svg(turned),
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
"""Positions the solver may visit before every search; takes a fraction of a second."""
MOST_POSITIONS = 20_000_000
"""Positions it may visit when the viewer requests a longer proof; takes up to a minute."""


def proof_positions(game: Game, *, is_far: bool = False) -> int:
    """The number of positions the solver may visit; 0 for games that it can't prove anything about."""
    if game.players != 2 or unmet_requirements(game):
        return 0
    return MOST_POSITIONS if is_far else QUICK_POSITIONS


@dataclass(frozen=True)
class ProvedActions:
    """The actions proven to have the same result."""

    words: str
    style: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class ProofView:
    """A proof for the template, in the viewer's language."""

    position: Position
    proof: Proof

    def html(self, can_play: bool) -> str:
        """The proof as HTML for the page's script to insert."""
        return render_to_string("analysis/_proof.html", {"proof": self, "can_play": can_play})

    @property
    def verdict(self) -> str:
        """Who wins under best play; empty if unknown."""
        proof, board = self.proof, self._solved_board
        if proof.result is None and board:
            return result_in_words(self.position.game, board.seat, board.margin)
        if proof.result is None:
            return ""
        if proof.result and proof.margin is None:
            winner = proof.to_move if proof.result > 0 else 1 - proof.to_move
            said = gettext("{player} wins with best play.")
            return said.format(player=translate(self.position.game.player_names[winner]))
        return result_in_words(self.position.game, proof.to_move, proof.margin or 0)

    @property
    def is_from_solved_board(self) -> bool:
        """Whether the verdict comes from a stored solution rather than from this proof."""
        return self.proof.result is None and self._solved_board is not None

    @property
    def groups(self) -> list[ProvedActions]:
        """The proven actions grouped by result, best result first."""
        texts, results = self.position.game.action_texts, self.proof.results.items()
        kinds = ((1, gettext("wins"), "good"), (0, gettext("draws"), "accent"), (-1, gettext("loses"), ""))
        return [
            ProvedActions(words, style, actions)
            for result, words, style in kinds
            if (actions := tuple(texts[action] for action, proved in results if proved == result))
        ]

    @property
    def line(self) -> tuple[str, ...]:
        """Best play to the end if the margin is known; otherwise empty."""
        return tuple(self.position.game.action_texts[action] for action in self.proof.line)

    @property
    def left(self) -> str:
        """How many actions are still unproven, in words; empty if none."""
        proof = self.proof
        if proof.is_settled:
            return ""
        if not proof.results:
            return gettext("No move is proven.")
        left = proof.legal - len(proof.results)
        said = ngettext("{count} more move isn’t proven.", "{count} more moves aren’t proven.", left)
        return said.format(count=left)

    @property
    def may_go_further(self) -> bool:
        """Whether a longer search may prove more."""
        proof = self.proof
        return proof.margin is None and proof.positions < MOST_POSITIONS

    @property
    def effort(self) -> str:
        """How many positions the solver visited, in words."""
        positions = self.proof.positions
        said = ngettext("{count} position analysed", "{count} positions analysed", positions)
        return said.format(count=number_format(positions, force_grouping=True))

    @property
    def _solved_board(self) -> SolvedBoard | None:
        """The solved board whose starting position this is."""
        game = self.position.game
        known = [board for board in game.description.solved if dict(board.options) == dict(game.options)]
        return next((board for board in known if self.position.key() == game.start().key()), None)


def result_in_words(game: Game, seat: int, margin: int) -> str:
    """Who wins by how much under best play in a two-player game; `margin` is `seat`'s."""
    if not margin:
        return gettext("A draw with best play.")
    winner = seat if margin > 0 else 1 - seat
    said = ngettext(
        "{player} wins by {margin} point with best play.",
        "{player} wins by {margin} points with best play.",
        abs(margin),
    )
    return said.format(player=translate(game.player_names[winner]), margin=abs(margin))
