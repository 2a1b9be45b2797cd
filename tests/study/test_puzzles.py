"""Puzzles: those found are proved, can be failed, and are read as written."""

from collections import Counter
from itertools import product
from pathlib import Path

import msgspec
import pytest

import kakomi
from kakomi import catalog
from kakomi.core import Position
from kakomi.core.seeds import derived_seed
from kakomi.puzzles import (
    MOST_BYTES,
    Puzzle,
    PuzzleError,
    is_whole_turn,
    played,
    read_puzzles,
    shipped_puzzles,
    turns_of,
    written,
)
from kakomi.solve import BudgetSpentError, Prover
from kakomi.study.puzzle_finder import (
    Demands,
    PuzzleStudy,
    Searched,
    bot_game,
    hardest_level,
    misses_of_level,
)
from kakomi.study.puzzle_proof import Reason, flaws, flaws_of_play, in_words, winning_turns
from study.inline_farm import InlineFarm

WITH_PUZZLES = [name for name in kakomi.names() if shipped_puzzles(catalog.describe(name))]
ALL = [puzzle for name in WITH_PUZZLES for puzzle in shipped_puzzles(catalog.describe(name))]
A_FEW_OF_EACH = [puzzle for name in WITH_PUZZLES for puzzle in shipped_puzzles(catalog.describe(name))[:2]]


def changed(puzzle: Puzzle, **fields: object) -> Puzzle:
    return msgspec.structs.replace(puzzle, **fields)


def wins_by_hand(position: Position, seat: int) -> bool:
    """Whether a seat wins, by exhaustive search."""
    if position.is_over:
        scores = position.scores()
        return scores[seat] > max(score for player, score in enumerate(scores) if player != seat)
    outcomes = (wins_by_hand(position.play_action(action), seat) for action in position.legal_actions())
    return any(outcomes) if position.to_move == seat else all(outcomes)


def ending(name: str, turns: int, size: int, seed: int) -> Position:
    """A position some turns before the end of a game between bots."""
    game = catalog.game(name, size=size)
    return bot_game(game, 1, derived_seed(seed, 0)).positions(game)[-turns - 1]


@pytest.mark.parametrize(("name", "size", "turns"), [("rin", 4, 2), ("rive", 2, 3)])
def test_a_win_is_proved_as_by_looking_at_everything(name: str, size: int, turns: int) -> None:
    wins = []
    for seed, before_the_end in product(range(4), (turns, turns - 1)):
        position = ending(name, before_the_end, size, seed)
        prover = Prover(position, None)
        for turn in turns_of(position, 1000) or []:
            wins.append(prover.is_won(turn.after))
            assert wins[-1] == wins_by_hand(turn.after, position.to_move)
    assert set(wins) == {True, False}


def test_turns_are_whole_and_lead_to_different_positions() -> None:
    begun = catalog.game("rin", size=4).start().play("0,0")
    turns = turns_of(begun, 1000) or []
    assert len(turns) == 15 * 14 // 2, "two stones in whatever order"
    assert all(is_whole_turn(begun, turn.after) and len(turn.actions) == 2 for turn in turns)
    assert len({turn.after.key() for turn in turns}) == len(turns)
    assert turns_of(begun, 100) is None


def test_half_a_turn_is_no_answer() -> None:
    begun = catalog.game("rin", size=4).start().play("0,0")
    assert not is_whole_turn(begun, begun)
    assert not is_whole_turn(begun, begun.play("1,1"))
    assert is_whole_turn(begun, played(begun, "1,1 2,2"))


def test_why_a_position_is_none_is_said() -> None:
    position = ending("rin", 3, 4, 1)
    prover = Prover(position, None)
    assert winning_turns(position, 2, 1, prover) is Reason.TOO_MANY_TURNS
    reasons = Counter(
        reason
        for before_the_end in range(1, 5)
        for late in [ending("rin", before_the_end, 4, 2)]
        if isinstance(reason := winning_turns(late, 1000, 1000, Prover(late, None)), Reason)
    )
    assert {Reason.NO_WIN, Reason.ALL_WIN} & reasons.keys()
    for late in (ending("rive", turns, 2, 1) for turns in (1, 2)):
        turns = turns_of(late, 1000) or []
        reason = winning_turns(late, 1000, 1000, Prover(late, None))
        wins = [wins_by_hand(turn.after, late.to_move) for turn in turns]
        expected = Reason.NO_CHOICE if len(turns) == 1 else Reason.ALL_WIN if all(wins) else Reason.NO_WIN
        assert reason is expected
    several = Counter({Reason.NO_WIN: 1200, Reason.NO_CHOICE: 2})
    assert in_words(several) == "1,200 without a win, 2 with one turn only"


def test_the_budget_is_kept() -> None:
    start = catalog.game("rive", size=3).start()
    prover = Prover(start, 1000)
    with pytest.raises(BudgetSpentError):
        winning_turns(start, 100, 1, prover)
    assert prover.spent < 200_000, "it is looked at once a slice"


def test_every_game_comes_with_puzzles() -> None:
    assert set(WITH_PUZZLES) >= {"lin", "ren", "rin", "rings", "rive"}
    assert all(len(shipped_puzzles(catalog.describe(name))) >= 8 for name in WITH_PUZZLES)


