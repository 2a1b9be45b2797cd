"""Bots that play on for points once the winner is certain, in positions with known values."""

from statistics import fmean

import pytest

import kakomi
from kakomi.bots import make_bot
from kakomi.research.suite import find_track
from kakomi.research.suite.exact import positions_of
from kakomi.research.suite.track import SHIPPED

TRACK = find_track("exact-v1")
BOARDS = positions_of(TRACK, SHIPPED.parent)


def points_lost(task: str, name: str) -> float:
    """The mean points lost by a bot's action over the positions of a task."""
    (game,) = (each.found_game for each in TRACK.tasks if each.name == task)
    bot = make_bot(name, seed=1)
    lost = []
    for known in BOARDS[task].positions:
        position = known.position(game)
        action = bot.choose(position)
        lost.append(known.best - known.values[game.action_texts[action]])
    return fmean(lost)


@pytest.mark.parametrize("task", ["lin size=5 line=3", "lin size=5 line=4", "ren size=4", "rings size=2"])
def test_who_plays_for_points_gives_fewer_away(task: str) -> None:
    name = "search:simulations=2000"
    assert 2 * points_lost(task, f"{name},points=0.5") < points_lost(task, name)


def test_a_search_for_points_goes_on_where_all_actions_win() -> None:
    for known in BOARDS["lin size=5 line=3"].positions:
        if min(known.values.values()) > 0 and known.chance < 1:
            position = known.position(kakomi.game("lin", size=5, line=3))
            bot = make_bot("search:simulations=3000,points=0.5", seed=1)
            bot.choose(position)
            report = bot.last_report
            assert report and report.simulations == 3000 and not report.is_proven
            return
    raise AssertionError("no position is won whatever is played")


def test_points_are_a_share_above_none() -> None:
    for name in ("search:cpu=1,points=0", "patterns:cpu=1,points=1.5", "net:cpu=1,points=2"):
        with pytest.raises(ValueError, match="it must be above 0, and 1 at most"):
            make_bot(name)
    with pytest.raises(ValueError, match="no setting 'points'"):
        make_bot("uct:cpu=1,points=0.5")
