"""Statistics of artificial games."""

import math

import numpy as np
import pytest

from kakomi.core.known_results import KomiTable
from kakomi.study.report.content import Chart, Section, Table
from kakomi.study.report.plan import Sample
from kakomi.study.report.statistics import shared
from kakomi.study.report.statistics.board import orbits
from kakomi.study.report.statistics.course import dramas, lead_changes, leads, lengths, margins, uncertainty
from kakomi.study.report.statistics.fairness import endings, fair_komi, seats
from kakomi.study.report.statistics.known import common_level, comparison, option_names, solved
from kakomi.study.report.statistics.players import coalitions, kingmakers, kingmaking
from kakomi.study.report.statistics.shared import elo_by_level, steps
from kakomi.study.report.statistics.skill import effort_for, first_turn, mirror, openings, trends
from kakomi.study.report.study import Study
from kakomi.study.report.trace import Trace
from study.report.made import RIN, THREE, study, trace

EVEN = (0.5, 0.5)
BLACK = (1.0, 0.0)
WHITE = (0.0, 1.0)


def value(section: Section | None, label: str) -> float:
    return next(number.estimate.value for number in section.numbers if number.label == label)


def test_seats_and_draws_are_counted() -> None:
    games = [trace([EVEN] * 4, shares, number=n) for n, shares in enumerate([BLACK, BLACK, WHITE, EVEN] * 5)]
    found = seats(study(games))
    assert value(found, "Black wins (draws shared)") == pytest.approx(0.625)
    assert value(endings(study(games)), "without a sole winner") == pytest.approx(0.25)
    assert value(endings(study(games)), "ended by the rules") == 1


def test_games_that_are_cut_off_and_lost_on_time_are_told_apart() -> None:
    ends = ["rules", "counted", "time", "forfeit"]
    games = [trace([EVEN] * 4, BLACK, number=n, ending=end) for n, end in enumerate(ends * 2)]
    table = endings(study(games)).figures[0]
    assert isinstance(table, Table)
    titles = ("ended by the rules", "cut off and counted", "lost on time", "forfeited")
    assert table.columns[2:] == titles
    assert [cell.number.estimate.value for cell in table.rows[0][2:]] == [0.25] * 4


def test_lengths_name_the_shortest_games() -> None:
    games = [trace([EVEN] * plies, BLACK, number=plies) for plies in (9, 5, 7)]
    found = lengths(study(games))
    assert value(found, "actions a game, mean") == 7 and value(found, "actions a game, median") == 7
    assert [link.game.number for link in found.links] == [7, 5, 7, 9]


COMEBACK = [(0.5, 0.5), (0.2, 0.8), (0.6, 0.4), (0.95, 0.05), (0.85, 0.15), (0.99, 0.01)]


def test_drama_by_hand() -> None:
    game = trace(COMEBACK, BLACK)
    assert shared.drama(game) == pytest.approx(math.sqrt(0.6))
    assert shared.deepest(game) == 1
    assert shared.drama(trace(COMEBACK, WHITE)) == pytest.approx(np.sqrt([0.2, 0.9, 0.7, 0.98]).mean())
    assert math.isnan(shared.drama(trace(COMEBACK, EVEN)))
    found = dramas(study([trace(COMEBACK, BLACK, number=n) for n in range(4)]))
    assert value(found, "comebacks") == 1


def test_a_game_is_decided_once_the_winner_is_never_in_doubt_again() -> None:
    assert shared.decided_at(trace(COMEBACK, BLACK)) == pytest.approx(5 / 6)
    assert shared.decided_at(trace([(0.95, 0.05)] * 4, BLACK)) == 0
    assert shared.decided_at(trace([(0.95, 0.05)] * 4, WHITE)) == 1
    found = uncertainty(study([trace(COMEBACK, BLACK, number=n) for n in range(5)]))
    assert value(found, "decided after, median") == pytest.approx(5 / 6)


