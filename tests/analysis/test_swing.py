"""What a mistake cost on the board."""

import numpy as np
import pytest

import kakomi
from kakomi.analysis import Analysis
from kakomi.analysis.swing import line_ends, swing_of
from kakomi.core import Game
from kakomi.search.report import Ownership

LIN = kakomi.game("lin", size=5)


def owned(game: Game, shares: dict[str, float], lead: float, spread: float = 1.0) -> Ownership:
    """An estimate in which Black owns half of each point but these, of which White has the given shares."""
    white = np.array([shares.get(name, 0.5) for name in game.geometry.names])
    owner = np.stack([1 - white, white], axis=1)
    return Ownership(owner, np.array([lead, -lead]), np.array([spread, spread]), 1000)


def test_a_mistake_costs_the_fall_of_the_lead_and_most_of_it_in_one_region() -> None:
    lost = {"a1": 0.9, "b1": 0.9, "c1": 0.9, "a2": 0.9, "b2": 0.9, "c2": 0.9, "e5": 1.0}
    swing = swing_of(LIN.start(), owned(LIN, lost, -3.0), owned(LIN, {}, 4.0))
    assert swing and swing.cost == 7.0 and set(swing.region) == lost.keys() - {"e5"}
    assert swing.in_words == f"It cost about 7 points of the score, most of all around {swing.centre}."
    assert swing.centre in ("b1", "b2")


def test_without_a_region_that_stands_out_none_is_named() -> None:
    swing = swing_of(LIN.start(), owned(LIN, {"a1": 0.9, "e5": 0.9}, 2.6), owned(LIN, {}, 4.0))
    assert swing and not swing.region and swing.in_words == "It cost about 1 point of the score."


@pytest.mark.parametrize(("lead", "spread"), [(3.6, 1.0), (5.0, 1.0), (2.0, 60.0)])
def test_a_cost_that_is_not_clear_is_not_told(lead: float, spread: float) -> None:
    """Below a point, a gain, or within the noise of the playouts."""
    assert swing_of(LIN.start(), owned(LIN, {}, lead, spread), owned(LIN, {}, 4.0, spread)) is None


def test_among_several_the_region_goes_to_the_player_who_gains_most() -> None:
    game = kakomi.game("rings", size=2, players=3)
    before = np.full((game.geometry.points, 3), 1 / 3)
    after = before.copy()
    after[:6] = [0.0, 0.1, 0.9]
    better, played = (
        Ownership(each, np.array([lead, 0, 0]), np.ones(3), 1000)
        for each, lead in ((before, 3.0), (after, 0.0))
    )
    swing = swing_of(game.start(), played, better)
    assert swing and swing.cost == 3.0 and set(swing.region) <= set(game.geometry.names[:6])


def test_lines_are_compared_at_the_end_of_equally_many_turns() -> None:
    rin = kakomi.game("rin", size=4)
    start = rin.start().play("0,0")
    played, better = (
        [rin.action(text) for text in line.split()] for line in ("1,1 2,2 3,3 0,1 1,2", "1,2 2,1 3,0")
    )
    one, other = line_ends(start, played, better)
    assert one.ply == other.ply == start.ply + 4 or (one.is_between_turns and other.ply == start.ply + 3)


def test_every_clear_swing_belongs_to_a_highlight_and_leads_end_in_the_score(analysis: Analysis) -> None:
    swings = [move for move in analysis.moves if move.swing]
    assert swings and {move.ply.number for move in swings} <= {
        move.ply.number for move in analysis.highlights
    }
    for move in swings:
        assert move.swing and move.swing.cost > 2 * move.swing.error and move.swing.cost >= 0.5
    for _, report in analysis.reports:
        assert report.owned and report.owned.lead.sum() == pytest.approx(0)
