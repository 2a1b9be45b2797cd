"""Blunders: games with their critical positions, and the resulting table."""

import pytest

from kakomi import catalog
from kakomi.study import puzzle_finder
from kakomi.study.blunders import Asked, BlunderStudy, BlunderTable, GameTrial, try_game

BOTS = ("random", "10")


def test_a_trial_can_be_repeated_and_its_positions_found() -> None:
    found = [try_game("rin", {"size": 4}, "1", BOTS, 3, 10, 10**6, seed=n) for n in range(8)]
    assert found[0] == try_game("rin", {"size": 4}, "1", BOTS, 3, 10, 10**6, seed=0)
    asked = [one for game in found for one in game.asked]
    assert asked
    for game in found:
        for one in game.asked:
            assert len(one.before) + one.left == game.actions
            assert 0 < one.chance < 1 and all(0 <= count <= 3 for count in one.thrown.values())
    assert sum(one.thrown["10"] for one in asked) == 0, "level 10 sees ten plies of Rin 4×4"
    assert sum(one.thrown["random"] for one in asked) > 0


def test_an_endless_game_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_finder, "MOST_ACTIONS", 3)
    found = try_game("rin", {"size": 4}, "1", BOTS, 1, 10, 10**6, seed=1)
    assert found == GameTrial(actions=3, positions=0, is_cut_short=True, asked=())


@pytest.mark.parametrize(
    ("name", "options", "bots", "told"),
    [
        (
            "rings",
            {"size": 3, "players": 3},
            ("1",),
            "results are proved between two players, and this game has 3",
        ),
        ("rin", {"size": 4}, ("1", "1"), "a bot is named twice"),
        ("rin", {"size": 4}, ("nobody",), "nobody"),
        ("rin", {"size": 4}, ("13",), "rin has no level 13"),
        ("rin", {"size": 4}, ("cmd:true",), "cmd:true"),
    ],
)
def test_what_cannot_be_studied_is_said(
    name: str, options: dict[str, int], bots: tuple[str, ...], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        BlunderStudy(catalog.game(name, **options), asked=bots)


def asked(left: int, chance: float, thrown: int) -> Asked:
    return Asked(left, 1, chance, {"1": thrown}, ())


def test_the_table_counts_by_actions_left() -> None:
    games = [
        GameTrial(30, 12, False, (asked(1, 0.5, 2), asked(3, 0.25, 0), asked(12, 0.75, 1))),
        GameTrial(31, 9, True, (asked(2, 0.5, 1),)),
        GameTrial(32, 12, False, ()),
    ]
    table = BlunderTable(games, ("1",), tries=2, most=12)
    assert table.columns == ((1, 3), (4, 6), (7, 9), (10, 12))
    assert (table.games, table.positions, table.critical, table.cut_short) == (3, 33, 4, 1)
    (row,) = table.rows()
    assert [rate.positions for rate in row.rates] == [3, 0, 0, 1, 4]
    near, _, gap, far, all_of_them = (rate.estimate for rate in row.rates)
    assert gap is None and near is not None and far is not None and all_of_them is not None
    assert near.value == pytest.approx(0.5) and far.value == pytest.approx(0.5)
    assert all_of_them.value == pytest.approx(0.5)
    assert all_of_them.low < all_of_them.value < all_of_them.high
    chance = table.chance.rates[0].estimate
    assert chance is not None and chance.value == pytest.approx((0.375 + 0.5) / 2)


@pytest.mark.parametrize(
    ("most", "columns"),
    [(1, ((1, 1),)), (5, ((1, 2), (3, 4), (5, 5))), (8, ((1, 2), (3, 4), (5, 6), (7, 8)))],
)
def test_columns_hold_every_action_once(most: int, columns: tuple[tuple[int, int], ...]) -> None:
    assert BlunderTable([], ("1",), 1, most).columns == columns
