"""The fair komis stored beside games: reading, precedence, and agreement with solved boards."""

import importlib
import shlex
import sys
from pathlib import Path

import pytest

import kakomi
from kakomi import catalog
from kakomi.core.known_results import FairKomi, KomiTable, MeasuredKomi, nearest_komi, read_komi

BOARD = {"size": 9, "line": 6}
LIN = catalog.describe("lin")
LARGE = 17
"""From this size on, a few hundred games say little, and intervals are wide."""


def measured(low: float, high: float, bot: str = "4") -> MeasuredKomi:
    told = {"bot": bot, "scale": 3.0, "games": 200, "date": "2026-11-24", "command": "kakomi study komi lin"}
    return MeasuredKomi(options=BOARD, fair=(low + high) / 2, low=low, high=high, **told)  # type: ignore[arg-type]


def test_the_narrowest_of_what_is_known_counts() -> None:
    weak, strong = measured(2.0, 3.0, "1"), measured(4.0, 8.0, "9")
    curve = FairKomi(options=BOARD, fair=5.0, low=4.5, high=5.5)
    wide = FairKomi(options=BOARD, fair=5.0, low=0.0, high=10.0)
    assert KomiTable((weak, strong)).known(BOARD) == strong, "the strongest players, though less exact"
    assert KomiTable((weak, strong), (curve,)).known(BOARD) == curve
    assert KomiTable((weak, strong), (wide,)).known(BOARD) == strong
    assert KomiTable((), (curve,)).known({"line": 6, "size": 9}) == curve, "in any order of options"
    assert KomiTable((weak,), (curve,)).known({"size": 9, "line": 5}) is None


def test_a_board_is_known_whatever_its_komi() -> None:
    assert LIN.fair_komi(kakomi.game("lin", size=7).options)
    assert LIN.fair_komi(kakomi.game("lin", size=7).options) == LIN.fair_komi(
        kakomi.game("lin", size=7, komi=20).options
    )
    assert catalog.describe("rin").fair_komi(kakomi.game("rin").options) is None


@pytest.mark.parametrize(("fair", "nearest"), [(-3.0, 0), (0.9, 0), (1.0, 0), (1.1, 2), (7.4, 8), (99.0, 24)])
def test_the_nearest_komi_is_one_that_is_allowed(fair: float, nearest: int) -> None:
    assert nearest_komi(fair, range(0, 25, 2)) == nearest


@pytest.mark.parametrize(("low", "high", "doubt"), [(2.0, 2.5, 1), (0.0, 4.0, 2), (-1.0, 4.0, 3)])
def test_doubt_is_in_whole_points(low: float, high: float, doubt: int) -> None:
    assert measured(low, high).doubt == doubt


def test_a_file_is_read_and_a_wrong_field_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "game_with_komi"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    assert read_komi("game_with_komi") == KomiTable()
    read_komi.cache_clear()
    row = "[[curve]]\noptions = { size = 9, line = 6 }\nfair = 5.0\nlow = 4.5\nhigh = 5.5\n"
    (folder / "measured").mkdir()
    (folder / "measured" / "komi.toml").write_text(row)
    assert read_komi("game_with_komi").known(BOARD) == FairKomi(options=BOARD, fair=5.0, low=4.5, high=5.5)
    read_komi.cache_clear()
    (folder / "measured" / "komi.toml").write_text(row + "width = 3\n")
    with pytest.raises(TypeError, match="width"):
        read_komi("game_with_komi")
    del sys.modules["game_with_komi"]


TOO_WEAK = "search:simulations=100"
"""For lines of five on 5×5: between such players, a point of komi matters little (docs/komi.md)."""


def test_solved_boards_bear_out_what_was_measured_there() -> None:
    """The fair komi is between the largest komi with which the first player wins and the smallest with which
    they lose; and the recommended komi is won by one point."""
    boards = {tuple(board.options.items())[:-1] for board in LIN.solved}
    assert boards == {(("size", 5), ("line", line)) for line in (3, 4, 5)}
    for board in map(dict, boards):
        margins = {b.options["komi"]: b.margin for b in LIN.solved if board.items() <= b.options.items()}
        won = max(komi for komi, margin in margins.items() if margin > 0)
        lost = min(komi for komi, margin in margins.items() if margin < 0)
        rows = [row for row in LIN.fair_komis.measured if row.options == board]
        assert len(rows) >= 2
        for row in rows:
            agrees = row.low <= lost and row.high >= won
            assert agrees is not (board["line"] == 5 and row.bot == TOO_WEAK), f"{row} contradicts best play"
        known = LIN.fair_komi(board)
        assert known and abs(margins[nearest_komi(known.fair, sorted(margins))]) == 1


def test_every_board_of_lin_has_a_fair_komi() -> None:
    (size,) = (option for option in LIN.options if option.name == "size")
    for number in size.allowed_given({}):
        board = kakomi.game("lin", size=number)
        known = LIN.fair_komi(board.options)
        assert known and known.low <= known.fair <= known.high
        assert known.high - known.low < (20 if number < LARGE else 60), "or it tells nothing"


def test_rows_say_what_measures_them() -> None:
    for row in LIN.fair_komis.measured:
        program, group, command, name, *given = shlex.split(row.command)
        assert (program, group, command, name) == ("kakomi", "study", "komi", "lin")
        told = dict(zip(given[::2], given[1::2], strict=True))
        assert {"size": int(told["--size"]), "line": int(told["--line"])} == dict(row.options)
        assert told["--bot"] == row.bot and int(told["--count"]) == row.games
        assert row.low <= row.fair <= row.high and row.scale > 0
