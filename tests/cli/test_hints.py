"""The hints of the adviser."""

from collections.abc import Callable

import pytest
from click.testing import Result

import kakomi
from kakomi.cli.playing.commands import advice
from kakomi.core import Description
from kakomi.core.known_results import FairKomi, KomiTable
from kakomi.search import Line, Report


def report(*lines: Line) -> Report:
    return Report(0, 100, 0.1, (0.0, 0.0), lines)


def test_a_win_is_called_one_even_if_the_search_never_tried_it() -> None:
    start = kakomi.game("rin", size=4).start()
    wins, other = Line(5, 0, (1.0, -1.0), wins=True), Line(6, 100, (0.2, -0.2))
    assert advice(start, report(wins, other)) == "Try 1,1, which wins the game."
    assert advice(start, report(other)) == "Try 1,2 (60 % wins in 100 tries)."


def test_a_hint_about_komi_says_how_sure_it_is(
    piped: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, options = "hint\nquit\n", ("lin", "--size", "5", "--bot", "1", "--as", "0", "--seed", "1")
    known = FairKomi(options={"size": 5, "line": 4}, fair=6.3, low=4.0, high=8.0)
    monkeypatch.setattr(Description, "fair_komis", KomiTable(curve=(known,)))
    said = piped(lines, *options).output
    assert "A komi of 6 looks fair, give or take 2 (measured between equal bots)." in said
    monkeypatch.setattr(Description, "fair_komis", KomiTable())
    assert " looks fair." in piped(lines, *options).output