def test_uncertainty_is_one_where_all_is_level_and_nothing_where_all_is_over() -> None:
    found = shared.uncertainty(np.array([[1 / 3] * 3, [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]))
    assert found == pytest.approx([1, 0, math.log(2) / math.log(3)], abs=1e-6)


def test_a_lead_passes_only_by_a_margin() -> None:
    chances = [(0.6, 0.4), (0.49, 0.51), (0.4, 0.6), (0.52, 0.48), (0.7, 0.3)]
    assert shared.lead_changes(trace(chances, BLACK)) == [2, 4]
    found = lead_changes(study([trace(chances, BLACK, number=n) for n in range(3)]))
    assert value(found, "changes of the lead, a game") == 2
    assert value(found, "turning points, a game") == 1  # from .7 to 1 at the end


def test_the_opening_counts_for_nothing() -> None:
    chances = [(math.nan, math.nan), (math.nan, math.nan), *COMEBACK]
    assert shared.drama(trace(chances, BLACK, opening=2)) == shared.drama(trace(COMEBACK, BLACK))
    assert shared.decided_at(trace(chances, BLACK, opening=2)) == pytest.approx(5 / 6)
    assert not trace(chances, BLACK).has_chances and trace(chances, BLACK, opening=2).has_chances


def test_without_searches_nothing_is_said_of_drama() -> None:
    games = [trace([(math.nan, math.nan)] * 4, BLACK, number=n) for n in range(4)]
    assert dramas(study(games)) is lead_changes(study(games)) is uncertainty(study(games)) is None


def test_who_leads_half_way_by_the_score() -> None:
    ahead, level = [(0, 0), (3, 1), (3, 1), (3, 1), (4, 1)], [(0, 0)] * 5
    games = [
        trace([EVEN] * 4, shares, number=n, scores=scores)
        for n, (shares, scores) in enumerate(
            [(BLACK, ahead), (BLACK, ahead), (WHITE, ahead), (BLACK, level)] * 3
        )
    ]
    found = leads(study(games))
    assert value(found, "who leads by score half way wins") == pytest.approx(2 / 3)
    assert value(found, "somebody leads by score half way") == pytest.approx(3 / 4)
    assert [link.label for link in found.links] == ["A lead half way that lost"]


def rin_game(number: int, *names: str, shares: tuple[float, float] = BLACK) -> Trace:
    actions = tuple(RIN.action(name) for name in names)
    turns = [0, 1, 1, 2, 2][: len(names)]
    return trace([EVEN] * len(names), shares, number=number, actions=actions, turns=turns)


def test_first_turns_that_are_alike_are_one() -> None:
    corners = [rin_game(n, name, "1,1", "2,2") for n, name in enumerate(("0,0", "0,3", "3,0", "3,3"))]
    edge = rin_game(9, "0,1", "1,1", "2,2", shares=WHITE)
    games = study([*corners, edge])
    assert len({first_turn(games, game) for game in corners}) == 1
    found = openings(games)
    assert found.finding.startswith("2 different first turns")
    table = next(figure for figure in found.figures if isinstance(figure, Table))
    assert [row[1].text for row in table.rows] == ["4", "1"]


def test_points_that_are_alike_share_their_figures() -> None:
    assert sorted(map(len, orbits(study([])))) == [4, 4, 8]


def test_a_kingmaker_has_no_chance_and_changes_who_wins() -> None:
    first, second = (0.5, 0.47, 0.03), (0.3, 0.68, 0.02)
    made = trace([first, first, first, second], (0.0, 1.0, 0.0))
    assert kingmakers(made) == [2]
    own_move = trace([first, first, second, second], (0.0, 1.0, 0.0))  # the second player wins by themselves
    assert kingmakers(own_move) == []
    found = kingmaking(study([made, own_move], THREE))
    assert value(found, "games with a kingmaker") == 0.5


def test_pressure_on_the_leader_by_hand() -> None:
    before, after = (0.2, 0.3, 0.5), (0.3, 0.3, 0.4)
    game = trace([before, after, after, after], (0.0, 0.0, 1.0), turns=[0, 1, 2, 3])
    # The first player's turn costs the leader 10 points and the second one nothing; the second one's is free.
    found = coalitions(study([game, game], THREE))
    assert value(found, "points a turn") == pytest.approx(100 * 0.1 / 2)


def test_two_players_make_no_kings_and_no_coalitions() -> None:
    games = study([trace(COMEBACK, BLACK, number=n) for n in range(3)])
    assert kingmaking(games) is coalitions(games) is None


def ladder(level: int, higher: list[tuple[float, float]], sweep: bool = False) -> tuple[Sample, list[Trace]]:
    """Pairs of games of a level, first as Black and then as White, with the shares of the higher level."""
    lower = str(level - 1) if level > 1 else "random"
    games = []
    for block, (black, white) in enumerate(higher):
        for number, (seated, share) in enumerate(
            (((str(level), lower), black), ((lower, str(level)), white))
        ):
            shares = (share, 1 - share) if not number else (1 - share, share)
            games.append(
                trace(
                    [EVEN] * 2,
                    shares,
                    number=2 * block + number,
                    block=f"{level}-{block}",
                    seats=seated,
                    sample=f"ladder-{level}",
                )
            )
    return Sample("ladder", level, len(games)), games


def test_the_ladder_adds_up() -> None:
    games = study(
        [trace([EVEN] * 2, BLACK)],
        RIN,
        ladder(1, [(1.0, 1.0)] * 20),
        ladder(2, [(1.0, 1.0), (1.0, 0.0)] * 20),
    )
    first, second = steps(games)
    assert first.score.value == 1 and second.score.value == pytest.approx(0.75)
    assert second.score.blocks == 40 and second.score.low < 0.75 < second.score.high
    ratings = elo_by_level(games)
    assert ratings[0].value < -500 and ratings[1].value == 0
    assert ratings[2].value == pytest.approx(190.8, abs=0.1)


def test_how_much_effort_wins_75_of_100() -> None:
    """Levels 8 and 9 of Rin differ only in simulations: 300 and 1,000."""
    games = study(
        [trace([EVEN] * 2, BLACK)],
        RIN,
        *(ladder(level, [(1.0, 1.0), (1.0, 0.0)] * 20) for level in range(1, 10)),
    )
    factor = effort_for(games, steps(games)[8], 0.75)
    assert factor.value == pytest.approx(1000 / 300) and factor.low < factor.value < factor.high
    assert effort_for(games, steps(games)[1], 0.75) is None  # these levels also differ in temperature


def test_the_trend_of_seats_needs_several_levels() -> None:
    own = [
        (
            Sample("self", level, 40),
            [
                trace([EVEN] * 2, BLACK if n % 2 else WHITE, number=n, sample=f"self-{level}")
                for n in range(40)
            ],
        )
        for level in range(1, 6)
    ]
    climb = [ladder(level, [(1.0, 1.0), (1.0, 0.0)] * 20) for level in range(1, 6)]
    found = seats(Study(RIN, 1, dict([*own, *climb])))
    assert value(found, "Black at the highest level") == pytest.approx(0.5)
    # Black wins one game of every other pair, and both of the rest.
    assert value(found, "Black after random openings, played from both sides") == pytest.approx(0.75)
    assert not any("trend" in number.players for number in seats(study([trace([EVEN] * 2, BLACK)])).numbers)


def test_solved_boards_stand_beside_the_estimate() -> None:
    found = solved(study([trace([EVEN] * 4, BLACK, number=n) for n in range(8)]))
    assert "Under best play Black draws" in found.finding and "100 %" in found.finding


def test_options_are_compared_at_a_strength_that_all_have() -> None:
    import kakomi

    larger = kakomi.game("rin", size=6)
    one = study([trace([EVEN] * 4, BLACK, number=n) for n in range(30)])
    other = Study(larger, 1, {Sample("self", 1, 30): [trace([EVEN] * 9, WHITE, number=n) for n in range(30)]})
    assert common_level([one, other])[0] == 1
    assert option_names([RIN, larger]) == ["size 4", "size 6"]
    found = comparison([one, other])
    assert "first seat wins (size 6)" in found.finding
    assert comparison([one]) is None


def test_who_copies_is_held_against_equal_players() -> None:
    half = {name: RIN.actions[RIN.action(name)].text for name in ("0,0", "3,3", "0,1", "3,2")}
    actions = tuple(RIN.action(name) for name in half)
    copied = [
        trace([EVEN] * 4, WHITE, number=n, actions=actions, seats=("1", "mirror:1"), sample="mirror-1")
        for n in range(20)
    ]
    played = [trace([EVEN] * 4, BLACK if n % 2 else WHITE, number=n) for n in range(40)]
    found = mirror(study(played, RIN, (Sample("mirror", 1, 20), copied)))
    assert value(found, "who copies as White wins") == 1 and value(found, "turns that were copied") == 1
    table = found.figures[0]
    assert isinstance(table, Table)
    assert [row[-1].text for row in table.rows] == ["may be chance", "differs"]
    assert mirror(study(played)) is None


def komi_game(number: int, lead: float) -> Trace:
    shares = BLACK if lead > 0 else WHITE
    return trace([EVEN] * 2, shares, number=number, scores=[(0, 0), (0, 0), (lead, 0.0)])


def test_margins_and_what_another_komi_would_change() -> None:
    import kakomi

    lin = kakomi.game("lin", size=5, komi=2)
    games = [komi_game(n, lead) for n, lead in enumerate([1, 3, 5, -1] * 5)]
    found = margins(study(games, lin))
    assert value(found, "margin, median") == 1 and value(found, "margin, mean") == 2.5
    assert value(found, "won by 1, the least there was") == 0.5
    chart = next(figure for figure in found.figures if figure.title.startswith("Other komis"))
    assert isinstance(chart, Chart)
    wins = {point.x: point.y for point in chart.series[0].points}
    assert wins[2] == 0.75 and wins[4] == 0.5 and wins[0] == 1
    assert margins(study([komi_game(n, 1) for n in range(4)])) is None
    assert not any(figure.title.startswith("Other komis") for figure in margins(study(games, RIN)).figures)


def test_the_fair_komi_stands_beside_the_one_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    import kakomi

    nine = kakomi.game("lin", size=9, komi=6)
    known = nine.description.fair_komi(nine.options)
    assert known
    found = fair_komi(study([komi_game(1, 1)], nine))
    assert found
    assert f"{known.fair:.1f} ({known.low:.1f} to {known.high:.1f})" in found.finding
    assert found.finding.endswith("in these games it is 6.") and found.summary == found.finding
    chart, table = found.figures
    assert isinstance(chart, Chart) and isinstance(table, Table)
    curve, measured = chart.series
    assert known.fair in [point.y for point in curve.points] and len(measured.points) >= 6
    assert table.rows[0][0].text == "size 9, line 6"
    assert len(table.rows) == len(nine.description.fair_komis.measured)
    assert fair_komi(study([komi_game(1, 1)], RIN)) is None
    monkeypatch.setattr(KomiTable, "known", lambda self, board: None)
    unknown = fair_komi(study([komi_game(1, 1)], nine))
    assert unknown and "of this board was not measured" in unknown.finding


def test_numbers_that_change_with_strength_are_told_with_where_they_lead() -> None:
    def games(level: int) -> list[Trace]:
        plies = [10 * level, 10 * level + 2]
        return [
            trace([EVEN] * plies[n % 2], BLACK if n % 2 else WHITE, number=n, sample=f"self-{level}")
            for n in range(40)
        ]

    own = [(Sample("self", level, 40), games(level)) for level in range(1, 6)]
    climb = [ladder(level, [(1.0, 1.0), (1.0, 0.0)] * 20) for level in range(1, 6)]
    found = trends(Study(RIN, 1, dict([*own, *climb])))
    assert found.finding.startswith("With strength these change beyond chance: actions a game")
    table = found.figures[0]
    assert isinstance(table, Table)
    rows = {row[0].text: row[1:] for row in table.rows}
    step = 190.8  # Elo points of 75 %
    assert rows["actions a game"][2].number.estimate.value == pytest.approx(10 * 400 / step, rel=0.01)
    assert rows["first seat wins"][-1].text == "may be level"
    assert trends(study([trace([EVEN] * 4, BLACK)])) is None
