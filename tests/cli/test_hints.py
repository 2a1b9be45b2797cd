"""What the adviser says."""

import kakomi
from kakomi.cli.playing.hints import advice
from kakomi.search import Line, Report


def report(*lines: Line) -> Report:
    return Report(0, 100, 0.1, (0.0, 0.0), lines)


def test_a_win_is_called_one_even_if_the_search_never_tried_it() -> None:
    start = kakomi.game("rin", size=4).start()
    wins, other = Line(5, 0, (1.0, -1.0), wins=True), Line(6, 100, (0.2, -0.2))
    assert advice(start, report(wins, other)) == "Try 1,1, which wins the game."
    assert advice(start, report(other)) == "Try 1,2 (wins 60 % of 100 tries)."
