"""Compiled code on disk is never stale after edits of anything that it depends on."""

from dataclasses import dataclass

import pytest

from kernel.workshop import EDITS, UNEDITED, Workshop, package

COMPILED, FOUND = (UNEDITED, "outcome"), (UNEDITED, "nothing")

SAME, DOCUMENTED, MEANWHILE = "no edit", "a docstring", "an edit while it runs"
MODES = ("checks:compiled", "checks:checked", "checks:interpreted")
COPIES = (*EDITS, SAME, DOCUMENTED, MEANWHILE, *MODES)

EDIT_WHAT_IS_IMPORTED = f"""
import pathlib
import {package(MEANWHILE)}.outcome
rules = pathlib.Path({package(MEANWHILE)!r}, "rules.py")
rules.write_text(rules.read_text().replace("state.total += 1\\n", "state.total += 2\\n"))
"""


@dataclass
class Runs:
    """The copies' scores and what was compiled for them, in successive processes."""

    first: dict[str, tuple[str, str]]
    kernels: int
    after_edits: dict[str, tuple[str, str]]
    again: dict[str, tuple[str, str]]
    after_an_edit_of_kakomi: dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    workshop = Workshop(tmp_path_factory.mktemp("workshop"), dict.fromkeys(c.split(":")[0] for c in COPIES))
    first = workshop.play(*COPIES, prelude=EDIT_WHAT_IS_IMPORTED)
    kernels = len(workshop.kernels)
    for what, (file, old, new, _) in EDITS.items():
        workshop.edit(f"{package(what)}/{file}", old, new)
    workshop.edit(f"{package(DOCUMENTED)}/rules.py", "take one at a time", "take just one at a time")
    after_edits, again = workshop.play(*COPIES), workshop.play(*COPIES)
    workshop.edit("kakomi/kernel/contract.py", '_chosen(state, "scores")', "lambda board, state, out: None")
    return Runs(first, kernels, after_edits, again, workshop.play(SAME))


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_never_missed(runs: Runs, what: str) -> None:
    score = EDITS[what][-1]
    assert runs.first[what] == COMPILED
    assert runs.after_edits[what] == (score, "outcome")
    assert runs.again[what] == (score, "nothing")


def test_an_edit_of_kakomi_itself_is_never_missed(runs: Runs) -> None:
    assert runs.again[SAME] == FOUND
    assert runs.after_an_edit_of_kakomi[SAME] == ("0", "outcome")


def test_nothing_changed_nothing_compiled(runs: Runs) -> None:
    assert runs.first[SAME] == runs.first[DOCUMENTED] == COMPILED
    assert runs.after_edits[SAME] == FOUND
    assert runs.after_edits[DOCUMENTED] == FOUND


def test_an_edit_between_import_and_compiling(runs: Runs) -> None:
    """The imported version is compiled, so it must be stored under that version."""
    assert runs.first[MEANWHILE] == COMPILED
    assert runs.after_edits[MEANWHILE] == ("11111112", "outcome")
    assert runs.again[MEANWHILE] == ("11111112", "nothing")


def test_bounds_checks_are_kept_apart(runs: Runs) -> None:
    assert [runs.first[copy] for copy in MODES] == [COMPILED, COMPILED, FOUND]
    assert [runs.after_edits[copy] for copy in MODES] == [FOUND, FOUND, FOUND]
    assert runs.kernels == len(COPIES) - 1, "interpreted, nothing is kept"
