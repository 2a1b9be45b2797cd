"""Measuring a fair komi by games, stopping it, and going on."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import kakomi
from kakomi.farm import Farm, open_farm
from kakomi.study.fair_komi import KomiEstimate, KomiMeasurement
from kakomi.study.tournament import GameLogError

LIN = kakomi.game("lin", size=5, line=4)
BOT = "search:simulations=10"


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with open_farm(1) as opened:
        yield opened


@pytest.fixture(scope="module")
def whole(farm: Farm, tmp_path_factory: pytest.TempPathFactory) -> tuple[KomiMeasurement, KomiEstimate, Path]:
    """Forty games that were played in one go."""
    file = tmp_path_factory.mktemp("whole") / "games.jsonl"
    measurement = KomiMeasurement(LIN, BOT, 30, seed=4)
    return measurement, measurement.play(farm, file), file


def test_it_plays_whole_rounds_from_the_start_at_several_komis(
    whole: tuple[KomiMeasurement, KomiEstimate, Path],
) -> None:
    measurement, found, _ = whole
    assert found.games == 40 == len(measurement.played), "30 are rounded up"
    assert {played.opening for played in measurement.played} == {0}
    assert len({played.actions for played in measurement.played}) > 30, "and no game twenty times over"
    rows = measurement.rows()
    assert sum(row.games for row in rows) == 40 and len(rows) >= 4
    assert sum(row.won for row in rows) == sum(0 in played.winners for played in measurement.played)
    assert measurement.nearest(found) % 2 == 0 and abs(measurement.nearest(found) - found.fair) <= 1


def test_it_goes_on_where_it_was_stopped(
    whole: tuple[KomiMeasurement, KomiEstimate, Path], farm: Farm, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    told: list[int] = []

    def stop(done: int, so_far: KomiEstimate | None) -> None:
        told.append(done)
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KomiMeasurement(LIN, BOT, 30, seed=4).play(farm, file, stop)
    assert told == list(range(1, 8))
    again = KomiMeasurement(LIN, BOT, 30, seed=4)
    assert again.play(farm, file) == whole[1]
    assert _games(file) == _games(whole[2])


def test_a_longer_measurement_begins_with_the_games_of_a_shorter_one(
    whole: tuple[KomiMeasurement, KomiEstimate, Path], farm: Farm, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(whole[2].read_bytes())
    longer = KomiMeasurement(LIN, BOT, 60, seed=4)
    assert longer.play(farm, file).games == 60
    assert {played.actions for played in whole[0].played} <= {played.actions for played in longer.played}


@pytest.mark.skipif(os.name == "nt", reason="files are not locked there")
def test_a_file_of_another_measurement_is_refused(
    whole: tuple[KomiMeasurement, KomiEstimate, Path], farm: Farm
) -> None:
    with pytest.raises(GameLogError, match="simulations=20"):
        KomiMeasurement(LIN, "search:simulations=20", 20, seed=4).play(farm, whole[2])


def test_each_measurement_has_a_file_of_its_own() -> None:
    names = {
        KomiMeasurement(LIN, BOT, 20).file_name,
        KomiMeasurement(LIN, BOT, 20, seed=2).file_name,
        KomiMeasurement(LIN, "3", 20).file_name,
        KomiMeasurement(kakomi.game("lin", size=5, line=3), BOT, 20).file_name,
    }
    assert len(names) == 4
    assert KomiMeasurement(kakomi.game("lin", size=5, komi=8), BOT, 400).file_name in names


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(ValueError, match="no komi"):
        KomiMeasurement(kakomi.game("rin", size=4), BOT, 20)
    with pytest.raises(ValueError, match="no bot"):
        KomiMeasurement(LIN, "nobody", 20)


def _games(file: Path) -> list[bytes]:
    """Games by what was played: seconds differ."""
    return sorted(line.partition(b'"efforts"')[0] for line in file.read_bytes().splitlines())
