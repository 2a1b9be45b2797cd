"""Certification finds no fault in the existing games, and every fault planted in a copy of one."""

import importlib
import itertools
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kakomi
from boards_of_other_shapes import rhombus
from core import skirmish
from kakomi import Game
from kakomi.research import certify, images
from kakomi.research.certify import Report
from kakomi.research.certify.__main__ import main
from sixth_game.slow_tercet import SlowTercet

SOURCE = Path(__file__).resolve().parents[1] / "sixth_game" / "kakomi-tercet" / "src" / "kakomi_tercet"
SMALL = {"size": 3, "stones": 3}
_numbers = itertools.count()

Plant = Callable[..., Report]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Certifies an edited copy of Tercet: `plant(old, new, file=...)`."""

    def certified(*edits: str, file: str = "rules.py", **settings: object) -> Report:
        name = f"tercet_{next(_numbers)}"
        shutil.copytree(SOURCE, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        edited = tmp_path / name / file
        text = edited.read_text()
        for old, new in zip(edits[::2], edits[1::2], strict=True):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        edited.write_text(text)
        for path in (tmp_path / name).glob("*.py"):  # a separate package and record type
            own = path.read_text().replace("kakomi_tercet", name).replace("tercet_placed", f"{name}_placed")
            path.write_text(own)
        monkeypatch.syspath_prepend(tmp_path)
        game = Game(importlib.import_module(name).GAME, SMALL)
        return certify(game, games=3, compiled=False, **settings)

    return certified


def found_by(report: Report) -> str:
    """The first check that found a fault."""
    assert not report.ok, "nothing was found"
    return report.faults[0].check


def ending(action: str) -> tuple[str, ...]:
    """Edits of the description that make another action end a turn."""
    listed = f'[*list_actions(("place", "remove"), geometry), {action}]'
    core = "from kakomi.core import "
    return (
        f"{core}Description",
        f"from kakomi.core.action import list_actions\n{core}Action, Description",
        '("place", "remove", "end")',
        f"lambda geometry, options: {listed}",
    )


def test_nothing_is_found_where_nothing_is_planted(plant: Plant) -> None:
    report = plant(reference=lambda: SlowTercet(**SMALL))
    report.raise_faults()
    assert all(checked.count for checked in report.checks)


def test_a_capture_that_forgets_a_stone(plant: Plant) -> None:
    report = plant("        state.stones[action - board.points] = EMPTY\n", "")
    assert found_by(report) == "kinds"


LEGAL = (
    "from kakomi.kernel.records import",
    "from kakomi.kernel.contract import legal\nfrom kakomi.kernel.records import",
)
MASK = """
def mask_legal(board, state, scratch, out):
    for action in range(board.actions):
        out[action] = {default}
    for k in range(legal(board, state, scratch){less}):
        out[scratch.actions[k]] = True