def test_no_two_have_a_name() -> None:
    assert len({puzzle.name for puzzle in ALL}) == len(ALL)


@pytest.mark.parametrize("name", WITH_PUZZLES)
def test_all_that_come_with_a_game_can_be_played(name: str) -> None:
    for puzzle in shipped_puzzles(catalog.describe(name)):
        assert puzzle.game == name
        assert list(flaws_of_play(puzzle, puzzle.begin())) == []
        assert 2 * puzzle.misses >= puzzle.tries


@pytest.mark.parametrize("puzzle", A_FEW_OF_EACH, ids=lambda puzzle: f"{puzzle.game}-{puzzle.name}")
def test_a_sample_is_proved_again(puzzle: Puzzle) -> None:
    assert list(flaws(puzzle)) == []


@pytest.mark.parametrize("puzzle", A_FEW_OF_EACH[::2], ids=lambda puzzle: f"{puzzle.game}-{puzzle.name}")
def test_what_is_wrong_with_one_is_told(puzzle: Puzzle) -> None:
    begun = puzzle.begin()
    right = {played(begun, answer).key() for answer in puzzle.answers}
    wrong = next(turn for turn in turns_of(begun, 1000) or [] if turn.after.key() not in right)
    other = " ".join(wrong.actions)
    told = list(flaws(changed(puzzle, answers=(other,), line=other)))
    assert f"{other} doesn't keep the win" in told
    assert any("more first turns keep the win" in flaw for flaw in told)
    assert any("leads to" in flaw for flaw in flaws(changed(puzzle, at=str(begun.game.start()))))
    assert any("not to begin a turn" in flaw for flaw in flaws(changed(puzzle, seat=1 - puzzle.seat)))
    assert any("line" in flaw for flaw in flaws(changed(puzzle, line=other)))
    assert any("no level 99" in flaw for flaw in flaws(changed(puzzle, level=99)))
    assert any("more than" in flaw for flaw in flaws(changed(puzzle, misses=puzzle.tries + 1)))
    assert any("can't be begun" in flaw for flaw in flaws(changed(puzzle, before="z99")))
    assert any("can't be begun" in flaw for flaw in flaws(changed(puzzle, options={"size": 99})))


def test_a_budget_that_is_not_enough_is_told() -> None:
    start = catalog.game("rive", size=3).start()
    given = {"answers": ("a1",), "line": "a1", "level": 1, "misses": 1, "tries": 1, "source": "a test"}
    puzzle = Puzzle(game="rive", options={"size": 3}, at=str(start), seat=0, **given)
    assert list(flaws(puzzle, 1000)) == [
        "1,000 positions are not enough to prove it; --budget says how many are looked at"
    ]


def test_the_same_seed_finds_the_same_and_what_it_finds_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kakomi.study.puzzle_proof.LINE_BUDGET", 100_000)
    game = catalog.game("rin", size=4)

    def study(games: int) -> PuzzleStudy:
        demands = Demands(tries=4, most_answers=3, budget=100_000)
        return PuzzleStudy(game, games, 3, player="1", demands=demands)

    found = study(4).run(InlineFarm(), tmp_path).puzzles
    assert found and found[:1] == study(2).run(InlineFarm(), tmp_path / "again").puzzles[:1]
    for puzzle in found:
        assert list(flaws(puzzle)) == []
        begun = puzzle.begin()
        answers = [tuple(answer.split()) for answer in puzzle.answers]
        assert misses_of_level(begun, answers, puzzle.level, 4, puzzle.seed) == puzzle.misses >= 2
        higher = misses_of_level(begun, answers, puzzle.level + 1, 4, puzzle.seed)
        assert puzzle.level == 10 or higher < 2


def test_of_puzzles_that_are_alike_the_first_is_told() -> None:
    one, other = ALL[:2]
    study = PuzzleStudy(one.found_game, 9)
    study.kept = {number: Searched(puzzle, {}) for number, puzzle in enumerate([one, None, one, other])}
    assert study.puzzles == [one, other]
    study.kept[5] = Searched(ALL[2], {})
    assert study.puzzles == [one, other], "an earlier game isn't done yet"
    study.wanted = 1
    assert study.puzzles == [one] and study.is_enough()


def test_a_level_that_knows_the_answer_misses_nothing() -> None:
    begun = catalog.game("rin", size=4).start()
    everything = [turn.actions for turn in turns_of(begun, 1000) or []]
    assert misses_of_level(begun, everything, 1, 3, 1) == 0
    assert hardest_level(begun, everything, 1, 3, 1) is None


def test_a_file_is_read_as_it_was_written() -> None:
    lines = [written(puzzle).encode() for puzzle in ALL[:3]]
    assert list(read_puzzles([*lines, b"", b"\n"])) == ALL[:3]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "line 2: no puzzle"),
        (b"[]", "line 2: no puzzle"),
        (b'{"game": "rin"}', "line 2: no puzzle: Object missing required field"),
        (b"\xff", "line 2: no puzzle"),
        (b"[" * 10_000, "line 2: no puzzle"),
        (b" " * MOST_BYTES + b"{}", "line 2: no puzzle has more than 16,384 bytes"),
    ],
)
def test_what_is_no_puzzle_is_named(line: bytes, told: str) -> None:
    with pytest.raises(PuzzleError, match=told):
        list(read_puzzles([b"", line]))
