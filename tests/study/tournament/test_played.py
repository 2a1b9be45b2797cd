"""What a finished game gives one entrant of another."""

import pytest

from study.tournament.made import pairing, played


@pytest.mark.parametrize(("winners", "share"), [((0,), 1.0), ((1,), 0.0), ((0, 1), 0.5)])
def test_two_players(winners: tuple[int, ...], share: float) -> None:
    game = played(pairing(1, "A", "B"), *winners)
    assert game.share("A", "B") == share and game.share("B", "A") == 1 - share


def test_several_seats_count_pair_by_pair() -> None:
    of = pairing(1, "A", "B", "B", size=2, players=3)
    assert played(of, 0).share("A", "B") == 1.0
    assert played(of, 1).share("A", "B") == 0.25  # behind one of B's, level with the other
    assert played(of, 0, 1).share("A", "B") == 0.75


def test_equal_players_share_equally_whatever_their_seats() -> None:
    of = pairing(1, "A", "B", "B", "A", "A", size=2, players=5)
    shares = [played(of, winner).share("A", "B") for winner in range(5)]
    assert sum(shares) / 5 == pytest.approx(0.5)
