"""Measuring a fair komi by games, stopping and resuming."""

from pathlib import Path

import pytest

import kakomi
from kakomi.study.komi import KomiStudy
from study.inline_farm import InlineFarm

LIN = kakomi.game("lin", size=5, line=4)
BOT = "search:simulations=10"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> KomiStudy:
    """A study of forty games without interruption."""
    return KomiStudy(LIN, 30, 4, bot=BOT).run(InlineFarm(), tmp_path_factory.mktemp("whole"))


def test_it_plays_whole_rounds_from_the_start_at_several_komis(whole: KomiStudy) -> None:
    found = whole.estimate()
    assert found.games == 40 == len(whole.results), "30 are rounded up"
    assert {played.opening for played in whole.results} == {0}
    assert len({played.actions for played in whole.results}) > 30, "and no game twenty times over"
    rows = whole.rows()
    assert sum(row.games for row in rows) == 40 and len(rows) >= 4
    assert sum(row.won for row in rows) == sum(0 in played.winners for played in whole.results)
    assert whole.nearest(found) % 2 == 0 and abs(whole.nearest(found) - found.fair) <= 1


def test_it_goes_on_where_it_was_stopped_and_a_longer_one_from_there(
    whole: KomiStudy, tmp_path: Path
) -> None:
    def stop(done: int) -> None:
        if done == 27:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KomiStudy(LIN, 30, 4, bot=BOT).run(InlineFarm(), tmp_path, stop)
    farm = InlineFarm()
    again = KomiStudy(LIN, 30, 4, bot=BOT).run(farm, tmp_path)
    assert len(farm.done) == 13 and again.estimate() == whole.estimate()
    assert [one.actions for one in again.results] == [one.actions for one in whole.results]
    longer = KomiStudy(LIN, 60, 4, bot=BOT).run(farm, tmp_path)
    assert longer.estimate().games == 60 and len(farm.done) == 33


def test_komi_is_no_part_of_the_board() -> None:
    names = {KomiStudy(kakomi.game("lin", size=5, komi=komi), bot=BOT).file_name for komi in (0, 8)}
    assert len(names) == 1


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(ValueError, match="no komi"):
        KomiStudy(kakomi.game("rin", size=4), bot=BOT)
    with pytest.raises(ValueError, match="no bot"):
        KomiStudy(LIN, bot="nobody")
