"""Converting a report to JSON and back."""

import json

import pytest
from msgspec import ValidationError
from msgspec.structs import replace

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.search import Line, Report, Search


@pytest.mark.parametrize("name", catalog.names())
def test_a_report_survives_json_but_for_digits_lines_and_plies(name: str) -> None:
    game = catalog.game(name, **catalog.describe(name).quick)
    report = Search(game, seed=1).run(game.start(), simulations=50)
    data = report.to_json(game, most=3)
    read = Report.from_json(json.loads(json.dumps(data)), game)
    shown = (data["returns"], [line["action"] for line in data["lines"]], len(data["lines"]))
    assert (list(read.returns), [game.action_texts[line.action] for line in read.lines], 3) == shown
    assert (read.action, read.principal, read.simulations) == (report.action, report.principal, 50)
    assert read.chances == pytest.approx(report.chances, abs=1e-4)
    assert sum(read.chances) == pytest.approx(1, abs=1e-3)
    assert data["action"] == game.action_texts[report.action] == data["lines"][0]["action"]


def test_a_proof_that_somebody_wins_is_exact_and_one_of_a_draw_is_not() -> None:
    line = Line(0, 90, (1.0, -1.0), wins=True, principal=(0, 1))
    report = Report(0, 100, 0.1, (1.0, -1.0), (line,), is_proven=True)
    assert report.is_exact and report.samples == 0
    assert not replace(report, returns=(0.0, 0.0)).is_exact
    assert replace(report, is_proven=False).samples == 100


def test_a_finished_game_has_an_exact_report_without_lines() -> None:
    position = catalog.game("rive", size=2).start()
    while not position.is_over:
        position = position.play_action(position.legal_actions()[0])
    report = Report.of_result(position)
    assert report.is_exact and report.returns == tuple(position.returns()) and report.principal == ()


def test_what_no_search_of_the_game_has_said_is_refused() -> None:
    game = catalog.game("rin", size=4)
    data = Report(0, 1, 0.0, (0.0, 0.0), (Line(0, 1, (0.0, 0.0), principal=(0,)),)).to_json(game)
    with pytest.raises(IllegalAction):
        Report.from_json(data, catalog.game("rive", size=2))
    with pytest.raises(ValidationError):
        Report.from_json({**data, "simulations": "many"}, game)