def scores("""


def test_a_mask_with_one_action_too_many(plant: Plant) -> None:
    mask = MASK.format(default="action == 2 * board.points", less="")
    assert found_by(plant("\ndef scores(", mask, *LEGAL)) == "masks"


def test_a_mask_with_one_action_too_few(plant: Plant) -> None:
    mask = MASK.format(default="False", less=" - 1")
    assert found_by(plant("\ndef scores(", mask, *LEGAL)) == "masks"


OBSERVE = """
def observe(board, state, viewer, spots, out):
    for player in range(PLAYERS):
        for point in range(board.points):
            out[player, spots[point]] = state.stones[point] == player
            out[PLAYERS, spots[point]] = state.to_move / 2


def scores("""


def test_a_view_that_is_the_same_for_all(plant: Plant) -> None:
    assert found_by(plant("\ndef scores(", OBSERVE)) == "views"


def test_returns_whose_sum_is_not_0(plant: Plant) -> None:
    report = plant("out[player] = state.removed[player]", "out[player] = state.removed[player] / 1 + np.nan")
    assert found_by(report) == "endings"
    assert "whose sum is 0" in report.faults[0].expected


EARLY = ("if action == 2 * board.points or not _flanks(board, state):", "if True:")


def test_a_turn_that_passes_on_too_early(plant: Plant) -> None:
    report = plant(*EARLY, reference=lambda: SlowTercet(**SMALL))
    assert found_by(report) == "reference"


def test_another_rule_is_no_fault_without_a_reference(plant: Plant) -> None:
    """Turns that end before any removal are consistent, though not the intended rules."""
    assert plant(*EARLY).ok


def test_a_symmetry_that_does_not_commute(plant: Plant) -> None:
    report = plant("return opposite != OUTSIDE and", "return k < 3 and opposite != OUTSIDE and")
    assert found_by(report) == "symmetries"


def test_an_equal_position_with_another_hash(plant: Plant) -> None:
    report = plant(
        '("unplaced", np.int16),',
        '("unplaced", np.int16), ("latest", np.int16),',
        '"unplaced", "removed")',
        '"unplaced", "removed", "latest")',
        "        state.tercet_placed = action\n",
        "        state.tercet_placed = state.latest = action\n",
    )
    assert found_by(report) == "orders"


def test_text_that_does_not_read_back(plant: Plant) -> None:
    """Two actions with the same text are indistinguishable."""
    report = plant(*ending('Action("B2", "end")'), file="__init__.py")
    assert found_by(report) == "requirements"
    assert "2 actions of tercet have the text 'b2'" in report.faults[0].seen
    assert "spellings" in {fault.check for fault in report.faults}


def test_a_rule_that_overflows_interpreted(plant: Plant) -> None:
    report = plant("(state.to_move + 1) % PLAYERS", "(64 * state.to_move + 1) % PLAYERS")
    assert found_by(report) == "running"
    assert "FloatingPointError" in report.faults[0].seen


IS_LEGAL = """
def legal(board, state, scratch):
    n = 0
    for action in range(board.actions):
        if fits(board, state, scratch, action):
            scratch.actions[n] = action
            n += 1
    return n


def is_legal(board, state, scratch, action):
    if fits(board, state, scratch, action):
        return True
    state.unplaced += 1
    return False


def scores("""


def test_a_state_that_an_illegal_action_changes(plant: Plant) -> None:
    assert found_by(plant("def is_legal(", "def fits(", "\ndef scores(", IS_LEGAL)) == "refusals"


def test_players_who_are_not_alike(plant: Plant) -> None:
    report = plant(
        "        out[player] = state.removed[player]", "        out[player] = state.removed[player] + player"
    )
    assert found_by(report) == "players"


def test_an_action_for_one_player_alone(plant: Plant) -> None:
    report = plant("    if action == 2 * board.points:\n        return True\n", ENDED_BY_FIRST)
    assert found_by(report) == "players"


def test_helper_fields_that_cannot_be_worked_out(plant: Plant) -> None:
    report = plant('"unplaced", "removed")', '"unplaced")')
    assert found_by(report) == "copies"


ENDED_BY_FIRST = """    if action == 2 * board.points:
        return state.to_move == 0
"""
SAMPLE = """
def sample(board, state, scratch, rng):
    n = legal(board, state, scratch)
    return int(scratch.actions[min(below(rng, 2 * n), n - 1)])


def scores("""


def test_a_sample_that_is_not_uniform(plant: Plant) -> None:
    drawing = "import numpy as np\n", "import numpy as np\n\nfrom kakomi.kernel import below\n"
    assert found_by(plant("\ndef scores(", SAMPLE, *drawing, *LEGAL)) == "sampling"


def test_a_plane_that_is_not_written_whole(plant: Plant) -> None:
    observe = OBSERVE.replace(
        "state.stones[point] == player", "state.stones[point] == (viewer + player) % PLAYERS"
    )
    unwritten = observe.replace(
        "            out[PLAYERS, spots", "            if point:\n                out[PLAYERS, spots"
    )
    found = {fault.check for fault in plant("\ndef scores(", unwritten).faults}
    assert "planes" in found
    assert "views" in found


def test_symmetries_that_there_are_not(plant: Plant) -> None:
    report = plant(*ending('Action("end", "end", point="a1")'), file="__init__.py")
    assert "symmetries" in {fault.check for fault in report.faults}


def test_words_of_several_lines(plant: Plant) -> None:
    expects = "def expects(position: Position) -> str:\n"
    report = plant(expects, expects + '    return "one\\ntwo"\n', file="explain.py")
    assert found_by(report) == "words"


def faults_of(game: Game) -> dict[str, str]:
    report = certify(game, games=2, compiled=False)
    assert report.ok is False
    return {fault.check: fault.seen for fault in report.faults}


def test_a_game_of_chance_is_no_game() -> None:
    found = faults_of(skirmish.skirmish(rules=skirmish.DICE))
    assert "play of skirmish draws random numbers" in found["requirements"]


def test_actions_with_one_target_are_not_offered() -> None:
    found = faults_of(skirmish.skirmish())
    assert "b1-c1" in found["offers"]
    assert "views" not in found and "planes" not in found and "players" not in found
    assert "symmetries" in found, "the start is not symmetric"


def test_a_start_that_is_not_symmetric_may_say_so() -> None:
    assert "symmetries" not in faults_of(skirmish.skirmish(is_symmetric=False))


def test_actions_that_only_texts_tell_apart_are_found() -> None:
    def without_origins(geometry: Any, options: Any) -> list[Any]:
        return [replace(action, origin=None) for action in skirmish.list_actions(geometry, options)]

    found = faults_of(skirmish.skirmish(actions=without_origins))
    assert "only their texts tell 'a1-b1'" in found["symmetries"]


@pytest.mark.parametrize("slope", [0.5, 0.3], ids=["with mirrors", "without mirrors"])
def test_another_board_is_certified_as_any(slope: float) -> None:
    game = skirmish.skirmish(geometry=lambda options: rhombus(4, slope=slope))
    assert len(images(game)) == len(game.symmetries) == len(game.geometry.symmetries)
    found = faults_of(game)
    assert set(found) <= {"copies", "orders", "symmetries", "words", "offers"}  # as on a square
    assert not any("KeyError" in seen for seen in found.values())


def test_a_fault_can_be_seen_again(plant: Plant) -> None:
    report = plant("        state.stones[action - board.points] = EMPTY\n", "")
    *before, last = report.faults[0].actions
    position = report.game.start()
    for action in before:
        position = position.play(action)
    assert last.startswith("x") and position.play(last).stones() == position.stones()


def test_a_report_is_a_table_and_an_error(plant: Plant) -> None:
    report = plant("        state.stones[action - board.points] = EMPTY\n", "")
    table = str(report)
    assert all(checked.name in table and checked.claim.split()[0] in table for checked in report.checks)
    assert max(map(len, table.splitlines())) <= 100
    with pytest.raises(AssertionError, match="FAULT kinds"):
        report.raise_faults()


def test_players_need_not_be_alike() -> None:
    report = certify(kakomi.game("lin", size=5, komi=6), games=1, compiled=False)
    report.raise_faults()
    assert [checked.name for checked in report.checks if not checked.count] == ["players"]


def test_a_seed_decides_all() -> None:
    one, twin, other = (
        certify(kakomi.game("rive", size=2), games=1, seed=seed, compiled=False) for seed in (1, 1, 2)
    )
    assert one == twin and one.checks != other.checks


def test_there_is_at_least_one_game() -> None:
    with pytest.raises(ValueError, match="games is 0"):
        certify(kakomi.game("rin", size=4), games=0)


def test_the_program_prints_the_report(capsys: pytest.CaptureFixture) -> None:
    assert main(["rin", "--size", "4", "--games", "1", "--interpreted"]) == 0
    assert "no fault was found" in capsys.readouterr().out


def test_the_program_ends_with_1_if_there_is_a_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    report = plant("(state.to_move + 1) % PLAYERS", "(64 * state.to_move + 1) % PLAYERS")
    monkeypatch.setattr(sys.modules[main.__module__], "certify", lambda *_, **__: report)
    assert main(["rin"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "chess"),
        (["rin", "--size", "7"], "size"),
        (["rin", "--games", "0"], "games"),
        ([], "GAME"),
    ],
)
def test_the_program_names_wrong_usage(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and message in capsys.readouterr().err
