"""Shares, margins, matches and swaps in artificial games with known answers."""

import math
from collections.abc import Sequence

import msgspec
import pytest

import kakomi
from kakomi.study.matches import Played
from kakomi.study.report.estimates import holm, share
from kakomi.study.seats import board_figures, corrected, match_of_two, other_option, swap
from study.matches.made import pairing, played

RIN = kakomi.game("rin", size=4)
RINGS = kakomi.game("rings", size=2, players=3)


def games(scores: Sequence[tuple[int, ...]]) -> list[Played]:
    """Finished games of equal players with these scores."""
    made = []
    for number, points in enumerate(scores, 1):
        winners = [seat for seat, one in enumerate(points) if one == max(points)]
        options = {"size": 4} if len(points) == 2 else {"size": 2, "players": len(points)}
        of = pairing(number, *"ABCDEF"[: len(points)], plies=0, **options)
        made.append(msgspec.structs.replace(played(of, *winners), scores=points))
    return made


def test_two_players_have_one_row_a_draw_is_shared_and_the_margin_is_the_first_seats() -> None:
    found = board_figures(RIN, games([(9, 7), (9, 7), (8, 8), (5, 11)]))
    (black,) = found.seats
    assert black.name == "Black" and black.share.value == pytest.approx(2.5 / 4)
    wilson = share((str(number), value, 1.0) for number, value in enumerate((1.0, 1.0, 0.5, 0.0)))
    assert wilson and (black.share.low, black.share.high) == (wilson.low, wilson.high)
    assert found.margin.value == pytest.approx(-2 / 4) and found.margin.low < -0.5 < found.margin.high
    assert found.level.value == 0.25 and found.games == 4


def test_three_players_have_a_row_each_and_winners_share() -> None:
    found = board_figures(RINGS, games([(3, 1, 1), (2, 2, 1), (0, 0, 5), (1, 1, 1)]))
    assert [seat.name for seat in found.seats] == ["Black", "White", "Red"]
    expected = [(1 + 1 / 2 + 1 / 3) / 4, (1 / 2 + 1 / 3) / 4, (1 + 1 / 3) / 4]
    assert [seat.share.value for seat in found.seats] == pytest.approx(expected)
    assert found.margin.value == pytest.approx((2 + 0 - 5 + 0) / 4) and found.level.value == 0.5


def test_p_values_are_corrected_for_all_boards_and_apart_for_all_repairs() -> None:
    clear = board_figures(RIN, games([(9, 7)] * 30), [other_option("komi 2", games([(7, 9)] * 30))])
    even = board_figures(RIN, games([(9, 7), (7, 9)] * 15), [other_option("lead 6", games([(9, 7)] * 30))])
    raw = [clear.seats[0].p, even.seats[0].p]
    repairs = [clear.repairs[0].p, even.repairs[0].p]
    found = corrected([clear, even])
    assert [board.seats[0].p for board in found] == holm(raw)
    assert [board.repairs[0].p for board in found] == holm(repairs)
    assert found[0].seats[0].p == pytest.approx(2 * raw[0]) and found[1].seats[0].p == 1.0


def test_a_match_of_two_adds_margins_and_counts_games_two_by_two() -> None:
    made = games([(9, 7), (9, 7), (9, 7), (12, 4), (9, 7), (4, 12), (8, 8), (8, 8), (16, 0)])
    found = match_of_two("match", made)
    assert found and found.share is None and found.level_by_wins
    assert found.level.value == 2 / 4, "the first pair and the last, and a ninth game has no second"
    assert found.level_by_wins.value == 3 / 4, "in all but the third pair each wins one, or nobody does"
    assert found.level.games == 4
    assert match_of_two("match", made[:1]) is None
    assert board_figures(RIN, made, [found]).repairs[0].p == 1.0


def test_a_swapper_takes_what_looks_better_and_gets_what_it_got() -> None:
    won, lost, lost_too, unsearched = games([(9, 7), (7, 9), (7, 9), (9, 7)])
    taken = _searched(won, first_expects=0.7)  # White takes Black's place, and Black wins
    left = _searched(lost, first_expects=0.4)  # White stays, and wins
    mistaken = _searched(lost_too, first_expects=0.6)
    silent = msgspec.structs.replace(unsearched, actions=("1,1", "0,0"))
    found = swap("swap", [taken, left, mistaken, silent])
    assert found and found.share and found.taken
    assert found.share.value == pytest.approx(1 / 3), "whoever began wins where the swap was a mistake"
    assert found.taken.value == pytest.approx(2 / 3) and found.share.games == 3
    assert swap("swap", [silent]) is None


def test_a_swap_after_a_turn_that_games_begin_with_is_decided_by_the_first_search() -> None:
    (game,) = games([(9, 7)])
    after = RIN.start().play("1,1")
    of = msgspec.structs.replace(game.pairing, position=str(after))
    begun = msgspec.structs.replace(game, pairing=of, actions=("0,0",), chances=((0.8, 0.2),))
    found = swap("foreseen", [begun], "1,1")
    assert found and found.share and found.share.value == 0.0 and found.first_turn == "1,1"
    assert found.side and found.side.value == 1.0, "Black's side won, but White had taken it"


def test_no_game_tells_nothing() -> None:
    with pytest.raises(ValueError, match="no game"):
        board_figures(RIN, [])


def test_what_never_varies_is_not_called_certain() -> None:
    found = board_figures(RIN, games([(9, 7)] * 20))
    (black,) = found.seats
    assert black.share.value == 1.0 and black.share.low < 0.9
    assert math.isnan(found.margin.low), "a mean of equal values has no interval"


def _searched(game: Played, first_expects: float) -> Played:
    """The same game with expectations before Black's only stone and before White's first."""
    expected = ((0.5, 0.5), (first_expects, 1 - first_expects))
    return msgspec.structs.replace(game, actions=("1,1", "0,0"), chances=expected)
