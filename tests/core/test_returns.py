"""Returns, the chances that they represent, and their formatting."""

import pytest

from kakomi.core.returns import chance_of, chances_of, percent, return_of, share_returns


@pytest.mark.parametrize("players", range(2, 7))
def test_a_sole_winner_has_the_chance_1_and_a_draw_is_shared(players: int) -> None:
    out = [0.0] * players
    share_returns([1.0] + [0.0] * (players - 1), players, out)
    assert chances_of(out) == pytest.approx([1.0] + [0.0] * (players - 1))
    share_returns([1.0] * players, players, out)
    assert chances_of(out) == pytest.approx([1 / players] * players)


@pytest.mark.parametrize("players", range(2, 7))
def test_a_return_and_its_chance_lead_to_each_other(players: int) -> None:
    for chance in (0.0, 0.1, 0.5, 1.0):
        assert chance_of(return_of(chance, players), players) == pytest.approx(chance)
    assert chance_of(1.0 + 1e-12, players) == 1 and chance_of(-1.0, 2) == 0


@pytest.mark.parametrize(
    ("chance", "digits", "said"),
    [
        (0.0, 0, "0 %"),
        (0.004, 0, "<1 %"),
        (0.48, 0, "48 %"),
        (0.996, 0, ">99 %"),
        (1.0, 0, "100 %"),
        (0.0004, 1, "<0.1 %"),
        (0.4567, 1, "45.7 %"),
        (0.9996, 1, ">99.9 %"),
    ],
)
def test_what_is_not_quite_certain_is_not_called_so(chance: float, digits: int, said: str) -> None:
    assert percent(chance, digits) == said


def test_a_chance_of_half_the_last_digit_is_never_called_certain() -> None:
    assert [percent(0.005), percent(0.00501), percent(0.995), percent(0.99499)] == [
        "<1 %",
        "1 %",
        ">99 %",
        "99 %",
    ]
    assert [percent(0.0005, 1), percent(0.00051, 1)] == ["<0.1 %", "0.1 %"]
    assert percent(0.0625, 2) == "6.25 %"
