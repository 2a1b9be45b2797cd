"""Compiled code on disk: never stale, and used when nothing changed."""

import subprocess
import sys
from dataclasses import dataclass

import numba
import numpy as np
import pytest

import kakomi
from kakomi.kernel import compiler  # noqa: F401  (which tells Numba of all rules)
from kakomi.kernel.driver_cache import modules_among
from kernel.workshop import Workshop, package

UNEDITED = "11111111"
COMPILED, FOUND = (UNEDITED, "outcome"), (UNEDITED, "nothing")

EDITS = {
    "a rule": ("rules.py", "state.total += 1\n", "state.total += 2\n", "11111112"),
    "a helper's helper": ("deeper.py", "return 1", "return 2", "11111121"),
    "a constant read through its module": ("limits.py", "= 1", "= 2", "11111211"),
    "an imported constant that is a default argument": ("constants.py", "STEP = 1", "STEP = 2", "11112111"),
    "a file that constants are read from": ("number.txt", "1", "2", "12221111"),
    "the maker of a closure": ("factory.py", "return number", "return number + 1", "12111111"),
    "what a closure holds": ("factory.py", "made = make(", "made = make(1 + ", "12111111"),
    "what a table is filled with": ("constants.py", "= FROM_FILE\n", "= FROM_FILE + 1\n", "11221111"),
    "a helper that its author compiled": ("compiled.py", "return 1", "return 2", "21111111"),
    "the driver": ("loop.py", "states[0], out)", "states[0], out)\n    out[0] *= 2", "22222222"),
}
"""What is edited -> a file of the game, what it says, what it says then, and the score by that."""

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
    """What copies scored and what was compiled for them, in one process after the other."""

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
    workshop.edit(f"{package(DOCUMENTED)}/rules.py", "Take one", "Take just one")
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
    """What is compiled is what was imported, so that is what it must be kept as."""
    assert runs.first[MEANWHILE] == COMPILED
    assert runs.after_edits[MEANWHILE] == ("11111112", "outcome")
    assert runs.again[MEANWHILE] == ("11111112", "nothing")


def test_bounds_checks_are_kept_apart(runs: Runs) -> None:
    assert [runs.first[copy] for copy in MODES] == [COMPILED, COMPILED, FOUND]
    assert [runs.after_edits[copy] for copy in MODES] == [FOUND, FOUND, FOUND]
    assert runs.kernels == len(COPIES) - 1, "interpreted, nothing is kept"


PROFILED = """
import cProfile, inspect
import kakomi
from kakomi.core import steps
from kakomi.kernel.sources import fingerprint

game, before = kakomi.game("rin"), fingerprint(steps.__name__)
with cProfile.Profile():
    game.start()
flags = steps.begin.function.__code__.co_flags
print(bool(flags & inspect.CO_OPTIMIZED), fingerprint(steps.__name__) == before)
"""


def test_a_profiled_call_changes_no_fingerprint() -> None:
    """Numba takes a flag from the code of what it calls for a profiler."""
    run = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"], "if the first is True, there is nothing to test any more"


@pytest.mark.parametrize("name", kakomi.names())
def test_a_signature_names_the_rules_of_its_states(name: str) -> None:
    """Drivers that know no game get a game's rules into their keys by this alone."""
    description = kakomi.game(name).description
    rules = description.rules
    signature = (numba.typeof(np.zeros(1, rules.STATE)), numba.typeof(np.zeros(1, rules.SCRATCH)))
    solving = None if hasattr(description.solving, "STATE") else description.solving
    companions = [module for module in (description.policy, description.observation, solving) if module]
    assert modules_among(signature) == [rules, *companions]
    assert modules_among([numba.types.UniTuple(signature[0], 1)]) == [rules, *companions]
