"""One entrant's share against another in a finished game."""

from pathlib import Path

import msgspec
import pytest

import kakomi
from kakomi.study.matches.games import Effort, mean_effort, save_record
from study.matches.made import pairing, played


@pytest.mark.parametrize(("winners", "share"), [((0,), 1.0), ((1,), 0.0), ((0, 1), 0.5)])
def test_two_players(winners: tuple[int, ...], share: float) -> None:
    game = played(pairing(1, "A", "B"), *winners)
    assert game.share("A", "B") == share and game.share("B", "A") == 1 - share


def test_several_seats_count_pair_by_pair() -> None:
    of = pairing(1, "A", "B", "B", size=2, players=3)
    assert played(of, 0).share("A", "B") == 1.0
    assert played(of, 1).share("A", "B") == 0.25  # behind one of B's, level with the other
    assert played(of, 0, 1).share("A", "B") == 0.75


def test_effort_counts_by_actions_and_not_by_games() -> None:
    long, short = (Effort(actions=30, seconds=1.0, simulations=900), Effort(actions=10, seconds=3.0))
    mean = mean_effort([long, short, Effort(actions=10, seconds=0.5, simulations=100)])
    assert mean == Effort(actions=50, seconds=1.3, simulations=700)
    assert mean_effort([Effort(actions=0, seconds=0.0)]) == Effort(actions=0, seconds=0.0)


def test_equal_players_share_equally_whatever_their_seats() -> None:
    of = pairing(1, "A", "B", "B", "A", "A", size=2, players=5)
    shares = [played(of, winner).share("A", "B") for winner in range(5)]
    assert sum(shares) / 5 == pytest.approx(0.5)


def test_a_record_tells_of_the_opening_and_of_a_forfeit_and_is_written_once(tmp_path: Path) -> None:
    game = msgspec.structs.replace(
        played(pairing(7, "A", "B"), 0),
        opening=2,
        actions=("0,0", "1,1", "2,2"),
        scores=(1, 2),
        reason="forfeit",
        loser=1,
        failure="it died",
    )
    folder = tmp_path / "new" / "folder"
    path = save_record(game, folder, "A match")
    assert path == folder / "game-0007.json"
    record = kakomi.records.load(path, kakomi.game)
    assert record.comment == "The first 2 actions are a random opening.\nWhite forfeits: it died"
    assert [seat.name for seat in record.seats] == ["A", "B"]
    path.write_text("kept")
    assert save_record(game, folder) == path and path.read_text() == "kept"
    plain = save_record(msgspec.structs.replace(game, opening=0, loser=None, failure=""), tmp_path)
    assert kakomi.records.load(plain, kakomi.game).comment == ""
